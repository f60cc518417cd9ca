/* See rate_limit.h. */
#include "tools/serve/rate_limit.h"

void rate_limit_init(RateLimit *limit, double rate, double burst) {
    limit->rate = rate;
    limit->burst = limit->tokens = burst;
    limit->since = 0;
}

bool rate_limit_take(RateLimit *limit, double now) {
    if (limit->since > 0)
        limit->tokens += (now - limit->since) * limit->rate;
    if (limit->tokens > limit->burst)
        limit->tokens = limit->burst;
    limit->since = now;
    if (limit->tokens < 1)
        return false;
    limit->tokens -= 1;
    return true;
}
