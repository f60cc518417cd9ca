/* The exact solver: what a position is worth when both sides play perfectly.
 *
 * A value is Black's margin in half points, komi left out; the half point of the button is part of it. Komi matters in
 * one way only: the button belongs to odd komi. So a state of even komi has the value of all even komi, and one of odd
 * komi that of all odd ones. For k of the parity of the state's komi, Black wins at komi k if and only if the value is
 * above 2*k. In a game without points the value is +1 or -1.
 *
 * Values are proved bound by bound. Each step asks whether the value is at least a threshold. Thresholds far from the
 * value come first, as they are cheap to answer. If the game has carriers (engine/solver/carriers.h; Stigmergy has them
 * up to hexhex-5), proof-number search answers, and each thread has a question of its own. Other positions, and the
 * questions that it cannot answer, go to alpha-beta. When a limit is reached, the bounds proved so far are the result.
 *
 * The tables of single questions (solver_compare) are kept from one position to the next. So if a player asks about the
 * positions of an endgame one after the other, most of the work is done already. solver_value with carriers needs the
 * memory of these tables: what they knew is lost. */
#ifndef STIGMERGY_ENGINE_SOLVER_SOLVER_H
#define STIGMERGY_ENGINE_SOLVER_SOLVER_H

#include "engine/base/stop_flag.h"
#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A search goes down SOLVER_PLIES_MAX actions at most; the longest way measured had 403 (Bug, size 7). Each action
 * takes about 1,350 bytes of the thread's stack, so a search needs SOLVER_STACK bytes of it, beside what the caller and
 * a game's functions take. solver_value and solver_compare search on the thread that calls them; with `threads` above 1
 * also on OpenMP's threads, which get what OMP_STACKSIZE says, or else mostly 8 MB (`ulimit -s`). */
enum { SOLVER_THREADS_MAX = 256, SOLVER_PLIES_MAX = 1024, SOLVER_STACK = SOLVER_PLIES_MAX * 1536 };

typedef struct SolverOptions {
    size_t memory; /* bytes in all, nearly all for tables; the system provides them as they are used */
    int threads;   /* 1 to SOLVER_THREADS_MAX */
} SolverOptions;

typedef struct SolverResult {
    bool proved; /* solver_value: the bounds are equal; solver_compare: the answer is known */
    int lower_half_points, upper_half_points; /* bounds of the value; +1 or -1 in a game without points */
    bool no_room;  /* not proved: the search went deeper than it has room for, and more nodes or time would not help */
    bool has_best; /* `best` is a move that keeps the side to move at the value, or on its side of the threshold */
    Action best;
    uint64_t nodes; /* of this call */
    double seconds; /* of this call */
} SolverResult;

/* When to give up: at the first limit that is met. 0 means no such limit. */
typedef struct SolverLimits {
    uint64_t nodes; /* positions looked at */
    double seconds;
    const StopFlag *stop; /* the solver gives up soon after this is set, and waits while it says hold; may be NULL */
    /* Called after each bound that solver_value proves, by one thread at a time, which may be another one than the
     * caller's. It must return soon, and must not ask any solver: it holds up all solvers of the program. May be
     * NULL. */
    void (*progress)(void *user, const SolverResult *so_far);
    void *user;
} SolverLimits;

/* One thread at a time may call the functions of a solver; it makes the other threads itself. While it works, other
 * threads may only set the StopFlag of its limits. Several solvers may work side by side, on the same game. */
typedef struct Solver Solver;

/* Makes a solver, to be freed by solver_free; the game must outlive it. NULL with an error if an option is out of
 * range, if `memory` is too little for the threads and a small table, or if the system has no memory. */
Solver *solver_new(const Game *game, const SolverOptions *options, Error *error);
void solver_free(Solver *solver);

/* Whether single questions go to proof-number search with carriers, which can answer with more open cells. */
bool solver_has_carriers(const Solver *solver);

/* Empties the tables. */
void solver_clear(Solver *solver);

/* The bounds that need no search. */
SolverResult solver_bounds(Solver *solver, const GameState *state);

/* The value of a position. A proved value is the same on every run; with one thread, no limit of time and the same
 * tables, so is everything else.
 *
 * `best` is given if the value is proved and the game is not over, with one exception. Where the bound for the side to
 * move came without a search, by a theorem, its moves are tried one by one afterwards, those first that need no search
 * either. There is no `best` if a limit is met then, if there is too little room, or, where the game has carriers,
 * after a number of nodes. So ask has_best. `limits` may be NULL. */
SolverResult solver_value(Solver *solver, const GameState *state, const SolverLimits *limits);

/* Whether the value is at least a threshold. If `proved`, the lower bound reaches the threshold or the upper bound is
 * below it. Much cheaper than the value. For k of the parity of the state's komi, Black wins at komi k if and only if
 * the value is at least 2*k + 1. `best` is given where the answer is the one that the side to move wants, with the same
 * exception: where a theorem gives the answer, trying the moves is as hard as other questions and may end without
 * `best`. In a game without points a threshold of 1 asks whether Black wins. `limits` may be NULL. */
SolverResult solver_compare(Solver *solver, const GameState *state, int threshold_half_points,
                            const SolverLimits *limits);

#ifdef __cplusplus
}
#endif

#endif
