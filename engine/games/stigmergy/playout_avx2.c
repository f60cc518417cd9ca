/* Four playouts side by side in AVX2 registers (lanes.h). For processors from Haswell and Zen on. */
#include "engine/base/cpu.h"
#include "engine/games/stigmergy/core.h"

#include <immintrin.h>

enum {
    LANES = 4,
    LANES_SCALAR_BATCH = 2 /* up to this number of playouts, the scalar kernel is faster */
};
typedef uint64_t Lanes __attribute__((vector_size(32)));
typedef Lanes Mask; /* all ones or 0 */

CORE_INLINE Lanes lanes_all(uint64_t x) {
    return (Lanes)_mm256_set1_epi64x((long long)x);
}

CORE_INLINE void lanes_store(uint64_t *to, Lanes x) {
    _mm256_store_si256((__m256i *)to, (__m256i)x);
}

CORE_INLINE unsigned lanes_bits(Mask mask) {
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
}

CORE_INLINE Mask lanes_mask(unsigned bits) {
    const __m256i lane = _mm256_set_epi64x(8, 4, 2, 1);
    return (Mask)_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane), lane);
}

CORE_INLINE Mask lanes_not(Mask mask) {
    return ~mask;
}

CORE_INLINE Mask lanes_meet(Lanes a, Lanes b) {
    return ~(Mask)_mm256_cmpeq_epi64((__m256i)(a & b), _mm256_setzero_si256());
}

CORE_INLINE Mask lanes_at_least(Lanes a, Lanes b) {
    return (Mask)_mm256_cmpgt_epi64((__m256i)a, (__m256i)(b - 1));
}

CORE_INLINE Lanes lanes_if(Mask mask, Lanes a, Lanes b) {
    return (a & mask) | (b & ~mask);
}

CORE_INLINE Lanes lanes_or_if(Lanes a, Mask mask, Lanes b) {
    return a | (b & mask);
}

CORE_INLINE Lanes lanes_shift(Lanes n) {
    return (Lanes)_mm256_sllv_epi64(_mm256_set1_epi64x(1), (__m256i)n);
}

CORE_INLINE Lanes lanes_below(Lanes n) {
    const Mask negative = (Mask)_mm256_cmpgt_epi64(_mm256_setzero_si256(), (__m256i)n);
    return lanes_shift(n & ~negative) - 1;
}

CORE_INLINE Lanes lanes_times(Lanes a, Lanes b) {
    return (Lanes)_mm256_mul_epu32((__m256i)a, (__m256i)b);
}

/* The number of bits in each byte, from a table for half bytes (Muła 2008). */
CORE_INLINE __m256i count_in_bytes(Lanes set) {
    const __m256i counts = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0403030203020201, 0x0302020102010100));
    const __m256i half = _mm256_set1_epi8(15), low = _mm256_and_si256((__m256i)set, half);
    const __m256i high = _mm256_and_si256((__m256i)(set >> 4), half);
    return _mm256_add_epi8(_mm256_shuffle_epi8(counts, low), _mm256_shuffle_epi8(counts, high));
}

CORE_INLINE Lanes lanes_count(Lanes set) {
    return (Lanes)_mm256_sad_epu8(count_in_bytes(set), _mm256_setzero_si256());
}

/* Copies the lowest byte of each lane to all bytes of the lane. */
CORE_INLINE __m256i spread_byte(Lanes x) {
    const __m256i low = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0808080808080808, 0));
    return _mm256_shuffle_epi8((__m256i)x, low);
}

/* The number of bytes of `ranks` that are at most the same byte of n. All bytes of `ranks` are below 128. */
CORE_INLINE Lanes bytes_up_to(__m256i ranks, __m256i n) {
    const __m256i high = _mm256_set1_epi8(-128);
    const __m256i at_most = _mm256_and_si256(_mm256_sub_epi8(_mm256_or_si256(n, high), ranks), high);
    return (Lanes)_mm256_sad_epu8(_mm256_srli_epi64(at_most, 7), _mm256_setzero_si256());
}

/* First finds the byte by the ranks of the bytes, then the bit within the byte. See bits_select. */
CORE_INLINE Lanes lanes_select(Lanes set, Lanes n) {
    Lanes ranks = (Lanes)count_in_bytes(set);
    ranks += ranks << 8;
    ranks += ranks << 16;
    ranks += ranks << 32;
    const __m256i n_bytes = spread_byte(n), shift = (__m256i)(bytes_up_to((__m256i)ranks, n_bytes) << 3);
    const __m256i byte = spread_byte((Lanes)_mm256_srlv_epi64((__m256i)set, shift));
    const __m256i before = spread_byte((Lanes)_mm256_srlv_epi64((__m256i)(ranks << 8), shift));
    const __m256i bit_ranks = count_in_bytes((Lanes)byte & lanes_all(0xff7f3f1f0f070301));
    return (Lanes)shift + bytes_up_to(bit_ranks, _mm256_sub_epi8(n_bytes, before));
}

CORE_INLINE Lanes lanes_from_highest(Lanes set) {
    for (int shift = 1; shift < 64; shift *= 2)
        set |= set >> shift;
    return ~(set >> 1);
}

CORE_INLINE void lanes_line(const StigmergyTables *tables, int axis, Lanes c, int words, Lanes *line) {
    const __m256i last = _mm256_set1_epi64x(tables->cells - 1);
    const __m256i cell = _mm256_min_epu32((__m256i)c, last);
    const __m256i from = _mm256_mul_epu32(cell, _mm256_set1_epi64x(CORE_AXES * words));
    const long long *table = (const long long *)tables->cell_line + axis * words;
    for (int i = 0; i < words; i++)
        line[i] = (Lanes)_mm256_i64gather_epi64(table + i, from, 8);
}

#include "engine/games/stigmergy/lanes.h"

STIGMERGY_DEFINE_KERNEL(lanes_playouts, lanes_priors)

const StigmergyKernel stigmergy_avx2_kernel = {"avx2", cpu_has_avx2, STIGMERGY_KERNEL_SIZES};
