/* What the two kernels with registers of 512 bits share: the products of bytes by vpdpbusd, which multiplies 64 bytes
 * by 64 bytes and adds the products in fours, in 32 bits (AVX-512 with VNNI). To be included before kernel_lanes.h,
 * because it defines names for that file. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_512_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_512_H

#include "engine/eval/network/lanes_values_x86.h"

#include <stdbool.h>
#include <string.h>

enum { LANES_TILE = 8, LANES_GROUPS = 3, LANES_QUADS = 1 };

typedef __m512i Group, Weights, Activations;

static inline Group group_load(const int32_t *from) {
    return _mm512_loadu_si512(from);
}

static inline void group_store(int32_t *to, Group group) {
    _mm512_storeu_si512(to, group);
}

static inline Weights group_weights(const int8_t *from, int stride) {
    (void)stride;
    return _mm512_loadu_si512(from);
}

static inline Activations cell_activations(const uint8_t *cell, const int32_t *offsets) {
    int32_t four;
    memcpy(&four, cell + offsets[0], sizeof four);
    return _mm512_set1_epi32(four);
}

/* In assembly because gcc 12 copies the sums to other registers and back around the built-in function, which takes a
 * quarter of the speed. */
static inline Group group_dot(Group sums, Activations a, Weights w) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(w));
    return sums;
}

static inline Group group_dense(Group sums, int32_t pair, const int16_t *weights) {
    return _mm512_dpwssd_epi32(sums, _mm512_set1_epi32(pair), _mm512_loadu_si512(weights));
}

static inline Group group_shift(Group sums, Group bits) {
    return _mm512_srav_epi32(sums, bits);
}

static inline Values group_narrow(Group sums) {
    return _mm512_cvtsepi32_epi16(sums);
}

static inline bool lanes_512_run_here(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vnni");
}

#endif
