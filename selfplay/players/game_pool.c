/* See game_pool.h. */
#include "selfplay/players/game_pool.h"

#include "engine/base/wall_time.h"

#include <omp.h>
#include <stdatomic.h>

struct GamePool {
    const PoolJob *job;
    ContestStop contest_stop;
    atomic_bool over; /* no more games: stopped from outside, out of time, nothing more wanted, or an error */
    bool unwanted, failed;
    Error error;
};

/* Whether the pool should end. Called between games and after every move. */
static bool is_over(void *user) {
    GamePool *pool = user;
    const PoolJob *job = pool->job;
    if (stop_flag_is_set(job->stop) || (job->deadline > 0 && wall_seconds() >= job->deadline))
        atomic_store(&pool->over, true);
    return atomic_load(&pool->over);
}

static void fail(GamePool *pool, const Error *error) {
    if (!pool->failed)
        error_pass(&pool->error, error);
    pool->failed = true;
    atomic_store(&pool->over, true);
}

void *pool_user(const GamePool *pool) {
    return pool->job->user;
}

const ContestStop *pool_stop(const GamePool *pool) {
    return &pool->contest_stop;
}

bool pool_is_over(const GamePool *pool) {
    return atomic_load(&pool->over);
}

void pool_finish(GamePool *pool, GameId id, const GameRecord *record) {
#pragma omp critical(game_pool)
    {
        Error error;
        bool wanted = true;
        if (pool->failed || pool->unwanted) {
            /* Lines after one that could not be written whole would be lost with it. */
        } else if (!pool->job->finished(pool->job->user, id, record, &wanted, &error)) {
            fail(pool, &error);
        } else if (!wanted) {
            pool->unwanted = true;
            atomic_store(&pool->over, true);
        }
    }
}

static int take_task(GamePool *pool) {
    int task = POOL_NO_TASK;
#pragma omp critical(game_pool)
    {
        Error error;
        if (!is_over(pool))
            task = pool->job->take(pool->job->user, &error);
        if (task == POOL_TASK_FAILED)
            fail(pool, &error);
    }
    return task;
}

static void work(GamePool *pool) {
    void *worker = NULL;
    for (int task; (task = take_task(pool)) >= 0;) {
        Error error;
        if (!pool->job->play_task(pool, &worker, task, &error)) {
#pragma omp critical(game_pool)
            fail(pool, &error);
        }
    }
    if (worker)
        pool->job->leave(worker);
}

PoolEnd pool_run(const PoolJob *job, Error *error) {
    GamePool pool = {.job = job};
    pool.contest_stop = (ContestStop){job->stop, is_over, &pool};
    atomic_init(&pool.over, false);
    omp_set_max_active_levels(2); /* games side by side, and search threads within each game */
#pragma omp parallel num_threads(job->threads)
    work(&pool);
    if (pool.failed) {
        error_pass(error, &pool.error);
        return POOL_FAILED;
    }
    if (pool.unwanted || !atomic_load(&pool.over))
        return POOL_DONE;
    return stop_flag_is_set(job->stop) ? POOL_STOPPED : POOL_TIME_UP;
}
