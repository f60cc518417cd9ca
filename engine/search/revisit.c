/* See revisit.h. */
#include "engine/search/revisit.h"

enum { NODE_VISITS_MIN = 64 };

#define ALIKE 0.05f /* a difference of win rates that few visits do not show: it is added to all differences */

int revisit_depth(uint64_t period, uint64_t number) {
    if (period == 0 || (number + 1) % period != 0)
        return -1;
    return __builtin_ctzll((number + 1) / period);
}

/* The mean value of an edge. What stands for an edge that is not known yet counts like one visit: its RAVE mean, or
 * `otherwise` where it has none. */
static float value_of(const Edge *edge, float otherwise) {
    const uint64_t stats = atomic_load_explicit(&edge->stats, memory_order_relaxed);
    const uint64_t rave = atomic_load_explicit(&edge->rave, memory_order_relaxed);
    const float first = rave >> 32 ? (float)(uint32_t)rave / (float)(rave >> 32) : otherwise;
    const float won = (float)(int64_t)stats_value(stats) / (float)TREE_VALUE_ONE;
    return (won + first) / (float)(stats_visits(stats) + 1);
}

int revisit_edge(const Node *node, const Edge *edges) {
    uint64_t visits = 0, values = 0;
    int most = 0, next = -1;
    float next_share = 0;
    for (int i = 0; i < node->edges; i++) {
        const uint64_t stats = atomic_load_explicit(&edges[i].stats, memory_order_relaxed);
        visits += stats_visits(stats);
        values += stats_value(stats);
        most = edge_visits(&edges[i]) > edge_visits(&edges[most]) ? i : most;
    }
    if (visits < NODE_VISITS_MIN)
        return -1;
    const float mean = (float)(int64_t)values / (float)TREE_VALUE_ONE / (float)visits;
    const float best = value_of(&edges[most], mean);
    for (int i = 0; i < node->edges; i++) {
        if (i == most || edge_proven(&edges[i]) != PROVEN_NOT)
            continue;
        const float below = best - value_of(&edges[i], mean);
        const float difference = (below > 0 ? below : 0) + ALIKE;
        const float share = (float)(edge_visits(&edges[i]) + 1) * difference * difference;
        if (next < 0 || share < next_share) {
            next = i;
            next_share = share;
        }
    }
    return next;
}
