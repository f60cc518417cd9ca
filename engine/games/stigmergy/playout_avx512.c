/* Eight playouts side by side in AVX-512 registers (lanes.h). For processors from Ice Lake and Zen 4 on: they count
 * bits, and look up tables of 64 bytes or 16 words within registers. */
#include "engine/games/stigmergy/core.h"

#include <immintrin.h>

enum {
    LANES = 8,
    LANES_SCALAR_BATCH = 2 /* up to this number of playouts, the scalar kernel is faster */
};
typedef uint64_t Lanes __attribute__((vector_size(64)));
typedef __mmask8 Mask;

CORE_INLINE Lanes lanes_all(uint64_t x) {
    return (Lanes)_mm512_set1_epi64((long long)x);
}

CORE_INLINE void lanes_store(uint64_t *to, Lanes x) {
    _mm512_store_si512(to, (__m512i)x);
}

CORE_INLINE unsigned lanes_bits(Mask mask) {
    return mask;
}

CORE_INLINE Mask lanes_mask(unsigned bits) {
    return (Mask)bits;
}

CORE_INLINE Mask lanes_not(Mask mask) {
    return (Mask)~mask;
}

CORE_INLINE Mask lanes_meet(Lanes a, Lanes b) {
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)b);
}

CORE_INLINE Mask lanes_at_least(Lanes a, Lanes b) {
    return _mm512_cmpge_epu64_mask((__m512i)a, (__m512i)b);
}

CORE_INLINE Lanes lanes_if(Mask mask, Lanes a, Lanes b) {
    return (Lanes)_mm512_mask_mov_epi64((__m512i)b, mask, (__m512i)a);
}

CORE_INLINE Lanes lanes_or_if(Lanes a, Mask mask, Lanes b) {
    return (Lanes)_mm512_mask_or_epi64((__m512i)a, mask, (__m512i)a, (__m512i)b);
}

CORE_INLINE Lanes lanes_shift(Lanes n) {
    return (Lanes)_mm512_sllv_epi64(_mm512_set1_epi64(1), (__m512i)n);
}

CORE_INLINE Lanes lanes_below(Lanes n) {
    return lanes_shift((Lanes)_mm512_max_epi64((__m512i)n, _mm512_setzero_si512())) - 1;
}

CORE_INLINE Lanes lanes_times(Lanes a, Lanes b) {
    return (Lanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
}

CORE_INLINE Lanes lanes_count(Lanes set) {
    return (Lanes)_mm512_popcnt_epi64((__m512i)set);
}

/* Copies the lowest byte of each lane to all bytes of the lane. */
CORE_INLINE __m512i spread_byte(Lanes x) {
    const __m512i low = _mm512_maskz_set1_epi8(0xff00ff00ff00ff00, 8); /* where byte 0 of each half register goes */
    return _mm512_shuffle_epi8((__m512i)x, low);
}

/* The number of bytes of `ranks` that are at most the same byte of n. All bytes of `ranks` are below 128. */
CORE_INLINE Lanes bytes_up_to(__m512i ranks, __m512i n) {
    const __m512i high = _mm512_set1_epi8(-128);
    return lanes_count((Lanes)_mm512_and_si512(_mm512_sub_epi8(_mm512_or_si512(n, high), ranks), high));
}

/* First finds the byte by the ranks of the bytes, then the bit within the byte. See bits_select. */
CORE_INLINE Lanes lanes_select(Lanes set, Lanes n) {
    const __m512i ranks = _mm512_mullo_epi64(_mm512_popcnt_epi8((__m512i)set), _mm512_set1_epi8(1));
    const __m512i n_bytes = spread_byte(n);
    const Lanes shift = bytes_up_to(ranks, n_bytes) << 3;
    const __m512i shifts = spread_byte(shift);
    const __m512i byte = _mm512_multishift_epi64_epi8(shifts, (__m512i)set);
    const __m512i before = _mm512_multishift_epi64_epi8(shifts, _mm512_slli_epi64(ranks, 8));
    const __m512i up_to_bit = _mm512_set1_epi64((long long)0xff7f3f1f0f070301);
    const __m512i bit_ranks = _mm512_popcnt_epi8(_mm512_and_si512(byte, up_to_bit));
    return shift + bytes_up_to(bit_ranks, _mm512_sub_epi8(n_bytes, before));
}

CORE_INLINE Lanes lanes_from_highest(Lanes set) {
    return (Lanes)_mm512_srav_epi64(_mm512_set1_epi64((long long)(1ull << 63)), _mm512_lzcnt_epi64((__m512i)set));
}

/* The number of the line of an axis through cell c. The upper bytes are undefined. */
CORE_INLINE __m512i line_number(const StigmergyTables *tables, int axis, __m512i c, int words) {
    const __m512i *from = (const __m512i *)tables->lane_line[axis];
    if (words == 1)
        return _mm512_permutexvar_epi8(c, from[0]);
    __m512i number = _mm512_permutex2var_epi8(from[0], c, from[1]);
    if (words > 2) {
        const Mask far = _mm512_cmpge_epu64_mask(c, _mm512_set1_epi64(128));
        number = _mm512_mask_mov_epi64(number, far, _mm512_permutex2var_epi8(from[2], c, from[3]));
    }
    if (words > 4) {
        const Mask far = _mm512_cmpge_epu64_mask(c, _mm512_set1_epi64(256));
        number = _mm512_mask_mov_epi64(number, far, _mm512_permutexvar_epi8(c, from[4]));
    }
    return number;
}

CORE_INLINE void lanes_line(const StigmergyTables *tables, int axis, Lanes c, int words, Lanes *line) {
    const __m512i number = line_number(tables, axis, (__m512i)c, words);
    for (int i = 0; i < words; i++) {
        const __m512i *from = (const __m512i *)tables->lane_set[axis][i];
        __m512i set = _mm512_permutex2var_epi64(from[0], number, from[1]);
        if (words > 3) { /* more than 16 lines */
            const Mask far = _mm512_test_epi64_mask(number, _mm512_set1_epi64(16));
            set = _mm512_mask_permutexvar_epi64(set, far, number, from[2]);
        }
        line[i] = (Lanes)set;
    }
}

#include "engine/base/cpu.h"
#include "engine/games/stigmergy/lanes.h"

STIGMERGY_DEFINE_KERNEL(lanes_playouts, lanes_priors)

const StigmergyKernel stigmergy_avx512_kernel = {"avx512", cpu_has_avx512, STIGMERGY_KERNEL_SIZES};
