/* See analysis.h. The queue is a binary heap; one lock guards it and everything else that is shared. */
#include "selfplay/analysis/analysis.h"

#include "engine/base/wall_time.h"
#include "engine/games/registry.h"
#include "selfplay/analysis/search_pool.h"

#include <pthread.h>
#include <stdlib.h>

enum { GAMES_MAX = 128 /* more than there are games, sizes and variants */ };

typedef struct Entry {
    AnalysisTask task;
    uint64_t order; /* of arrival */
    atomic_bool stop;
} Entry;

typedef struct AnalysisWorker {
    Analysis *analysis;
    pthread_t thread;
    Entry *entry; /* that it is busy with, or NULL */
} AnalysisWorker;

struct Analysis {
    AnalysisOptions options;
    pthread_mutex_t lock;
    pthread_cond_t work, idle; /* something to do; nothing left to do */
    Entry **heap;
    int count, capacity, busy;
    uint64_t arrivals;
    bool quit;
    SearchPool *searches;
    AnalysisWorker *workers;
    int running;                         /* workers that have been started */
    GameOptions game_options[GAMES_MAX]; /* of games[] */
    Game *games[GAMES_MAX];
    int game_count;
};

/* ---- The queue ---- */

/* Stopped tasks go first: they cost nothing, and somebody waits for them to be over. */
static bool goes_before(const Entry *a, const Entry *b) {
    const bool a_stopped = atomic_load(&a->stop), b_stopped = atomic_load(&b->stop);
    if (a_stopped != b_stopped)
        return a_stopped;
    if (a->task.priority != b->task.priority)
        return a->task.priority > b->task.priority;
    return a->order < b->order;
}

static void swap_entries(Analysis *analysis, int a, int b) {
    Entry *entry = analysis->heap[a];
    analysis->heap[a] = analysis->heap[b];
    analysis->heap[b] = entry;
}

static void sift_up(Analysis *analysis, int at) {
    for (; at > 0 && goes_before(analysis->heap[at], analysis->heap[(at - 1) / 2]); at = (at - 1) / 2)
        swap_entries(analysis, at, (at - 1) / 2);
}

static void sift_down(Analysis *analysis, int at) {
    for (;;) {
        int first = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < analysis->count; child++)
            if (goes_before(analysis->heap[child], analysis->heap[first]))
                first = child;
        if (first == at)
            return;
        swap_entries(analysis, at, first);
        at = first;
    }
}

static bool push(Analysis *analysis, Entry *entry) {
    if (analysis->count == analysis->capacity) {
        const int capacity = analysis->capacity ? 2 * analysis->capacity : 256;
        Entry **heap = realloc(analysis->heap, (size_t)capacity * sizeof *heap);
        if (!heap)
            return false;
        analysis->heap = heap;
        analysis->capacity = capacity;
    }
    analysis->heap[analysis->count] = entry;
    sift_up(analysis, analysis->count++);
    return true;
}

static Entry *pop(Analysis *analysis) {
    Entry *first = analysis->heap[0];
    analysis->heap[0] = analysis->heap[--analysis->count];
    sift_down(analysis, 0);
    return first;
}

/* ---- A task ---- */

/* The last report. From now on analysis_stop does not see the task any more: its user may free what belongs to it. */
static void report_last(AnalysisWorker *worker, const AnalysisTask *task, const AnalysisReport *report) {
    pthread_mutex_lock(&worker->analysis->lock);
    worker->entry = NULL;
    pthread_mutex_unlock(&worker->analysis->lock);
    task->report(task, report);
}

static void report_finished_game(AnalysisWorker *worker, const AnalysisTask *task) {
    const GameResult result = task->game->rules->result(task->game, &task->state);
    const bool won = result.winner == task->game->rules->to_move(&task->state);
    const AnalysisReport report = {.stage = ANALYSIS_FINISHED,
                                   .summary = {.win_rate = won ? 1 : 0, .margin = 0.5 * result.margin, .proven = true}};
    report_last(worker, task, &report);
}

/* Whether there is more to search. */
static bool wants_more(const AnalysisTask *task, const SearchSummary *total, const Entry *entry) {
    const bool limited = task->simulations || task->seconds > 0;
    return !atomic_load(&entry->stop) && !total->proven && (limited || !total->memory_full) &&
           !(task->simulations && total->simulations >= task->simulations) &&
           !(task->seconds > 0 && total->seconds >= task->seconds);
}

