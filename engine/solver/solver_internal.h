/* Inside the solver: a position that is being solved, its bounds so far, and the limits of the call.
 *
 * Two kinds of search narrow the bounds: alpha-beta (solver.c) and proof-number search (team.c). Values and thresholds
 * are in half points. */
#ifndef STIGMERGY_ENGINE_SOLVER_SOLVER_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_SOLVER_INTERNAL_H

#include "engine/solver/alpha_beta_internal.h"
#include "engine/solver/proof_number_internal.h"
#include "engine/solver/solver.h"

struct Solver {
    SolverShared shared;
    int threads;
    uint64_t budget;       /* nodes that a question gets before an easier one is asked; doubled when needed */
    SolverWorker **worker; /* one a thread */
    ProofSearch *proofs;   /* for single questions, where the model has carriers; or NULL */
    SolverTable proofs_memory;
};

/* As solver_new, but solves through the functions of the game interface alone, even where the game has a model of its
 * own: for tests. */
Solver *solver_new_plain(const Game *game, const SolverOptions *options, Error *error);

typedef struct Problem {
    Solver *solver;
    const GameState *state;
    const SolverLimits *limits; /* may be NULL */
    SolverNode node;
    Side side; /* to move */
    double begin;
    uint64_t node_limit; /* the caller's; 0: none */
    SolverResult result; /* so far, without `proved`, nodes and seconds */
} Problem;

/* Begins with the bounds that need no search. What the arguments point to must outlive the problem. */
void problem_open(Problem *problem, Solver *solver, const GameState *state, const SolverLimits *limits);

/* The nearest value that the game can have, from `value` upwards. */
int problem_round_up(const Problem *problem, int value);

/* Takes an answer into the bounds: a lower bound that reaches the threshold, or an upper bound below it. `best` is the
 * move that achieves it, if the answer is the one that the side to move wants. */
void problem_take(Problem *problem, int threshold_half_points, int answer_half_points, Action best);

/* Whether a limit of the caller has been met. */
bool problem_exhausted(const Problem *problem);

/* The result so far, with nodes and seconds. problem_report passes it to the caller's `progress`, if there is one. */
SolverResult problem_state(const Problem *problem);
void problem_report(const Problem *problem);

/* ---- team.c ---- */

/* Whether proof-number search can work on the problem: the model has carriers for it, and there is enough memory. */
bool solver_team_knows(const Problem *problem);

/* Narrows the bounds until they meet, or to a limit. The searches get the memory of the table, which is empty
 * afterwards. */
void solver_team_narrow(Problem *problem);

#endif
