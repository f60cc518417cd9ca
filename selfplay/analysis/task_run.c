/* See task_run_internal.h. */
#include "selfplay/analysis/task_run_internal.h"

#include "engine/base/wall_time.h"

#include <math.h>

static void report_finished_game(TaskRun *run) {
    const AnalysisTask *task = &run->queued->task;
    const GameResult result = task->game->rules->result(task->game, &task->state);
    const bool won = result.winner == task->game->rules->to_move(&task->state);
    run->known.stage = ANALYSIS_FINISHED;
    run->known.summary = (SearchSummary){.win_rate = won ? 1 : 0, .margin = 0.5 * result.half_points, .proven = true};
}

bool task_run_begin(TaskRun *run, SearchPool *searches, const QueuedTask *queued) {
    const AnalysisTask *task = &queued->task;
    *run = (TaskRun){.queued = queued, .begin = wall_seconds(), .known = {.stage = ANALYSIS_UNTOUCHED}};
    if (stop_flag_is_set(&queued->turn.stop))
        return false;
    if (task->game->rules->over(&task->state)) {
        report_finished_game(run);
        return false;
    }
    run->pooled = search_pool_take(searches, task->game, task->player, &task->state, &task->history, task->seed,
                                   task->keep_tree, &run->error);
    if (!run->pooled)
        return false;
    if (!search_avoid(run->pooled->search, task->avoid))
        run->pooled->kept = 0;
    run->known.search = run->pooled->search;
    run->known.summary.simulations = run->pooled->kept;
    return true;
}

/* Whether there is more to search. */
static bool wants_more(const TaskRun *run) {
    const AnalysisTask *task = &run->queued->task;
    const SearchSummary *total = &run->known.summary;
    const bool limited = task->simulations || task->seconds > 0;
    return !stop_flag_is_set(&run->queued->turn.stop) && !total->proven && (limited || !total->memory_full) &&
           !(task->simulations && total->simulations >= task->simulations) &&
           !(task->seconds > 0 && total->seconds >= task->seconds);
}

/* A search that ends before its time is up has ended for good: part of its simulations may have gone to the solver, or
 * no more can be counted. */
bool task_run_on(TaskRun *run, double seconds) {
    const AnalysisTask *task = &run->queued->task;
    SearchSummary *total = &run->known.summary;
    SearchLimits limits = {.stop = &run->queued->turn.stop, .seconds = seconds, .wide = task->wide};
    const double rounding = 1e-6, left = fmax(task->seconds - (wall_seconds() - run->begin), rounding);
    if (task->seconds > 0) {
        limits.seconds = limits.seconds == 0 || left < limits.seconds ? left : limits.seconds;
        limits.until_settled = task->until_settled;
        limits.horizon = left;
    }
    if (task->simulations)
        limits.simulations = task->simulations > total->simulations ? task->simulations - total->simulations : 1;
    const uint64_t before = total->simulations;
    *total = search_run(run->pooled->search, &limits);
    const bool interrupted = limits.seconds > 0 && total->seconds >= limits.seconds - rounding;
    total->simulations += before;
    total->seconds = wall_seconds() - run->begin;
    const bool more = interrupted && !total->settled && wants_more(run);
    run->known.stage = more ? ANALYSIS_RUNNING : ANALYSIS_FINISHED;
    return more;
}

AnalysisReport task_run_report(const TaskRun *run) {
    AnalysisReport report = run->known;
    report.error = run->error.text[0] ? &run->error : NULL;
    return report;
}
