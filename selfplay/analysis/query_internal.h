/* Inside a query: what query.c reads and query_answer.c answers. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_QUERY_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_QUERY_INTERNAL_H

#include "selfplay/analysis/query.h"

#include <stdatomic.h>

enum { QUERY_PRIORITY_MAX = 1000000000 };
#define QUERY_SECONDS_MIN 0.001
#define QUERY_SECONDS_MAX 1e6

struct AnalysisQuery {
    char id[QUERY_ID_MAX];
    GameLine line;
    AnalysisTask task;   /* how each turn is searched; query_start adds what differs from turn to turn */
    int *turns;          /* the turns to be searched */
    int64_t *priorities; /* of each of them; NULL: that of the task */
    int turn_count;
    SearchAvoid *avoid; /* of the task; NULL: nothing */
    int64_t pv_length;  /* turns of a variation after the first one */
    bool is_move, include_control, include_policy;
    bool include_ownership; /* `control` as KataGo writes it */
    cJSON *warnings;        /* an array of answers that come before all others; NULL: none */
    atomic_int left;        /* turns whose last answer has not been given */
    const void *owner;
    QuerySink *sink;
    void *user;
};

/* The position of a turn that is to be searched. */
static inline const GameState *query_position(const AnalysisQuery *query, int turn) {
    return turn == query->line.turns ? &query->line.end : &query->line.states[turn];
}

/* ---- query_katago.c ---- */

/* Reads the fields that KataGo's clients send, after our own limits and before the game, whose size goes to
 * options->size. */
void query_read_katago(AnalysisQuery *query, JsonReader *reader, GameOptions *options);

/* Reads `avoidMoves` and `allowMoves`, after the turns. */
bool query_read_avoid(AnalysisQuery *query, JsonReader *reader);

/* ---- query_clock.c ---- */

/* Reads `clock`, the time that the side to move has left (selfplay/players/game_clock.h) in the one position that is
 * searched, when the turns have been read and the limits are settled. A search takes no more than its share. Unless the
 * query is `limited` otherwise, it takes all of that. */
void query_read_clock(AnalysisQuery *query, JsonReader *reader, bool limited);

/* ---- query_answer.c ---- */

/* The answer to a report on one of the query's positions. NULL without memory. The caller deletes it. */
cJSON *query_answer_to_json(const AnalysisQuery *query, const AnalysisTask *task, const AnalysisReport *report);

#endif
