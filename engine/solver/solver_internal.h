/* Inside the solver: a position that is being solved, its bounds so far, and the limits of the call.
 *
 * Two kinds of search narrow the bounds: alpha-beta (solver.c) and proof-number search (team.c). */
#ifndef STIGMERGY_ENGINE_SOLVER_SOLVER_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_SOLVER_INTERNAL_H

#include "engine/solver/alpha_beta.h"
#include "engine/solver/proof_number.h"
#include "engine/solver/solver.h"

struct Solver {
    SolverShared shared;
    int threads;
    uint64_t budget; /* nodes of a question before an easier one is asked */
    size_t worker_bytes;
    SolverWorker **worker; /* one a thread */
    ProofSearch *proofs;   /* for single questions, where there are claims; or NULL */
    SolverTable proofs_memory;
};

typedef struct Problem {
    Solver *solver;
    const GameState *state;
    const SolverLimits *limits; /* may be NULL */
    SolverNode node;
    Side side; /* to move */
    double begin;
    uint64_t node_limit; /* the caller's; 0: none */
    SolverResult result; /* so far: proved, nodes and seconds are left out */
} Problem;

/* Begins with the bounds that need no search. What the arguments point to must outlive the problem. */
void problem_open(Problem *problem, Solver *solver, const GameState *state, const SolverLimits *limits);

/* The nearest values that the game can have, from a value upwards and downwards. */
int problem_round_up(const Problem *problem, int value);
int problem_round_down(const Problem *problem, int value);

/* Takes an answer into the bounds: a lower bound that reaches the threshold, or an upper one below it; `best` is the
 * move for it where it is what the side to move wants. */
void problem_take(Problem *problem, int threshold, int answer, Action best);

/* Whether a limit of the caller has been met. */
bool problem_exhausted(const Problem *problem);

/* The result so far, with nodes and seconds; problem_report tells it to the caller, if he wants to know. */
SolverResult problem_state(const Problem *problem);
void problem_report(const Problem *problem);

/* ---- team.c ---- */

/* Whether proof-number search is of use: the game and the position have claims, and the memory is enough. */
bool solver_team_knows(const Problem *problem);

/* Narrows the bounds until they meet, or to a limit. The searches get the memory of the table, which is empty
 * afterwards. */
void solver_team_narrow(Problem *problem);

#endif
