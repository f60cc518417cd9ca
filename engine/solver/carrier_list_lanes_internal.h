/* Going through a list of carriers (carrier_list_internal.h) in vector registers of CARRIER_LANES words. The file that
 * includes this one defines that number, which divides CARRIER_BLOCK_WORDS. */
#ifndef STIGMERGY_ENGINE_SOLVER_CARRIER_LIST_LANES_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_CARRIER_LIST_LANES_INTERNAL_H

#include "engine/solver/carrier_list_internal.h"

#include <string.h>

typedef uint64_t CarrierLanes __attribute__((vector_size(8 * CARRIER_LANES)));

/* A part of a slice. */
static inline CarrierLanes load_lanes(const uint64_t *slice) {
    CarrierLanes lanes;
    memcpy(&lanes, slice, sizeof lanes);
    return lanes;
}

/* A bit for each place in a part of a block: 1 where the carrier there is near. A place without a carrier gives 1,
 * too. */
static inline CarrierLanes part_near(const CarrierBlock *block, int word, uint64_t empty, uint64_t enemy,
                                     uint64_t fixable) {
    CarrierLanes wrong = {0}, far = {0};
    for (uint64_t rest = enemy & ~fixable; rest; rest &= rest - 1)
        far |= load_lanes(block->on[__builtin_ctzll(rest)] + word);
    for (uint64_t rest = empty & ~fixable; rest; rest &= rest - 1)
        far |= load_lanes(block->own[__builtin_ctzll(rest)] + word);
    for (uint64_t rest = enemy & fixable; rest; rest &= rest - 1) {
        const CarrierLanes here = load_lanes(block->on[__builtin_ctzll(rest)] + word);
        far |= wrong & here;
        wrong |= here;
    }
    for (uint64_t rest = empty & fixable; rest; rest &= rest - 1) {
        const CarrierLanes here = load_lanes(block->own[__builtin_ctzll(rest)] + word);
        far |= wrong & here;
        wrong |= here;
    }
    return ~far;
}

/* Adds the carriers whose bits are set in a word of 64, the first of which is number `begin` of the list. */
static inline void add_near(const CarrierList *list, uint32_t begin, uint64_t set, uint64_t own, uint64_t enemy,
                            NearCarriers *near) {
    for (; set; set &= set - 1) {
        const uint32_t i = begin + (uint32_t)__builtin_ctzll(set);
        if (i >= list->count || near->count == CARRIERS_NEAR)
            return;
        near->carrier[near->count].at = i;
        near->carrier[near->count].cells = list->cells[i];
        near->carrier[near->count++].wrong = (list->own[i] & ~own) | (list->cells[i] & enemy);
    }
}

static void lanes_near(CarrierList *list, uint64_t own, uint64_t enemy, uint64_t fixable, NearCarriers *near) {
    const uint64_t empty = list->any & ~(own | enemy);
    near->list = list;
    near->count = 0;
    for (uint32_t begin = 0; begin < list->count; begin += 64 * CARRIER_LANES) {
        const int word = (int)(begin % CARRIER_BLOCK / 64);
        const CarrierLanes set =
            part_near(&list->block[begin / CARRIER_BLOCK], word, empty, enemy & list->any, fixable);
        for (int i = 0; i < CARRIER_LANES; i++)
            add_near(list, begin + 64 * (uint32_t)i, set[i], own, enemy, near);
    }
}

#endif
