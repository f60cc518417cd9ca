/* A query of the analysis protocol: a JSON object that asks for the search of some positions of a line of play, and the
 * JSON objects that answer it. tools/docs/analysis.md describes every field.
 *
 * The model is KataGo's analysis engine (Wu, docs/Analysis_Engine.md). `stigmergy analyze` reads queries from its
 * standard input, the board in the browser sends them to `stigmergy serve`. */
#ifndef STIGMERGY_TOOLS_ANALYZE_QUERY_H
#define STIGMERGY_TOOLS_ANALYZE_QUERY_H

#include "tools/analyze/game_line.h"

enum { QUERY_KEY_MAX = 64, QUERY_ID_MAX = 512, QUERY_LEVELS_MAX = 16 };

/* What holds where a query does not say otherwise. */
typedef struct QueryDefaults {
    GameOptions game;
    int komi;
    Player player; /* how to search; its limits where a query has none */
    uint64_t seed;
    Player levels[QUERY_LEVELS_MAX]; /* the players of `level` 1, 2, ... */
    int level_count;                 /* 0: the key is not known */
    double seconds_max;              /* `maxTime` is cut to this; 0: it is not */
} QueryDefaults;

/* Takes an answer: a line of JSON without its newline. `running`: it is of a search that goes on, and may be passed
 * over. Called by the engine's workers, by several at once for a query of several positions. `last`: all answers have
 * been taken; this call has none, its length is 0. */
typedef void QuerySink(void *user, const char *answer, size_t length, bool running, bool last);

typedef struct AnalysisQuery AnalysisQuery;

/* Reads a query; NULL with an error and the key that is wrong ("" for the whole). `defaults` must outlive the engine.
 */
AnalysisQuery *query_read(const cJSON *json, Analysis *analysis, const QueryDefaults *defaults, char key[QUERY_KEY_MAX],
                          Error *error);

/* Hands the query to the engine, which frees it after its last answer. */
void query_start(AnalysisQuery *query, Analysis *analysis, QuerySink *sink, void *user);

/* Frees a query that was never started. */
void query_free(AnalysisQuery *query);

/* Stops the query that was started for this `user`, where it still runs: the rest of its answers come soon. */
void query_stop(Analysis *analysis, const void *user);

/* Stops the queries with this id, or the given turns of them only where count > 0. Returns how many positions were
 * stopped. */
int query_stop_id(Analysis *analysis, const char *id, const int64_t *turns, int count);

#endif
