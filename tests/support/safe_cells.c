/* See safe_cells.h. */
#include "tests/support/safe_cells.h"

#include "engine/games/stigmergy/proof/safe_stones_internal.h"

void safe_cells(const Game *game, const GameState *state, Side side, uint64_t out[HEXHEX_WORDS]) {
    const StigmergyTables *tables = stigmergy_tables(game);
    const uint64_t *plane = ((const StigmergyState *)state)->plane;
    const Side opponent = side_opponent(side);
    switch (tables->words) {
    case 1: safe_reach(tables, plane, opponent, 1, out); break;
    case 2: safe_reach(tables, plane, opponent, 2, out); break;
    case 3: safe_reach(tables, plane, opponent, 3, out); break;
    case 4: safe_reach(tables, plane, opponent, 4, out); break;
    default: safe_reach(tables, plane, opponent, 5, out); break;
    }
    for (int i = 0; i < tables->words; i++)
        out[i] = tables->full[i] & ~out[i];
}
