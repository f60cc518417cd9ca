/* The orientation in which a network sees a position.
 *
 * A network has learnt from all twelve symmetric images of a position, and yet it judges them a little differently. A
 * search that always shows it the board as it lies therefore plays two images of one position in two ways, and what
 * games say depends on how the board lies. So a position is turned first, into an orientation that follows from the
 * position alone: all twelve images of a position are then one and the same to the network, and to its cache. Which
 * orientation that is changes from position to position as if by chance, so that in a search the differences average
 * out, as with the random symmetries of AlphaZero (Silver et al. 2018) and KataGo (Wu 2019).
 *
 * Each cell of the input gets a hash of its planes. An orientation is the sum of these hashes, each multiplied by a
 * random number of the cell where the orientation puts it; the one with the smallest sum is chosen. An orientation that
 * ties with another one, because the position is its own image, is the same position. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_ORIENTATION_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_ORIENTATION_H

#include "engine/eval/network/network.h"

enum { ORIENTATION_SUMS = 16 }; /* the 12 symmetries, padded for vector registers */

/* Random numbers for a board: of the cell where symmetry m takes cell c, at [c][m]. */
typedef struct Orientations {
    const Hexhex *board;
    uint32_t random[HEXHEX_MAX_CELLS][ORIENTATION_SUMS];
} Orientations;

/* For `board`, which outlives it. */
void orientations_init(Orientations *orientations, const Hexhex *board);

/* Turns an input with `planes` planes: writes `input` to `turned` with its planes turned, and returns the symmetry of
 * the board by which they were turned. The output for cell c then stands at cell board.symmetry[symmetry][c]. */
int orientation_turn(const Orientations *orientations, int planes, const NetworkInput *input, NetworkInput *turned);

#endif
