/* Going through a list of claims (claim_list.h) in vector registers of CLAIM_LANES words: the file that includes
 * this one defines that number, which divides CLAIM_BLOCK_WORDS. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_LIST_LANES_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_LIST_LANES_H

#include "engine/games/stigmergy/proof/claim_list.h"

#include <string.h>

typedef uint64_t ClaimLanes __attribute__((vector_size(8 * CLAIM_LANES)));

/* The next cell's part of its slice. */
#define CLAIM_HERE(here, slice, rest, word)                                                                            \
    ClaimLanes here;                                                                                                   \
    memcpy(&here, slice[__builtin_ctzll(rest)] + word, sizeof here)

/* The claims of a part of a block that are near, or that are not there. */
static inline ClaimLanes part_near(const ClaimBlock *block, int word, uint64_t empty, uint64_t enemy, uint64_t but) {
    ClaimLanes wrong = {0}, far = {0};
    for (uint64_t rest = enemy & ~but; rest; rest &= rest - 1) {
        CLAIM_HERE(here, block->on, rest, word);
        far |= here;
    }
    for (uint64_t rest = empty & ~but; rest; rest &= rest - 1) {
        CLAIM_HERE(here, block->own, rest, word);
        far |= here;
    }
    for (uint64_t rest = enemy & but; rest; rest &= rest - 1) {
        CLAIM_HERE(here, block->on, rest, word);
        far |= wrong & here;
        wrong |= here;
    }
    for (uint64_t rest = empty & but; rest; rest &= rest - 1) {
        CLAIM_HERE(here, block->own, rest, word);
        far |= wrong & here;
        wrong |= here;
    }
    return ~far;
}

/* Adds the claims of a word of 64, from number `begin` on. */
static inline void add_near(const ClaimList *list, uint32_t begin, uint64_t set, uint64_t own, uint64_t enemy,
                            NearClaims *near) {
    for (; set; set &= set - 1) {
        const uint32_t i = begin + (uint32_t)__builtin_ctzll(set);
        if (i >= list->count || near->count == CLAIMS_NEAR)
            return;
        near->claim[near->count].at = i;
        near->claim[near->count].cells = list->cells[i];
        near->claim[near->count++].wrong = (list->own[i] & ~own) | (list->cells[i] & enemy);
    }
}

static void lanes_near(ClaimList *list, uint64_t own, uint64_t enemy, uint64_t but, NearClaims *near) {
    const uint64_t empty = list->any & ~(own | enemy);
    near->list = list;
    near->count = 0;
    for (uint32_t begin = 0; begin < list->count; begin += 64 * CLAIM_LANES) {
        const int word = (int)(begin % CLAIM_BLOCK / 64);
        const ClaimLanes set = part_near(&list->block[begin / CLAIM_BLOCK], word, empty, enemy & list->any, but);
        for (int i = 0; i < CLAIM_LANES; i++)
            add_near(list, begin + 64 * (uint32_t)i, set[i], own, enemy, near);
    }
}

#undef CLAIM_HERE

#endif
