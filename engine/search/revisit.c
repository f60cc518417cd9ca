/* See revisit.h. */
#include "engine/search/revisit.h"

enum { COMPARED = 12 /* alternatives of a wide run */ };

#define ALIKE 0.05f      /* a difference of win rates that few visits do not show: it is added to all differences */
#define COMPARABLE 0.15f /* a move that is worse by this gets half of the visits of an equal one */

int revisit_depth(uint64_t period, uint64_t number) {
    if (period == 0 || (number + 1) % period != 0)
        return -1;
    return __builtin_ctzll((number + 1) / period);
}

/* The mean value of an edge. What stands for an edge that is not known yet counts like one visit: its RAVE mean, or
 * `otherwise` where it has none. */
static float value_of(const Edge *edge, float otherwise) {
    const uint64_t stats = edge_stats(edge);
    return (stats_won(stats) + edge_rave_mean(edge, otherwise)) / (float)(stats_visits(stats) + 1);
}

/* What the edges of a node have together. */
typedef struct Overview {
    float mean, best; /* mean value; the value of the edge with most visits */
    int most;         /* that edge */
} Overview;

/* False where the node has few visits. */
static bool look_over(const Edges *edges, Overview *overview) {
    uint64_t visits = 0, values = 0;
    int most = 0;
    for (int i = 0; i < edges->count; i++) {
        const uint64_t stats = edge_stats(edge_at(edges, i));
        visits += stats_visits(stats);
        values += stats_value(stats);
        most = edge_visits(edge_at(edges, i)) > edge_visits(edge_at(edges, most)) ? i : most;
    }
    if (visits < REVISIT_NODE_VISITS)
        return false;
    overview->most = most;
    overview->mean = value_in_wins(values) / (float)visits;
    overview->best = value_of(edge_at(edges, most), overview->mean);
    return true;
}

/* Whether it may be come back to. */
static bool is_open(const Overview *overview, const Edges *edges, int i) {
    return i != overview->most && edge_proven(edge_at(edges, i)) == PROVEN_NOT;
}

int revisit_edge(const Edges *edges) {
    Overview overview;
    int next = -1;
    float next_share = 0;
    if (!look_over(edges, &overview))
        return -1;
    for (int i = 0; i < edges->count; i++) {
        if (!is_open(&overview, edges, i))
            continue;
        const float below = overview.best - value_of(edge_at(edges, i), overview.mean);
        const float difference = (below > 0 ? below : 0) + ALIKE;
        const float share = (float)(edge_visits(edge_at(edges, i)) + 1) * difference * difference;
        if (next < 0 || share < next_share) {
            next = i;
            next_share = share;
        }
    }
    return next;
}

/* The edges with the highest values. */
typedef struct Best {
    int count, edges[COMPARED];
    float values[COMPARED]; /* falling */
} Best;

static void take_in(Best *best, int edge, float value) {
    int at = best->count;
    if (at < COMPARED)
        best->count++;
    else if (value <= best->values[--at])
        return;
    for (; at > 0 && best->values[at - 1] < value; at--) {
        best->values[at] = best->values[at - 1];
        best->edges[at] = best->edges[at - 1];
    }
    best->values[at] = value;
    best->edges[at] = edge;
}

int wide_edge(const Edges *edges) {
    Overview overview;
    Best best = {0};
    int next = -1;
    float next_share = 0;
    if (!look_over(edges, &overview))
        return -1;
    for (int i = 0; i < edges->count; i++)
        if (is_open(&overview, edges, i))
            take_in(&best, i, value_of(edge_at(edges, i), overview.mean));
    for (int k = 0; k < best.count; k++) {
        const float below = overview.best - best.values[k];
        const float share =
            (float)(edge_visits(edge_at(edges, best.edges[k])) + 1) * ((below > 0 ? below : 0) + COMPARABLE);
        if (next < 0 || share < next_share) {
            next = best.edges[k];
            next_share = share;
        }
    }
    return next;
}
