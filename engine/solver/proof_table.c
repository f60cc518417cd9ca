/* See proof_table_internal.h. */
#include "engine/solver/proof_table_internal.h"

#include "engine/base/bits.h"
#include "engine/solver/canonical.h"

#include <string.h>

enum {
    BUCKET = 2,
    LEAST = 1 << 14 /* entries */
};

struct ProofEntry {
    uint64_t stones[2];
    uint64_t carrier; /* or the numbers: phi << 32 | delta */
    uint8_t outcome;  /* see below */
    uint8_t side, phase, goal;
    uint8_t effort; /* binary digits of the nodes that it cost */
    uint8_t unused;
    uint16_t generation; /* of the table when it was written; an entry of another one is none */
};

enum { OUTCOME_NONE /* no entry */, OUTCOME_OPEN, OUTCOME_BLACK, OUTCOME_WHITE /* wins */ };

static const uintptr_t line = BUCKET * sizeof(ProofEntry);

size_t proof_table_least(void) {
    return LEAST * sizeof(ProofEntry);
}

void proof_table_init(ProofTable *table, const Hexhex *board, int canonical_stones, void *memory, size_t bytes) {
    const uintptr_t begin = ((uintptr_t)memory + line - 1) / line * line;
    table->board = board;
    table->canonical_stones = canonical_stones;
    table->entry = (ProofEntry *)begin;
    table->buckets = ((uintptr_t)memory + bytes - begin) / line;
    table->generation = 0;
}

ProofPlace proof_table_place(const ProofTable *table, const uint64_t stones[2], Side side, int phase) {
    ProofPlace place = {.stones = {stones[0], stones[1]}, .side = side, .phase = phase};
    uint64_t key[2];
    if (bits_count(stones[0] | stones[1]) <= table->canonical_stones)
        place.map = solver_canonical_form(table->board, place.stones, 2);
    solver_make_key(place.stones, 2, (uint64_t)side + 2 * (uint64_t)phase, key);
    place.bucket = table->entry + BUCKET * (uint64_t)((unsigned __int128)key[1] * table->buckets >> 64);
    __builtin_prefetch(place.bucket);
    return place;
}

void proof_table_clear(ProofTable *table) {
    if (++table->generation == 0)
        memset(table->entry, 0, (size_t)table->buckets * line);
}

static bool is_empty(const ProofTable *table, const ProofEntry *entry) {
    return entry->outcome == OUTCOME_NONE || entry->generation != table->generation;
}

static bool stands_at(const ProofTable *table, const ProofEntry *entry, const ProofPlace *place) {
    return !is_empty(table, entry) && entry->stones[0] == place->stones[0] && entry->stones[1] == place->stones[1] &&
           entry->side == place->side && entry->phase == place->phase;
}

/* A proof for another goal counts if its winner got enough for this one. */
static bool answers(const ProofEntry *entry, int goal) {
    return entry->outcome == OUTCOME_BLACK   ? entry->goal >= goal
           : entry->outcome == OUTCOME_WHITE ? entry->goal <= goal
                                             : entry->goal == goal;
}

bool proof_table_recall(const ProofTable *table, const ProofPlace *place, int goal, ProofStatus *status) {
    for (int i = 0; i < BUCKET; i++) {
        const ProofEntry *entry = &place->bucket[i];
        if (!stands_at(table, entry, place) || !answers(entry, goal))
            continue;
        *status =
            (ProofStatus){.winner = NOBODY, .phi = (uint32_t)(entry->carrier >> 32), .delta = (uint32_t)entry->carrier};
        if (entry->outcome != OUTCOME_OPEN) {
            status->winner = entry->outcome == OUTCOME_BLACK ? BLACK : WHITE;
            status->carrier = solver_map_word(table->board, solver_inverse_map(place->map), entry->carrier);
        }
        return true;
    }
    return false;
}

/* The same position's entry, or else an empty one, or else the one of least effort. */
static ProofEntry *entry_for(const ProofTable *table, const ProofPlace *place) {
    ProofEntry *at = place->bucket;
    for (int i = 0; i < BUCKET; i++) {
        ProofEntry *entry = &place->bucket[i];
        if (stands_at(table, entry, place))
            return entry;
        if (is_empty(table, entry) || (!is_empty(table, at) && entry->effort < at->effort))
            at = entry;
    }
    return at;
}

void proof_table_keep(ProofTable *table, const ProofPlace *place, int goal, const ProofStatus *status, uint64_t nodes) {
    const bool open = status->winner == NOBODY;
    const int effort = 64 - __builtin_clzll(nodes | 1) + (open ? 0 : 2);
    *entry_for(table, place) =
        (ProofEntry){.stones = {place->stones[0], place->stones[1]},
                     .carrier = open ? (uint64_t)status->phi << 32 | status->delta
                                     : solver_map_word(table->board, place->map, status->carrier),
                     .outcome = open                      ? OUTCOME_OPEN
                                : status->winner == BLACK ? OUTCOME_BLACK
                                                          : OUTCOME_WHITE,
                     .side = (uint8_t)place->side,
                     .phase = (uint8_t)place->phase,
                     .goal = (uint8_t)goal,
                     .effort = (uint8_t)effort,
                     .generation = table->generation};
}