/* Searches until the next report is due, and adds it up; whether there is more to search. A run that has ended before
 * that time has ended for good: a part of its simulations may have gone to the solver, or no more can be counted. */
static bool search_on(Search *search, const Entry *entry, double begin, SearchSummary *total) {
    const AnalysisTask *task = &entry->task;
    SearchLimits limits = {.stop = &entry->stop, .seconds = task->report_interval};
    const double left = task->seconds - (wall_seconds() - begin), rounding = 1e-6;
    if (task->seconds > 0 && (limits.seconds == 0 || left < limits.seconds))
        limits.seconds = left > rounding ? left : rounding;
    if (task->simulations)
        limits.simulations = task->simulations > total->simulations ? task->simulations - total->simulations : 1;
    const uint64_t before = total->simulations;
    *total = search_run(search, &limits);
    const bool interrupted = limits.seconds > 0 && total->seconds >= limits.seconds - rounding;
    total->simulations += before;
    total->seconds = wall_seconds() - begin;
    return interrupted && wants_more(task, total, entry);
}

/* Searches with the reports that are wanted. */
static void run_search(AnalysisWorker *worker, const Entry *entry, const PooledSearch *pooled) {
    const AnalysisTask *task = &entry->task;
    const double begin = wall_seconds();
    SearchSummary total = {.simulations = pooled->kept};
    AnalysisReport report = {.stage = ANALYSIS_RUNNING, .search = pooled->search};
    bool goes_on;
    do {
        goes_on = search_on(pooled->search, entry, begin, &total);
        report.summary = total;
        if (goes_on)
            task->report(task, &report);
    } while (goes_on);
    report.stage = ANALYSIS_FINISHED;
    report_last(worker, task, &report);
}

static void run_task(AnalysisWorker *worker, const Entry *entry) {
    const AnalysisTask *task = &entry->task;
    SearchPool *searches = worker->analysis->searches;
    PooledSearch *pooled = NULL;
    Error error = {""};
    if (atomic_load(&entry->stop)) {
        report_last(worker, task, &(AnalysisReport){.stage = ANALYSIS_UNTOUCHED});
    } else if (task->game->rules->over(&task->state)) {
        report_finished_game(worker, task);
    } else if (!(pooled = search_pool_take(searches, task->game, task->player, &task->state, task->seed,
                                           task->keep_tree, &error))) {
        report_last(worker, task, &(AnalysisReport){.stage = ANALYSIS_UNTOUCHED, .error = error.text});
    } else {
        run_search(worker, entry, pooled);
        search_pool_give(searches, pooled);
    }
}

/* ---- The workers ---- */

/* Waits for a task; NULL when it is time to quit. */
static Entry *next_entry(Analysis *analysis) {
    while (analysis->count == 0 && !analysis->quit)
        pthread_cond_wait(&analysis->work, &analysis->lock);
    return analysis->count > 0 ? pop(analysis) : NULL;
}

static void *work(void *argument) {
    AnalysisWorker *worker = argument;
    Analysis *analysis = worker->analysis;
    pthread_mutex_lock(&analysis->lock);
    for (Entry *entry; (entry = next_entry(analysis)) != NULL;) {
        worker->entry = entry;
        analysis->busy++;
        pthread_mutex_unlock(&analysis->lock);
        run_task(worker, entry);
        pthread_mutex_lock(&analysis->lock);
        analysis->busy--;
        free(entry);
        if (analysis->count == 0 && analysis->busy == 0)
            pthread_cond_broadcast(&analysis->idle);
    }
    pthread_mutex_unlock(&analysis->lock);
    return NULL;
}

