/* See proof_table.h. */
#include "engine/solver/proof_table.h"

#include "engine/solver/canonical.h"

enum {
    BUCKET = 2,
    LEAST = 1 << 14, /* entries */
    IMAGE_STONES = 6 /* with more stones on the board, looking for the smallest image costs more than it saves */
};

struct ProofEntry {
    uint64_t stones[2];
    uint64_t claim; /* or the numbers: phi << 32 | delta */
    uint8_t kind;   /* see below */
    uint8_t side, phase, cells;
    uint8_t effort; /* binary digits of the nodes that it cost */
    uint8_t unused[3];
};

enum { KIND_NONE, KIND_OPEN, KIND_BLACK, KIND_WHITE /* wins */ };

static const uintptr_t line = BUCKET * sizeof(ProofEntry);

size_t proof_table_least(void) {
    return LEAST * sizeof(ProofEntry);
}

void proof_table_init(ProofTable *table, const Hexhex *board, void *memory, size_t bytes) {
    const uintptr_t begin = ((uintptr_t)memory + line - 1) / line * line;
    table->board = board;
    table->entry = (ProofEntry *)begin;
    table->buckets = ((uintptr_t)memory + bytes - begin) / line;
}

ProofPlace proof_table_place(const ProofTable *table, const uint64_t stones[2], Side side, ClaimPhase phase) {
    ProofPlace place = {.stones = {stones[0], stones[1]}, .side = side, .phase = phase};
    uint64_t key[2];
    if (__builtin_popcountll(stones[0] | stones[1]) <= IMAGE_STONES)
        place.map = solver_smallest_image(table->board, place.stones, 2);
    solver_make_key(place.stones, 2, (uint64_t)side + 2 * (uint64_t)phase, key);
    place.bucket = table->entry + BUCKET * (uint64_t)((unsigned __int128)key[1] * table->buckets >> 64);
    __builtin_prefetch(place.bucket);
    return place;
}

static bool stands_at(const ProofEntry *entry, const ProofPlace *place) {
    return entry->kind != KIND_NONE && entry->stones[0] == place->stones[0] && entry->stones[1] == place->stones[1] &&
           entry->side == place->side && entry->phase == place->phase;
}

/* An entry of another question is worth something if its winner got enough for this one. */
static bool answers(const ProofEntry *entry, int cells) {
    return entry->kind == KIND_BLACK   ? entry->cells >= cells
           : entry->kind == KIND_WHITE ? entry->cells <= cells
                                       : entry->cells == cells;
}

bool proof_table_recall(const ProofTable *table, const ProofPlace *place, int cells, Known *known) {
    for (int i = 0; i < BUCKET; i++) {
        const ProofEntry *entry = &place->bucket[i];
        if (!stands_at(entry, place) || !answers(entry, cells))
            continue;
        *known = (Known){.winner = NOBODY, .phi = (uint32_t)(entry->claim >> 32), .delta = (uint32_t)entry->claim};
        if (entry->kind != KIND_OPEN) {
            known->winner = entry->kind == KIND_BLACK ? BLACK : WHITE;
            known->claim = solver_map_word(table->board, solver_inverse_map(place->map), entry->claim);
        }
        return true;
    }
    return false;
}

/* The same position's entry, or else an empty one, or else the one of least effort. */
static ProofEntry *entry_for(const ProofPlace *place) {
    ProofEntry *at = place->bucket;
    for (int i = 0; i < BUCKET; i++) {
        ProofEntry *entry = &place->bucket[i];
        if (stands_at(entry, place))
            return entry;
        if (entry->kind == KIND_NONE || (at->kind != KIND_NONE && entry->effort < at->effort))
            at = entry;
    }
    return at;
}

void proof_table_keep(ProofTable *table, const ProofPlace *place, int cells, const Known *known, uint64_t nodes) {
    const bool open = known->winner == NOBODY;
    const int effort = 64 - __builtin_clzll(nodes | 1) + (open ? 0 : 2);
    *entry_for(place) = (ProofEntry){.stones = {place->stones[0], place->stones[1]},
                                     .claim = open ? (uint64_t)known->phi << 32 | known->delta
                                                   : solver_map_word(table->board, place->map, known->claim),
                                     .kind = open                     ? KIND_OPEN
                                             : known->winner == BLACK ? KIND_BLACK
                                                                      : KIND_WHITE,
                                     .side = (uint8_t)place->side,
                                     .phase = (uint8_t)place->phase,
                                     .cells = (uint8_t)cells,
                                     .effort = (uint8_t)effort};
}
