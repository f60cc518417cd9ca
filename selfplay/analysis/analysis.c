/* See analysis.h. One lock guards the queue and everything else that is shared. */
#include "selfplay/analysis/analysis.h"

#include "selfplay/analysis/catalogue_internal.h"
#include "selfplay/analysis/scheduler.h"
#include "selfplay/analysis/task_run_internal.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct AnalysisWorker {
    Analysis *analysis;
    pthread_t thread;
    QueuedTask *task; /* that it works on; NULL while it has none */
} AnalysisWorker;

struct Analysis {
    AnalysisOptions options;
    pthread_mutex_t lock;
    pthread_cond_t work, idle; /* something to do; nothing left to do */
    TaskQueue queue;
    int busy; /* tasks that are not queued any more, and not over */
    bool quit;
    Scheduler *scheduler;
    SearchPool *searches;
    AnalysisWorker *workers;
    int running; /* workers that were started */
    Catalogue catalogue;
};

/* ---- A task ---- */

/* Makes the last report. The task is forgotten before that, so that its user may free what belongs to it. */
static void report_last(AnalysisWorker *worker, const AnalysisTask *task, const AnalysisReport *report) {
    pthread_mutex_lock(&worker->analysis->lock);
    worker->task = NULL;
    pthread_mutex_unlock(&worker->analysis->lock);
    task->report(task, report);
}

/* Searches, and reports as often as the task asks for. */
static void run_task(AnalysisWorker *worker, QueuedTask *queued) {
    const AnalysisTask *task = &queued->task;
    Analysis *analysis = worker->analysis;
    TaskRun run;
    if (task_run_begin(&run, analysis->searches, queued)) {
        scheduler_enter(analysis->scheduler, &queued->turn);
        for (double pause = first_report_of(task); task_run_on(&run, pause); pause = task->report_interval) {
            const AnalysisReport report = task_run_report(&run);
            task->report(task, &report);
        }
        scheduler_leave(analysis->scheduler, &queued->turn);
    }
    const AnalysisReport last = task_run_report(&run);
    report_last(worker, task, &last);
    if (run.pooled)
        search_pool_give(analysis->searches, run.pooled);
}

/* ---- The workers ---- */

/* Whether fewer tasks of the same user are begun than may be searched at once: whoever asks about a hundred positions
 * does not take the workers of everybody else. */
static bool may_begin(const AnalysisTask *task, const void *argument) {
    const Analysis *analysis = argument;
    int begun = 0;
    for (int i = 0; i < analysis->options.workers; i++)
        begun += analysis->workers[i].task && analysis->workers[i].task->task.user == task->user;
    return begun < analysis->options.at_once;
}

/* Waits for a task; NULL when it is time to quit. */
static QueuedTask *next_task(Analysis *analysis) {
    for (;;) {
        QueuedTask *queued = task_queue_pop(&analysis->queue, may_begin, analysis);
        if (queued || (analysis->quit && analysis->queue.count == 0))
            return queued;
        pthread_cond_wait(&analysis->work, &analysis->lock);
    }
}

/* Counts tasks that are over, with the lock. */
static void end_tasks(Analysis *analysis, int count) {
    analysis->busy -= count;
    if (analysis->queue.count == 0 && analysis->busy == 0)
        pthread_cond_broadcast(&analysis->idle);
}

static void *work(void *argument) {
    AnalysisWorker *worker = argument;
    Analysis *analysis = worker->analysis;
    pthread_mutex_lock(&analysis->lock);
    for (QueuedTask *queued; (queued = next_task(analysis)) != NULL;) {
        worker->task = queued;
        analysis->busy++;
        pthread_mutex_unlock(&analysis->lock);
        run_task(worker, queued);
        pthread_mutex_lock(&analysis->lock);
        free(queued);
        if (analysis->queue.count > 0) /* another one of this user may begin now */
            pthread_cond_broadcast(&analysis->work);
        end_tasks(analysis, 1);
    }
    pthread_mutex_unlock(&analysis->lock);
    return NULL;
}

static bool start_workers(Analysis *analysis, Error *error) {
    for (; analysis->running < analysis->options.workers; analysis->running++) {
        AnalysisWorker *worker = &analysis->workers[analysis->running];
        worker->analysis = analysis;
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            return error_set(error, "cannot start %d threads", analysis->options.workers);
    }
    return true;
}

