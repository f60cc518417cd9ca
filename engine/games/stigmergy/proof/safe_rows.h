/* The closure of a side (safe_stones.h) on boards up to hexhex-4, all cells at once.
 *
 * The rows of the board stand eight bits apart in one word, sheared so that each of the six directions is one shift: a
 * step along a row is 1, to the next row 8, and to the next row on the other slant 7. At least one bit between two rows
 * belongs to neither, so that no line runs on. What a stone sees is then a Kogge-Stone fill, three doublings for lines
 * of seven cells (known from chess programs: Russell, "Fill algorithms", chessprogramming.org), and control of all
 * cells one sum of six bits. A round finds all moves of the side from scratch for what one stone costs with counters
 * that are kept up to date (engine/games/stigmergy/core.h), and a closure takes three to six rounds. */
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

/* The cells that see one of the stones some shifts down (`up`) or up from them. */
CORE_INLINE uint64_t safe_rows_see(uint64_t stones, uint64_t empty, int step, bool up) {
    uint64_t fill = stones | (empty & safe_rows_shift(stones, step, up));
    uint64_t open = empty & safe_rows_shift(empty, step, up);
    fill |= open & safe_rows_shift(fill, 2 * step, up);
    open &= safe_rows_shift(open, 2 * step, up);
    fill |= open & safe_rows_shift(fill, 4 * step, up);
    return safe_rows_shift(fill, step, up);
}

/* The ones and the carries of three sets added cell by cell. */
CORE_INLINE uint64_t safe_rows_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry) {
    *carry = (a & b) | (c & (a ^ b));
    return a ^ b ^ c;
}

/* The cells that a side with these stones controls: the sum of what a cell sees and where its counter starts is 4 or
 * more. Four carries are worth two each, and there are never more than three. */
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
