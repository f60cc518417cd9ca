/* See task_queue_internal.h. */
#include "selfplay/analysis/task_queue_internal.h"

#include "engine/base/list.h"

#include <stdlib.h>

static bool goes_before(const QueuedTask *a, const QueuedTask *b) {
    const bool a_stopped = stop_flag_is_set(&a->turn.stop), b_stopped = stop_flag_is_set(&b->turn.stop);
    if (a_stopped != b_stopped)
        return a_stopped;
    if (a->task.priority != b->task.priority)
        return a->task.priority > b->task.priority;
    return a->order < b->order;
}

static void swap_tasks(TaskQueue *queue, int a, int b) {
    QueuedTask *task = queue->heap[a];
    queue->heap[a] = queue->heap[b];
    queue->heap[b] = task;
}

static void sift_up(TaskQueue *queue, int at) {
    for (; at > 0 && goes_before(queue->heap[at], queue->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap_tasks(queue, at, (at - 1) / 2);
}

static void sift_down(TaskQueue *queue, int at) {
    for (;;) {
        int first = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < queue->count; child++)
            if (goes_before(queue->heap[child], queue->heap[first]))
                first = child;
        if (first == at)
            return;
        swap_tasks(queue, at, first);
        at = first;
    }
}

bool task_queue_push(TaskQueue *queue, QueuedTask *task) {
    if (!list_grow(&queue->heap, &queue->capacity, queue->count + 1, sizeof task))
        return false;
    task->order = queue->arrivals++;
    queue->heap[queue->count] = task;
    sift_up(queue, queue->count++);
    return true;
}

static QueuedTask *take_out(TaskQueue *queue, int at) {
    QueuedTask *task = queue->heap[at];
    queue->heap[at] = queue->heap[--queue->count];
    if (at < queue->count) {
        sift_up(queue, at);
        sift_down(queue, at);
    }
    return task;
}

QueuedTask *task_queue_pop(TaskQueue *queue, bool (*may_begin)(const AnalysisTask *task, const void *user),
                           const void *user) {
    int best = -1;
    for (int i = 0; i < queue->count && best != 0; i++) { /* nearly always the first one may */
        const QueuedTask *task = queue->heap[i];
        if ((best < 0 || goes_before(task, queue->heap[best])) &&
            (stop_flag_is_set(&task->turn.stop) || may_begin(&task->task, user)))
            best = i;
    }
    return best >= 0 ? take_out(queue, best) : NULL;
}

QueuedTask *task_queue_take(TaskQueue *queue, bool (*matches)(const AnalysisTask *task, const void *wanted),
                            const void *wanted, int *count) {
    QueuedTask *first = NULL, **end = &first;
    int kept = 0;
    for (int i = 0; i < queue->count; i++) {
        QueuedTask *task = queue->heap[i];
        if (matches && !matches(&task->task, wanted)) {
            queue->heap[kept++] = task;
        } else {
            *end = task;
            end = &task->next;
        }
    }
    *end = NULL;
    *count = queue->count - kept;
    queue->count = kept;
    for (int i = kept / 2 - 1; i >= 0; i--) /* the others have moved */
        sift_down(queue, i);
    return first;
}

void task_queue_give_up(QueuedTask *first) {
    const AnalysisReport untouched = {.stage = ANALYSIS_UNTOUCHED};
    for (QueuedTask *next; first; first = next) {
        next = first->next;
        first->task.report(&first->task, &untouched);
        free(first);
    }
}
