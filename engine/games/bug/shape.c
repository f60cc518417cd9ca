/* See shape.h. */
#include "engine/games/bug/shape.h"

#include "engine/games/bug/bug.h"

enum { SPAN = 2 * BUG_MAX_SIZE - 1 };

/* Applies a map of the plane to a set of cells and moves the result to the edges of the first quadrant. Bit q of row r
 * is the cell (q, r). */
static void normal_form(const Hexhex *board, const uint64_t *set, int map, uint32_t rows[SPAN]) {
    int q[BUG_CELLS_MAX], r[BUG_CELLS_MAX], count = 0, min_q = SPAN, min_r = SPAN;
    for (int c = 0; c < board->cells; c++) {
        if (!(set[c >> 6] >> (c & 63) & 1))
            continue;
        const int image = board->symmetry[map][c]; /* the maps of the board are all the maps of a hexagonal grid */
        q[count] = board->q[image];
        r[count] = board->r[image];
        min_q = q[count] < min_q ? q[count] : min_q;
        min_r = r[count] < min_r ? r[count] : min_r;
        count++;
    }
    memset(rows, 0, SPAN * sizeof rows[0]);
    for (int i = 0; i < count; i++)
        rows[r[i] - min_r] |= 1u << (q[i] - min_q);
}

bool bug_congruent(const Hexhex *board, const uint64_t *a, const uint64_t *b) {
    uint32_t form_a[SPAN], form_b[SPAN];
    normal_form(board, b, 0, form_b);
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        normal_form(board, a, map, form_a);
        if (!memcmp(form_a, form_b, sizeof form_a))
            return true;
    }
    return false;
}
