/* Inside a query: what query.c reads and query_answer.c answers. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_QUERY_INTERNAL_H
#define STIGMERGY_SELFPLAY_ANALYSIS_QUERY_INTERNAL_H

#include "selfplay/analysis/query.h"

#include <stdatomic.h>

struct AnalysisQuery {
    char id[QUERY_ID_MAX];
    GameLine line;
    const Player *player; /* settled by the analysis engine, which owns it */
    uint64_t simulations, seed;
    double seconds, report_interval;
    int64_t priority;
    bool include_control, include_policy, keep_tree, is_move;
    int *turns; /* the turns to be searched */
    int turn_count;
    atomic_int left; /* turns whose last answer has not been given */
    const void *owner;
    QuerySink *sink;
    void *user;
};

/* The answer to a report on one of the query's positions. NULL without memory. The caller deletes it. */
cJSON *query_answer_to_json(const AnalysisQuery *query, const AnalysisTask *task, const AnalysisReport *report);

#endif
