/* What Bug knows of a position beyond its playouts: GameRules.judge.
 *
 * Who runs out of GROW cells first wins, and yet, of two positions that playouts think alike, the better one is that of
 * the player with more cells to grow on: he chooses what is left for later, which random play makes nothing of. And a
 * BONUS stone still to be placed is no advantage: it must be placed.
 *
 * Found by regression on 43,000 leaves of searches on hexhex-4, towards the result of 3,000 simulations from there:
 * with 10 to 13 empty cells, 128 playouts leave 0.41 nats unexplained, with these two numbers beside them 0.31, and
 * fifteen numbers more of bugs, rivals and cells explain nothing further. What a cell is worth halves with every four
 * empty cells more. The size of the whole was found by matches (SEARCH.md); it is larger than in the regression, for
 * it has a say only where the few playouts of a leaf disagree. */
#include "bits.h"
#include "bug.h"
#include "judge.h"

enum { FULL_TO = 8, HALVING = 4 };                       /* empty cells */
static const float cell_worth = 4.0f, bonus_cost = 6.0f; /* log odds, the former at full weight */

float bug_judge(const BugTables *tables, const BugState *state) {
    const int words = tables->board.words;
    int grow[2] = {0}, empty = 0;
    for (int i = 0; i < words; i++) {
        const uint64_t *set = state->set + i;
        const uint64_t free = tables->full[i] & ~(set[BUG_STONES * words] | set[(BUG_STONES + 1) * words]);
        empty += (int)bits_count(free);
        for (Side side = BLACK; side <= WHITE; side++) {
            const uint64_t once = set[(BUG_ONCE + side) * words], twice = set[(BUG_TWICE + side) * words];
            const uint64_t largest = set[(BUG_LARGEST + side) * words];
            grow[side] += (int)bits_count(free & ~twice & ~(once & largest));
        }
    }
    const float bonus = state->bonus ? (state->side == BLACK ? -bonus_cost : bonus_cost) : 0.0f;
    const float weight = judge_fading(empty > FULL_TO ? empty - FULL_TO : 0, HALVING);
    return cell_worth * weight * (float)(grow[BLACK] - grow[WHITE]) + bonus;
}
