/* Makes positions of known value (positions.h): draws them, and has the solver find what they are worth.
 *
 * They come from three sources: all ways to begin, up to symmetry (engine/game/beginnings.h); random turns; and games
 * of players against themselves, from random openings, one position of each game. Of random turns and games, only
 * positions count in which some moves win and some lose at the komi at which the side to move just wins. A position
 * that the solver does not decide within a number of nodes is left out, and so is one that is there already, up to
 * symmetry. How many is counted.
 *
 * The solver is asked for single bounds, from the margin that a short search expects. That takes much less than its own
 * way from the outside, which has nothing to start from.
 *
 * Everything follows from the settings and the seed, on any number of threads, unless a player has a time a move. */
#ifndef STIGMERGY_SELFPLAY_TRUTH_MAKE_H
#define STIGMERGY_SELFPLAY_TRUTH_MAKE_H

#include "engine/solver/solver.h"
#include "selfplay/players/player.h"
#include "selfplay/truth/positions.h"

enum {
    TRUTH_PLAYERS_MAX = 8,
    TRUTH_TRIES = 50 /* candidates from random turns or games for each position that is wanted, at most */
};

typedef struct TruthMake {
    int64_t turns;      /* all ways to begin with 0 to this number of turns, with and without the button; -1: none */
    int64_t random;     /* positions after random turns */
    int64_t games;      /* positions from games */
    int64_t most_empty; /* cells of a position from a game; all cells, where the board has fewer */
    int64_t nodes;      /* of the solver for a question */
    uint64_t seed;
    Player players[TRUTH_PLAYERS_MAX]; /* settled; the games are theirs in turn, and the first one's search guesses */
    int player_count;
    int threads;          /* positions side by side */
    const StopFlag *stop; /* may be NULL */
    /* Called as positions are done, by one thread at a time; may be NULL. `wanted` is 0 where that is not known. */
    void (*progress)(void *user, TruthSource source, int found, int wanted);
    void *user;
} TruthMake;

/* What was left out. */
typedef struct TruthLeftOut {
    int undecided; /* by the solver */
    int no_choice; /* all moves win or all lose, or the side to move wins at no komi */
    int repeated;
} TruthLeftOut;

/* Adds positions to an empty set: of random turns and of games fewer than are wanted, where TRUTH_TRIES candidates for
 * each have no more. False with an error, also if none is found, or more than TRUTH_POSITIONS_MAX are, or if it was
 * stopped. *left_out counts in any case. */
bool truth_make(const TruthMake *make, TruthSet *set, TruthLeftOut *left_out, Error *error);

/* The settings as JSON, for the first line of a file; the caller deletes it. */
cJSON *truth_make_to_json(const TruthMake *make);
cJSON *truth_left_out_to_json(const TruthLeftOut *left_out);

typedef enum TruthOutcome { TRUTH_SOLVED, TRUTH_UNDECIDED, TRUTH_NO_KOMI } TruthOutcome;

/* Finds the value of a position whose actions and komi (any of its parity) are given: fills in value, komi and winning
 * moves, and what follows. `guess` is a value in half points, where the questions begin. */
TruthOutcome truth_solve(const Game *game, Solver *solver, const SolverLimits *limits, int guess,
                         TruthPosition *position);

#endif
