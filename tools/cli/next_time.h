/* When to do again what is done from time to time and may take long. */
#ifndef STIGMERGY_TOOLS_CLI_NEXT_TIME_H
#define STIGMERGY_TOOLS_CLI_NEXT_TIME_H

#include "engine/base/wall_time.h"

/* For work that began at `begin` and ends now: after `least` seconds, or after 50 times what it took if that is longer,
 * so that it costs little. Times are those of wall_seconds. */
static inline double next_time(double begin, double least) {
    const double end = wall_seconds(), pause = 50 * (end - begin);
    return end + (pause > least ? pause : least);
}

#endif
