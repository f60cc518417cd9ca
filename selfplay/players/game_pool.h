/* Games side by side. Threads take the next task of a run, play its games, and pass them on to be written down.
 *
 * A task is what one thread plays without a break: a game, or the pair of games of a match. The run supplies functions
 * that say which tasks there are and what a finished game means. `play_task` and `leave` are called by several threads
 * at the same time, the others by one after the other. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GAME_POOL_H
#define STIGMERGY_SELFPLAY_PLAYERS_GAME_POOL_H

#include "selfplay/players/contest.h"
#include "selfplay/record/record_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GamePool GamePool;

enum { POOL_NO_TASK = -1, POOL_TASK_FAILED = -2 };

typedef struct PoolJob {
    int threads;
    const StopFlag *stop; /* set from outside to end soon; may be NULL */
    double deadline;      /* wall_seconds at which to end; 0: none */

    /* The next task: a number from 0, POOL_NO_TASK if there are no more, or POOL_TASK_FAILED with an error. */
    int (*take)(void *user, Error *error);
    /* Plays a task, and passes every finished game to pool_finish. *worker belongs to this thread and is NULL at first.
     * Gives up as soon as pool_stop says so, which is no failure. False with an error. */
    bool (*play_task)(GamePool *pool, void **worker, int task, Error *error);
    /* Writes a finished game down and counts it. *wanted is true at first. If it is set to false, no more games are
     * needed and the pool ends. False with an error. NULL if `play_task` never calls pool_finish. */
    bool (*finished)(void *user, GameId id, const GameRecord *record, bool *wanted, Error *error);
    /* Called when a thread ends: frees its *worker, which is not NULL. NULL if
     * `play_task` leaves *worker alone. */
    void (*leave)(void *worker);
    void *user;
} PoolJob;

typedef enum PoolEnd {
    POOL_DONE,    /* no task is left, or nothing more is wanted */
    POOL_STOPPED, /* *stop was set */
    POOL_TIME_UP,
    POOL_FAILED
} PoolEnd;

/* Runs the threads until nothing is left to do. Sets OpenMP's number of nested levels to 2 for the whole process, so
 * that the searches of games may have threads of their own. One pool at a time in a process: they share a lock. */
PoolEnd pool_run(const PoolJob *job, Error *error);

/* For `play_task`. pool_user gives the job's user, pool_stop tells a game when to give up, pool_is_over says whether
 * the thread must end, and pool_finish passes on a finished game. If that cannot be written, the pool ends; then, and
 * when no more games are wanted, games are dropped. */
void *pool_user(const GamePool *pool);
const ContestStop *pool_stop(const GamePool *pool);
bool pool_is_over(const GamePool *pool);
void pool_finish(GamePool *pool, GameId id, const GameRecord *record);

#ifdef __cplusplus
}
#endif

#endif
