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

/* Takes the events of a search of this owner, "" if none come within a tenth of a second. Before that a question waits,
 * for as long at most, until others for the same search have been answered. *found: there is such a search. *ended:
 * there were none and no more will come, so this was the last call. NULL if there is no such search, or without memory:
 * then the events are still there. The caller frees the text. */
char *searches_take(Searches *searches, const char *name, const Client *owner, bool *found, bool *ended);

/* Stops a search of this owner, if there is such a search. */
void searches_stop(Searches *searches, const char *name, const Client *owner);

#endif
