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
    const SearchWish wish = {.game = task->game,
                             .player = task->player,
                             .state = &task->state,
                             .history = &task->history,
                             .seed = task->seed,
                             .keep_tree = task->keep_tree};
    run->pooled = search_pool_take(searches, &wish, &run->error);
    if (!run->pooled)
        return false;
    if (!search_avoid(run->pooled->search, task->avoid))
        run->pooled->kept = 0;
    run->known.search = run->pooled->search;
    run->known.summary.simulations = run->pooled->kept;
    return true;
}

/* Whether a search that has paused is to go on. One with a limit goes on to it, also where the solver knows that the
 * position is lost: so it finds with pauses what it finds without. */
static bool wants_more(const TaskRun *run) {
    const AnalysisTask *task = &run->queued->task;
    const SearchSummary *total = &run->known.summary;
    const bool limited = task->simulations > 0 || task->seconds > 0, exhausted = total->proven || total->memory_full;
    return !stop_flag_is_set(&run->queued->turn.stop) && !total->settled && (limited || !exhausted);
}

bool task_run_on(TaskRun *run, double seconds) {
    const AnalysisTask *task = &run->queued->task;
    const uint64_t kept = run->pooled->kept;
    SearchSummary *total = &run->known.summary;
    SearchLimits limits = {
        .stop = &run->queued->turn.stop, .pause = seconds, .continues = total->paused, .wide = task->wide};
    if (task->seconds > 0) {
        const double least = 1e-6; /* 0 would mean no limit */
        limits.seconds = fmax(task->seconds - (wall_seconds() - run->begin), least);
        limits.until_settled = task->until_settled;
    }
    if (task->simulations)
        limits.simulations = task->simulations > kept ? task->simulations - kept : 1;
    *total = search_run(run->pooled->search, &limits);
    total->simulations += kept;
    total->seconds = wall_seconds() - run->begin;
    const bool more = total->paused && wants_more(run);
    run->known.stage = more ? ANALYSIS_RUNNING : ANALYSIS_FINISHED;
    return more;
}

AnalysisReport task_run_report(const TaskRun *run) {
    AnalysisReport report = run->known;
    report.error = run->error.text[0] ? &run->error : NULL;
    return report;
}
