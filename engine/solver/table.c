/* See table_internal.h. */
#define _DEFAULT_SOURCE /* madvise */
#include "engine/solver/table_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The second word: move 10 bits, lower and upper bound 11 each, effort 5, and the lowest 27 bits of the second word of
 * the key. The highest bits of that word choose the bucket. */
enum { MOVE_BITS = 10, BOUND_BITS = 11, EFFORT_BITS = 5, LOWER_AT = 10, UPPER_AT = 21, EFFORT_AT = 32, KEY_AT = 37 };

static uint64_t pack(const SolverEntry *entry, const uint64_t key[2]) {
    return (uint64_t)entry->move | (uint64_t)(entry->lower_half_points + SOLVER_BOUND_LIMIT) << LOWER_AT |
           (uint64_t)(entry->upper_half_points + SOLVER_BOUND_LIMIT) << UPPER_AT |
           (uint64_t)entry->effort << EFFORT_AT | key[1] << KEY_AT;
}

static int field(uint64_t data, int at, int bits) {
    return (int)(data >> at & ((1u << bits) - 1));
}

static SolverBucket *bucket_of(const SolverTable *table, const uint64_t key[2]) {
    return &table->bucket[(uint64_t)((unsigned __int128)key[1] * table->buckets >> 64)];
}

/* Asks for huge pages, as the table is read in no order. Where the system has none, nothing is lost. */
static void ask_for_huge_pages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 4096, begin = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

bool solver_table_init(SolverTable *table, size_t memory, Error *error) {
    const size_t line = sizeof *table->bucket;
    table->buckets = memory / line > 2 ? memory / line - 1 : 1;
    table->memory = calloc((size_t)table->buckets + 1, line);
    if (!table->memory)
        return error_set(error, "out of memory for a table of %zu MB", memory >> 20);
    ask_for_huge_pages(table->memory, (size_t)(table->buckets + 1) * line);
    table->bucket = (SolverBucket *)(((uintptr_t)table->memory + line - 1) / line * line);
    return true;
}

void solver_table_free(SolverTable *table) {
    free(table->memory);
    *table = (SolverTable){.bucket = NULL};
}

void solver_table_renew(SolverTable *table) {
    SolverTable fresh;
    if (!solver_table_init(&fresh, (size_t)(table->buckets + 1) * sizeof *table->bucket, NULL)) {
        memset(table->bucket, 0, (size_t)table->buckets * sizeof *table->bucket);
        return;
    }
    solver_table_free(table);
    *table = fresh;
}

/* The data of a slot if it holds the position, else 0, which is never the data of an entry. */
static uint64_t read_slot(const SolverSlot *slot, const uint64_t key[2]) {
    const uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    const uint64_t check = atomic_load_explicit(&slot->check, memory_order_relaxed);
    return (check ^ data) == key[0] && data >> KEY_AT == (key[1] << KEY_AT) >> KEY_AT ? data : 0;
}

bool solver_table_find(const SolverTable *table, const uint64_t key[2], SolverEntry *entry) {
    const SolverBucket *bucket = bucket_of(table, key);
    for (int i = 0; i < SOLVER_BUCKET; i++) {
        const uint64_t data = read_slot(&bucket->slot[i], key);
        if (data) {
            *entry = (SolverEntry){.lower_half_points = field(data, LOWER_AT, BOUND_BITS) - SOLVER_BOUND_LIMIT,
                                   .upper_half_points = field(data, UPPER_AT, BOUND_BITS) - SOLVER_BOUND_LIMIT,
                                   .move = field(data, 0, MOVE_BITS),
                                   .effort = field(data, EFFORT_AT, EFFORT_BITS)};
            return true;
        }
    }
    return false;
}

void solver_table_keep(SolverTable *table, const uint64_t key[2], const SolverEntry *entry) {
    SolverBucket *bucket = bucket_of(table, key);
    SolverSlot *chosen = &bucket->slot[0];
    int least = SOLVER_EFFORT_MAX + 1;
    for (int i = 0; i < SOLVER_BUCKET; i++) {
        SolverSlot *slot = &bucket->slot[i];
        const uint64_t data = atomic_load_explicit(&slot->data, memory_order_relaxed);
        const int effort = read_slot(slot, key) ? -1 : field(data, EFFORT_AT, EFFORT_BITS);
        if (effort < least) {
            least = effort;
            chosen = slot;
        }
    }
    const uint64_t data = pack(entry, key);
    atomic_store_explicit(&chosen->check, key[0] ^ data, memory_order_relaxed);
    atomic_store_explicit(&chosen->data, data, memory_order_relaxed);
}
