/* What is believed of the moves of a position: by the games of each, by those of the position, and by those of all
 * other moves.
 *
 * The values of the n moves of a position spread around a common centre like Student's t with 3 degrees of freedom. The
 * scale is the *spread* of moves; the centre is where the median of the best of n such values is the value that the
 * position's own games show. The games of a move follow the curve around its fair komi (komi_belief.h).
 *
 * Many moves have few games each, and some of them win all of theirs by chance. They cannot all be better than the best
 * move, and what that is worth the position's own games say: whoever plays from there takes a good move, if not the
 * best one. The two differ by the players' *error*, for they judge a position otherwise than they judge it one move
 * later. It has the tails of Student's t, too, so that many games of a move win over the position's. So the joint
 * belief is the product of what is believed of each move alone and of the weight that the position's games give to the
 * largest of the values. Given that a move is worth x, and M the best of the others, the largest is max(x, M). What is
 * believed of one move is therefore its own belief times the mean of the weight of max(x, M) over M (the sum-product
 * rule: Kschischang, Frey, Loeliger, "Factor graphs and the sum-product algorithm", IEEE Transactions on Information
 * Theory 2001). For White, who wants a small komi, all is the mirror image.
 *
 * All are sums over BELIEF_FACTORS places, which are close together where the best move may be and cover the board. */
#ifndef STIGMERGY_SELFPLAY_STATS_BEST_MOVE_H
#define STIGMERGY_SELFPLAY_STATS_BEST_MOVE_H

#include "selfplay/stats/komi_belief.h"

#include <stdbool.h>

/* What is learnt from the games of all positions. In points of komi, but for the lapse. */
typedef struct MoveModel {
    BeliefCurve curve;
    double spread, error;
} MoveModel;

/* The games of a move, and what is proved of it. */
typedef struct MoveGames {
    const BeliefResult *results; /* not owned */
    int count;
    Interval bounds;
} MoveGames;

/* The moves of a position. Places are those of the side to move: for White they are minus the fair komi. */
typedef struct BestMove {
    MoveModel model;
    double sign;                                            /* -1: White */
    double edge[BELIEF_FACTORS + 1], place[BELIEF_FACTORS]; /* place i is in the middle of edges i and i + 1 */
    double prior[BELIEF_FACTORS];                           /* the chance of a move without games at a place */
    double weight[BELIEF_FACTORS];                          /* of the best move at a place, by the position's games */
    double log_below[BELIEF_FACTORS];                       /* of the chance that all moves are at most there */
    double log_games;                                       /* of the probability of their games */
    int moves;                                              /* that were counted */
} BestMove;

/* Begins with a position: what is believed of it by its own games, the number of its moves, and whether the side to
 * move wants a large komi. `limit`: the largest fair komi of the board, either way. */
void best_move_begin(BestMove *best, const KomiBelief *position, int moves, bool large, double limit,
                     const MoveModel *model);

/* Counts a move with its games. */
void best_move_add(BestMove *best, const MoveGames *games);

/* What is believed of a move by its own games alone. */
void best_move_alone(const BestMove *best, const MoveGames *games, KomiBelief *belief);

/* What is believed of one of the moves that were counted, once all have been. */
void best_move_belief(const BestMove *best, const MoveGames *games, KomiBelief *belief);

/* The log of the probability of the games of all moves, by curve and spread; that of the weight of the best move, by
 * the error. */
double best_move_evidence(const BestMove *best);
double best_move_error_evidence(const BestMove *best);

/* By how many spreads the best of `count` moves lies above the centre, in the median. */
double best_move_gap(int count);

/* ---- Learning ---- */

/* The parameters of the model, which are learnt one after the other: scale, lapse, spread, and the error last. */
enum { MOVE_MODEL_SPREAD = 2, MOVE_MODEL_ERROR, MOVE_MODEL_PARAMETERS };

double *move_model_parameter(MoveModel *model, int number);

/* Candidates for a parameter, each the same number of times the one before. */
enum { LADDER_STEPS = 12 };

typedef struct Ladder {
    double low, high;
} Ladder;

/* All values that are thought of. The part of them around a value, from one candidate before to one after it. */
Ladder move_model_ladder(int number);
Ladder move_model_finer(int number, double value);

double ladder_candidate(Ladder ladder, int step);

/* The geometric mean of the candidates, weighed by their log evidence. */
double ladder_mean(Ladder ladder, const double evidence[LADDER_STEPS]);

/* What is believed before the first game. */
MoveModel move_model_default(void);

#endif
