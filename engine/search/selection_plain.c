/* UCT with RAVE (selection.h), an edge at a time: the kernel that all others agree with. */
#include "engine/base/cpu.h"
#include "engine/base/rough_math.h"
#include "engine/search/selection.h"

static void read_values(const SelectionParams *params, const Edge *edges, int count, float node_visits, float *values) {
    float n[GAME_LEGAL_MAX], w[GAME_LEGAL_MAX], rn[GAME_LEGAL_MAX], rw[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++) {
        const uint64_t stats = edge_stats(&edges[i]), rave = edge_rave(&edges[i]);
        n[i] = (float)(int32_t)stats_visits(stats);
        w[i] = stats_won(stats);
        rn[i] = (float)(int32_t)rave_playouts(rave);
        rw[i] = (float)(int32_t)rave_won(rave);
    }
    for (int i = 0; i < count; i++) {
        const float own_weight = 1.0f + rn[i] * params->per_rave;
        values[i] = (rw[i] + own_weight * w[i] + params->fpu) / (rn[i] + own_weight * n[i] + 1.0f);
    }
    if (params->exploration > 0) {
        const float log_visits = rough_log2(node_visits + 1.0f);
        for (int i = 0; i < count; i++)
            values[i] += params->exploration * __builtin_sqrtf(log_visits / (n[i] + 1.0f));
    }
}

static int plain_best(const SelectionParams *params, const Edge *edges, int count, float node_visits) {
    float values[GAME_LEGAL_MAX];
    read_values(params, edges, count, node_visits, values);
    int best = 0;
    float best_value = -1.0f;
    for (int i = 0; i < count; i++) {
        const Proven proven = edge_proven(&edges[i]);
        if (proven == PROVEN_WIN)
            return i;
        if (proven == PROVEN_LOSS || values[i] <= best_value)
            continue;
        best = i;
        best_value = values[i];
    }
    return best;
}

const SelectionKernel selection_plain = {"plain", cpu_any, plain_best};
