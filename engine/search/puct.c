/* See puct.h. */
#include "engine/search/puct.h"

/* The value of an edge without visits. */
static float first_play_urgency(const PuctParams *params, const Node *node, const Edge *edges, uint64_t *visits) {
    uint64_t all_visits = 0, all_values = 0;
    float visited_prior = 0;
    for (int i = 0; i < node->edges; i++) {
        const uint64_t stats = atomic_load_explicit(&edges[i].stats, memory_order_relaxed);
        all_visits += stats_visits(stats);
        all_values += stats_value(stats);
        visited_prior += stats_visits(stats) ? edges[i].prior : 0;
    }
    *visits = all_visits;
    const float won = node->value + (float)all_values / (float)TREE_VALUE_ONE;
    const float urgency = won / (float)(all_visits + 1) - params->fpu_reduction * __builtin_sqrtf(visited_prior);
    return urgency > 0 ? urgency : 0;
}

int puct_best(const PuctParams *params, const Node *node, const Edge *edges) {
    uint64_t visits;
    const float urgency = first_play_urgency(params, node, edges, &visits);
    const float exploration = params->exploration * __builtin_sqrtf((float)(visits + 1));
    int best = 0;
    float best_value = -1.0f;
    for (int i = 0; i < node->edges; i++) {
        const Proven proven = edge_proven(&edges[i]);
        if (proven == PROVEN_WIN)
            return i;
        if (proven == PROVEN_LOSS)
            continue;
        const uint64_t stats = atomic_load_explicit(&edges[i].stats, memory_order_relaxed);
        const uint64_t noise = atomic_load_explicit(&edges[i].rave, memory_order_relaxed);
        const float n = (float)stats_visits(stats), samples = n + (float)(noise >> 32);
        const float won = (float)stats_value(stats) / (float)TREE_VALUE_ONE + (float)(noise & 0xffffffff);
        const float q = samples > 0 ? won / samples : urgency;
        const float value = q + exploration * edges[i].prior / (1.0f + n);
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}
