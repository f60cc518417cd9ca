/* See carrier_list_internal.h: changes of a list, the list of the kernels, and the plain one. */
#include "engine/solver/carrier_list_internal.h"

enum { CARRIER_LANES = 2 };
#include "engine/base/cpu.h"
#include "engine/solver/carrier_list_lanes_internal.h"

#include <stddef.h>

/* Writes a carrier into its place, or takes it out. */
static void set_slices(CarrierList *list, uint32_t at, bool in) {
    CarrierBlock *block = &list->block[at / CARRIER_BLOCK];
    const uint32_t word = at % CARRIER_BLOCK / 64;
    const uint64_t bit = 1ull << at % 64;
    for (uint64_t rest = list->cells[at]; rest; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        const bool own = in && list->own[at] >> cell & 1;
        block->on[cell][word] = (block->on[cell][word] & ~bit) | (in ? bit : 0);
        block->own[cell][word] = (block->own[cell][word] & ~bit) | (own ? bit : 0);
    }
}

static void put_carrier(CarrierList *list, uint32_t at, uint64_t own, uint64_t carrier) {
    list->own[at] = own;
    list->cells[at] = carrier;
    list->any |= carrier;
    set_slices(list, at, true);
}

/* The last one takes its place. */
static void remove_carrier(CarrierList *list, uint32_t at) {
    const uint32_t last = --list->count;
    set_slices(list, at, false);
    if (at == last)
        return;
    set_slices(list, last, false);
    put_carrier(list, at, list->own[last], list->cells[last]);
    list->used[at] = list->used[last];
}

/* Removes the carriers that contain another one. */
static void remove_containing(CarrierList *list, uint64_t own, uint64_t carrier) {
    for (uint32_t i = (list->count + 63) / 64; i-- > 0;) {
        const CarrierBlock *block = &list->block[i * 64 / CARRIER_BLOCK];
        const uint32_t word = i % CARRIER_BLOCK_WORDS;
        uint64_t containing = ~0ull;
        for (uint64_t rest = carrier; rest && containing; rest &= rest - 1) {
            const int cell = __builtin_ctzll(rest);
            containing &= own >> cell & 1 ? block->own[cell][word] : block->on[cell][word];
        }
        for (; containing; containing &= ~(1ull << (63 - __builtin_clzll(containing))))
            remove_carrier(list, 64 * i + 63 - (uint32_t)__builtin_clzll(containing));
    }
}

/* The next carrier that makes room. */
static uint32_t oldest_unused(CarrierList *list) {
    while (list->used[list->hand]) {
        list->used[list->hand] = false;
        list->hand = (list->hand + 1) % CARRIER_LIST;
    }
    return list->hand;
}

void carrier_list_add(CarrierList *list, CarrierListNear *near, uint64_t own, uint64_t carrier) {
    NearCarriers contained;
    own &= carrier;
    near(list, own, ~carrier, 0, &contained);
    if (contained.count > 0)
        return;
    remove_containing(list, own, carrier);
    if (list->count == CARRIER_LIST)
        remove_carrier(list, oldest_unused(list));
    list->used[list->count] = true;
    put_carrier(list, list->count++, own, carrier);
}

void carrier_list_clear(CarrierList *list) {
    if (list->count > 0) /* else it is as new, and not in memory yet */
        memset(list, 0, sizeof *list);
}

const CarrierListKernel carrier_list_plain = {"plain", cpu_any, lanes_near};

const CarrierListKernel *const carrier_list_kernels[] = {
    &carrier_list_plain,
#ifdef STIGMERGY_HAS_AVX2
    &carrier_list_avx2,
#endif
    NULL,
};

const CarrierListKernel *carrier_list_kernel(void) {
    const CarrierListKernel *fastest = carrier_list_kernels[0];
    for (int i = 1; carrier_list_kernels[i]; i++)
        if (carrier_list_kernels[i]->runs_here())
            fastest = carrier_list_kernels[i];
    return fastest;
}
