/* Who may talk to the board server, and how much.
 *
 * A page of another site that runs in the same browser can reach a server on loopback. It cannot choose the Host that
 * the browser sends (so a name that was made to point here, DNS rebinding, shows), nor hide its own Origin. */
#ifndef STIGMERGY_TOOLS_SERVE_GUARD_H
#define STIGMERGY_TOOLS_SERVE_GUARD_H

#include <pthread.h>
#include <stdbool.h>

/* Whether a request with these headers (NULL where it has none) is ours: Host must be a name of this machine on
 * loopback, or, where the server listens on another address (`open`), any numeric address or the name `bound`, which
 * the user gave; Origin, where there is one, must be that of the page that the server itself sent to this Host. */
bool web_guard_allows(const char *host, const char *origin, const char *bound, bool open);

/* A token bucket: `rate` a second on average, `burst` at once. */
typedef struct RateLimit {
    double rate, burst;
    double tokens, since;
    pthread_mutex_t lock;
} RateLimit;

void rate_limit_init(RateLimit *limit, double rate, double burst);
void rate_limit_destroy(RateLimit *limit);

/* Takes a token; false where there is none left. `now` is in seconds of a clock that never goes back. */
bool rate_limit_take(RateLimit *limit, double now);

#endif
