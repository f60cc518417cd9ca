/* Eight children at a time in AVX-512 registers (selection_lanes.h). */
#include "engine/base/cpu.h"
#include "engine/search/selection.h"

#include <immintrin.h>

enum { CHOICE_LANES = 8 };
typedef uint64_t Words __attribute__((vector_size(64)));
typedef double Doubles __attribute__((vector_size(64)));
typedef float Floats __attribute__((vector_size(32)));
typedef int32_t Ints __attribute__((vector_size(32)));

/* The first words of the four entries in two registers, then their second words. */
static inline __m512i four_children(__m512i low, __m512i high) {
    return _mm512_permutex2var_epi64(low, _mm512_set_epi64(13, 9, 5, 1, 12, 8, 4, 0), high);
}

__attribute__((no_sanitize("thread"), always_inline)) static inline void
lanes_children(const Child *children, Words *stats, Words *rave, Words *any) {
    __m512i entries[4];
    for (int k = 0; k < 4; k++) {
        entries[k] = _mm512_loadu_si512(children + 2 * k);
        *any |= (Words)entries[k];
    }
    const __m512i low = four_children(entries[0], entries[1]), high = four_children(entries[2], entries[3]);
    *stats = (Words)_mm512_shuffle_i64x2(low, high, 0x44);
    *rave = (Words)_mm512_shuffle_i64x2(low, high, 0xee);
}

#include "engine/search/selection_lanes.h"

const ChoiceKernel choice_avx512 = {"avx512", cpu_has_avx512, lanes_best};
