/* Eight edges at a time in AVX-512 registers (selection_lanes.h). */
#include "engine/base/cpu.h"
#include "engine/search/selection.h"

#include <immintrin.h>

enum { SELECTION_LANES = 8 };
typedef uint64_t Words __attribute__((vector_size(64)));
typedef double Doubles __attribute__((vector_size(64)));
typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Ints __attribute__((vector_size(32)));

/* The first words of the four edges in two registers, then their second words. */
static inline __m512i four_edges(__m512i low, __m512i high) {
    return _mm512_permutex2var_epi64(low, _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0), high);
}

__attribute__((no_sanitize("thread"), always_inline)) static inline void select_load(const Edge *edges, Words *stats,
                                                                                     Words *rave, Words *any) {
    __m512i pair[4];
    for (int k = 0; k < 4; k++) {
        pair[k] = _mm512_loadu_si512(edges + 2 * k);
        *any |= (Words)pair[k];
    }
    const __m512i low = four_edges(pair[0], pair[1]), high = four_edges(pair[2], pair[3]);
    *stats = (Words)_mm512_shuffle_i64x2(low, high, 0x44);
    *rave = (Words)_mm512_shuffle_i64x2(low, high, 0xee);
}

#include "engine/search/selection_lanes.h"

const SelectionKernel selection_avx512 = {"avx512", cpu_has_avx512, select_best};
