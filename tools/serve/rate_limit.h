/* How often somebody may ask: a token bucket. It allows `rate` requests a second on average, and `burst` at once. One
 * thread at a time may use it. */
#ifndef STIGMERGY_TOOLS_SERVE_RATE_LIMIT_H
#define STIGMERGY_TOOLS_SERVE_RATE_LIMIT_H

#include <stdbool.h>

typedef struct RateLimit {
    double rate, burst;
    double tokens, since; /* tokens at the time `since` */
} RateLimit;

void rate_limit_init(RateLimit *limit, double rate, double burst);

/* Takes a token; false if none is left. `now` is in seconds, from a clock that never goes back. */
bool rate_limit_take(RateLimit *limit, double now);

#endif
