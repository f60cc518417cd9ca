/* What the models of the solver have in common: positions that are images of each other under a symmetry of the board
 * are one position, namely the one whose sets of cells come first. */
#ifndef STIGMERGY_ENGINE_SOLVER_CANONICAL_H
#define STIGMERGY_ENGINE_SOLVER_CANONICAL_H

#include "engine/base/rng.h"
#include "engine/solver/model.h"

enum { SOLVER_IMAGE_SETS = 3 };

/* Replaces up to SOLVER_IMAGE_SETS sets, one behind the other, board->words words each, by the smallest of their common
 * images; returns the symmetry that leads there. */
int solver_smallest_image(const Hexhex *board, uint64_t *sets, int count);

/* The image of a set under a symmetry; the symmetry that undoes another one. */
uint64_t solver_map_word(const Hexhex *board, int map, uint64_t set); /* of a board of one word */
int solver_inverse_map(int map);

/* The key of a look (SolverLook.key) from `words` words and a number for whatever else makes the position. */
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
