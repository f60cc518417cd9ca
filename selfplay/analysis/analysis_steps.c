/* See analysis_steps.h. Each worker of the options is a place in which a task can be under way. */
#include "selfplay/analysis/analysis_steps.h"

#include "engine/base/wall_time.h"
#include "selfplay/analysis/catalogue_internal.h"
#include "selfplay/analysis/task_run_internal.h"

#include <stdlib.h>

static const double step_in_wait = 0.05; /* seconds */

/* A task under way. */
typedef struct Place {
    QueuedTask *queued; /* NULL: the place is free */
    TaskRun run;
    double used;  /* seconds that it had, and those that it began with */
    double begin; /* of the time to its next report */
    double pause; /* that time, 0: no more reports before the last one */
} Place;

struct Analysis {
    TaskQueue queue;
    SearchPool *searches;
    Catalogue catalogue;
    int count;
    Place places[];
};

Analysis *analysis_new(const AnalysisOptions *options, Error *error) {
    const int count = options->workers > 0 ? options->workers : 1;
    Analysis *analysis = calloc(1, sizeof *analysis + (size_t)count * sizeof analysis->places[0]);
    SearchPool *searches = search_pool_new(count, 1);
    if (analysis && searches) {
        analysis->searches = searches;
        analysis->count = count;
        return analysis;
    }
    error_set(error, "out of memory");
    search_pool_free(searches);
    free(analysis);
    return NULL;
}

void analysis_free(Analysis *analysis) {
    if (!analysis)
        return;
    analysis_stop(analysis, NULL, NULL);
    analysis_wait(analysis);
    search_pool_free(analysis->searches);
    catalogue_clear(&analysis->catalogue);
    free(analysis->queue.heap);
    free(analysis);
}

/* ---- Steps ---- */

/* The place is free before the last report, so that the task's user may free what belongs to it and ask again. */
static void finish(Analysis *analysis, Place *place) {
    QueuedTask *queued = place->queued;
    const TaskRun run = place->run;
    const AnalysisReport report = task_run_report(&run);
    place->queued = NULL;
    queued->task.report(&queued->task, &report);
    if (run.pooled)
        search_pool_give(analysis->searches, run.pooled);
    free(queued);
}

static bool goes_before(const Place *a, const Place *b) {
    if (a->queued->task.priority != b->queued->task.priority)
        return a->queued->task.priority > b->queued->task.priority;
    return a->used < b->used;
}

static bool any(const AnalysisTask *task, const void *unused) {
    (void)task;
    (void)unused;
    return true;
}

/* As in scheduler.c: who comes later begins with as much time as the one of its priority who had the least. */
static double least_used(const Analysis *analysis, int64_t priority) {
    double least = -1;
    for (int i = 0; i < analysis->count; i++) {
        const Place *place = &analysis->places[i];
        if (place->queued && place->queued->task.priority == priority && (least < 0 || place->used < least))
            least = place->used;
    }
    return least < 0 ? 0 : least;
}

/* Begins the next task of the queue, if there is a place for it. */
static void begin_next(Analysis *analysis) {
    Place *place = analysis->places, *end = place + analysis->count;
    while (place < end && place->queued)
        place++;
    QueuedTask *queued = place < end ? task_queue_pop(&analysis->queue, any, NULL) : NULL;
    if (!queued)
        return;
    *place = (Place){.queued = queued,
                     .used = least_used(analysis, queued->task.priority),
                     .begin = wall_seconds(),
                     .pause = first_report_of(&queued->task)};
    if (!task_run_begin(&place->run, analysis->searches, queued))
        finish(analysis, place);
}

static Place *choose(Analysis *analysis) {
    Place *chosen = NULL;
    for (int i = 0; i < analysis->count; i++) {
        Place *place = &analysis->places[i];
        if (place->queued && (!chosen || goes_before(place, chosen)))
            chosen = place;
    }
    return chosen;
}

bool analysis_step(Analysis *analysis, double seconds) {
    begin_next(analysis);
    Place *place = choose(analysis);
    if (!place)
        return analysis->queue.count > 0;
    const AnalysisTask *task = &place->queued->task;
    const double begin = wall_seconds();
    const bool more = task_run_on(&place->run, seconds);
    const double now = wall_seconds();
    place->used += now - begin;
    if (!more) {
        finish(analysis, place);
    } else if (place->pause > 0 && now >= place->begin + place->pause) {
        place->begin = now;
        place->pause = task->report_interval;
        const AnalysisReport report = task_run_report(&place->run);
        task->report(task, &report);
    }
    return analysis_pending(analysis) > 0;
}

/* ---- What callers do ---- */

bool analysis_add(Analysis *analysis, const AnalysisTask *task, Error *error) {
    QueuedTask *queued = malloc(sizeof *queued);
    if (queued) {
        *queued = (QueuedTask){.task = *task, .turn = {.stop.parent = task->stop, .priority = task->priority}};
        if (task_queue_push(&analysis->queue, queued))
            return true;
    }
    free(queued);
    return error_set(error, "out of memory for another position");
}

int analysis_stop(Analysis *analysis, bool (*matches)(const AnalysisTask *task, const void *wanted),
                  const void *wanted) {
    int stopped;
    QueuedTask *untouched = task_queue_take(&analysis->queue, matches, wanted, &stopped);
    for (int i = 0; i < analysis->count; i++) {
        QueuedTask *queued = analysis->places[i].queued;
        if (queued && (!matches || matches(&queued->task, wanted))) {
            stop_flag_set(&queued->turn.stop);
            stopped++;
        }
    }
    task_queue_give_up(untouched);
    return stopped;
}

void analysis_wait(Analysis *analysis) {
    while (analysis_step(analysis, step_in_wait)) {
    }
}

int analysis_pending(Analysis *analysis) {
    int pending = analysis->queue.count;
    for (int i = 0; i < analysis->count; i++)
        pending += analysis->places[i].queued != NULL;
    return pending;
}

void analysis_clear(Analysis *analysis) {
    search_pool_clear(analysis->searches);
}

const Game *analysis_game(Analysis *analysis, const GameOptions *options, Error *error) {
    return catalogue_game(&analysis->catalogue, options, error);
}

const Player *analysis_player(Analysis *analysis, const Player *player, const Game *game, Error *error) {
    return catalogue_player(&analysis->catalogue, player, game, error);
}
