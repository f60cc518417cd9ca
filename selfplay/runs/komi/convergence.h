/* Whether the fair komi of a ladder has converged, that is, no longer changes with the strength of the players.
 *
 * That one drift is small does not show it: on hexhex-3 three rungs gave 2.1, 2.1 and 4.8, for the players overlooked
 * the best first move. So a result counts as converged if
 *   - it has five rungs, each with four times the effort of the one before or more;
 *   - the last two drifts, from rung to rung, have 95% intervals within 0.75 points either way;
 *   - each of the three highest rungs has 200 games or more: with few, the intervals are too narrow;
 *   - games were forced to begin with each first move, and the best one is the same on the two highest rungs;
 *   - another family of players (second.h) says the same, by the same test as for a drift, with as much effort as the
 *     highest rung and with 200 games or more. On hexhex-5 a network passed all other tests, and the next one said 0.7
 *     more.
 * On a board that is solved the result is exact, whatever games say. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_CONVERGENCE_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_CONVERGENCE_H

#include "selfplay/stats/estimate.h"

/* What a rung says. */
typedef struct RungValue {
    double effort; /* simulations a move */
    FairKomi fair;
    int best; /* the most probable first move; -1: the players chose it */
    int games;
} RungValue;

/* The change from one rung to the next; 0 if both have the same pair of neighbouring komi values, of which nothing more
 * can be known; in a wider pair the step may have moved by as many komi values as lie in it. Otherwise it is that of
 * the estimates by the model: where a bracket stands for a curve, the model assumes something of its shape, but the
 * same on both rungs. The 95% intervals are as if the two were independent normal numbers. */
typedef struct Drift {
    double estimate;
    Interval ci95;
} Drift;

Drift rung_drift(const RungValue *below, const RungValue *above);

/* Whether it is so small, and known so well, that it does not speak against convergence. */
bool drift_is_small(const Drift *drift);

enum { CONVERGENCE_GAMES = 200 }; /* of a rung, at least */

typedef enum ConvergenceStatus { CONVERGENCE_EXACT, CONVERGENCE_REACHED, CONVERGENCE_MISSING } ConvergenceStatus;
typedef enum ConvergenceBound { BOUND_NONE, BOUND_AT_LEAST, BOUND_AT_MOST } ConvergenceBound;

/* Why a ladder has not converged. */
enum {
    REASON_FEW_RUNGS = 1,    /* fewer than five, or not each of four times the effort of the one before */
    REASON_DRIFT = 2,        /* one of the last two drifts is too large, or may be */
    REASON_FREE_PLAY = 4,    /* the players chose the first move */
    REASON_FIRST_MOVE = 8,   /* the best first move has changed */
    REASON_FEW_GAMES = 16,   /* too few games on one of these rungs */
    REASON_ALONE = 32,       /* no other family of players was compared */
    REASON_FAMILIES = 64,    /* it says something else, or may */
    REASON_WEAK_FAMILY = 128 /* its effort is less than that of the highest rung, or it played too few games */
};
enum { REASON_COUNT = 8 }; /* how many there are */

typedef struct Convergence {
    ConvergenceStatus status;
    unsigned reasons;       /* REASON_..., if not converged */
    ConvergenceBound bound; /* if it drifts: the value rises with strength, so it is at least this; or falls */
    Drift drift;            /* over the last two steps; with two rungs over one */
} Convergence;

/* For a ladder of two rungs or more. `other` is what another family of players says, NULL if none was compared;
 * `exact` tells whether the board is solved. */
Convergence rungs_converge(const RungValue *rungs, int count, const RungValue *other, bool exact);

/* What "converged" means, as a part of a sentence. */
extern const char convergence_definition[];

/* The words for a status, a bound ("" for none), and for reason number i (bit i), as parts of a sentence. */
extern const char *const convergence_words[], *const bound_words[], *const reason_words[REASON_COUNT];

#endif
