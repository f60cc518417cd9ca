/* A query of the analysis protocol: a JSON object that asks for the search of positions of a game, and the JSON objects
 * that answer it. tools/docs/analysis.md describes every field.
 *
 * The model is KataGo's analysis engine (Wu, docs/Analysis_Engine.md). `stigmergy analyze` reads queries from its
 * standard input; the board in the browser sends them to `stigmergy serve`. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_QUERY_H
#define STIGMERGY_SELFPLAY_ANALYSIS_QUERY_H

#include "selfplay/analysis/game_line.h"
#include "selfplay/players/levels.h"

enum { QUERY_KEY_MAX = 64, QUERY_ID_MAX = 512 };

/* What applies if a query does not say otherwise. */
typedef struct QueryDefaults {
    GameOptions game;
    int komi;
    Player player; /* how to search; its limits apply if the query has none. Not settled: games differ */
    /* The player's limits were asked for: a `clock` does not replace them. */
    bool effort_given;
    uint64_t seed;
    bool has_levels;       /* whether queries may have the key `level` */
    Player levels[LEVELS]; /* the players of levels 1, 2, ..., not settled */
    double seconds_max;    /* upper limit of `maxTime`; 0: none */
    /* 0: queries choose their `priority`. Else visitors share the engine, and a query about one position without
     * reports during the search asks for a move. A move gets at most this number of seconds. It goes before all other
     * searches, whatever `priority` queries name. */
    double move_seconds;
} QueryDefaults;

typedef enum QueryOutput {
    QUERY_REPORT, /* an answer of a search that goes on; it may be dropped */
    QUERY_ANSWER, /* an answer that must not be dropped */
    QUERY_END     /* no answer, its length is 0: nothing comes after it */
} QueryOutput;

/* Receives what comes of a query; an answer is a line of JSON without its newline. Called by the engine's workers, by
 * several at once if the query has several positions, and by the thread that calls query_start before that returns
 * (warnings, positions without memory), even with QUERY_END. So the caller must hold no lock that the sink takes. */
typedef void QuerySink(void *user, QueryOutput kind, const char *answer, size_t length);

typedef struct AnalysisQuery AnalysisQuery;

/* Reads a query. NULL with an error and the key that is wrong ("" if the whole is). `defaults` must outlive the engine.
 */
AnalysisQuery *query_read(const cJSON *json, Analysis *analysis, const QueryDefaults *defaults, char key[QUERY_KEY_MAX],
                          Error *error);

/* The answer where there is no memory for one. */
extern const char query_no_memory[];

/* Whether it asks for a move, see QueryDefaults.move_seconds. */
bool query_is_move(const AnalysisQuery *query);

/* The memory in bytes that a query takes until its last answer, its positions in the queue included. */
size_t query_bytes(const AnalysisQuery *query);

/* Gives the query to the engine, which frees it after its last answer. With `keepTree` it stops the queries with its id
 * that were started for the same owner (NULL: nobody in particular), and no one else's. */
void query_start(AnalysisQuery *query, Analysis *analysis, const void *owner, QuerySink *sink, void *user);

/* Frees a query that was never started. */
void query_free(AnalysisQuery *query);

/* Stops the query that was started for this `user`, if it still runs. Its last answers follow soon. */
void query_stop(Analysis *analysis, const void *user);

/* Stops the queries of an owner with this id; if count > 0, only these turns of them. Returns how many positions were
 * stopped. */
int query_stop_id(Analysis *analysis, const void *owner, const char *id, const int64_t *turns, int count);

#endif
