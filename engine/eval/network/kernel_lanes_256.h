/* What the two kernels with registers of 256 bits share: a group of sums in two registers, and everything that is done
 * with it except the products of bytes. To be included before kernel_lanes.h, because it defines names for that file.
 */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_256_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_256_H

#include "engine/eval/network/lanes_values_x86.h"

#include <string.h>

typedef struct Group {
    __m256i low, high;
} Group;

static inline __m256i load_256(const void *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline __m256i quad_broadcast(const uint8_t *from) {
    int32_t four;
    memcpy(&four, from, sizeof four);
    return _mm256_set1_epi32(four);
}

static inline Group group_load(const int32_t *from) {
    return (Group){load_256(from), load_256(from + 8)};
}

static inline void group_store(int32_t *to, Group group) {
    _mm256_storeu_si256((__m256i *)to, group.low);
    _mm256_storeu_si256((__m256i *)(to + 8), group.high);
}

static inline Group group_dense(Group sums, int32_t pair, const int16_t *weights) {
    const __m256i in = _mm256_set1_epi32(pair);
    return (Group){_mm256_add_epi32(sums.low, _mm256_madd_epi16(in, load_256(weights))),
                   _mm256_add_epi32(sums.high, _mm256_madd_epi16(in, load_256(weights + 16)))};
}

static inline Group group_shift(Group sums, Group bits) {
    return (Group){_mm256_srav_epi32(sums.low, bits.low), _mm256_srav_epi32(sums.high, bits.high)};
}

static inline Values group_narrow(Group sums) {
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(sums.low, sums.high), 0xd8);
}

#endif
