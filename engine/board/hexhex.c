/* See hexhex.h. */
#include "engine/board/hexhex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int8_t hexhex_step_q[HEXHEX_DIRECTIONS] = {1, -1, 0, 0, -1, 1};
const int8_t hexhex_step_r[HEXHEX_DIRECTIONS] = {0, 0, 1, -1, 1, -1};

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* The number of the first cell of row r. Each row above it holds 2N-1-|row| cells. */
static int row_start(int size, int r) {
    int start = 0;
    for (int row = -(size - 1); row < r; row++)
        start += 2 * size - 1 - abs(row);
    return start;
}

int hexhex_cell(const Hexhex *board, int q, int r) {
    const int limit = board->size - 1;
    if (abs(q) > limit || abs(r) > limit || abs(q + r) > limit)
        return -1;
    const int leftmost = -limit - smaller(r, 0);
    return row_start(board->size, r) + q - leftmost;
}

/* Where map number `map` takes the cell (q, r). A rotation by 60 degrees takes (q, r) to (-r, q+r). The reflection
 * swaps q and r. */
static int mapped_cell(const Hexhex *board, int map, int q, int r) {
    if (map >= 6) {
        const int swap = q;
        q = r;
        r = swap;
    }
    for (int turn = map % 6; turn > 0; turn--) {
        const int turned_q = -r;
        r = q + r;
        q = turned_q;
    }
    return hexhex_cell(board, q, r);
}

void hexhex_init(Hexhex *board, int size) {
    memset(board, 0, sizeof *board);
    board->size = size;
    board->cells = hexhex_cell_count(size);
    board->words = (board->cells + 63) / 64;
    int cell = 0;
    for (int r = -(size - 1); r < size; r++)
        for (int q = -(size - 1) - smaller(r, 0); abs(q) < size && abs(q + r) < size; q++) {
            board->q[cell] = (int8_t)q;
            board->r[cell++] = (int8_t)r;
        }
    for (cell = 0; cell < board->cells; cell++) {
        const int q = board->q[cell], r = board->r[cell];
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            const int next = hexhex_cell(board, q + hexhex_step_q[d], r + hexhex_step_r[d]);
            board->neighbour[cell][d] = (int16_t)next;
            if (next >= 0)
                board->degree[cell]++;
        }
        for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
            board->symmetry[map][cell] = (int16_t)mapped_cell(board, map, q, r);
    }
}

size_t hexhex_name(const Hexhex *board, int cell, char out[HEXHEX_NAME_SIZE]) {
    const int r = board->r[cell];
    const int row = board->size - 1 - r, column = cell - row_start(board->size, r) + 1;
    return (size_t)snprintf(out, HEXHEX_NAME_SIZE, "%c%d", (char)('a' + row % 26), column % 100);
}

int hexhex_parse(const Hexhex *board, const char *text, const char **end) {
    const int letter = *text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text;
    const int row = letter - 'a', r = board->size - 1 - row;
    if (row < 0 || abs(r) >= board->size || text[1] < '1' || text[1] > '9')
        return -1;
    int column = text[1] - '0';
    *end = text + 2;
    if (**end >= '0' && **end <= '9')
        column = 10 * column + *(*end)++ - '0';
    if (column > 2 * board->size - 1 - abs(r))
        return -1;
    return row_start(board->size, r) + column - 1;
}

int hexhex_named(const Hexhex *board, const char *text) {
    const char *end = text;
    const int cell = hexhex_parse(board, text, &end);
    return *end ? -1 : cell;
}
