/* See puct.h. */
#include "engine/search/puct.h"

/* ---- The order of the edges ---- */

void puct_sort(Action *actions, float *priors, int count) {
    for (int i = 0; i < count; i++) {
        const Action action = actions[i];
        const float prior = priors[i];
        int to = i;
        if (i >= PUCT_SORTED) { /* it may take the place of the last of those in front */
            to = PUCT_SORTED - 1;
            if (prior <= priors[to])
                continue;
            actions[i] = actions[to];
            priors[i] = priors[to];
        }
        for (; to > 0 && priors[to - 1] < prior; to--) {
            actions[to] = actions[to - 1];
            priors[to] = priors[to - 1];
        }
        actions[to] = action;
        priors[to] = prior;
    }
}

/* The best edge is among this many, the first ones. */
static int edges_to_look_at(const Node *node, const Edges *edges) {
    const int taken = atomic_load_explicit(&node->taken, memory_order_relaxed);
    return taken < PUCT_SORTED && taken < edges->count ? taken + 1 : edges->count;
}

/* ---- The choice ---- */

/* What all edges of a node have together. */
typedef struct Sums {
    uint64_t visits, values;
    float visited_prior;
    float margin; /* mean of all visits, for the side to move; 0 where the score does not count */
} Sums;

static Sums sum_edges(const PuctParams *params, const Node *node, const Edges *edges, int count) {
    Sums sums = {0};
    for (int i = 0; i < count; i++) {
        const Edge *edge = edge_at(edges, i);
        const uint64_t stats = edge_stats(edge);
        if (stats_visits(stats) == 0)
            continue;
        sums.visits += stats_visits(stats);
        sums.values += stats_value(stats);
        sums.visited_prior += edge->prior;
        if (params->score > 0)
            sums.margin += (float)stats_visits(stats) * edge_side_margin(node, edge);
    }
    if (sums.visits > 0)
        sums.margin /= (float)sums.visits;
    return sums;
}

/* The value of an edge without visits. */
static float first_play_urgency(const PuctParams *params, const Node *node, const Sums *sums) {
    const float won = node->value + value_in_wins(sums->values);
    const float reduction = params->fpu_reduction * __builtin_sqrtf(sums->visited_prior);
    const float urgency = won / (float)(sums->visits + 1) - reduction;
    return urgency > 0 ? urgency : 0;
}

float puct_mean_margin(const PuctParams *params, const Node *node, const Edges *edges) {
    return sum_edges(params, node, edges, edges->count).margin;
}

float puct_score_utility(const PuctParams *params, const Node *node, const Edge *edge, float mean) {
    const float better = edge_side_margin(node, edge) - mean;
    return params->score * better / (params->score_scale + (better < 0 ? -better : better));
}

int puct_best(const PuctParams *params, const Node *node, const Edges *edges) {
    const int count = edges_to_look_at(node, edges);
    const Sums sums = sum_edges(params, node, edges, count);
    const float urgency = first_play_urgency(params, node, &sums);
    const float exploration = params->exploration * __builtin_sqrtf((float)(sums.visits + 1));
    int best = 0;
    float best_value = -1.0f - params->score;
    for (int i = 0; i < count; i++) {
        const Edge *edge = edge_at(edges, i);
        const Proven proven = edge_proven(edge);
        if (proven == PROVEN_WIN)
            return i;
        if (proven == PROVEN_LOSS)
            continue;
        const uint64_t stats = edge_stats(edge), noise = edge_rave(edge);
        const float n = (float)stats_visits(stats), samples = n + (float)rave_playouts(noise);
        const float won = stats_won(stats) + (float)rave_won(noise);
        float q = samples > 0 ? won / samples : urgency;
        if (params->score > 0 && n > 0)
            q += puct_score_utility(params, node, edge, sums.margin);
        const float value = q + exploration * edge->prior / (1.0f + n);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
