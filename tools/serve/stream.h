/* The answers of an analysis on their way to a browser: server-sent events (the HTML standard, section 9.2), one an
 * answer, as the body of a response.
 *
 * The engine's workers write, the thread of the connection reads. It lives until both are done with it; where the
 * browser goes first (a closed tab), the search is stopped. What waits to be read is bounded: reports of a search that
 * goes on are passed over while the browser lags behind. */
#ifndef STIGMERGY_TOOLS_SERVE_STREAM_H
#define STIGMERGY_TOOLS_SERVE_STREAM_H

#include "selfplay/analysis/query.h"

#include <sys/types.h>

typedef struct WebStream WebStream;

/* Starts the query and gives the stream of its answers; NULL without memory (the query is freed then). */
WebStream *web_stream_new(AnalysisQuery *query, Analysis *analysis);

/* Takes the next bytes, at most `size`; waits for them, for a second at most, after which a comment is sent so that a
 * closed connection is noticed. 0 at the end. */
ssize_t web_stream_read(WebStream *stream, char *out, size_t size);

/* The reader is done with it. */
void web_stream_close(WebStream *stream);

#endif
