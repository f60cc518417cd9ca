/* See puct.h. */
#include "engine/search/puct.h"

/* ---- The order of the edges ---- */

static void move_edge(const Edge *from, Edge *to) {
    to->action = from->action;
    to->prior = from->prior;
}

void puct_sort(const Node *node, Edge *edges) {
    for (int i = 0; i < node->edges; i++) {
        const Edge moving = {.action = edges[i].action, .prior = edges[i].prior};
        int to = i;
        if (i >= PUCT_SORTED) { /* it may take the place of the last of those in front */
            to = PUCT_SORTED - 1;
            if (moving.prior <= edges[to].prior)
                continue;
            move_edge(&edges[to], &edges[i]);
        }
        for (; to > 0 && edges[to - 1].prior < moving.prior; to--)
            move_edge(&edges[to - 1], &edges[to]);
        move_edge(&moving, &edges[to]);
    }
}

/* The best edge is among this many, the first ones. */
static int edges_to_look_at(const Node *node) {
    const int taken = atomic_load_explicit(&node->taken, memory_order_relaxed);
    return taken < PUCT_SORTED && taken < node->edges ? taken + 1 : node->edges;
}

/* ---- The choice ---- */

/* What all edges of a node have together. */
typedef struct Sums {
    uint64_t visits, values;
    float visited_prior;
    float margin; /* mean of all visits, for the side to move; 0 where the score does not count */
} Sums;

static float side_margin(const Node *node, const Edge *edge) {
    const float margin = atomic_load_explicit(&edge->margin, memory_order_relaxed);
    return node->side == BLACK ? margin : -margin;
}

static Sums sum_edges(const PuctParams *params, const Node *node, const Edge *edges, int count) {
    Sums sums = {0};
    for (int i = 0; i < count; i++) {
        const uint64_t stats = atomic_load_explicit(&edges[i].stats, memory_order_relaxed);
        if (stats_visits(stats) == 0)
            continue;
        sums.visits += stats_visits(stats);
        sums.values += stats_value(stats);
        sums.visited_prior += edges[i].prior;
        if (params->score > 0)
            sums.margin += (float)stats_visits(stats) * side_margin(node, &edges[i]);
    }
    if (sums.visits > 0)
        sums.margin /= (float)sums.visits;
    return sums;
}

/* The value of an edge without visits. */
static float first_play_urgency(const PuctParams *params, const Node *node, const Sums *sums) {
    const float won = node->value + (float)(int64_t)sums->values / (float)TREE_VALUE_ONE;
    const float reduction = params->fpu_reduction * __builtin_sqrtf(sums->visited_prior);
    const float urgency = won / (float)(sums->visits + 1) - reduction;
    return urgency > 0 ? urgency : 0;
}

float puct_mean_margin(const PuctParams *params, const Node *node, const Edge *edges) {
    return sum_edges(params, node, edges, node->edges).margin;
}

float puct_score_utility(const PuctParams *params, const Node *node, const Edge *edge, float mean) {
    const float better = side_margin(node, edge) - mean;
    return params->score * better / (params->score_scale + (better < 0 ? -better : better));
}

int puct_best(const PuctParams *params, const Node *node, const Edge *edges) {
    const int count = edges_to_look_at(node);
    const Sums sums = sum_edges(params, node, edges, count);
    const float urgency = first_play_urgency(params, node, &sums);
    const float exploration = params->exploration * __builtin_sqrtf((float)(sums.visits + 1));
    int best = 0;
    float best_value = -1.0f - params->score;
    for (int i = 0; i < count; i++) {
        const Proven proven = edge_proven(&edges[i]);
        if (proven == PROVEN_WIN)
            return i;
        if (proven == PROVEN_LOSS)
            continue;
        const uint64_t stats = atomic_load_explicit(&edges[i].stats, memory_order_relaxed);
        const uint64_t noise = atomic_load_explicit(&edges[i].rave, memory_order_relaxed);
        const float n = (float)stats_visits(stats), samples = n + (float)(noise >> 32);
        const float won = (float)(int64_t)stats_value(stats) / (float)TREE_VALUE_ONE + (float)(noise & 0xffffffff);
        float q = samples > 0 ? won / samples : urgency;
        if (params->score > 0 && n > 0)
            q += puct_score_utility(params, node, &edges[i], sums.margin);
        const float value = q + exploration * edges[i].prior / (1.0f + n);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
