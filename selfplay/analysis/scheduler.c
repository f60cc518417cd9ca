/* See scheduler.h. */
#include "selfplay/analysis/scheduler.h"

#include "engine/base/wall_time.h"

#include <stdlib.h>
#include <time.h>

enum { SLICE_NANOSECONDS = 20000000 };

struct Scheduler {
    pthread_mutex_t lock; /* of the turns */
    pthread_cond_t more;  /* somebody has to hold now, or it is time to quit */
    pthread_t thread;
    SearchTurn *turns;
    int count, at_once;
    bool quit;
};

/* ---- Sharing ---- */

static bool goes_before(const SearchTurn *a, const SearchTurn *b) {
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->used != b->used ? a->used < b->used : a < b;
}

/* How many searches that have not been stopped go before this one. */
static int rank_of(const Scheduler *scheduler, const SearchTurn *turn) {
    int rank = 0;
    for (const SearchTurn *other = scheduler->turns; other; other = other->next)
        rank += other != turn && !stop_flag_is_set(&other->stop) && goes_before(other, turn);
    return rank;
}

static void let_go(SearchTurn *turn, bool goes) {
    turn->goes = goes;
    stop_flag_hold(&turn->stop, !goes);
    if (goes)
        pthread_cond_broadcast(&turn->changed);
}

/* Chooses who goes on from now on: also who has been stopped, so that it ends. */
static void share_out(Scheduler *scheduler) {
    const double now = wall_seconds();
    for (SearchTurn *turn = scheduler->turns; turn; turn = turn->next) {
        turn->used += turn->goes ? now - turn->since : 0;
        turn->since = now;
    }
    const bool all = scheduler->count <= scheduler->at_once;
    for (SearchTurn *turn = scheduler->turns; turn; turn = turn->next)
        let_go(turn, all || stop_flag_is_set(&turn->stop) || rank_of(scheduler, turn) < scheduler->at_once);
}

static void *share_out_slices(void *argument) {
    Scheduler *scheduler = argument;
    pthread_mutex_lock(&scheduler->lock);
    while (!scheduler->quit) {
        if (scheduler->count <= scheduler->at_once) {
            pthread_cond_wait(&scheduler->more, &scheduler->lock);
            continue;
        }
        pthread_mutex_unlock(&scheduler->lock);
        nanosleep(&(struct timespec){.tv_nsec = SLICE_NANOSECONDS}, NULL);
        pthread_mutex_lock(&scheduler->lock);
        share_out(scheduler);
    }
    pthread_mutex_unlock(&scheduler->lock);
    return NULL;
}

/* ---- A search ---- */

/* What its threads do while it has to hold. */
static void wait_for_turn(const StopFlag *flag) {
    SearchTurn *turn = (SearchTurn *)(uintptr_t)flag; /* its first member */
    Scheduler *scheduler = turn->scheduler;
    pthread_mutex_lock(&scheduler->lock);
    while (stop_flag_holds(flag))
        pthread_cond_wait(&turn->changed, &scheduler->lock);
    pthread_mutex_unlock(&scheduler->lock);
}

/* Who comes later begins with as much time as the one of its priority who had the least, so that it gets no more than
 * its share. */
static double least_used(const Scheduler *scheduler, int64_t priority) {
    double least = -1;
    for (const SearchTurn *turn = scheduler->turns; turn; turn = turn->next)
        if (turn->priority == priority && (least < 0 || turn->used < least))
            least = turn->used;
    return least < 0 ? 0 : least;
}

void scheduler_enter(Scheduler *scheduler, SearchTurn *turn) {
    turn->stop.wait = wait_for_turn;
    pthread_cond_init(&turn->changed, NULL);
    pthread_mutex_lock(&scheduler->lock);
    turn->scheduler = scheduler;
    turn->used = least_used(scheduler, turn->priority);
    turn->goes = false;
    turn->next = scheduler->turns;
    scheduler->turns = turn;
    scheduler->count++;
    share_out(scheduler);
    pthread_cond_signal(&scheduler->more);
    pthread_mutex_unlock(&scheduler->lock);
}

void scheduler_leave(Scheduler *scheduler, SearchTurn *turn) {
    pthread_mutex_lock(&scheduler->lock);
    SearchTurn **link = &scheduler->turns;
    while (*link != turn)
        link = &(*link)->next;
    *link = turn->next;
    scheduler->count--;
    turn->scheduler = NULL;
    stop_flag_hold(&turn->stop, false);
    share_out(scheduler);
    pthread_mutex_unlock(&scheduler->lock);
    pthread_cond_destroy(&turn->changed);
}

void scheduler_stop(Scheduler *scheduler, SearchTurn *turn) {
    pthread_mutex_lock(&scheduler->lock);
    stop_flag_set(&turn->stop);
    if (turn->scheduler) {
        pthread_cond_broadcast(&turn->changed);
        share_out(scheduler);
    }
    pthread_mutex_unlock(&scheduler->lock);
}

/* ---- Making it ---- */

Scheduler *scheduler_new(int at_once, Error *error) {
    Scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler) {
        error_set(error, "out of memory for a scheduler");
        return NULL;
    }
    scheduler->at_once = at_once;
    pthread_mutex_init(&scheduler->lock, NULL);
    pthread_cond_init(&scheduler->more, NULL);
    if (pthread_create(&scheduler->thread, NULL, share_out_slices, scheduler) == 0)
        return scheduler;
    error_set(error, "cannot start a thread");
    pthread_mutex_destroy(&scheduler->lock);
    pthread_cond_destroy(&scheduler->more);
    free(scheduler);
    return NULL;
}

void scheduler_free(Scheduler *scheduler) {
    if (!scheduler)
        return;
    pthread_mutex_lock(&scheduler->lock);
    scheduler->quit = true;
    pthread_cond_signal(&scheduler->more);
    pthread_mutex_unlock(&scheduler->lock);
    pthread_join(scheduler->thread, NULL);
    pthread_mutex_destroy(&scheduler->lock);
    pthread_cond_destroy(&scheduler->more);
    free(scheduler);
}
