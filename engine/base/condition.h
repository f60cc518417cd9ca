/* Condition variables that are waited for with a limit, by the clock of wall_time.h. */
#ifndef STIGMERGY_ENGINE_BASE_CONDITION_H
#define STIGMERGY_ENGINE_BASE_CONDITION_H

#include "engine/base/wall_time.h"

#include <pthread.h>

static inline void condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* The end of a wait of this number of seconds from now, for pthread_cond_timedwait. */
static inline struct timespec deadline_in(double seconds) {
    const double end = wall_seconds() + seconds;
    return (struct timespec){.tv_sec = (time_t)end, .tv_nsec = (long)(1e9 * (end - (double)(time_t)end))};
}

#endif
