/* A task while it is searched, piece by piece. analysis.c has a thread for each that goes on; a page in a browser has
 * one thread for all (analysis_steps.c). */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_TASK_RUN_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_TASK_RUN_INTERNAL_H

#include "selfplay/analysis/search_pool.h"
#include "selfplay/analysis/task_queue_internal.h"

typedef struct TaskRun {
    const QueuedTask *queued;
    PooledSearch *pooled; /* NULL if there is nothing to search */
    double begin;         /* wall_seconds() at the begin */
    AnalysisReport known; /* without `error` */
    Error error;          /* why no search could be made */
} TaskRun;

/* Begins a task. False if it is over already: it was stopped, its game is finished, or no search can be made; then
 * its report is the last one. */
bool task_run_begin(TaskRun *run, SearchPool *searches, const QueuedTask *queued);

/* When a running search reports first, in seconds from its begin; 0: never. */
static inline double first_report_of(const AnalysisTask *task) {
    return task->first_report > 0 ? task->first_report : task->report_interval;
}

/* Searches for this time (0: to the end). Returns whether there is more to search; if not, its report is the last one.
 */
bool task_run_on(TaskRun *run, double seconds);

/* What is known. `run` must stay until the report was made. */
AnalysisReport task_run_report(const TaskRun *run);

#endif
