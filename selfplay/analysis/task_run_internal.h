/* A task while it is searched, piece by piece. analysis.c has a thread for each that goes on; a page in a browser has
 * one thread for all (analysis_steps.c). */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_TASK_RUN_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_TASK_RUN_INTERNAL_H

#include "selfplay/analysis/search_pool.h"
#include "selfplay/analysis/task_queue_internal.h"

typedef struct TaskRun {
    const QueuedTask *queued;
    PooledSearch *pooled;  /* NULL if there is nothing to search */
    double begin;          /* wall_seconds() at the begin */
    AnalysisReport report; /* what is known */
    Error error;
} TaskRun;

/* Begins a task. False if it is over already: it was stopped, its game is finished, or no search can be made; then
 * run->report is the last one. */
bool task_run_begin(TaskRun *run, SearchPool *searches, const QueuedTask *queued);

/* When a running search reports first, in seconds from its begin; 0: never. */
static inline double first_report_of(const AnalysisTask *task) {
    return task->first_report > 0 ? task->first_report : task->report_interval;
}

/* Searches for this time (0: to the end). Returns whether there is more to search; if not, run->report is the last one.
 */
bool task_run_on(TaskRun *run, double seconds);

#endif
