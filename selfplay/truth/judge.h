/* Judges a player by positions of known value (positions.h).
 *
 * The player searches each position twice from scratch: at the komi at which the side to move just wins, and at that at
 * which it just loses (where there is such a komi on the board). It is judged by three things:
 *   - does the move that it plays keep the win? Only positions count in which some moves win and others lose;
 *   - its win rate for the side to move, against the known winner: the Brier score (Brier 1950), the mean of
 *     (win rate - 1 or 0)^2, and a table of how often positions of a win rate are won (reliability). 0.5 everywhere
 *     scores 0.25;
 *   - the error of the margin that it expects, against the value.
 * All by the number of empty cells, and in all.
 *
 * The exact solver of the player is switched off, unless it is asked for: it would know the answers. Results do not
 * depend on the number of threads. */
#ifndef STIGMERGY_SELFPLAY_TRUTH_JUDGE_H
#define STIGMERGY_SELFPLAY_TRUTH_JUDGE_H

#include "selfplay/io/document.h"
#include "selfplay/players/effort.h"
#include "selfplay/truth/positions.h"

enum { TRUTH_EFFORTS_MAX = 16, TRUTH_BINS = 8, TRUTH_RATES = 10 };

/* Sums over positions. */
typedef struct TruthScore {
    int positions;
    int choices, kept; /* with winning and losing moves; of these, the move played wins */
    int questions;     /* searches: two a position, or one where truth_komi_fits says no */
    double brier, margin_error;
} TruthScore;

/* The searches whose win rate was from a tenth to the next. */
typedef struct TruthRate {
    int questions, won;
    double rate; /* sum */
} TruthRate;

typedef struct TruthJudgement {
    Effort effort;
    TruthScore all, bins[TRUTH_BINS]; /* by empty cells: see truth_bin_width */
    TruthRate rates[TRUTH_RATES];
    int *missed; /* indices in the set of the positions whose win the move gave away: choices - kept of them; owned */
} TruthJudgement;

typedef struct TruthJudge {
    Player player;                     /* settled; its limits are not used */
    Effort efforts[TRUTH_EFFORTS_MAX]; /* simulations, a time, or both */
    int effort_count;
    int positions; /* how many of the set, spread evenly over it; 0: all */
    bool solver;   /* keep the player's */
    uint64_t seed;
    int threads;                                           /* positions side by side */
    const StopFlag *stop;                                  /* may be NULL */
    void (*progress)(void *user, int done, int positions); /* by one thread at a time; may be NULL */
    void *user;
} TruthJudge;

/* Judges for each effort. False with an error, and also if it was stopped. The judgements, made or not, are to be freed
 * by truth_judgements_free. */
bool truth_judge(const TruthJudge *judge, const TruthSet *set, TruthJudgement out[TRUTH_EFFORTS_MAX], Error *error);
void truth_judgements_free(TruthJudgement judgements[TRUTH_EFFORTS_MAX]);

/* Bin b holds the positions with b * width to (b + 1) * width - 1 empty cells: about a sixth of the board. */
int truth_bin_width(const Game *game);

/* Means, 0 where there is nothing. */
double truth_brier(const TruthScore *score);
double truth_margin_error(const TruthScore *score);

extern const DocumentSchema truth_schema;

/* The result document; the caller deletes it. `source` names the positions. */
cJSON *truth_document(const TruthJudge *judge, const TruthSet *set, const char *source,
                      const TruthJudgement judgements[TRUTH_EFFORTS_MAX], const DocumentContext *context);

#endif
