/* See core.h. */
#include "engine/games/stigmergy/core.h"

static void init_cells(StigmergyTables *tables, const Hexhex *board) {
    const int words = board->words;
    for (int c = 0; c < board->cells; c++) {
        const uint64_t bit = 1ull << (c & 63);
        const int bias = board->degree[c] == 6 ? 0 : board->degree[c] == 4 ? 1 : 2;
        tables->full[c >> 6] |= bit;
        if (bias)
            tables->start[bias - 1][c >> 6] |= bit;
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            uint64_t *ray = tables->ray + (size_t)((c * CORE_RAYS + d) * words);
            for (int at = board->neighbour[c][d]; at >= 0; at = board->neighbour[at][d])
                ray[at >> 6] |= 1ull << (at & 63);
        }
    }
}

static void init_lines(StigmergyTables *tables, const Hexhex *board) {
    const size_t words = (size_t)board->words;
    uint64_t *prefix = tables->prefix;
    int row = 0, line = 0;
    for (int axis = 0; axis < CORE_AXES; axis++) {
        int number = 0;
        for (int first = 0; first < board->cells; first++) {
            if (board->neighbour[first][2 * axis + 1] >= 0)
                continue;
            int at = 0;
            for (int c = first; c >= 0; c = board->neighbour[c][2 * axis], at++) {
                tables->line[c][axis] = (CoreLine){(uint16_t)row++, (uint8_t)line, (uint8_t)at};
                tables->lane_line[axis][c] = (uint8_t)number;
                tables->lane_set[axis][c >> 6][number] |= 1ull << (c & 63);
                memcpy(prefix + words, prefix, words * sizeof *prefix);
                prefix += words;
                prefix[c >> 6] |= 1ull << (c & 63);
            }
            tables->line_end[line++] = 1u << (at - 1);
            number++;
        }
        row++; /* the row of the full board; each axis begins with an empty row */
        prefix += words;
    }
}

static void init_cell_lines(StigmergyTables *tables, const Hexhex *board) {
    for (int c = 0; c < board->cells; c++)
        for (int axis = 0; axis < CORE_AXES; axis++) {
            uint64_t *line = tables->cell_line + (size_t)((c * CORE_AXES + axis) * board->words);
            for (int i = 0; i < board->words; i++)
                line[i] = tables->lane_set[axis][i][tables->lane_line[axis][c]];
        }
}

/* A cell is bit 8 * row + column of the word. Both count from 0, and the column is the axial one. */
static void init_rows(StigmergyTables *tables, const Hexhex *board) {
    const int reach = board->size - 1;
    CoreRows *rows = &tables->rows;
    if (2 * reach + 1 > CORE_ROWS)
        return;
    for (int c = 0; c < board->cells; c++) {
        const int row = board->r[c] + reach;
        rows->cells[row] |= 1ull << c;
        rows->shift[row] = 8 * row + board->q[c] + reach - c;
    }
    rows->full = core_rows_spread(rows, tables->full[0]);
    for (int i = 0; i < 2; i++)
        rows->start[i] = core_rows_spread(rows, tables->start[i][0]);
}

void stigmergy_core_init(StigmergyTables *tables, const Hexhex *board) {
    tables->cells = board->cells;
    tables->words = board->words;
    init_cells(tables, board);
    init_lines(tables, board);
    init_cell_lines(tables, board);
    init_rows(tables, board);
}

void stigmergy_core_moves(const StigmergyTables *tables, const StigmergyState *state, CoreMoves *moves) {
    const int words = tables->words;
    const Side side = state->side, opponent = side_opponent(side);
    const uint64_t *own = state->plane + plane_stones(side, words);
    const uint64_t *enemy = state->plane + plane_stones(opponent, words);
    const uint64_t *own_control = state->plane + plane_control(side, words);
    const uint64_t *enemy_control = state->plane + plane_control(opponent, words);
    uint64_t neutral = 0; /* not 0 iff there are empty cells that nobody controls */
    for (int i = 0; i < words; i++) {
        moves->place[i] = tables->full[i] & ~(own[i] | enemy[i] | enemy_control[i]);
        moves->flip[i] = enemy[i] & own_control[i];
        neutral |= moves->place[i] & ~own_control[i];
    }
    moves->button = state->button == BUTTON_ON_TABLE;
    moves->pass = !neutral && !moves->button;
}
