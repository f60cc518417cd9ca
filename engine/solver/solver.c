/* See solver.h. */
#include "engine/solver/solver.h"

#include "engine/solver/solver_internal.h"

#include <stdlib.h>

enum {
    TABLE_MIN = 1 << 16, /* bytes */
    /* Bytes that the solver is reckoned to take without workers and tables. It is no sizeof, and so are the other rooms
     * (alpha_beta.c, proof_number.c): the rest of the memory is table, and a table of another size plays other games
     * (STIGMERGY_GAMES_VERSION in CMakeLists.txt). */
    SOLVER_ROOM = 32912,
    BEST_BUDGETS = 16, /* what looking for a move may take where proof-number search was asked first */
    DEFAULT_BUDGET = 1 << 22,
    PROOFS_MAX = 1 << 30, /* bytes of the proof-number search for single questions; at most half the memory */
    NO_ROOM_MAX = 32      /* questions in a row that had too little room, the easiest ones among them */
};
#define BUDGET_MAX (UINT64_MAX / 4) /* is not doubled any more */

/* ---- Making a solver ---- */

static bool make_workers(Solver *solver, const SolverOptions *options, Error *error) {
    solver->worker = calloc((size_t)options->threads, sizeof(SolverWorker *));
    if (!solver->worker)
        return error_set(error, "out of memory for the solver");
    for (; solver->threads < options->threads; solver->threads++) {
        SolverWorker *worker = solver_worker_new(&solver->shared, options->threads > 1);
        if (!worker)
            return error_set(error, "out of memory for the solver");
        solver->worker[solver->threads] = worker;
    }
    return true;
}

/* Makes the proof-number search for single questions, where the model has carriers, from a part of the memory left. */
static bool make_proofs(Solver *solver, size_t *memory, Error *error) {
    const size_t part = *memory / 2 < PROOFS_MAX ? *memory / 2 : PROOFS_MAX;
    const SolverShared *shared = &solver->shared;
    SolverTable *own = &solver->proofs_memory;
    if (!proof_search_plays(shared->model->carriers, shared->game) || part < proof_search_least())
        return true;
    if (!solver_table_init(own, part, error))
        return false;
    *memory -= part;
    solver->proofs = proof_search_new(shared->model->carriers, shared->game, own->bucket,
                                      (size_t)own->buckets * sizeof *own->bucket);
    return true;
}

static Solver *make_solver(const Game *game, const SolverModel *model, const SolverOptions *options, Error *error) {
    if (options->threads < 1 || options->threads > SOLVER_THREADS_MAX) {
        error_set(error, "threads: %d, expected 1 to %d", options->threads, SOLVER_THREADS_MAX);
        return NULL;
    }
    const size_t room = solver_worker_room(&game->board) + sizeof(SolverWorker *);
    const size_t least = SOLVER_ROOM + (size_t)options->threads * room + TABLE_MIN;
    if (options->memory < least) {
        error_set(error, "memory: %zu MB is too little for size %d and %d thread%s, expected at least %zu MB",
                  options->memory >> 20, game->board.size, options->threads, options->threads > 1 ? "s" : "",
                  (least >> 20) + 1);
        return NULL;
    }
    Solver *solver = calloc(1, sizeof *solver);
    if (!solver) {
        error_set(error, "out of memory for the solver");
        return NULL;
    }
    solver->budget = DEFAULT_BUDGET;
    solver->shared.game = game;
    solver->shared.model = model;
    size_t memory = options->memory - least + TABLE_MIN;
    if (!make_workers(solver, options, error) || !make_proofs(solver, &memory, error) ||
        !solver_table_init(&solver->shared.table, memory, error)) {
        solver_free(solver);
        return NULL;
    }
    return solver;
}

Solver *solver_new(const Game *game, const SolverOptions *options, Error *error) {
    return make_solver(game, game->rules->solver ? game->rules->solver : &solver_plain_model, options, error);
}

Solver *solver_new_plain(const Game *game, const SolverOptions *options, Error *error) {
    return make_solver(game, &solver_plain_model, options, error);
}

void solver_free(Solver *solver) {
    if (!solver)
        return;
    solver_table_free(&solver->shared.table);
    solver_table_free(&solver->proofs_memory);
    for (int i = 0; i < solver->threads; i++)
        free(solver->worker[i]);
    free(solver->worker);
    free(solver);
}

