/* A session of `stigmergy analyze`: lines of JSON go in, lines of JSON come out, in any order, as searches finish.
 *
 * A line is a query (selfplay/analysis/query.h), or a command with an `action`: query_version, query_models,
 * terminate, terminate_all, clear_cache. tools/docs/analysis.md is the manual. A session accepts any bytes: a line that
 * it cannot use is answered with `error` and `field`, and the session goes on. What waits to be searched is bounded in
 * bytes: beyond that no input is taken until some of it is done, so that whoever sends too fast has to wait. */
#ifndef STIGMERGY_TOOLS_ANALYZE_SESSION_H
#define STIGMERGY_TOOLS_ANALYZE_SESSION_H

#include "selfplay/analysis/query.h"

#include <stdio.h>

typedef struct AnalyzeSession AnalyzeSession;

enum { ANALYZE_WAITING_BYTES = 256 << 20 };

/* Starts a session that answers to `out`. Queries that are not answered yet take about `waiting_bytes` at most, or are
 * one query. `defaults` and `analysis` must outlive it and serve no one else. NULL with an error without memory or
 * descriptors. */
AnalyzeSession *analyze_session_new(Analysis *analysis, const QueryDefaults *defaults, size_t waiting_bytes, FILE *out,
                                    Error *error);

/* Takes the next bytes of input, and waits while too much is waiting to be searched. False if `out` cannot be written
 * any more; all searches are stopped then. */
bool analyze_session_feed(AnalyzeSession *session, const char *bytes, size_t count);

/* A descriptor that poll reports as soon as `out` cannot be written any more, for whoever waits for input meanwhile. */
int analyze_session_broken(const AnalyzeSession *session);

/* Ends the input and waits for the last answers. False if some of them could not be written. */
bool analyze_session_end(AnalyzeSession *session);

void analyze_session_free(AnalyzeSession *session);

#endif
