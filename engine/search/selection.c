/* See selection.h: the list of the kernels, and the plain one. */
#include "engine/search/selection.h"

const ChoiceKernel *const choice_kernels[] = {
    &choice_plain,
#ifdef STIGMERGY_HAS_AVX2
    &choice_avx2,
#endif
#ifdef STIGMERGY_HAS_AVX512
    &choice_avx512,
#endif
    NULL,
};

const ChoiceKernel *choice_kernel(void) {
    const ChoiceKernel *fastest = choice_kernels[0];
    for (int i = 1; choice_kernels[i]; i++)
        if (choice_kernels[i]->runs_here())
            fastest = choice_kernels[i];
    return fastest;
}

float choice_log2(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t mantissa_bits = (bits & 0x7fffff) | 0x3f800000;
    float mantissa;
    memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
    const float exponent = (float)(int)(bits >> 23) - 127.0f;
    return exponent + (mantissa - 1.0f) * (1.3465f - 0.3465f * (mantissa - 1.0f));
}

static void read_values(const ChoiceParams *params, const Child *children, int count, float parent_visits,
                        float *values) {
    float n[GAME_LEGAL_MAX], w[GAME_LEGAL_MAX], rn[GAME_LEGAL_MAX], rw[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++) {
        const uint64_t stats = atomic_load_explicit(&children[i].stats, memory_order_relaxed);
        const uint64_t rave = atomic_load_explicit(&children[i].rave, memory_order_relaxed);
        n[i] = (float)(int32_t)stats_visits(stats);
        w[i] = (float)(int64_t)stats_value(stats) * (1.0f / TREE_VALUE_ONE);
        rn[i] = (float)(int32_t)(rave >> 32);
        rw[i] = (float)(int32_t)(uint32_t)rave;
    }
    for (int i = 0; i < count; i++) {
        const float own_weight = 1.0f + rn[i] * params->per_rave;
        values[i] = (rw[i] + own_weight * w[i] + params->first_play) / (rn[i] + own_weight * n[i] + 1.0f);
    }
    if (params->exploration > 0) {
        const float log_visits = choice_log2(parent_visits + 1.0f);
        for (int i = 0; i < count; i++)
            values[i] += params->exploration * __builtin_sqrtf(log_visits / (n[i] + 1.0f));
    }
}

static int plain_best(const ChoiceParams *params, const Child *children, int count, float parent_visits) {
    float values[GAME_LEGAL_MAX];
    read_values(params, children, count, parent_visits, values);
    int best = 0;
    float best_value = -1.0f;
    for (int i = 0; i < count; i++) {
        const Proven proven = child_proven(&children[i]);
        if (proven == PROVEN_WIN)
            return i;
        if (proven == PROVEN_LOSS || values[i] <= best_value)
            continue;
        best = i;
        best_value = values[i];
    }
    return best;
}

static bool runs_everywhere(void) {
    return true;
}

const ChoiceKernel choice_plain = {"plain", runs_everywhere, plain_best};
