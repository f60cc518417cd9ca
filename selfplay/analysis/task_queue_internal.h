/* The tasks that wait for a worker of the analysis engine: a binary heap by priority. Its user locks it. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_TASK_QUEUE_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_TASK_QUEUE_INTERNAL_H

#include "selfplay/analysis/analysis.h"
#include "selfplay/analysis/scheduler.h"

typedef struct QueuedTask {
    AnalysisTask task;
    uint64_t order; /* of arrival */
    SearchTurn turn;
    struct QueuedTask *next; /* of those that task_queue_take returns */
} QueuedTask;

/* Zero-initialize. The heap is to be freed when the queue is empty. */
typedef struct TaskQueue {
    QueuedTask **heap;
    int count, capacity;
    uint64_t arrivals;
} TaskQueue;

/* Adds a task, which belongs to the queue until it is popped; false without memory. */
bool task_queue_push(TaskQueue *queue, QueuedTask *task);

/* Takes the next task out of those that `may_begin`; NULL if there is none. Tasks whose stop flag is set come first,
 * and always may: they cost nothing, and someone waits for them to be over. Then higher priority comes first, then
 * earlier arrival. */
QueuedTask *task_queue_pop(TaskQueue *queue, bool (*may_begin)(const AnalysisTask *task, const void *user),
                           const void *user);

/* Takes out all tasks that `matches` chooses (NULL: all): a list, NULL if there are none. *count becomes its length. */
QueuedTask *task_queue_take(TaskQueue *queue, bool (*matches)(const AnalysisTask *task, const void *wanted),
                            const void *wanted, int *count);

/* Makes the last report, UNTOUCHED, of each task of such a list, and frees it. The queue need not be locked. */
void task_queue_give_up(QueuedTask *first);

#endif
