/* The value by proof-number search (solver_internal.h): threads ask different questions about one problem, each in a
 * search of its own. They move inwards from the ends of the interval in small steps, as each step costs a multiple of
 * the one before. */
#include "engine/solver/solver_internal.h"

typedef struct Team {
    Problem *problem;
    size_t share;                      /* bytes of each thread */
    int threads;                       /* at most those of the solver: each has its search in memory */
    int begin_lower, begin_upper;      /* the bounds of the problem before */
    int asked[SOLVER_THREADS_MAX];     /* thresholds, or NOTHING */
    StopFlag moot[SOLVER_THREADS_MAX]; /* the caller's wish, or what is asked has been answered meanwhile */
} Team;

enum { NOTHING = INT16_MAX };

/* No question gets more nodes. Eight times as many still fit into 64 bits. */
static const uint64_t PROOF_BUDGET_MAX = UINT64_C(1) << 60;

static size_t proof_share(const Solver *solver, int threads) {
    return solver->shared.table.buckets / (uint64_t)threads * sizeof(SolverBucket);
}

/* As many threads as there is memory for; 0 if not even for one. */
static int team_threads(const Solver *solver) {
    int threads = solver->threads;
    while (threads > 0 && proof_share(solver, threads) < proof_search_least())
        threads--;
    return threads;
}

bool solver_team_knows(const Problem *problem) {
    const Solver *solver = problem->solver;
    const SolverShared *shared = &solver->shared;
    return proof_search_knows(shared->model->carriers, shared->game, problem->state) && team_threads(solver) > 0;
}

/* The end to ask at, from the budgets that a thread has for a question at the lower and at the upper end: the one with
 * the smaller budget, but an end that has never moved gets only an eighth of the other one. */
static bool at_upper_end(const Team *team, const uint64_t budget[2]) {
    const SolverResult *result = &team->problem->result;
    const uint64_t upper = budget[1] * (result->upper_half_points == team->begin_upper ? 8 : 1);
    const uint64_t lower = budget[0] * (result->lower_half_points == team->begin_lower ? 8 : 1);
    return upper <= lower;
}

static bool is_open(const Team *team, int threshold) {
    return threshold > team->problem->result.lower_half_points && threshold <= team->problem->result.upper_half_points;
}

static bool is_asked(const Team *team, int threshold) {
    for (int i = 0; i < team->threads; i++)
        if (team->asked[i] == threshold)
            return true;
    return false;
}

/* The nearest threshold from an end of the interval that is to be asked first; NOTHING where none is. */
static int nearest_question(const Team *team, int threshold, int step) {
    const SolverShared *shared = &team->problem->solver->shared;
    const SolverCarriers *carriers = shared->model->carriers;
    while (is_open(team, threshold) && carriers->asked_first &&
           !carriers->asked_first(shared->game, team->problem->state, threshold))
        threshold += step;
    return is_open(team, threshold) ? threshold : NOTHING;
}

/* The next question of a thread: the first one from its end inwards that nobody asks, or else the nearest one. The
 * thresholds that are not to be asked first come when no other one is left. */
static int choose_question(const Team *team, bool upper_end) {
    const SolverResult *result = &team->problem->result;
    const int step = upper_end ? -1 : 1;
    const int nearest =
        nearest_question(team, upper_end ? result->upper_half_points : result->lower_half_points + 1, step);
    if (nearest == NOTHING)
        return result->lower_half_points < result->upper_half_points ? result->upper_half_points : NOTHING;
    for (int at = nearest; at != NOTHING; at = nearest_question(team, at + step, step))
        if (!is_asked(team, at))
            return at;
    return nearest;
}

static ProofResult ask_proof(Team *team, int index, ProofSearch *search, int threshold, uint64_t budget) {
    const Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    const uint64_t nodes = atomic_load(&shared->nodes);
    const uint64_t left = nodes < problem->node_limit ? problem->node_limit - nodes : 0;
    const uint64_t share = left / (uint64_t)team->threads; /* the others work, too */
    const uint64_t part = share < UINT64_MAX ? share + 1 : share;
    if (problem->node_limit && part < budget)
        budget = part;
    const ProofLimits limits = {.nodes = budget, .deadline = shared->deadline, .stop = &team->moot[index]};
    const ProofResult result = proof_search_ask(search, problem->state, threshold, &limits);
    atomic_fetch_add(&shared->nodes, result.nodes);
    return result;
}

/* Takes a thread's answer, unless it is known by now, and stops the threads whose questions it answers. */
static void take_proof(Team *team, int threshold, const ProofResult *result) {
    Problem *problem = team->problem;
    if (!is_open(team, threshold))
        return;
    problem_take(problem, threshold, result->answer == PROOF_YES ? threshold : threshold - 1, result->best);
    for (int i = 0; i < team->threads; i++)
        if (!is_open(team, team->asked[i]))
            stop_flag_set(&team->moot[i]);
    problem_report(problem);
}

static void ask_on(Team *team, int index) {
    Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    char *memory = (char *)shared->table.bucket + (size_t)index * team->share;
    ProofSearch *search = proof_search_new(shared->model->carriers, shared->game, memory, team->share);
    uint64_t budget[2] = {problem->solver->budget, problem->solver->budget};
    for (;;) {
        int threshold = NOTHING;
        bool upper_end = true;
#pragma omp critical(solver_team)
        if (!problem_exhausted(problem)) {
            upper_end = at_upper_end(team, budget);
            threshold = team->asked[index] = choose_question(team, upper_end);
            team->moot[index] = (StopFlag){.parent = shared->stop};
        }
        if (threshold == NOTHING)
            return;
        const ProofResult result = ask_proof(team, index, search, threshold, budget[upper_end]);
#pragma omp critical(solver_team)
        {
            team->asked[index] = NOTHING;
            if (result.answer == PROOF_YES || result.answer == PROOF_NO)
                take_proof(team, threshold, &result);
            else if (!stop_flag_is_set(&team->moot[index]) && budget[upper_end] < PROOF_BUDGET_MAX)
                budget[upper_end] *= 2; /* it took too long */
        }
        if (result.answer == PROOF_BEYOND)
            return;
    }
}

void solver_team_narrow(Problem *problem) {
    Solver *solver = problem->solver;
    const int threads = team_threads(solver);
    Team team = {.problem = problem,
                 .share = proof_share(solver, threads),
                 .threads = threads,
                 .begin_lower = problem->result.lower_half_points,
                 .begin_upper = problem->result.upper_half_points};
    for (int i = 0; i < threads; i++)
        team.asked[i] = NOTHING;
    solver_table_renew(&solver->shared.table);
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int i = 0; i < threads; i++)
        ask_on(&team, i);
    solver_table_renew(&solver->shared.table);
}
