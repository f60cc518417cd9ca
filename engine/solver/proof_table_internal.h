/* The table of proof-number search (proof_number_internal.h): the status of positions (carriers.h).
 *
 * Positions with few stones are kept in canonical form, because all twelve symmetric ones come up. All stones are
 * compared, so no position is taken for another one. A bucket is a cache line. A new position replaces the one that
 * cost the least effort. A proof for one goal also answers another goal, if its winner got enough for that too. Used by
 * one thread. */
#ifndef STIGMERGY_ENGINE_SOLVER_PROOF_TABLE_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_PROOF_TABLE_INTERNAL_H

#include "engine/solver/carriers.h"

typedef struct ProofEntry ProofEntry;

typedef struct ProofTable {
    const Hexhex *board;  /* of one word */
    int canonical_stones; /* SolverCarriers.canonical_stones */
    uint16_t generation;  /* how often it was cleared; it wraps around */
    uint64_t buckets;
    ProofEntry *entry;
} ProofTable;

/* A position's place in the table. */
typedef struct ProofPlace {
    uint64_t stones[2];
    int map; /* the symmetry from the position to these stones */
    Side side;
    int phase;
    ProofEntry *bucket;
} ProofPlace;

/* The least memory of a table, in bytes. */
size_t proof_table_least(void);

/* Makes an empty table in memory that is all zero and stays the caller's. */
void proof_table_init(ProofTable *table, const Hexhex *board, int canonical_stones, void *memory, size_t bytes);

/* Empties the table. Its memory is kept, and nearly always not touched: fresh pages would have to be made all zero,
 * which takes longer than a short game. */
void proof_table_clear(ProofTable *table);

/* The place of the position with these stones of either side, with `side` to move. The processor is told to fetch it.
 */
ProofPlace proof_table_place(const ProofTable *table, const uint64_t stones[2], Side side, int phase);

/* What is known at a place about this goal; false if nothing is. */
bool proof_table_recall(const ProofTable *table, const ProofPlace *place, int goal, ProofStatus *status);

/* Keeps what is known about this goal; `nodes`: what it cost. */
void proof_table_keep(ProofTable *table, const ProofPlace *place, int goal, const ProofStatus *status, uint64_t nodes);

#endif
