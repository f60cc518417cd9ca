/* See solver_internal.h. */
#include "engine/solver/solver_internal.h"

#include "engine/base/wall_time.h"

#include <math.h>

int problem_round_up(const Problem *problem, int value) {
    const SolverShared *shared = &problem->solver->shared;
    return shared->model->round_up(shared->game, &problem->node, value);
}

/* The same downwards. */
static int round_down(const Problem *problem, int value) {
    int at = value;
    while (problem_round_up(problem, at) > value)
        at--;
    return problem_round_up(problem, at);
}

void problem_open(Problem *problem, Solver *solver, const GameState *state, const SolverLimits *limits) {
    SolverShared *shared = &solver->shared;
    SolverLook look;
    *problem = (Problem){.solver = solver,
                         .state = state,
                         .limits = limits,
                         .begin = wall_seconds(),
                         .node_limit = limits ? limits->nodes : 0};
    shared->node_limit = problem->node_limit;
    shared->deadline = limits && limits->seconds != 0 ? problem->begin + fmax(limits->seconds, 0) : 0;
    shared->stop = limits ? limits->stop : NULL;
    atomic_store(&shared->nodes, 0);
    shared->model->open(shared->game, state, &problem->node);
    shared->model->look(shared->game, &problem->node, &look);
    problem->side = look.side;
    problem->result.lower_half_points = problem_round_up(problem, look.lower_half_points);
    problem->result.upper_half_points = round_down(problem, look.upper_half_points);
}

void problem_take(Problem *problem, int threshold_half_points, int answer_half_points, Action best) {
    SolverResult *result = &problem->result;
    const bool at_least = answer_half_points >= threshold_half_points;
    if (at_least)
        result->lower_half_points = problem_round_up(problem, answer_half_points);
    else
        result->upper_half_points = round_down(problem, answer_half_points);
    if (at_least == (problem->side == BLACK)) {
        result->has_best = true;
        result->best = best;
    }
}

bool problem_exhausted(const Problem *problem) {
    const SolverShared *shared = &problem->solver->shared;
    return (problem->node_limit && atomic_load(&shared->nodes) >= problem->node_limit) ||
           (shared->deadline > 0 && wall_seconds() >= shared->deadline) || stop_flag_is_set(shared->stop);
}

SolverResult problem_state(const Problem *problem) {
    SolverResult result = problem->result;
    result.nodes = atomic_load(&problem->solver->shared.nodes);
    result.seconds = wall_seconds() - problem->begin;
    return result;
}

void problem_report(const Problem *problem) {
    const SolverLimits *limits = problem->limits;
    if (!limits || !limits->progress)
        return;
    const SolverResult so_far = problem_state(problem);
    limits->progress(limits->user, &so_far);
}