Analysis *analysis_new(const AnalysisOptions *options, Error *error) {
    if (options->workers < 1 || options->workers > SEARCH_THREADS_MAX || options->threads < 1 ||
        options->threads > SEARCH_THREADS_MAX || options->at_once < 0 || options->at_once > options->workers) {
        error_set(error, "%d workers with %d threads each, %d of them at once; expected 1 to %d, and 0 to all at once",
                  options->workers, options->threads, options->at_once, SEARCH_THREADS_MAX);
        return NULL;
    }
    Analysis *analysis = calloc(1, sizeof *analysis);
    AnalysisWorker *workers = calloc((size_t)options->workers, sizeof *workers);
    const int at_once = options->at_once ? options->at_once : options->workers;
    SearchPool *searches = search_pool_new(options->workers, options->threads);
    Scheduler *scheduler = NULL;
    if (!analysis || !workers || !searches)
        error_set(error, "out of memory for %d workers", options->workers);
    else
        scheduler = scheduler_new(at_once, error);
    if (!scheduler) {
        free(analysis);
        free(workers);
        search_pool_free(searches);
        return NULL;
    }
    analysis->options = *options;
    analysis->options.at_once = at_once;
    analysis->scheduler = scheduler;
    analysis->workers = workers;
    analysis->searches = searches;
    pthread_mutex_init(&analysis->lock, NULL);
    pthread_cond_init(&analysis->work, NULL);
    pthread_cond_init(&analysis->idle, NULL);
    if (start_workers(analysis, error))
        return analysis;
    analysis_free(analysis);
    return NULL;
}

void analysis_free(Analysis *analysis) {
    if (!analysis)
        return;
    analysis_stop(analysis, NULL, NULL);
    pthread_mutex_lock(&analysis->lock);
    analysis->quit = true;
    pthread_cond_broadcast(&analysis->work);
    pthread_mutex_unlock(&analysis->lock);
    for (int i = 0; i < analysis->running; i++)
        pthread_join(analysis->workers[i].thread, NULL);
    search_pool_free(analysis->searches);
    scheduler_free(analysis->scheduler);
    catalogue_clear(&analysis->catalogue);
    pthread_mutex_destroy(&analysis->lock);
    pthread_cond_destroy(&analysis->work);
    pthread_cond_destroy(&analysis->idle);
    free(analysis->queue.heap);
    free(analysis->workers);
    free(analysis);
}

/* ---- What callers do ---- */

bool analysis_add(Analysis *analysis, const AnalysisTask *task, Error *error) {
    QueuedTask *queued = malloc(sizeof *queued);
    if (!queued)
        return error_set(error, "out of memory for another position");
    queued->task = *task;
    queued->turn = (SearchTurn){.stop.parent = task->stop, .priority = task->priority};
    pthread_mutex_lock(&analysis->lock);
    const bool good = task_queue_push(&analysis->queue, queued);
    pthread_cond_signal(&analysis->work);
    pthread_mutex_unlock(&analysis->lock);
    if (!good)
        free(queued);
    return good || error_set(error, "out of memory for another position");
}

int analysis_stop(Analysis *analysis, bool (*matches)(const AnalysisTask *task, const void *wanted),
                  const void *wanted) {
    int waiting, running = 0;
    pthread_mutex_lock(&analysis->lock);
    QueuedTask *untouched = task_queue_take(&analysis->queue, matches, wanted, &waiting);
    analysis->busy += waiting; /* until they are reported */
    for (int i = 0; i < analysis->running; i++) {
        QueuedTask *queued = analysis->workers[i].task;
        if (queued && (!matches || matches(&queued->task, wanted))) {
            scheduler_stop(analysis->scheduler, &queued->turn);
            running++;
        }
    }
    pthread_mutex_unlock(&analysis->lock);
    task_queue_give_up(untouched);
    pthread_mutex_lock(&analysis->lock);
    end_tasks(analysis, waiting);
    pthread_mutex_unlock(&analysis->lock);
    return waiting + running;
}

void analysis_wait(Analysis *analysis) {
    pthread_mutex_lock(&analysis->lock);
    while (analysis->queue.count > 0 || analysis->busy > 0)
        pthread_cond_wait(&analysis->idle, &analysis->lock);
    pthread_mutex_unlock(&analysis->lock);
}

int analysis_pending(Analysis *analysis) {
    pthread_mutex_lock(&analysis->lock);
    const int pending = analysis->queue.count + analysis->busy;
    pthread_mutex_unlock(&analysis->lock);
    return pending;
}

void analysis_clear(Analysis *analysis) {
    search_pool_clear(analysis->searches);
}

const Game *analysis_game(Analysis *analysis, const GameOptions *options, Error *error) {
    pthread_mutex_lock(&analysis->lock);
    const Game *game = catalogue_game(&analysis->catalogue, options, error);
    pthread_mutex_unlock(&analysis->lock);
    return game;
}

const Player *analysis_player(Analysis *analysis, const Player *player, const Game *game, Error *error) {
    pthread_mutex_lock(&analysis->lock);
    const Player *settled = catalogue_player(&analysis->catalogue, player, game, error);
    pthread_mutex_unlock(&analysis->lock);
    return settled;
}