Analysis *analysis_new(const AnalysisOptions *options, Error *error) {
    if (options->workers < 1 || options->workers > SEARCH_THREADS_MAX || options->threads < 1 ||
        options->threads > SEARCH_THREADS_MAX) {
        error_set(error, "%d workers with %d threads each, expected 1 to %d", options->workers, options->threads,
                  SEARCH_THREADS_MAX);
        return NULL;
    }
    Analysis *analysis = calloc(1, sizeof *analysis);
    AnalysisWorker *workers = calloc((size_t)options->workers, sizeof *workers);
    SearchPool *searches = search_pool_new(options->workers, options->threads);
    if (!analysis || !workers || !searches) {
        free(analysis);
        free(workers);
        search_pool_free(searches);
        error_set(error, "out of memory for %d workers", options->workers);
        return NULL;
    }
    analysis->options = *options;
    analysis->workers = workers;
    analysis->searches = searches;
    pthread_mutex_init(&analysis->lock, NULL);
    pthread_cond_init(&analysis->work, NULL);
    pthread_cond_init(&analysis->idle, NULL);
    for (int i = 0; i < options->workers; i++) {
        workers[i].analysis = analysis;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
            error_set(error, "cannot start %d threads", options->workers);
            analysis_free(analysis);
            return NULL;
        }
        analysis->running++;
    }
    return analysis;
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
    for (int i = 0; i < analysis->game_count; i++)
        game_free(analysis->games[i]);
    pthread_mutex_destroy(&analysis->lock);
    pthread_cond_destroy(&analysis->work);
    pthread_cond_destroy(&analysis->idle);
    free(analysis->heap);
    free(analysis->workers);
    free(analysis);
}

/* ---- What callers do ---- */

bool analysis_add(Analysis *analysis, const AnalysisTask *task, Error *error) {
    Entry *entry = malloc(sizeof *entry);
    if (!entry)
        return error_set(error, "out of memory for another position");
    entry->task = *task;
    atomic_init(&entry->stop, false);
    pthread_mutex_lock(&analysis->lock);
    entry->order = analysis->arrivals++;
    const bool good = push(analysis, entry);
    pthread_cond_signal(&analysis->work);
    pthread_mutex_unlock(&analysis->lock);
    if (!good)
        free(entry);
    return good || error_set(error, "out of memory for another position");
}

int analysis_stop(Analysis *analysis, bool (*matches)(const AnalysisTask *task, const void *wanted),
                  const void *wanted) {
    int stopped = 0;
    pthread_mutex_lock(&analysis->lock);
    for (int i = 0; i < analysis->running; i++) {
        Entry *entry = analysis->workers[i].entry;
        if (entry && (!matches || matches(&entry->task, wanted))) {
            atomic_store(&entry->stop, true);
            stopped++;
        }
    }
    for (int i = 0; i < analysis->count; i++) {
        Entry *entry = analysis->heap[i];
        if (!matches || matches(&entry->task, wanted)) {
            atomic_store(&entry->stop, true);
            stopped++;
        }
    }
    for (int i = analysis->count / 2 - 1; i >= 0; i--) /* their order has changed */
        sift_down(analysis, i);
    pthread_mutex_unlock(&analysis->lock);
    return stopped;
}

void analysis_wait(Analysis *analysis) {
    pthread_mutex_lock(&analysis->lock);
    while (analysis->count > 0 || analysis->busy > 0)
        pthread_cond_wait(&analysis->idle, &analysis->lock);
    pthread_mutex_unlock(&analysis->lock);
}

int analysis_pending(Analysis *analysis) {
    pthread_mutex_lock(&analysis->lock);
    const int pending = analysis->count + analysis->busy;
    pthread_mutex_unlock(&analysis->lock);
    return pending;
}

void analysis_clear(Analysis *analysis) {
    search_pool_clear(analysis->searches);
}

static bool same_options(const GameOptions *a, const GameOptions *b) {
    return !strcmp(a->name, b->name) && a->size == b->size && a->capture == b->capture && a->pie == b->pie;
}

const Game *analysis_game(Analysis *analysis, const GameOptions *options, Error *error) {
    GameOptions wanted = *options;
    wanted.name = options->name ? options->name : "stigmergy";
    Game *game = NULL;
    pthread_mutex_lock(&analysis->lock);
    for (int i = 0; i < analysis->game_count && !game; i++)
        if (same_options(&analysis->game_options[i], &wanted))
            game = analysis->games[i];
    if (!game && analysis->game_count == GAMES_MAX)
        error_set(error, "too many games are in use");
    else if (!game && (game = game_new(&wanted, error)) != NULL) {
        wanted.name = game->name;
        analysis->game_options[analysis->game_count] = wanted;
        analysis->games[analysis->game_count++] = game;
    }
    pthread_mutex_unlock(&analysis->lock);
    return game;
}
