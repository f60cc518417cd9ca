/* The answers of an analysis on their way to a browser: the body of a response, with a server-sent event for each
 * answer (the HTML standard, section 9.2).
 *
 * The engine's workers write, and the thread of the connection reads. The stream lives until both are done with it. If
 * the browser leaves first (a closed tab), the search is stopped. The memory for what has not been read is limited:
 * while the browser is slow, reports of a running search are dropped. While there is nothing to say, the stream says so
 * every second, and at length: a reader who has stopped reading has his buffers full soon, and only that shows. */
#ifndef STIGMERGY_TOOLS_SERVE_STREAM_H
#define STIGMERGY_TOOLS_SERVE_STREAM_H

#include "selfplay/analysis/query.h"
#include "tools/serve/clients.h"

#include <sys/types.h>

typedef struct WebStream WebStream;

/* Starts the query and returns the stream of its answers. `client` has opened a search for it, which the stream closes;
 * NULL for none. NULL without memory; query and search are closed then. */
WebStream *web_stream_new(AnalysisQuery *query, Analysis *analysis, Client *client);

/* Takes the next bytes, at most `size` (3 or more), and waits for them if there are none. After a second it returns a
 * comment. 0 at the end. */
ssize_t web_stream_read(WebStream *stream, char *out, size_t size);

/* Takes all events that are there, as text, and waits for some for this number of seconds if there are none. *ended:
 * there were none, and no more will come. With `keep` they stay, and come again, until web_stream_forget. The caller
 * frees the text. NULL without memory. */
char *web_stream_take(WebStream *stream, bool keep, double seconds, bool *ended);

/* Forgets the first `count` bytes of the stream, which the reader has. False if they have not come yet, or if more is
 * forgotten already. */
bool web_stream_forget(WebStream *stream, uint64_t count);

/* The reader is done with the stream. */
void web_stream_close(WebStream *stream);

#endif
