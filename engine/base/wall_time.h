/* Seconds on a clock that never jumps. For time limits and rates. */
#ifndef STIGMERGY_ENGINE_BASE_WALL_TIME_H
#define STIGMERGY_ENGINE_BASE_WALL_TIME_H

#include <time.h>

static inline double wall_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
