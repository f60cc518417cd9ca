/* See solver.h. */
#include "solver.h"

#include "solver_proof.h"
#include "solver_search.h"
#include "stigmergy.h"
#include "wall_time.h"

#include <stdlib.h>

enum {
    TABLE_MIN = 1 << 16,   /* bytes */
    FIRST_BUDGET = 1 << 22 /* nodes of a question before an easier one is asked; grows from there */
};

struct Solver {
    SolverShared shared;
    int threads;
    uint64_t budget;
    size_t worker_bytes;
    SolverWorker **worker;
};

/* ---- Making a solver ---- */

static bool make_workers(Solver *solver, const SolverOptions *options, Error *error) {
    solver->worker = calloc((size_t)options->threads, sizeof(SolverWorker *));
    if (!solver->worker)
        return error_set(error, "out of memory for the solver");
    for (; solver->threads < options->threads; solver->threads++) {
        SolverWorker *worker = malloc(solver->worker_bytes);
        if (!worker)
            return error_set(error, "out of memory for the solver");
        solver_worker_init(worker, solver->worker_bytes, &solver->shared, options->threads > 1);
        solver->worker[solver->threads] = worker;
    }
    return true;
}

static Solver *make_solver(const Game *game, const SolverModel *model, const SolverOptions *options, Error *error) {
    if (options->threads < 1 || options->threads > SOLVER_THREADS_MAX) {
        error_set(error, "threads: %d, expected 1 to %d", options->threads, SOLVER_THREADS_MAX);
        return NULL;
    }
    const size_t bytes = solver_worker_bytes(&game->board);
    const size_t least = sizeof(Solver) + (size_t)options->threads * (bytes + sizeof(SolverWorker *)) + TABLE_MIN;
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
    solver->worker_bytes = bytes;
    solver->budget = options->budget ? options->budget : FIRST_BUDGET;
    solver->shared.game = game;
    solver->shared.model = model;
    if (!make_workers(solver, options, error) ||
        !solver_table_init(&solver->shared.table, options->memory - least + TABLE_MIN, error)) {
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
    for (int i = 0; i < solver->threads; i++)
        free(solver->worker[i]);
    free(solver->worker);
    free(solver);
}

void solver_clear(Solver *solver) {
    solver_table_clear(&solver->shared.table);
    for (int i = 0; i < solver->threads; i++)
        solver_worker_init(solver->worker[i], solver->worker_bytes, &solver->shared, solver->threads > 1);
}

/* ---- One question ---- */

/* A position that is being solved. */
typedef struct Problem {
    Solver *solver;
    SolverNode node;
    Side side;
    double begin;
    uint64_t node_limit; /* the caller's; 0: none */
    SolverResult result;
} Problem;

static int round_up(const Problem *problem, int value) {
    const SolverShared *shared = &problem->solver->shared;
    return shared->model->round_up(shared->game, &problem->node, value);
}

static int round_down(const Problem *problem, int value) {
    int at = value;
    while (round_up(problem, at) > value)
        at--;
    return round_up(problem, at);
}

static void open_problem(Problem *problem, Solver *solver, const GameState *state, const SolverLimits *limits) {
    SolverShared *shared = &solver->shared;
    SolverLook look;
    *problem = (Problem){.solver = solver, .begin = wall_seconds(), .node_limit = limits ? limits->nodes : 0};
    shared->node_limit = problem->node_limit;
    shared->deadline = limits && limits->seconds > 0 ? problem->begin + limits->seconds : 0;
    shared->stop = limits ? limits->stop : NULL;
    atomic_store(&shared->nodes, 0);
    shared->model->open(shared->game, state, &problem->node);
    shared->model->look(shared->game, &problem->node, &look);
    problem->side = look.side;
    problem->result.lower = round_up(problem, look.lower);
    problem->result.upper = round_down(problem, look.upper);
}

/* Asks whether the value of a node is at least the threshold, which its look leaves open. The first thread that knows
 * ends the search of all. False where a limit was met. */
static bool ask(Solver *solver, const SolverNode *node, int threshold, int *answer, Action *best) {
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
    return atomic_load(&shared->end) == SOLVER_ANSWERED;
}

/* Takes an answer into the bounds of a problem: a lower bound that reaches the threshold, or an upper one below it. */
static void take_answer(Problem *problem, int threshold, int answer, Action best) {
    SolverResult *result = &problem->result;
    const bool at_least = answer >= threshold;
    if (at_least)
        result->lower = round_up(problem, answer);
    else
        result->upper = round_down(problem, answer);
    if (at_least == (problem->side == BLACK)) {
        result->has_best = true;
        result->best = best;
    }
}

/* Narrows the bounds of a problem by one question; false where a limit was met. */
static bool narrow(Problem *problem, int threshold) {
    int answer;
    Action best;
    if (!ask(problem->solver, &problem->node, threshold, &answer, &best))
        return false;
    take_answer(problem, threshold, answer, best);
    return true;
}

/* ---- Results ---- */

/* Finds a move that keeps the side to move at its bound, where that bound did not come from a search: tries all. */
static void find_best(Problem *problem, const GameState *state) {
    Solver *solver = problem->solver;
    const SolverShared *shared = &solver->shared;
    const bool black = problem->side == BLACK;
    const int threshold = black ? problem->result.lower : problem->result.upper + 1;
    Action actions[GAME_LEGAL_MAX];
    const int count = shared->game->rules->legal(shared->game, state, actions);
    for (int i = 0; i < count && !problem->result.has_best; i++) {
        GameState after;
        SolverNode node;
        SolverLook look;
        game_copy(shared->game, &after, state);
        shared->game->rules->apply(shared->game, &after, actions[i]);
        shared->model->open(shared->game, &after, &node);
        shared->model->look(shared->game, &node, &look);
        int answer = look.lower >= threshold ? look.lower : look.upper;
        Action best;
        if (look.lower < threshold && look.upper >= threshold && !ask(solver, &node, threshold, &answer, &best))
            return;
        problem->result.has_best = (answer >= threshold) == black;
        problem->result.best = actions[i];
    }
}

static SolverResult finish(const Problem *problem) {
    SolverResult result = problem->result;
    result.nodes = atomic_load(&problem->solver->shared.nodes);
    result.seconds = wall_seconds() - problem->begin;
    return result;
}

SolverResult solver_bounds(Solver *solver, const GameState *state) {
    Problem problem;
    open_problem(&problem, solver, state, NULL);
    problem.result.proved = problem.result.lower == problem.result.upper;
    return finish(&problem);
}

/* ---- The value ---- */

/* Whether a limit of the caller has been met. */
static bool exhausted(const Problem *problem) {
    const SolverShared *shared = &problem->solver->shared;
    return (problem->node_limit && atomic_load(&shared->nodes) >= problem->node_limit) ||
           (shared->deadline > 0 && wall_seconds() >= shared->deadline) || (shared->stop && atomic_load(shared->stop));
}

/* A threshold a part of the interval, 1/divisor, off its upper end or its lower one. */
static int threshold_at(const Problem *problem, bool upper_end, int divisor) {
    const int lower = problem->result.lower, upper = problem->result.upper, part = (upper - lower) / divisor;
    const int threshold = round_up(problem, upper_end ? upper - part : lower + part + 1);
    return threshold < upper ? threshold : upper;
}

static void report_progress(const Problem *problem, const SolverLimits *limits) {
    if (!limits || !limits->progress)
        return;
    const SolverResult so_far = finish(problem);
    limits->progress(limits->user, &so_far);
}

/* Narrows the bounds until they meet; false where a limit was met, or where `patience` questions in succession took too
 * long (0: it has no end). Answers are the cheaper the farther a threshold is from the value, and the middle of the
 * interval is often near it: so a quarter off both ends by turns. A question that takes too long is given up for one
 * nearer to the end; the easiest one gets twice the nodes the next time. */
static bool find_value(Problem *problem, const SolverLimits *limits, int patience) {
    SolverShared *shared = &problem->solver->shared;
    uint64_t budget = problem->solver->budget;
    int divisor[2] = {4, 4};
    for (int turn = 0, failed = 0; problem->result.lower < problem->result.upper; turn++) {
        const bool upper_end = turn % 2 == 0;
        const int threshold = threshold_at(problem, upper_end, divisor[upper_end]);
        shared->node_limit = atomic_load(&shared->nodes) + budget;
        if (problem->node_limit && problem->node_limit < shared->node_limit)
            shared->node_limit = problem->node_limit;
        const bool answered = narrow(problem, threshold);
        shared->node_limit = problem->node_limit;
        failed = answered ? 0 : failed + 1;
        if (answered)
            report_progress(problem, limits);
        else if (exhausted(problem) || failed == patience)
            return false;
        else if (divisor[upper_end] <= problem->result.upper - problem->result.lower)
            divisor[upper_end] *= 2;
        else
            budget *= 2;
    }
    return true;
}

/* ---- The value by proofs ---- */

/* Threads that ask different questions about one problem, each with a proof-number search of its own. */
typedef struct Team {
    Problem *problem;
    const GameState *state;
    const SolverLimits *limits;
    size_t share;                         /* bytes of each */
    int held;                             /* the half point of a button that somebody has; see first_question */
    int begin_lower, begin_upper;         /* the bounds of the problem before */
    int asked[SOLVER_THREADS_MAX];        /* thresholds, or NOTHING */
    atomic_bool moot[SOLVER_THREADS_MAX]; /* what is asked has been answered meanwhile */
} Team;

enum { NOTHING = INT16_MAX, PATIENCE = 2 };

static size_t proof_share(const Solver *solver) {
    return solver->shared.table.buckets / (uint64_t)solver->threads * sizeof(SolverBucket);
}

static bool can_prove(const Problem *problem, const GameState *state) {
    const Solver *solver = problem->solver;
    return solver->shared.model != &solver_plain_model && proof_search_knows(solver->shared.game, state) &&
           proof_share(solver) >= proof_search_least();
}

/* How many nodes a thread of a team spends on a question, at the upper end of the interval and at the lower one: twice
 * as many when it took too long. */
typedef struct Budget {
    uint64_t nodes[2];
} Budget;

/* The end to ask at: where less has been spent, but an end that has never moved gets an eighth of the other one. Steps
 * are small, for each costs a multiple of the one before. */
static bool at_upper_end(const Team *team, const Budget *budget) {
    const SolverResult *result = &team->problem->result;
    const uint64_t upper = budget->nodes[1] * (result->upper == team->begin_upper ? 8 : 1);
    const uint64_t lower = budget->nodes[0] * (result->lower == team->begin_lower ? 8 : 1);
    return upper <= lower;
}

/* The first threshold from a value on that cells can answer: a margin is odd, and twice that in half points. A button
 * on the table counts for White then: if Black has so many cells without it, he has half a point less at least with it,
 * and if he has two cells less, at most half a point more than these. Either is the answer. */
static int first_question(const Team *team, int value) {
    return value + ((2 + team->held - value) & 3);
}

static bool is_open(const Team *team, int threshold) {
    return threshold > team->problem->result.lower && threshold <= team->problem->result.upper;
}

static bool is_asked(const Team *team, int threshold) {
    for (int i = 0; i < team->problem->solver->threads; i++)
        if (team->asked[i] == threshold)
            return true;
    return false;
}

/* The next question of a thread: the first one from its end inwards that nobody asks, or else the nearest one. NOTHING
 * where there is none, but for the last half point of a button on the table. */
static int choose_question(const Team *team, bool upper_end) {
    const SolverResult *result = &team->problem->result;
    const int nearest = first_question(team, upper_end ? result->upper - 3 : result->lower + 1);
    const int step = upper_end ? -4 : 4;
    if (!is_open(team, nearest))
        return NOTHING;
    for (int threshold = nearest; is_open(team, threshold); threshold += step)
        if (!is_asked(team, threshold))
            return threshold;
    return nearest;
}

static ProofResult ask_proof(Team *team, int index, ProofSearch *search, int threshold, uint64_t budget) {
    const Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    const uint64_t nodes = atomic_load(&shared->nodes);
    if (problem->node_limit && problem->node_limit < nodes + budget)
        budget = nodes < problem->node_limit ? problem->node_limit - nodes : 1;
    const ProofLimits limits = {
        .nodes = budget, .deadline = shared->deadline, .stop = shared->stop, .moot = &team->moot[index]};
    const ProofResult result = proof_search_ask(search, team->state, (threshold - team->held) / 2, &limits);
    atomic_fetch_add(&shared->nodes, result.nodes);
    return result;
}

/* Takes a thread's answer, unless the bounds are beyond it by now, and frees those who ask what is answered by it. */
static void take_proof(Team *team, int threshold, const ProofResult *result) {
    Problem *problem = team->problem;
    if (!is_open(team, threshold))
        return;
    take_answer(problem, threshold, result->answer == PROOF_YES ? threshold : threshold - 1, result->best);
    for (int i = 0; i < problem->solver->threads; i++)
        if (!is_open(team, team->asked[i]))
            atomic_store(&team->moot[i], true);
    report_progress(problem, team->limits);
}

static void ask_on(Team *team, int index) {
    Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    char *memory = (char *)shared->table.bucket + (size_t)index * team->share;
    ProofSearch *search = proof_search_new(shared->game, memory, team->share);
    Budget budget = {.nodes = {problem->solver->budget, problem->solver->budget}};
    for (;;) {
        int threshold = NOTHING;
        bool upper_end = true;
#pragma omp critical(solver_team)
        if (!exhausted(problem)) {
            upper_end = at_upper_end(team, &budget);
            threshold = team->asked[index] = choose_question(team, upper_end);
            atomic_store(&team->moot[index], false);
        }
        if (threshold == NOTHING)
            return;
        const ProofResult result = ask_proof(team, index, search, threshold, budget.nodes[upper_end]);
#pragma omp critical(solver_team)
        {
            team->asked[index] = NOTHING;
            if (result.answer != PROOF_LIMITED)
                take_proof(team, threshold, &result);
            else if (!atomic_load(&team->moot[index]))
                budget.nodes[upper_end] *= 2;
        }
    }
}

/* Narrows the bounds as far as cells can tell, or to a limit. The searches get the memory of the table. */
static void find_by_proofs(Problem *problem, const GameState *state, const SolverLimits *limits) {
    Solver *solver = problem->solver;
    const int button = ((const StigmergyState *)state)->button;
    const int held = button == BUTTON_NONE ? 0 : button == BUTTON_BLACK ? 1 : -1;
    Team team = {.problem = problem,
                 .state = state,
                 .limits = limits,
                 .share = proof_share(solver),
                 .held = held,
                 .begin_lower = problem->result.lower,
                 .begin_upper = problem->result.upper};
    for (int i = 0; i < solver->threads; i++)
        team.asked[i] = NOTHING;
#pragma omp parallel for num_threads(solver->threads) schedule(static, 1) if (solver->threads > 1)
    for (int i = 0; i < solver->threads; i++)
        ask_on(&team, i);
    solver_table_clear(&solver->shared.table);
}

SolverResult solver_value(Solver *solver, const GameState *state, const SolverLimits *limits) {
    Problem problem;
    open_problem(&problem, solver, state, limits);
    const bool provable = can_prove(&problem, state);
    bool found = find_value(&problem, limits, provable ? PATIENCE : 0);
    if (!found && provable && !exhausted(&problem)) {
        find_by_proofs(&problem, state, limits);
        found = find_value(&problem, limits, 0);
    }
    if (found) {
        problem.result.proved = true;
        find_best(&problem, state);
    }
    return finish(&problem);
}

SolverResult solver_compare(Solver *solver, const GameState *state, int threshold, const SolverLimits *limits) {
    Problem problem;
    open_problem(&problem, solver, state, limits);
    SolverResult *result = &problem.result;
    if (result->lower < threshold && result->upper >= threshold && !narrow(&problem, threshold))
        return finish(&problem);
    result->proved = true;
    if ((result->lower >= threshold) == (problem.side == BLACK))
        find_best(&problem, state);
    return finish(&problem);
}
