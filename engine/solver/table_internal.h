/* The solver's transposition table: bounds of values, shared by all threads without locks.
 *
 * An entry is two words, which are written and read separately. The first is the exclusive or of the second and the
 * first word of the key, so that halves of two different entries do not pass for an entry (Hyatt and Mann, "A lock-less
 * transposition table implementation for parallel search", 2002). The second holds the bounds, the best move, the
 * effort and 27 bits of the second word of the key, whose highest bits choose the bucket. So 91 + log2(buckets) bits of
 * the 128 of a key are compared. In a table of 2^26 entries, the chance that one of them answers for an absent position
 * is 2^-89; over 10^12 questions it stays below 10^-14.
 *
 * A bucket is a cache line of four entries. A new position replaces the one of least effort, which is roughly the
 * logarithm of the number of nodes that its bounds cost. */
#ifndef STIGMERGY_ENGINE_SOLVER_TABLE_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_TABLE_INTERNAL_H

#include "engine/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct SolverSlot {
    _Atomic uint64_t check, data;
} SolverSlot;

enum { SOLVER_BUCKET = 4 };

typedef struct SolverBucket {
    _Alignas(64) SolverSlot slot[SOLVER_BUCKET];
} SolverBucket;

typedef struct SolverTable {
    SolverBucket *bucket; /* in `memory`, at the start of a cache line */
    uint64_t buckets;
    void *memory;
} SolverTable;

enum {
    SOLVER_BOUND_LIMIT = 1023, /* |bound| of an entry is at most this */
    SOLVER_NO_MOVE = 1023,
    SOLVER_EFFORT_MAX = 31
};

/* What the table knows of a position: bounds, after sign and offset of its look (model.h). */
typedef struct SolverEntry {
    int lower_half_points, upper_half_points;
    int move;   /* SOLVER_NO_MOVE: none known */
    int effort; /* 0 to SOLVER_EFFORT_MAX */
} SolverEntry;

/* Makes an empty table of at most `memory` bytes, but at least a few buckets. The system provides the memory as it is
 * used. False with an error where there is none. */
bool solver_table_init(SolverTable *table, size_t memory, Error *error);
void solver_table_free(SolverTable *table);

/* Empties it by taking fresh memory, all zero, if there is some. The system fills each page with zeros when it is first
 * used, so the cost grows with what is used of the table, not with its size. */
void solver_table_renew(SolverTable *table);

/* Finds a position. */
bool solver_table_find(const SolverTable *table, const uint64_t key[2], SolverEntry *entry);

/* Keeps what is known of a position. Overwrites what the table knew of it before. */
void solver_table_keep(SolverTable *table, const uint64_t key[2], const SolverEntry *entry);

#endif
