/* What the kernels for x86 share: 16 numbers of 16 bits in a register, as kernel_lanes.h wants them. AVX2. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_LANES_VALUES_X86_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_LANES_VALUES_X86_H

#include <immintrin.h>
#include <stdint.h>

typedef __m256i Values;

static inline Values values_load(const int16_t *from) {
    return _mm256_loadu_si256((const __m256i *)from);
}

static inline void values_store(int16_t *to, Values values) {
    _mm256_storeu_si256((__m256i *)to, values);
}

static inline Values values_of_bytes(const uint8_t *from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
}

static inline void values_hidden(uint8_t *to, Values values) {
    const __m256i low = _mm256_max_epi16(values, _mm256_setzero_si256());
    const __m256i both = _mm256_min_epi16(low, _mm256_set1_epi16(127));
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)));
}

/* Where adding 16 saturates, the activation is 127 all the same. */
static inline Values values_activation(Values values) {
    return _mm256_srai_epi16(_mm256_adds_epi16(values, _mm256_set1_epi16(16)), 5);
}

static inline Values values_add(Values a, Values b) {
    return _mm256_add_epi16(a, b);
}

static inline Values values_add_saturated(Values a, Values b) {
    return _mm256_adds_epi16(a, b);
}

static inline Values values_max(Values a, Values b) {
    return _mm256_max_epi16(a, b);
}

#endif
