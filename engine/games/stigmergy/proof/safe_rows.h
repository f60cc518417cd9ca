/* The closure of a side (safe_stones_internal.h) on boards up to hexhex-4, for all cells at once.
 *
 * The rows of the board are eight bits apart in one word, sheared so that a step in each of the six directions is one
 * shift: 1 along a row, 8 to the next row, and 7 to the next row on the other slant. Between two rows at least one bit
 * belongs to neither, so that no line runs on into the next row. The cells that see a stone are then found by a
 * Kogge-Stone fill with three doublings, enough for lines of seven cells (known from chess programs: Russell, "Fill
 * algorithms", chessprogramming.org). Control of all cells is one sum of six bits. A round finds all moves of a side
 * from scratch in the time that one stone takes with counters that are kept up to date (engine/games/stigmergy/core.h).
 * A closure takes three to six rounds. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_ROWS_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_SAFE_ROWS_H

#include "engine/games/stigmergy/core.h"

/* The set of cells that was spread to the rows (core_rows_spread). */
CORE_INLINE uint64_t safe_rows_gather(const CoreRows *rows, uint64_t spread) {
    uint64_t set = 0;
    for (int i = 0; i < CORE_ROWS; i++)
        set |= spread >> rows->shift[i] & rows->cells[i];
    return set;
}

CORE_INLINE uint64_t safe_rows_shift(uint64_t set, int by, bool up) {
    return up ? set << by : set >> by;
}

/* The cells that see a stone along one line in one direction: a stone below them (`up`), or above them. `step` is the
 * shift of one cell on that line. */
CORE_INLINE uint64_t safe_rows_see(uint64_t stones, uint64_t empty, int step, bool up) {
    uint64_t fill = stones | (empty & safe_rows_shift(stones, step, up));
    uint64_t open = empty & safe_rows_shift(empty, step, up);
    fill |= open & safe_rows_shift(fill, 2 * step, up);
    open &= safe_rows_shift(open, 2 * step, up);
    fill |= open & safe_rows_shift(fill, 4 * step, up);
    return safe_rows_shift(fill, step, up);
}

/* Adds three sets cell by cell: returns the ones, and gives the carries. */
CORE_INLINE uint64_t safe_rows_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry) {
    *carry = (a & b) | (c & (a ^ b));
    return a ^ b ^ c;
}

/* The cells that a side with these stones controls: those where what a cell sees and the start of its counter add up to
 * 4 or more. There are four carries worth two each, never more than three of them at once. */
CORE_INLINE uint64_t safe_rows_control(const CoreRows *rows, uint64_t stones, uint64_t empty) {
    uint64_t carry[3];
    const uint64_t up = safe_rows_add(safe_rows_see(stones, empty, 1, true), safe_rows_see(stones, empty, 7, true),
                                      safe_rows_see(stones, empty, 8, true), &carry[0]);
    const uint64_t down = safe_rows_add(safe_rows_see(stones, empty, 1, false), safe_rows_see(stones, empty, 7, false),
                                        safe_rows_see(stones, empty, 8, false), &carry[1]);
    safe_rows_add(up, down, rows->start[0], &carry[2]);
    const uint64_t either = carry[2] | rows->start[1], both = carry[2] & rows->start[1];
    return (carry[0] & carry[1]) | ((carry[0] | carry[1]) & either) | both;
}

/* The stones of the side that has `own` on its closure. */
CORE_INLINE uint64_t safe_rows_reach(const CoreRows *rows, uint64_t own, uint64_t enemy) {
    uint64_t mine = core_rows_spread(rows, own), theirs = core_rows_spread(rows, enemy);
    for (;;) {
        const uint64_t empty = rows->full & ~(mine | theirs);
        const uint64_t place = empty & ~safe_rows_control(rows, theirs, empty);
        const uint64_t flip = theirs & safe_rows_control(rows, mine, empty);
        if (!(place | flip))
            return safe_rows_gather(rows, mine);
        mine |= place | flip;
        theirs &= ~flip;
    }
}

#endif
