/* The functions of a kernel of Bug (see BugKernel): setting up positions, single steps, static evaluation, where a turn
 * may begin, playouts. The file that includes this one defines BUG_WORDS and a name for the kernel, and is compiled for
 * its processor.
 *
 * A playout takes random actions. Of the `count` legal actions, in ascending order, it takes number rng_below(count).
 * All policies are the same (engine/games/bug/MEASUREMENTS.md lists what was tried). */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_PLAYOUT_H
#define STIGMERGY_ENGINE_GAMES_BUG_PLAYOUT_H

#include "engine/base/rng.h"
#include "engine/games/bug/static_eval.h"

/* Adds all bugs of a side, cell by cell, without their rivals. */
INLINE void bug_add_bugs(const BugTables *tables, BugPosition *position, BugCells stones, Side side) {
    while (stones) {
        Bug bug = {0};
        const BugCells cells = bug_flood(tables, stones, bug_lowest(stones)).cells;
        stones &= ~cells;
        for (BugCells rest = cells; rest; rest &= rest - 1)
            bug_grow(tables, position, &bug, bug_lowest(rest), side);
    }
}

static void bug_kernel_set_up(const BugTables *tables, BugState *state, const uint64_t *const stones[2], Side side,
                              bool bonus) {
    BugPosition position = {.side = side, .bonus = bonus};
    for (Side owner = BLACK; owner <= WHITE; owner++)
        bug_add_bugs(tables, &position, bug_cells(stones[owner]), owner);
    const Bug none = {0};
    bug_renew_rivals(tables, &position, &none, position.stones[side]);
    if (!bonus)
        position.moves = bug_grow_cells(tables, &position, side);
    bug_store(&position, state);
}

static void bug_kernel_step(const BugTables *tables, BugState *state, int cell) {
    BugPosition position;
    bug_load(&position, state);
    bug_step(tables, &position, cell);
    bug_store(&position, state);
}

static void bug_kernel_swap(BugState *state) {
    BugPosition position;
    bug_load(&position, state);
    bug_change_hands(&position);
    bug_store(&position, state);
}

static float bug_kernel_static_eval(const BugTables *tables, const BugState *state) {
    BugPosition position;
    bug_load(&position, state);
    return bug_static_eval(tables, &position);
}

static void bug_kernel_places(const BugTables *tables, const BugState *state, Side side, uint8_t *closed,
                              uint8_t *captures) {
    BugPosition before;
    bug_load(&before, state);
    before.side = side;
    before.bonus = false;
    const BugCells open = bug_grow_cells(tables, &before, side);
    for (BugCells rest = open; rest; rest &= rest - 1) {
        const int c = bug_lowest(rest);
        BugPosition after = before;
        bug_step(tables, &after, c);
        closed[c] = (uint8_t)(bug_count(open) - bug_count(bug_grow_cells(tables, &after, side)));
        captures[c] = after.bonus;
    }
}

typedef struct BugPlayout {
    BugPosition position;
    Rng rng;
    BugCells played[2][2]; /* by side and stage */
    int length;
} BugPlayout;

/* Takes one of `count` actions. The first are stones on position->moves. Returns false if it drew another action after
 * those, which it does not take. */
INLINE bool bug_act(const BugTables *tables, BugPlayout *playout, uint32_t count) {
    BugPosition *position = &playout->position;
    const uint32_t number = rng_below(&playout->rng, count);
    playout->length++;
    if (number >= bug_count(position->moves))
        return false;
    const int c = bug_select(position->moves, number);
    playout->played[position->side][position->bonus] |= bug_cell(c);
    bug_step(tables, position, c);
    return true;
}

/* Plays until the second player has decided whether to swap. Returns whether it did. */
static inline bool bug_play_pie(const BugTables *tables, BugPlayout *playout) {
    BugPosition *position = &playout->position;
    while (position->side == BLACK)
        bug_act(tables, playout, bug_count(position->moves));
    if (bug_act(tables, playout, bug_count(position->moves) + 1))
        return false;
    bug_change_hands(position);
    return true;
}

static inline void bug_playout(const BugTables *tables, const BugState *from, uint64_t seed, PlayoutResult *result) {
    BugPlayout playout = {.rng = rng_seed(seed)};
    BugPosition *position = &playout.position;
    bug_load(position, from);
    const bool swapped = from->pie && bug_play_pie(tables, &playout);
    for (uint32_t count; (count = bug_count(position->moves)) > 0;)
        bug_act(tables, &playout, count);
    result->half_points = position->side == BLACK ? 1 : -1;
    result->length = (uint16_t)playout.length;
    for (int side = 0; side < 2; side++) {
        memcpy(result->played[side], playout.played[side], sizeof playout.played[side]);
        result->played[side][2 * BUG_WORDS] = swapped && side == WHITE;
    }
    memcpy(result->black_owns, &position->stones[BLACK], sizeof position->stones[BLACK]);
}

static void bug_kernel_playouts(const BugTables *tables, const GameState *const *states, const uint64_t *seeds,
                                int count, PlayoutPolicy policy, PlayoutResult *results) {
    (void)policy;
    for (int i = 0; i < count; i++)
        bug_playout(tables, (const BugState *)states[i], seeds[i], &results[i]);
}

#define BUG_KERNEL(name, runs_here)                                                                                    \
    {                                                                                                                  \
        name, runs_here, bug_kernel_set_up, bug_kernel_step, bug_kernel_swap, bug_kernel_static_eval,                  \
            bug_kernel_places, bug_kernel_playouts                                                                     \
    }

#endif