void solver_clear(Solver *solver) {
    solver_table_renew(&solver->shared.table);
    for (int i = 0; i < solver->threads; i++)
        solver_worker_clear(solver->worker[i]);
    if (solver->proofs)
        proof_search_clear(solver->proofs);
}

bool solver_has_carriers(const Solver *solver) {
    return solver->proofs != NULL;
}

/* ---- One question ---- */

/* Asks whether the value of a node is at least the threshold, which its look leaves open. The first thread that knows
 * ends the search of all. Returns how it ended; there is an answer only with SOLVER_ANSWERED. */
static SolverEnd ask(Solver *solver, const SolverNode *node, int threshold, int *answer, Action *best) {
    SolverShared *shared = &solver->shared;
    atomic_store(&shared->end, SOLVER_RUNNING);
#pragma omp parallel for num_threads(solver->threads) schedule(static, 1) if (solver->threads > 1)
    for (int i = 0; i < solver->threads; i++) {
        SolverWorker *worker = solver->worker[i];
        const int value = solver_search(worker, node, threshold);
        int running = SOLVER_RUNNING;
        if (atomic_compare_exchange_strong(&shared->end, &running, SOLVER_ANSWERED)) {
            *answer = value;
            *best = worker->best;
        }
        atomic_fetch_add(&shared->nodes, worker->counted);
        worker->counted = 0;
    }
    for (int i = 0; i < SOLVER_BUSY; i++)
        atomic_store_explicit(&shared->busy[i], 0, memory_order_relaxed);
    return (SolverEnd)atomic_load(&shared->end);
}

/* Limits the next questions to a number of nodes. */
static void limit_nodes(const Problem *problem, uint64_t nodes) {
    SolverShared *shared = &problem->solver->shared;
    shared->node_limit = atomic_load(&shared->nodes) + nodes;
    if (problem->node_limit && problem->node_limit < shared->node_limit)
        shared->node_limit = problem->node_limit;
}

/* Narrows the bounds of a problem by one question, if that is answered. */
static SolverEnd narrow(Problem *problem, int threshold) {
    int answer;
    Action best;
    const SolverEnd end = ask(problem->solver, &problem->node, threshold, &answer, &best);
    if (end == SOLVER_ANSWERED)
        problem_take(problem, threshold, answer, best);
    return end;
}

/* ---- Results ---- */

/* Whether the value after an action is at least the threshold, or is not, as the side to move wants it. What a look
 * leaves open is searched, or taken for no. *gave_up becomes true if the search has no answer. */
static bool is_enough(Problem *problem, Action action, int threshold, bool searches, bool *gave_up) {
    Solver *solver = problem->solver;
    const SolverShared *shared = &solver->shared;
    const bool black = problem->side == BLACK;
    GameState after;
    SolverNode node;
    SolverLook look;
    game_copy(shared->game, &after, problem->state);
    shared->game->rules->apply(shared->game, &after, action);
    shared->model->open(shared->game, &after, &node);
    shared->model->look(shared->game, &node, &look);
    if (look.lower_half_points >= threshold || look.upper_half_points < threshold)
        return (look.lower_half_points >= threshold) == black;
    int answer;
    Action best;
    *gave_up = searches && ask(solver, &node, threshold, &answer, &best) != SOLVER_ANSWERED;
    return searches && !*gave_up && (answer >= threshold) == black;
}

/* Finds a move that keeps the side to move on its side of a threshold, where that did not come from a search. First all
 * moves are looked at, for one may need no search: to pass after a pass, say. Then they are tried one by one. There is
 * none where a question about a move is given up. */
static void find_best(Problem *problem, int threshold) {
    const Game *game = problem->solver->shared.game;
    Action actions[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, problem->state, actions);
    bool gave_up = false;
    for (int searches = 0; searches < 2; searches++)
        for (int i = 0; i < count && !problem->result.has_best && !gave_up; i++) {
            if (searches && problem_exhausted(problem))
                return;
            problem->result.has_best = is_enough(problem, actions[i], threshold, searches, &gave_up);
            problem->result.best = actions[i];
        }
}

SolverResult solver_bounds(Solver *solver, const GameState *state) {
    Problem problem;
    problem_open(&problem, solver, state, NULL);
    problem.result.proved = problem.result.lower_half_points == problem.result.upper_half_points;
    return problem_state(&problem);
}

/* ---- The value ---- */

