/* The static evaluation of Bug: what it knows about a position that playouts do not show (GameRules.static_eval).
 * Included by the kernels (playout.h).
 *
 * The player who runs out of GROW cells first wins. But if playouts judge two positions alike, the better one is that
 * of the player with more cells to grow on. This player can choose which cells to keep for later, and random play does
 * not use that choice. A BONUS stone that is still to be placed is a disadvantage, because it must be placed.
 *
 * The numbers come from a regression on leaves of searches on hexhex-4, towards the result of 3,000 simulations from
 * there. The scale of the whole was found by matches (engine/search/MEASUREMENTS.md). It is larger than in the
 * regression, because the evaluation matters only where the few playouts of a leaf disagree. */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_STATIC_EVAL_H
#define STIGMERGY_ENGINE_GAMES_BUG_STATIC_EVAL_H

#include "engine/games/bug/core.h"
#include "engine/games/static_eval_fading.h"

enum { BUG_STATIC_EVAL_FULL = 8, BUG_STATIC_EVAL_HALVING = 4 }; /* in empty cells: see static_eval_fading */

INLINE float bug_static_eval(const BugTables *tables, const BugPosition *position) {
    const float cell_worth = 4.0f, bonus_cost = 6.0f; /* log odds; the first at full weight */
    const int empty = tables->board.cells - (int)bug_count(position->stones[BLACK] | position->stones[WHITE]);
    const int more = (int)bug_count(bug_grow_cells(tables, position, BLACK)) -
                     (int)bug_count(bug_grow_cells(tables, position, WHITE));
    const float bonus = position->bonus ? (position->side == BLACK ? -bonus_cost : bonus_cost) : 0.0f;
    return cell_worth * static_eval_fading(empty, BUG_STATIC_EVAL_FULL, BUG_STATIC_EVAL_HALVING) * (float)more + bonus;
}

#endif
