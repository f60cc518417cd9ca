/* Random numbers: splitmix64 makes the seeds, xoroshiro128+ draws the numbers.
 *
 * They are by Steele, Lea and Flood (2014) and by Blackman and Vigna (2018). All results are the same on every
 * processor. Each owner has a stream of its own: there is no shared generator. */
#ifndef STIGMERGY_ENGINE_BASE_RNG_H
#define STIGMERGY_ENGINE_BASE_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Rng {
    uint64_t s0, s1;
} Rng;

/* The finalizer of splitmix64: a bijection that spreads the bits of x. */
static inline uint64_t rng_mix(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* The seed of the index-th independent stream that is derived from `seed`. */
static inline uint64_t rng_split(uint64_t seed, uint64_t index) {
    return rng_mix(rng_mix(seed + 0x9e3779b97f4a7c15ull) + (index + 1) * 0xd1342543de82ef95ull);
}

/* A stream made from a seed by two steps of splitmix64. In practice the state is never all zero. */
static inline Rng rng_seed(uint64_t seed) {
    Rng rng = {rng_mix(seed + 0x9e3779b97f4a7c15ull), rng_mix(seed + 2 * 0x9e3779b97f4a7c15ull)};
    return rng;
}

/* The next 64 bits. Use the upper ones: the lowest bits of xoroshiro128+ are weak. */
static inline uint64_t rng_next(Rng *rng) {
    const uint64_t s0 = rng->s0;
    uint64_t s1 = rng->s1;
    const uint64_t result = s0 + s1;
    s1 ^= s0;
    rng->s0 = ((s0 << 24) | (s0 >> 40)) ^ s1 ^ (s1 << 16);
    rng->s1 = (s1 << 37) | (s1 >> 27);
    return result;
}

/* A number from 0 to n-1 (n > 0), made from the upper 32 bits by multiplication. Its bias is below n / 2^32. */
static inline uint32_t rng_below(Rng *rng, uint32_t n) {
    return (uint32_t)(((rng_next(rng) >> 32) * n) >> 32);
}

/* A number in [0, 1) with 53 bits. */
static inline double rng_unit(Rng *rng) {
    return (double)(rng_next(rng) >> 11) / 9007199254740992; /* 2^53 */
}

#ifdef __cplusplus
}
#endif

#endif