/* A threshold at 1/divisor of the interval from its upper end or from its lower one. */
static int threshold_at(const Problem *problem, bool upper_end, int divisor) {
    const int lower = problem->result.lower_half_points, upper = problem->result.upper_half_points,
              part = (upper - lower) / divisor;
    const int threshold = problem_round_up(problem, upper_end ? upper - part : lower + part + 1);
    return threshold < upper ? threshold : upper;
}

/* Narrows the bounds by alpha-beta until they meet; false where a limit was met or there is too little room. The
 * farther a threshold is from the value, the cheaper the answer, and the value is often near the middle of the
 * interval: so the questions are a quarter from either end, by turns. A question that is given up makes way for one
 * nearer to the end. The easiest one gets twice the nodes the next time if it took too long. If there was no room for
 * it, nodes do not help; the tables may, which know more by then, but not for ever. */
static bool find_value(Problem *problem) {
    SolverShared *shared = &problem->solver->shared;
    uint64_t budget = problem->solver->budget;
    int divisor[2] = {4, 4}, without_room = 0;
    for (int turn = 0; problem->result.lower_half_points < problem->result.upper_half_points; turn++) {
        const bool upper_end = turn % 2 == 0;
        const int threshold = threshold_at(problem, upper_end, divisor[upper_end]);
        limit_nodes(problem, budget);
        const SolverEnd end = narrow(problem, threshold);
        shared->node_limit = problem->node_limit;
        without_room = end == SOLVER_NO_ROOM ? without_room + 1 : 0;
        if (end == SOLVER_ANSWERED)
            problem_report(problem);
        else if (problem_exhausted(problem))
            return false;
        else if (divisor[upper_end] <= problem->result.upper_half_points - problem->result.lower_half_points)
            divisor[upper_end] *= 2;
        else if (end == SOLVER_LIMITED)
            budget = budget < BUDGET_MAX ? 2 * budget : budget;
        else if (without_room >= NO_ROOM_MAX) {
            problem->result.no_room = true;
            return false;
        }
    }
    return true;
}

SolverResult solver_value(Solver *solver, const GameState *state, const SolverLimits *limits) {
    Problem problem;
    problem_open(&problem, solver, state, limits);
    const bool provable = solver_team_knows(&problem);
    if (provable && problem.result.lower_half_points < problem.result.upper_half_points)
        solver_team_narrow(&problem);
    if (find_value(&problem)) {
        if (provable)
            limit_nodes(&problem, BEST_BUDGETS * solver->budget);
        problem.result.proved = true;
        find_best(&problem, problem.result.lower_half_points + (problem.side == WHITE));
    }
    return problem_state(&problem);
}

/* Compares by proof-number search; false where that cannot tell, or a limit was met. */
static bool prove(Problem *problem, int threshold) {
    Solver *solver = problem->solver;
    SolverShared *shared = &solver->shared;
    const ProofLimits limits = {.nodes = problem->node_limit, .deadline = shared->deadline, .stop = shared->stop};
    const ProofResult result = proof_search_ask(solver->proofs, problem->state, threshold, &limits);
    atomic_fetch_add(&shared->nodes, result.nodes);
    if (result.answer != PROOF_YES && result.answer != PROOF_NO)
        return false;
    problem_take(problem, threshold, result.answer == PROOF_YES ? threshold : threshold - 1, result.best);
    return true;
}

static bool is_provable(const Problem *problem) {
    const Solver *solver = problem->solver;
    const SolverShared *shared = &solver->shared;
    return solver->proofs && proof_search_knows(shared->model->carriers, shared->game, problem->state);
}

SolverResult solver_compare(Solver *solver, const GameState *state, int threshold_half_points,
                            const SolverLimits *limits) {
    const int threshold = threshold_half_points;
    Problem problem;
    problem_open(&problem, solver, state, limits);
    SolverResult *result = &problem.result;
    if (result->lower_half_points < threshold && result->upper_half_points >= threshold) {
        const bool proved = is_provable(&problem) && prove(&problem, threshold);
        const SolverEnd end = proved                        ? SOLVER_ANSWERED
                              : problem_exhausted(&problem) ? SOLVER_LIMITED
                                                            : narrow(&problem, threshold);
        result->no_room = end == SOLVER_NO_ROOM;
        if (end != SOLVER_ANSWERED)
            return problem_state(&problem);
    }
    result->proved = true;
    if ((result->lower_half_points >= threshold) == (problem.side == BLACK))
        find_best(&problem, threshold);
    return problem_state(&problem);
}
