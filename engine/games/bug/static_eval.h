/* The static evaluation of Bug: what it knows of a position beyond its playouts (GameRules.static_eval). Included by
 * the kernels (playout.h).
 *
 * Who runs out of GROW cells first wins. And yet, of two positions that playouts think alike, the better one is that of
 * the player with more cells to grow on: that player chooses what is left for later, and random play makes no use of
 * that choice. A BONUS stone still to be placed is no advantage, for it must be placed.
 *
 * Found by regression on leaves of searches on hexhex-4, towards the result of 3,000 simulations from there. Properties
 * of bugs, rivals and cells beyond these two numbers explained nothing further. What a cell is worth halves with every
 * four empty cells more. The size of the whole was found by matches (engine/search/MEASUREMENTS.md); it is larger than
 * in the regression because it has a say only where the few playouts of a leaf disagree. */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_STATIC_EVAL_H
#define STIGMERGY_ENGINE_GAMES_BUG_STATIC_EVAL_H

#include "engine/games/bug/core.h"
#include "engine/games/static_eval_fading.h"

enum { BUG_STATIC_EVAL_FULL = 8, BUG_STATIC_EVAL_HALVING = 4 }; /* empty cells: see static_eval_fading */

INLINE float bug_static_eval(const BugTables *tables, const BugPosition *position) {
    const float cell_worth = 4.0f, bonus_cost = 6.0f; /* log odds, the former at full weight */
    const int empty = tables->board.cells - (int)bug_count(position->stones[BLACK] | position->stones[WHITE]);
    const int more = (int)bug_count(bug_grow_cells(tables, position, BLACK)) -
                     (int)bug_count(bug_grow_cells(tables, position, WHITE));
    const float bonus = position->bonus ? (position->side == BLACK ? -bonus_cost : bonus_cost) : 0.0f;
    return cell_worth * static_eval_fading(empty, BUG_STATIC_EVAL_FULL, BUG_STATIC_EVAL_HALVING) * (float)more + bonus;
}

#endif
