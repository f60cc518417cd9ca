/* UCT with RAVE (selection.h), SELECTION_LANES edges at a time in vector registers. Searches that explore and nodes
 * with proven edges are left to the plain kernel.
 *
 * The file that includes this one defines for its processor
 *   SELECTION_LANES   4 or 8
 *   Words, Doubles    vectors of SELECTION_LANES 64-bit numbers, unsigned and floating
 *   Floats, Ints      vectors of SELECTION_LANES 32-bit numbers
 *   select_load       reads SELECTION_LANES edges of four words: their stats, their rave, the bitwise or of all words
 *
 * The edges are read as plain memory while other threads may add to them. A register is filled from aligned words of 64
 * bits, which these processors do not tear, so each number is one that has been there, as with a relaxed load; the
 * thread sanitizer cannot know that.
 *
 * That all kernels choose alike rests on -ffp-contract=off (CMakeLists.txt): every product is rounded before it is
 * added (no fused multiply-add). */
#ifndef STIGMERGY_ENGINE_SEARCH_SELECTION_LANES_H
#define STIGMERGY_ENGINE_SEARCH_SELECTION_LANES_H

#include "engine/search/selection.h"

_Static_assert(offsetof(Edge, stats) == 0 && offsetof(Edge, rave) == 8 && offsetof(Edge, proven) == 26,
               "select_load knows where the fields are, and select_any_proven");

/* Whole numbers below 2^52, rounded once: in the mantissa of 2^52 they are exact. */
static inline Floats select_float(Words x) {
    const Words bits = x | 0x4330000000000000ull;
    Doubles exact;
    memcpy(&exact, &bits, sizeof exact);
    return __builtin_convertvector(exact - 0x1p52, Floats);
}

/* a where the mask is all ones, else b where it is 0. */
static inline Floats select_if(Ints mask, Floats a, Floats b) {
    return (Floats)(((Ints)a & mask) | ((Ints)b & ~mask));
}

/* The value of each edge, by the formula of the plain kernel. */
static inline Floats select_values(const SelectionParams *params, Words stats, Words rave) {
    const Floats n = select_float(stats >> TREE_VALUE_BITS), rn = select_float(rave >> 32);
    const Floats w = select_float(stats & ((1ull << TREE_VALUE_BITS) - 1)) * (1.0f / TREE_VALUE_ONE);
    const Floats rw = select_float(rave & 0xffffffff);
    const Floats own_weight = 1.0f + rn * params->per_rave;
    return (rw + own_weight * w + params->fpu) / (rn + own_weight * n + 1.0f);
}

/* The lane of the best, ties to the lowest index. */
static inline int select_first_best(Floats best, Ints at) {
    float value[SELECTION_LANES];
    int32_t index[SELECTION_LANES];
    memcpy(value, &best, sizeof value);
    memcpy(index, &at, sizeof index);
    for (int half = SELECTION_LANES / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++) {
            const bool tie = value[k + half] == value[k] && index[k + half] < index[k];
            const bool take = value[k + half] > value[k] || tie;
            value[k] = take ? value[k + half] : value[k];
            index[k] = take ? index[k + half] : index[k];
        }
    return index[0];
}

/* Whether an edge is proven, by the or of all. */
static inline bool select_any_proven(Words any) {
    uint64_t last = 0;
    for (int k = 3; k < SELECTION_LANES; k += 4)
        last |= any[k];
    return (last >> 16 & 0xff) != PROVEN_NOT;
}

__attribute__((no_sanitize("thread"))) static int select_best(const SelectionParams *params, const Edge *edges,
                                                              int count, float node_visits) {
    Floats best = {0};
    best -= 1.0f;
    Ints at = {0}, index;
    for (int k = 0; k < SELECTION_LANES; k++)
        index[k] = k;
    Words any = {0};
    for (int i = 0; i < count; i += SELECTION_LANES) {
        Words stats, rave;
        select_load(edges + i, &stats, &rave, &any);
        const Floats values = select_values(params, stats, rave);
        const Ints better = (Ints)(values > best) & (index < count);
        best = select_if(better, values, best);
        at = (index & better) | (at & ~better);
        index += SELECTION_LANES;
    }
    if (params->exploration > 0 || select_any_proven(any))
        return selection_plain.best(params, edges, count, node_visits);
    return select_first_best(best, at);
}

#endif
