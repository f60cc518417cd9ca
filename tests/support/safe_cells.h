/* The cells of a position of Stigmergy that a side owns for ever (safe_stones_internal.h). */
#ifndef STIGMERGY_TESTS_SUPPORT_SAFE_CELLS_H
#define STIGMERGY_TESTS_SUPPORT_SAFE_CELLS_H

#include "engine/game/game.h"

/* The cells that are `side`'s for ever (stones, and empty cells that it controls and always will), as a set of
 * board.words words. The game must be Stigmergy. */
void safe_cells(const Game *game, const GameState *state, Side side, uint64_t out[HEXHEX_WORDS]);

#endif
