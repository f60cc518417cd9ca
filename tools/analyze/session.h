/* A session of `stigmergy analyze`: lines of JSON go in, lines of JSON come out, in any order as searches finish.
 *
 * A line is a query (query.h) or has an `action`: query_version, terminate, terminate_all, clear_cache.
 * tools/docs/analysis.md is the manual. A session may be fed anything: what it cannot read is answered with `error` and
 * `field`, and it goes on. */
#ifndef STIGMERGY_TOOLS_ANALYZE_SESSION_H
#define STIGMERGY_TOOLS_ANALYZE_SESSION_H

#include "tools/analyze/query.h"

#include <stdio.h>

typedef struct AnalyzeSession AnalyzeSession;

/* Starts a session that answers to `out`. `defaults` and `analysis` must outlive it, and nobody else may use them.
 * NULL without memory. */
AnalyzeSession *analyze_session_new(Analysis *analysis, const QueryDefaults *defaults, FILE *out);

/* Takes the next bytes of input; false where `out` cannot be written any more: then all searches are stopped. */
bool analyze_session_feed(AnalyzeSession *session, const char *bytes, size_t count);

/* Says that the input has ended, and waits until everything is answered; false where not all of it could be written. */
bool analyze_session_end(AnalyzeSession *session);

void analyze_session_free(AnalyzeSession *session);

#endif
