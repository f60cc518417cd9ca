/* The value by proofs (solver_internal.h): threads that ask different questions about one problem, each with a
 * proof-number search of its own. Steps are small, for each costs a multiple of the one before. */
#include "engine/solver/solver_internal.h"

typedef struct Team {
    Problem *problem;
    size_t share;                         /* bytes of each thread */
    int threads;                          /* at most those of the solver: each has its search in memory */
    int cells_threshold;                  /* one that cells can answer; so can they every fourth from it on */
    int begin_lower, begin_upper;         /* the bounds of the problem before */
    int asked[SOLVER_THREADS_MAX];        /* thresholds, or NOTHING */
    atomic_bool moot[SOLVER_THREADS_MAX]; /* what is asked has been answered meanwhile */
} Team;

enum { NOTHING = INT16_MAX };

static size_t proof_share(const Solver *solver, int threads) {
    return solver->shared.table.buckets / (uint64_t)threads * sizeof(SolverBucket);
}

/* As many as find room; none where not even one does. */
static int team_threads(const Solver *solver) {
    int threads = solver->threads;
    while (threads > 0 && proof_share(solver, threads) < proof_search_least())
        threads--;
    return threads;
}

bool solver_team_knows(const Problem *problem) {
    const Solver *solver = problem->solver;
    return solver->shared.model != &solver_plain_model && proof_search_knows(solver->shared.game, problem->state) &&
           team_threads(solver) > 0;
}

/* The end to ask at, from the nodes that a thread spends on a question at the lower end and at the upper one: where
 * less has been spent, but an end that has never moved gets an eighth of the other one. */
static bool at_upper_end(const Team *team, const uint64_t budget[2]) {
    const SolverResult *result = &team->problem->result;
    const uint64_t upper = budget[1] * (result->upper == team->begin_upper ? 8 : 1);
    const uint64_t lower = budget[0] * (result->lower == team->begin_lower ? 8 : 1);
    return upper <= lower;
}

/* Thresholds that cells can answer: a margin is odd, and twice that in half points, with half a point more for who has
 * the button. One that lies on the table counts for White: with it the value is at least that. The thresholds between
 * them are about the button and harder. */
static int cells_threshold(const Problem *problem) {
    const int button = ((const StigmergyState *)problem->state)->button;
    return 2 + (button == BUTTON_NONE ? 0 : button == BUTTON_BLACK ? 1 : -1);
}

/* The first of them from a value on. */
static int first_question(const Team *team, int value) {
    return value + ((team->cells_threshold - value) & 3);
}

static bool is_open(const Team *team, int threshold) {
    return threshold > team->problem->result.lower && threshold <= team->problem->result.upper;
}

static bool is_asked(const Team *team, int threshold) {
    for (int i = 0; i < team->threads; i++)
        if (team->asked[i] == threshold)
            return true;
    return false;
}

/* The next question of a thread: the first one from its end inwards that nobody asks, or else the nearest one; the last
 * half point of a button on the table when that is all that is left. */
static int choose_question(const Team *team, bool upper_end) {
    const SolverResult *result = &team->problem->result;
    const int nearest = first_question(team, upper_end ? result->upper - 3 : result->lower + 1);
    const int step = upper_end ? -4 : 4;
    if (!is_open(team, nearest))
        return result->lower < result->upper ? result->upper : NOTHING;
    for (int threshold = nearest; is_open(team, threshold); threshold += step)
        if (!is_asked(team, threshold))
            return threshold;
    return nearest;
}

static ProofResult ask_proof(Team *team, int index, ProofSearch *search, int threshold, uint64_t budget) {
    const Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    const uint64_t nodes = atomic_load(&shared->nodes);
    const uint64_t left = nodes < problem->node_limit ? problem->node_limit - nodes : 0;
    const uint64_t part = left / (uint64_t)team->threads + 1; /* the others work, too */
    if (problem->node_limit && part < budget)
        budget = part;
    const ProofLimits limits = {
        .nodes = budget, .deadline = shared->deadline, .stop = shared->stop, .moot = &team->moot[index]};
    const ProofResult result = proof_search_ask(search, problem->state, threshold, &limits);
    atomic_fetch_add(&shared->nodes, result.nodes);
    return result;
}

/* Takes a thread's answer, unless the bounds are beyond it by now, and frees those who ask what is answered by it. */
static void take_proof(Team *team, int threshold, const ProofResult *result) {
    Problem *problem = team->problem;
    if (!is_open(team, threshold))
        return;
    problem_take(problem, threshold, result->answer == PROOF_YES ? threshold : threshold - 1, result->best);
    for (int i = 0; i < team->threads; i++)
        if (!is_open(team, team->asked[i]))
            atomic_store(&team->moot[i], true);
    problem_report(problem);
}

static void ask_on(Team *team, int index) {
    Problem *problem = team->problem;
    SolverShared *shared = &problem->solver->shared;
    char *memory = (char *)shared->table.bucket + (size_t)index * team->share;
    ProofSearch *search = proof_search_new(shared->game, memory, team->share);
    uint64_t budget[2] = {problem->solver->budget, problem->solver->budget};
    for (;;) {
        int threshold = NOTHING;
        bool upper_end = true;
#pragma omp critical(solver_team)
        if (!problem_exhausted(problem)) {
            upper_end = at_upper_end(team, budget);
            threshold = team->asked[index] = choose_question(team, upper_end);
            atomic_store(&team->moot[index], false);
        }
        if (threshold == NOTHING)
            return;
        const ProofResult result = ask_proof(team, index, search, threshold, budget[upper_end]);
#pragma omp critical(solver_team)
        {
            team->asked[index] = NOTHING;
            if (result.answer == PROOF_YES || result.answer == PROOF_NO)
                take_proof(team, threshold, &result);
            else if (!atomic_load(&team->moot[index]))
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
                 .cells_threshold = cells_threshold(problem),
                 .begin_lower = problem->result.lower,
                 .begin_upper = problem->result.upper};
    for (int i = 0; i < threads; i++)
        team.asked[i] = NOTHING;
    solver_table_renew(&solver->shared.table);
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int i = 0; i < threads; i++)
        ask_on(&team, i);
    solver_table_renew(&solver->shared.table);
}
