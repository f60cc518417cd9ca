/* Sets of up to 64 numbers, stored as the bits of one word. This file counts the members and finds the n-th one, using
 * the instructions that the including file is compiled for. */
#ifndef STIGMERGY_ENGINE_BASE_BITS_H
#define STIGMERGY_ENGINE_BASE_BITS_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* Byte i of the result is the number of members among the lowest 8(i+1) numbers (Vigna 2008). */
static inline uint64_t bits_byte_ranks(uint64_t set) {
    set -= (set >> 1) & 0x5555555555555555;
    set = (set & 0x3333333333333333) + ((set >> 2) & 0x3333333333333333);
    return ((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101;
}

/* The number of members. */
static inline int bits_count(uint64_t set) {
#if defined __POPCNT__ || defined __aarch64__
    return __builtin_popcountll(set);
#else
    return (int)(bits_byte_ranks(set) >> 56);
#endif
}

/* Byte i of the result is 1 if i is a member of a set of numbers below 8, otherwise 0. */
static inline uint64_t bits_spread(uint64_t set) {
    const uint64_t ones = 0x0101010101010101, diagonal = 0x8040201008040201;
    return (((set * ones & diagonal) + 0x7f7f7f7f7f7f7f7f) >> 7) & ones;
}

/* The number of bytes of `ranks` that are at most n. All bytes and n are below 128. */
static inline uint32_t bits_bytes_up_to(uint64_t ranks, uint32_t n) {
    const uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
    const uint64_t at_most = (((n * ones) | high) - ranks) & high;
    return (uint32_t)(((at_most >> 7) * ones) >> 56);
}

/* The n-th lowest member, counted from 0. The set must have more than n members. */
static inline int bits_select(uint64_t set, uint32_t n) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ull << n, set));
#else
    const uint64_t ones = 0x0101010101010101;
    const uint64_t ranks = bits_byte_ranks(set);
    const uint32_t shift = 8 * bits_bytes_up_to(ranks, n);
    const uint64_t bit_ranks = bits_spread((set >> shift) & 0xff) * ones;
    return (int)(shift + bits_bytes_up_to(bit_ranks, n - (uint32_t)(((ranks << 8) >> shift) & 0xff)));
#endif
}

#endif
