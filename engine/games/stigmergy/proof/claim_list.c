/* See claim_list.h: changes of a list, the list of the kernels, and the plain one. */
#include "engine/games/stigmergy/proof/claim_list.h"

enum { CLAIM_LANES = 2 };
#include "engine/games/stigmergy/proof/claim_list_lanes.h"

#include <stddef.h>

/* Writes a claim into its place, or takes it out. */
static void set_slices(ClaimList *list, uint32_t at, bool in) {
    ClaimBlock *block = &list->block[at / CLAIM_BLOCK];
    const uint32_t word = at % CLAIM_BLOCK / 64;
    const uint64_t bit = 1ull << at % 64;
    for (uint64_t rest = list->cells[at]; rest; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        const bool own = in && list->own[at] >> cell & 1;
        block->on[cell][word] = (block->on[cell][word] & ~bit) | (in ? bit : 0);
        block->own[cell][word] = (block->own[cell][word] & ~bit) | (own ? bit : 0);
    }
}

static void put_claim(ClaimList *list, uint32_t at, uint64_t own, uint64_t claim) {
    list->own[at] = own;
    list->cells[at] = claim;
    list->any |= claim;
    set_slices(list, at, true);
}

/* The last one takes its place. */
static void remove_claim(ClaimList *list, uint32_t at) {
    const uint32_t last = --list->count;
    set_slices(list, at, false);
    if (at == last)
        return;
    set_slices(list, last, false);
    put_claim(list, at, list->own[last], list->cells[last]);
    list->used[at] = list->used[last];
}

/* Removes the claims that contain another one. */
static void remove_containing(ClaimList *list, uint64_t own, uint64_t claim) {
    for (uint32_t i = (list->count + 63) / 64; i-- > 0;) {
        const ClaimBlock *block = &list->block[i * 64 / CLAIM_BLOCK];
        const uint32_t word = i % CLAIM_BLOCK_WORDS;
        uint64_t containing = ~0ull;
        for (uint64_t rest = claim; rest && containing; rest &= rest - 1) {
            const int cell = __builtin_ctzll(rest);
            containing &= own >> cell & 1 ? block->own[cell][word] : block->on[cell][word];
        }
        for (; containing; containing &= ~(1ull << (63 - __builtin_clzll(containing))))
            remove_claim(list, 64 * i + 63 - (uint32_t)__builtin_clzll(containing));
    }
}

/* The next claim that makes room. */
static uint32_t oldest_unused(ClaimList *list) {
    while (list->used[list->hand]) {
        list->used[list->hand] = false;
        list->hand = (list->hand + 1) % CLAIM_LIST;
    }
    return list->hand;
}

void claim_list_add(ClaimList *list, ClaimListNear *near, uint64_t own, uint64_t claim) {
    NearClaims contained;
    own &= claim;
    near(list, own, ~claim, 0, &contained);
    if (contained.count > 0)
        return;
    remove_containing(list, own, claim);
    if (list->count == CLAIM_LIST)
        remove_claim(list, oldest_unused(list));
    list->used[list->count] = true;
    put_claim(list, list->count++, own, claim);
}

void claim_list_clear(ClaimList *list) {
    if (list->count > 0) /* else it is as new, and not in memory yet */
        memset(list, 0, sizeof *list);
}

static bool runs_everywhere(void) {
    return true;
}

const ClaimListKernel claim_list_plain = {"plain", runs_everywhere, lanes_near};

const ClaimListKernel *const claim_list_kernels[] = {
    &claim_list_plain,
#ifdef STIGMERGY_HAS_AVX2
    &claim_list_avx2,
#endif
    NULL,
};

const ClaimListKernel *claim_list_kernel(void) {
    const ClaimListKernel *fastest = claim_list_kernels[0];
    for (int i = 1; claim_list_kernels[i]; i++)
        if (claim_list_kernels[i]->runs_here())
            fastest = claim_list_kernels[i];
    return fastest;
}
