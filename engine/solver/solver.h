/* The exact solver: what a position is worth when both sides play perfectly.
 *
 * A value is Black's margin in half points, komi left out, where the game has points (the button's half point is in
 * it); it does not depend on komi but for the button, which belongs to odd komi. Black wins at komi k iff the value is
 * above 2*k. In a game without points the value is +1 or -1.
 *
 * Values are proved bound by bound: each step asks whether the value is at least a threshold, first at the far ends,
 * where answers are cheap. Of positions of Stigmergy on boards up to hexhex-5 it asks proof-number search
 * (proof_number.h), each thread with questions of its own, and what is left over, as of all other positions, a
 * null-window alpha-beta search (alpha_beta.h). What has been proved by the time that a limit is met stands. For
 * single questions tables are kept from one position to the next, so that a player who asks about the positions of an
 * endgame one after the other finds most of his work done; solver_value empties alpha-beta's where it asks
 * proof-number search. MEASUREMENTS.md holds what was measured. */
#ifndef STIGMERGY_ENGINE_SOLVER_SOLVER_H
#define STIGMERGY_ENGINE_SOLVER_SOLVER_H

#include "engine/game/game.h"

#include <stdatomic.h>

enum { SOLVER_THREADS_MAX = 256 };

typedef struct SolverOptions {
    size_t memory;   /* bytes in all, nearly all for tables; taken up as they are used */
    int threads;     /* 1 to SOLVER_THREADS_MAX */
    uint64_t budget; /* nodes of a question before an easier one is asked; grows from there; 0: the usual number */
} SolverOptions;

typedef struct SolverResult {
    bool proved;      /* solver_value: lower == upper; solver_compare: the answer is known */
    int lower, upper; /* of Black's margin: half points, or +1 and -1 */
    bool has_best;    /* best is a move that keeps the side to move at its bound */
    Action best;
    uint64_t nodes; /* of this call */
    double seconds; /* of this call */
} SolverResult;

/* When to give up: at the first limit that is met. 0 is "no such limit". */
typedef struct SolverLimits {
    uint64_t nodes; /* positions looked at */
    double seconds;
    const atomic_bool *stop; /* gives up soon after somebody sets this; may be NULL */
    /* Called after each bound that solver_value proves, by one thread at a time, not always the caller's; may be
     * NULL. */
    void (*progress)(void *user, const SolverResult *so_far);
    void *user;
} SolverLimits;

typedef struct Solver Solver;

/* Makes a solver, to be freed by solver_free; the game must outlive it. NULL with an error for options out of range,
 * where memory is too little for the threads and a small table, or without memory. */
Solver *solver_new(const Game *game, const SolverOptions *options, Error *error);
void solver_free(Solver *solver);

/* Solves through the functions of the game interface alone, even where the game brings a better way: for tests. */
Solver *solver_new_plain(const Game *game, const SolverOptions *options, Error *error);

/* Whether single questions go to the search with claims (proof_number.h), which can do with more open cells. */
bool solver_has_claims(const Solver *solver);

/* Forgets what the tables hold. */
void solver_clear(Solver *solver);

/* The bounds that need no search. */
SolverResult solver_bounds(Solver *solver, const GameState *state);

/* The value of a position. Deterministic where it is proved; with one thread and no limit of time, always, from the
 * same table. `best` is given where the value is proved and the game is not over, unless the value follows from a
 * theorem alone and no move for it is found soon. */
SolverResult solver_value(Solver *solver, const GameState *state, const SolverLimits *limits);

/* Whether the value is at least `threshold`: proved, with lower >= threshold or upper < threshold, or not proved. Much
 * cheaper than the value. Black wins at komi k iff the value is at least 2*k + 1. `best` is given where the answer is
 * the one that the side to move wants. */
SolverResult solver_compare(Solver *solver, const GameState *state, int threshold, const SolverLimits *limits);

#endif
