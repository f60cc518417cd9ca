/* Who searches now: searches that share the processors in short slices.
 *
 * A limited number of the searches that take part go on at the same moment. The others hold, by their stop flag
 * (engine/base/stop_flag.h), in the middle of what they do. A search loses nothing by that: with a limit of simulations
 * it finds the same as if it were alone. A higher priority goes first. Among equals those go on that had the least time
 * so far, and so all get the same share. The choice is made anew when a search comes or goes, and after each slice of a
 * few hundredths of a second by a thread of the scheduler's own, which sleeps while nobody has to hold. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_SCHEDULER_H
#define STIGMERGY_SELFPLAY_ANALYSIS_SCHEDULER_H

#include "engine/base/error.h"
#include "engine/base/stop_flag.h"

#include <pthread.h>
#include <stdint.h>

typedef struct Scheduler Scheduler;

/* The part that a search takes. Zero-initialize all but the priority and the parent of the flag. */
typedef struct SearchTurn {
    StopFlag stop; /* for the search; to be set by scheduler_stop only. Its parent, which never holds, may be anybody's.
                      It comes first: scheduler.c relies on that. */
    int64_t priority;
    /* The scheduler's own: */
    Scheduler *scheduler; /* while it takes part; else NULL */
    struct SearchTurn *next;
    pthread_cond_t changed; /* it may go on, or has to stop */
    double used, since;     /* seconds that it had until the time `since` */
    bool goes;
} SearchTurn;

/* Makes a scheduler that lets `at_once` searches go on at the same moment. NULL with an error. */
Scheduler *scheduler_new(int at_once, Error *error);

/* Nobody may take part any more. */
void scheduler_free(Scheduler *scheduler);

/* Takes part from now on. The search is to be run with the stop flag of its turn, which may say hold at once. */
void scheduler_enter(Scheduler *scheduler, SearchTurn *turn);

/* Takes part no longer: the search has ended. */
void scheduler_leave(Scheduler *scheduler, SearchTurn *turn);

/* Stops a search, whether it takes part or not. */
void scheduler_stop(Scheduler *scheduler, SearchTurn *turn);

#endif
