/* See prior.h.
 *
 * Each action is taken on a copy of the position. Four things are counted before and after: the groups of either side,
 * and for either side the empty cells that touch none of its stones. A player wants few own groups and many enemy
 * groups, because a cell that touches two groups is closed to their owner. And the own stones should reach everywhere.
 * A logit is the weighted sum of the changes.
 *
 * The weights were fitted to the shares of visits in searches (engine/games/sgolte/MEASUREMENTS.md). */
#include "engine/games/sgolte/prior.h"

/* In tenths. "Far": empty cells that touch none of the side's groups. */
enum { PRIOR_OWN_GROUP = -28, PRIOR_OWN_FAR = -7, PRIOR_ENEMY_GROUP = 8, PRIOR_ENEMY_FAR = 10 };

static int far_cells(const SgolteTables *tables, const SgolteBoard *board, Side side) {
    const SgolteGroups *groups = &board->groups[side];
    CellSet near = 0;
    for (int i = 0; i < groups->count; i++)
        near |= groups->near[i];
    return set_count(sgolte_empty(tables, board) & ~near);
}

/* The standing of a side: the weighted sum of the four counts. */
static int standing(const SgolteTables *tables, const SgolteBoard *board, Side side) {
    const Side enemy = side_opponent(side);
    return PRIOR_OWN_GROUP * board->groups[side].count + PRIOR_ENEMY_GROUP * board->groups[enemy].count +
           PRIOR_OWN_FAR * far_cells(tables, board, side) + PRIOR_ENEMY_FAR * far_cells(tables, board, enemy);
}

void sgolte_priors(const Game *game, const GameState *state, const Action *actions, int count, float *logits) {
    const SgolteTables *tables = sgolte_tables(game);
    SgolteBoard board, after;
    sgolte_load(tables, (const SgolteState *)state, &board);
    const Side side = (Side)board.turn.side;
    const int before = standing(tables, &board, side);
    for (int i = 0; i < count; i++) {
        const int c = actions[i] % (64 * tables->words);
        if (actions[i] == sgolte_swap(tables->words)) { /* the last action: as good as the best of the others */
            logits[i] = i > 0 ? logits[0] : 0;
            for (int other = 1; other < i; other++)
                logits[i] = logits[other] > logits[i] ? logits[other] : logits[i];
            continue;
        }
        after = board;
        if (board.turn.stage == SGOLTE_PLACE)
            sgolte_place(tables, &after, c);
        else if (board.turn.stage == SGOLTE_CAPTURE)
            sgolte_capture(tables, &after, c);
        else
            sgolte_replace(tables, &after, c);
        logits[i] = 0.1f * (float)(standing(tables, &after, side) - before);
    }
}
