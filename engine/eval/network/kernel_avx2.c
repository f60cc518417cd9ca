/* The kernel for AVX2: see kernel_lanes.h. maddubs adds the products of pairs of bytes in 16 bits, madd the pairs of
 * these in 32; the two quads of a step are added in between (kernel.h). */
#include "engine/base/cpu.h"
#include "engine/eval/network/kernel_lanes_256.h"

enum { LANES_TILE = 4, LANES_GROUPS = 1, LANES_QUADS = 2 };

typedef struct Weights {
    Group quad[LANES_QUADS];
} Weights;

typedef struct Activations {
    __m256i quad[LANES_QUADS];
} Activations;

static inline Weights group_weights(const int8_t *from, int stride) {
    const int8_t *next = from + stride;
    return (Weights){{{load_256(from), load_256(from + 32)}, {load_256(next), load_256(next + 32)}}};
}

static inline Activations cell_activations(const uint8_t *cell, const int32_t *offsets) {
    return (Activations){{quad_broadcast(cell + offsets[0]), quad_broadcast(cell + offsets[1])}};
}

static inline __m256i dot(__m256i sums, Activations a, __m256i w0, __m256i w1) {
    const __m256i pairs = _mm256_add_epi16(_mm256_maddubs_epi16(a.quad[0], w0), _mm256_maddubs_epi16(a.quad[1], w1));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline Group group_dot(Group sums, Activations a, Weights w) {
    return (Group){dot(sums.low, a, w.quad[0].low, w.quad[1].low), dot(sums.high, a, w.quad[0].high, w.quad[1].high)};
}

#include "engine/eval/network/kernel_lanes.h"

const NetworkKernel network_avx2 = {.name = "avx2",
                                    .runs_here = cpu_has_avx2,
                                    .quads = LANES_QUADS,
                                    .convolution = tiled_convolution,
                                    .dense = grouped_dense,
                                    .pool = grouped_pool};
