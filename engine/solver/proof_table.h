/* The table of proof-number search (proof_number.h): who wins a position, and by which claim
 * (engine/games/stigmergy/proof/claim.h), or how hard that is to find out.
 *
 * A position is looked for as the smallest of its images where few stones are on the board, where all twelve come up.
 * Stones are compared whole, so no position passes for another one. A bucket is a cache line; a new position replaces
 * the one of least effort. What was found for one question answers another where the winner got enough for that one,
 * too. Used by one thread. */
#ifndef STIGMERGY_ENGINE_SOLVER_PROOF_TABLE_H
#define STIGMERGY_ENGINE_SOLVER_PROOF_TABLE_H

#include "engine/games/stigmergy/proof/claim.h"

/* What is known of a position. phi: how hard it is to prove that the side to move wins; delta: that the other one
 * does. */
typedef struct Known {
    int winner; /* or NOBODY */
    uint64_t claim;
    uint32_t phi, delta;
} Known;

typedef struct ProofEntry ProofEntry;

typedef struct ProofTable {
    const Hexhex *board; /* of one word */
    uint64_t buckets;
    ProofEntry *entry;
} ProofTable;

/* A position's place in the table. */
typedef struct ProofPlace {
    uint64_t stones[2];
    int map; /* the symmetry from the position to these stones */
    Side side;
    ClaimPhase phase;
    ProofEntry *bucket;
} ProofPlace;

/* The least memory of a table, in bytes. */
size_t proof_table_least(void);

/* Makes an empty table in memory that is all zero and stays the caller's. */
void proof_table_init(ProofTable *table, const Hexhex *board, void *memory, size_t bytes);

/* Where the position with these stones of either side stands, with `side` to move; asks the memory for it. */
ProofPlace proof_table_place(const ProofTable *table, const uint64_t stones[2], Side side, ClaimPhase phase);

/* What is known at a place of the question of so many `cells` (engine/games/stigmergy/proof/claim.h); false if nothing
 * is. */
bool proof_table_recall(const ProofTable *table, const ProofPlace *place, int cells, Known *known);

/* Keeps what is known of that question; `nodes`: what it cost. */
void proof_table_keep(ProofTable *table, const ProofPlace *place, int cells, const Known *known, uint64_t nodes);

#endif
