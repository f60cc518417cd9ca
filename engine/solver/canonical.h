/* What the models of the solver have in common: canonical forms and keys.
 *
 * Positions that a symmetry of the board takes to each other are kept as one of them, the *canonical form*: the one
 * whose sets of cells come first when they are compared word by word. */
#ifndef STIGMERGY_ENGINE_SOLVER_CANONICAL_H
#define STIGMERGY_ENGINE_SOLVER_CANONICAL_H

#include "engine/base/rng.h"
#include "engine/solver/model.h"

enum { SOLVER_CANONICAL_SETS = 3 };

/* Replaces `count` sets (up to SOLVER_CANONICAL_SETS, one after the other, board->words words each) by their canonical
 * form. Returns the symmetry that leads there. */
int solver_canonical_form(const Hexhex *board, uint64_t *sets, int count);

/* Where a symmetry takes a set of cells, on a board of one word. */
uint64_t solver_map_word(const Hexhex *board, int map, uint64_t set);

/* The symmetry that undoes another one. */
int solver_inverse_map(int map);

/* The key of a look (SolverLook.key), from `words` words of sets and a number for whatever else is part of the
 * position. */
static inline void solver_make_key(const uint64_t *word, int words, uint64_t other, uint64_t key[2]) {
    uint64_t a = 0x9e3779b97f4a7c15ull + other, b = ~a;
    for (int i = 0; i < words; i++) {
        a = rng_mix(a + word[i]) + 0xd1342543de82ef95ull;
        b = rng_mix(b ^ word[i]) * 0xaf251af3b0f025b5ull;
    }
    key[0] = a;
    key[1] = rng_mix(b);
}

#endif
