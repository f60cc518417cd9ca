/* Inside Stigmergy: the tables of a board and the incremental update of a position, for boards of 1 to 5 words.
 *
 * The number of words is a parameter of small inline functions: the callers pass a constant, so that the compiler makes
 * one unrolled version for each.
 *
 * The update (stigmergy_core_change) is the heart of the program. A stone put on c is the new first stone for the cells
 * along each of the six rays from c up to the first stone: those cells now see c instead of the stone at the end of the
 * opposite ray. A flip changes the colour that those same cells see. The six ray segments are disjoint, so the cells
 * that gain a stone of the mover and the cells that lose one of the opponent are two bit sets, added to and subtracted
 * from the bit-sliced counters in a few word operations. */
#ifndef STIGMERGY_STIGMERGY_CORE_H
#define STIGMERGY_STIGMERGY_CORE_H

#include "stigmergy.h"

enum { CORE_RAYS = 8 }; /* six directions, padded to a power of two */

struct StigmergyTables {
    int cells, words;
    uint64_t full[HEXHEX_WORDS];                                            /* the cells of the board */
    uint64_t start[3][HEXHEX_WORDS];                                        /* the counter planes of the empty board */
    _Alignas(64) uint64_t ray[HEXHEX_MAX_CELLS * CORE_RAYS * HEXHEX_WORDS]; /* see core_ray */
};

#define CORE_INLINE static inline __attribute__((always_inline))

/* The cells along direction d from cell c, c left out. Even directions lead to higher numbers. */
CORE_INLINE const uint64_t *core_ray(const StigmergyTables *tables, int c, int d, int words) {
    return tables->ray + (size_t)((c * CORE_RAYS + d) * words);
}

CORE_INLINE bool core_has(const uint64_t *set, int c) {
    return set[c >> 6] >> (c & 63) & 1;
}

/* The lowest (up) or highest member of ray & occupied, or -1. */
CORE_INLINE int core_first(const uint64_t *ray, const uint64_t *occupied, bool up, int words) {
    for (int k = 0; k < words; k++) {
        const int i = up ? k : words - 1 - k;
        const uint64_t hit = ray[i] & occupied[i];
        if (hit)
            return 64 * i + (up ? __builtin_ctzll(hit) : 63 - __builtin_clzll(hit));
    }
    return -1;
}

/* Adds 1 to the counters (three planes, `stride` words apart) of the cells in `set`. */
CORE_INLINE void core_add(uint64_t *count, const uint64_t *set, int words) {
    for (int i = 0; i < words; i++) {
        const uint64_t carry = count[i] & set[i];
        count[i] ^= set[i];
        const uint64_t carry2 = count[words + i] & carry;
        count[words + i] ^= carry;
        count[2 * words + i] ^= carry2;
    }
}

/* Subtracts 1 likewise. */
CORE_INLINE void core_subtract(uint64_t *count, const uint64_t *set, int words) {
    for (int i = 0; i < words; i++) {
        const uint64_t borrow = ~count[i] & set[i];
        count[i] ^= set[i];
        const uint64_t borrow2 = ~count[words + i] & borrow;
        count[words + i] ^= borrow;
        count[2 * words + i] ^= borrow2;
    }
}

/* Puts a stone of `side` on cell c, empty or held by the opponent, and updates stones and counters in `plane`. */
CORE_INLINE void stigmergy_core_change(const StigmergyTables *tables, uint64_t *plane, int c, Side side, int words) {
    uint64_t *own = plane + (PLANE_STONES + side) * words;
    uint64_t *enemy = plane + (PLANE_STONES + 1 - side) * words;
    const bool flip = core_has(enemy, c);
    uint64_t occupied[HEXHEX_WORDS], gain[HEXHEX_WORDS] = {0}, loss[HEXHEX_WORDS] = {0};
    for (int i = 0; i < words; i++)
        occupied[i] = own[i] | enemy[i];
    for (int axis = 0; axis < HEXHEX_DIRECTIONS; axis += 2) {
        const uint64_t *ray[2] = {core_ray(tables, c, axis, words), core_ray(tables, c, axis + 1, words)};
        const int first[2] = {core_first(ray[0], occupied, true, words), core_first(ray[1], occupied, false, words)};
        for (int end = 0; end < 2; end++) {
            const uint64_t *behind = first[end] < 0 ? NULL : core_ray(tables, first[end], axis + end, words);
            const int other = first[1 - end]; /* what the cells of this segment saw until now, through c */
            const bool saw_own = !flip && other >= 0 && core_has(own, other);
            const bool saw_enemy = flip || (other >= 0 && !core_has(own, other));
            for (int i = 0; i < words; i++) {
                const uint64_t segment = ray[end][i] & ~(behind ? behind[i] : 0);
                gain[i] |= saw_own ? 0 : segment;
                loss[i] |= saw_enemy ? segment : 0;
            }
        }
    }
    own[c >> 6] |= 1ull << (c & 63);
    enemy[c >> 6] &= ~(1ull << (c & 63));
    core_add(plane + (PLANE_COUNT + 3 * side) * words, gain, words);
    core_subtract(plane + (PLANE_COUNT + 3 * (1 - side)) * words, loss, words);
}

/* The cells where `side` may place, those where it may flip, and those of the first that nobody controls. */
CORE_INLINE void stigmergy_core_moves(const StigmergyTables *tables, const uint64_t *plane, Side side, int words,
                                      uint64_t *place, uint64_t *flip, uint64_t *neutral) {
    const uint64_t *own = plane + (PLANE_STONES + side) * words, *enemy = plane + (PLANE_STONES + 1 - side) * words;
    const uint64_t *own_control = plane + (PLANE_CONTROL + 3 * side) * words;
    const uint64_t *enemy_control = plane + (PLANE_CONTROL + 3 * (1 - side)) * words;
    for (int i = 0; i < words; i++) {
        place[i] = tables->full[i] & ~(own[i] | enemy[i] | enemy_control[i]);
        flip[i] = enemy[i] & own_control[i];
        neutral[i] = place[i] & ~own_control[i];
    }
}

#endif
