/* See prior.h.
 *
 * Each action is taken on a copy of the position, and four things are counted: the groups of either side and the empty
 * cells that touch none of a side's stones. Few groups of one's own are wanted and many of the enemy's, for a cell that
 * touches two is closed to its owner; and the own stones should reach everywhere. A logit is the weighted sum of the
 * changes.
 *
 * The weights were fitted by maximum likelihood to the shares of visits of 4,200 searches of 150 simulations in games
 * of hexhex-4, as in engine/games/stigmergy/prior.h. More counts (cells open to one side only, to both, groups of one
 * stone, of four or more, the largest group, stones) made the fit better by less than a tenth of what these four do. */
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

/* The standing of a side: the weighted sum of what is on the board. */
static int standing(const SgolteTables *tables, const SgolteBoard *board, Side side) {
    const Side enemy = side_opponent(side);
    return PRIOR_OWN_GROUP * board->groups[side].count + PRIOR_ENEMY_GROUP * board->groups[enemy].count +
           PRIOR_OWN_FAR * far_cells(tables, board, side) + PRIOR_ENEMY_FAR * far_cells(tables, board, enemy);
}

void sgolte_priors(const SgolteTables *tables, const SgolteState *state, const Action *actions, int count,
                   float *logits) {
    const Side side = (Side)state->turn.side;
    SgolteBoard board, after;
    sgolte_load(tables, state, &board);
    const int before = standing(tables, &board, side);
    for (int i = 0; i < count; i++) {
        const int c = actions[i] % (64 * tables->words);
        if (actions[i] == sgolte_swap(tables->words)) { /* the last one: as good as the best of the others */
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
