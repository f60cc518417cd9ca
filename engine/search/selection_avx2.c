/* Four edges at a time in AVX2 registers (selection_lanes.h). */
#include "engine/base/cpu.h"
#include "engine/search/selection.h"

#include <immintrin.h>

enum { SELECTION_LANES = 4 };
typedef uint64_t Words __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(32)));
typedef float Floats __attribute__((vector_size(16)));
typedef int32_t Ints __attribute__((vector_size(16)));

__attribute__((no_sanitize("thread"), always_inline)) static inline void select_load(const Edge *edges, Words *stats,
                                                                                     Words *rave, Words *any) {
    __m256i edge[4];
    for (int k = 0; k < 4; k++) {
        edge[k] = _mm256_loadu_si256((const __m256i *)(const void *)(edges + k));
        *any |= (Words)edge[k];
    }
    const __m256i even = _mm256_permute2x128_si256(edge[0], edge[2], 0x20);
    const __m256i odd = _mm256_permute2x128_si256(edge[1], edge[3], 0x20);
    *stats = (Words)_mm256_unpacklo_epi64(even, odd);
    *rave = (Words)_mm256_unpackhi_epi64(even, odd);
}

#include "engine/search/selection_lanes.h"

const SelectionKernel selection_avx2 = {"avx2", cpu_has_avx2, select_best};
