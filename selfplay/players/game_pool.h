/* Games side by side: threads that take the next task of a run, play its games and have them written down.
 *
 * A task is what one thread plays in one go: a game, or the pair of games of a match. Which tasks there are, and what a
 * finished game means, the run says by its functions; of these only `play` is called by several threads at once. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GAME_POOL_H
#define STIGMERGY_SELFPLAY_PLAYERS_GAME_POOL_H

#include "selfplay/players/contest.h"
#include "selfplay/record/record_file.h"

typedef struct GamePool GamePool;

enum { POOL_NO_TASK = -1, POOL_TASK_FAILED = -2 };

typedef struct PoolJob {
    int threads;
    const atomic_bool *stop; /* set from outside to end soon; may be NULL */
    double deadline;         /* wall_seconds at which to end; 0: none */

    /* The next task, a number from 0 on; POOL_NO_TASK where there is none left, POOL_TASK_FAILED with an error. */
    int (*take)(void *user, Error *error);
    /* Plays a task, and hands every finished game to pool_finish. *worker is this thread's own, NULL at first. Gives up
     * as soon as pool_stop says so, which is no failure. False with an error. */
    bool (*play)(GamePool *pool, void **worker, int task, Error *error);
    /* Writes a finished game down and counts it. *wanted (true at first) set to false ends the pool: no more games are
     * needed. False with an error. */
    bool (*finished)(void *user, GameId id, const GameRecord *record, bool *wanted, Error *error);
    /* A thread ends: frees its *worker (which is not NULL). */
    void (*leave)(void *worker);
    void *user;
} PoolJob;

typedef enum PoolEnd {
    POOL_DONE,    /* no task is left, or nothing more is wanted */
    POOL_STOPPED, /* *stop was set */
    POOL_TIME_UP,
    POOL_FAILED
} PoolEnd;

/* Runs the threads until there is no more to do. */
PoolEnd pool_run(const PoolJob *job, Error *error);

/* For `play`: the job's user; how a game learns that it is to be given up; whether the thread is to end; hands a
 * finished game over. */
void *pool_user(const GamePool *pool);
const ContestStop *pool_stop(const GamePool *pool);
bool pool_is_over(const GamePool *pool);
void pool_finish(GamePool *pool, GameId id, const GameRecord *record);

#endif
