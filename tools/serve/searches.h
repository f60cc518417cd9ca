/* Searches that a page asks for their answers again and again.
 *
 * A stream (stream.h) keeps a connection for as long as its search goes on. But a browser opens at most six connections
 * to a server, for all its tabs together: six that analyse would leave none for a seventh. So the page starts a search,
 * gets a name for it, and asks for its answers. Each question is over after a tenth of a second, with or without an
 * answer. A search that nobody asks for is stopped after a while: its tab is gone. */
#ifndef STIGMERGY_TOOLS_SERVE_SEARCHES_H
#define STIGMERGY_TOOLS_SERVE_SEARCHES_H

#include "tools/serve/guard.h"
#include "tools/serve/stream.h"

typedef struct Searches Searches;

/* `unread`: seconds after which a search is stopped that nobody asks for. NULL without memory, or if there can be no
 * thread. */
Searches *searches_new(int unread);

/* Stops all searches. NULL is allowed. */
void searches_free(Searches *searches);

/* Keeps a stream for its owner, and makes a name that nobody can guess. False with an error; then the stream is closed.
 */
bool searches_add(Searches *searches, WebStream *stream, const Client *owner, char name[WEB_TOKEN_LENGTH + 1],
                  Error *error);

typedef enum SearchAnswer {
    SEARCH_EVENTS,
    SEARCH_ENDED,   /* there are none, and no more will come */
    SEARCH_UNKNOWN, /* this owner has no such search */
    SEARCH_MISCOUNTED,
    SEARCH_NO_MEMORY /* the events are still there */
} SearchAnswer;

/* Takes the events of a search of this owner: with the first two answers *events is a text, which the caller frees, ""
 * if none come within a tenth of a second; else NULL. Before that a question waits, for as long at most, until others
 * for the same search have been answered.
 *
 * An owner may lose an answer, and ask again, if he says how many bytes of events he has of the search in all:
 * `*after`. What comes after these stays until he says that he has it, too, and SEARCH_ENDED is said again for a while.
 * It is SEARCH_MISCOUNTED if he cannot have so many, or has said that he has more. NULL: what is taken is gone, and so
 * is the search with SEARCH_ENDED. */
SearchAnswer searches_take(Searches *searches, const char *name, const Client *owner, const uint64_t *after,
                           char **events);

/* The same, but takes nothing and does not wait: whether there is such a search. */
SearchAnswer searches_look(Searches *searches, const char *name, const Client *owner, char **events);

/* Stops a search of this owner, if there is such a search. */
void searches_stop(Searches *searches, const char *name, const Client *owner);

#endif
