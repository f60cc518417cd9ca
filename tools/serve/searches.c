/* See searches.h. One lock guards the list. A search that somebody asks for stays in it until the question is answered.
 */
#include "tools/serve/searches.h"

#include "engine/base/condition.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const double patience = 0.1; /* seconds that a question waits for an answer */

typedef struct NamedSearch {
    struct NamedSearch *next;
    char name[WEB_TOKEN_LENGTH + 1];
    WebStream *stream; /* NULL: it has ended, and only that is still said */
    const Client *owner;
    bool asked, stopped; /* somebody waits for its answers; it is to be closed */
    double last;         /* when somebody asked last */
} NamedSearch;

struct Searches {
    pthread_mutex_t lock;
    pthread_cond_t ending, answered; /* a question */
    pthread_t watch;
    bool ended;
    int unread;
    NamedSearch *list;
};

/* Takes those out of the list that are stopped, or that nobody has asked for since `before`. */
static NamedSearch *take_out(Searches *searches, double before) {
    NamedSearch *out = NULL;
    for (NamedSearch **link = &searches->list; *link;) {
        NamedSearch *each = *link;
        if (each->asked || (!each->stopped && each->last >= before)) {
            link = &each->next;
            continue;
        }
        *link = each->next;
        each->next = out;
        out = each;
    }
    return out;
}

/* Closes searches that are in no list any more; not under the lock, because it waits for workers. */
static void close_all(NamedSearch *list) {
    for (NamedSearch *next; list; list = next) {
        next = list->next;
        if (list->stream)
            web_stream_close(list->stream);
        free(list);
    }
}

/* The thread that looks for searches that nobody asks for. */
static void *watch(void *user) {
    Searches *searches = user;
    pthread_mutex_lock(&searches->lock);
    while (!searches->ended) {
        const struct timespec until = deadline_in(1);
        pthread_cond_timedwait(&searches->ending, &searches->lock, &until);
        NamedSearch *old = take_out(searches, wall_seconds() - searches->unread);
        pthread_mutex_unlock(&searches->lock);
        close_all(old);
        pthread_mutex_lock(&searches->lock);
    }
    pthread_mutex_unlock(&searches->lock);
    return NULL;
}

Searches *searches_new(int unread) {
    Searches *searches = calloc(1, sizeof *searches);
    if (!searches)
        return NULL;
    searches->unread = unread;
    pthread_mutex_init(&searches->lock, NULL);
    condition_init(&searches->ending);
    condition_init(&searches->answered);
    if (pthread_create(&searches->watch, NULL, watch, searches) == 0)
        return searches;
    pthread_cond_destroy(&searches->answered);
    pthread_cond_destroy(&searches->ending);
    pthread_mutex_destroy(&searches->lock);
    free(searches);
    return NULL;
}

void searches_free(Searches *searches) {
    if (!searches)
        return;
    pthread_mutex_lock(&searches->lock);
    searches->ended = true;
    pthread_cond_signal(&searches->ending);
    pthread_mutex_unlock(&searches->lock);
    pthread_join(searches->watch, NULL);
    close_all(searches->list);
    pthread_cond_destroy(&searches->answered);
    pthread_cond_destroy(&searches->ending);
    pthread_mutex_destroy(&searches->lock);
    free(searches);
}

bool searches_add(Searches *searches, WebStream *stream, const Client *owner, char name[WEB_TOKEN_LENGTH + 1],
                  Error *error) {
    NamedSearch *search = calloc(1, sizeof *search);
    const bool good = search ? web_guard_new_token(search->name, error) : error_set(error, "out of memory");
    if (!good) {
        free(search);
        web_stream_close(stream);
        return false;
    }
    memcpy(name, search->name, sizeof search->name);
    search->stream = stream;
    search->owner = owner;
    search->last = wall_seconds();
    pthread_mutex_lock(&searches->lock);
    search->next = searches->list;
    searches->list = search;
    pthread_mutex_unlock(&searches->lock);
    return true;
}

static NamedSearch *find(Searches *searches, const char *name, const Client *owner) {
    for (NamedSearch *each = searches->list; each; each = each->next)
        if (each->owner == owner && !each->stopped && !strcmp(each->name, name))
            return each;
    return NULL;
}

/* Finds a search, and waits for the end of another question for it; for its own patience at most. */
static NamedSearch *find_unasked(Searches *searches, const char *name, const Client *owner) {
    const struct timespec until = deadline_in(patience);
    NamedSearch *search;
    int status = 0;
    while ((search = find(searches, name, owner)) && search->asked && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&searches->answered, &searches->lock, &until);
    return search;
}

/* An answer without events. */
static SearchAnswer say_nothing(SearchAnswer answer, char **events) {
    *events = strdup("");
    return *events ? answer : SEARCH_NO_MEMORY;
}

static SearchAnswer take_events(const NamedSearch *search, const uint64_t *after, char **events) {
    bool ended;
    if (!search->stream)
        return say_nothing(SEARCH_ENDED, events);
    if (after && !web_stream_forget(search->stream, *after))
        return SEARCH_MISCOUNTED;
    *events = web_stream_take(search->stream, after != NULL, patience, &ended);
    return !*events ? SEARCH_NO_MEMORY : ended ? SEARCH_ENDED : SEARCH_EVENTS;
}

/* A question has been answered. Where the search has ended, its stream is done with; who counts may ask again. */
static void settle(Searches *searches, NamedSearch *search, bool ended, bool counts) {
    WebStream *done = NULL;
    pthread_mutex_lock(&searches->lock);
    search->asked = false;
    pthread_cond_broadcast(&searches->answered);
    search->last = wall_seconds();
    search->stopped = search->stopped || (ended && !counts);
    if (ended && counts) {
        done = search->stream;
        search->stream = NULL;
    }
    NamedSearch *old = search->stopped ? take_out(searches, 0) : NULL;
    pthread_mutex_unlock(&searches->lock);
    if (done)
        web_stream_close(done);
    close_all(old);
}

SearchAnswer searches_take(Searches *searches, const char *name, const Client *owner, const uint64_t *after,
                           char **events) {
    *events = NULL;
    pthread_mutex_lock(&searches->lock);
    NamedSearch *search = find_unasked(searches, name, owner);
    const bool other = search && search->asked;
    if (search)
        search->asked = true;
    pthread_mutex_unlock(&searches->lock);
    if (!search)
        return SEARCH_UNKNOWN;
    if (other)
        return say_nothing(SEARCH_EVENTS, events);
    const SearchAnswer answer = take_events(search, after, events);
    settle(searches, search, answer == SEARCH_ENDED, after != NULL);
    return answer;
}

SearchAnswer searches_look(Searches *searches, const char *name, const Client *owner, char **events) {
    *events = NULL;
    pthread_mutex_lock(&searches->lock);
    const bool found = find(searches, name, owner) != NULL;
    pthread_mutex_unlock(&searches->lock);
    return found ? say_nothing(SEARCH_EVENTS, events) : SEARCH_UNKNOWN;
}

void searches_stop(Searches *searches, const char *name, const Client *owner) {
    pthread_mutex_lock(&searches->lock);
    NamedSearch *search = find(searches, name, owner);
    if (search)
        search->stopped = true;
    NamedSearch *old = take_out(searches, 0);
    pthread_mutex_unlock(&searches->lock);
    close_all(old);
}
