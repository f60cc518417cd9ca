/* The board of all games: hexhex-N, a hexagon of hexagons with N cells on each side.
 *
 * Cells have axial coordinates (q, r) with the centre at (0, 0) and |q|, |r|, |q+r| <= N-1. They are numbered row by
 * row from the top (r = -(N-1)), and from left to right in each row. So of two opposite directions, one always leads to
 * higher numbers, and the cell opposite c through the centre is cells-1-c.
 *
 * The name of a cell is a row letter (a is the bottom row) and a column number that counts from 1 at the left end of
 * the row. Hexhex-2 reads `c1 c2 / b1 b2 b3 / a1 a2`. */
#ifndef STIGMERGY_ENGINE_BOARD_HEXHEX_H
#define STIGMERGY_ENGINE_BOARD_HEXHEX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HEXHEX_MIN_SIZE = 2,
    HEXHEX_MAX_SIZE = 10,
    HEXHEX_MAX_CELLS = 271, /* 3N(N-1)+1 at N = 10 */
    HEXHEX_WORDS = 5,       /* 64-bit words in a set of cells at N = 10 */
    HEXHEX_DIRECTIONS = 6,  /* even ones lead to higher cell numbers; d^1 is opposite d */
    HEXHEX_SYMMETRIES = 12, /* 6 rotations, then a reflection followed by each; 0 is the identity */
    HEXHEX_NAME_SIZE = 5    /* room for "s10" and a terminator */
};

typedef struct Hexhex {
    int size, cells;
    int words;                                              /* in a set of cells: (cells + 63) / 64 */
    int8_t q[HEXHEX_MAX_CELLS], r[HEXHEX_MAX_CELLS];        /* axial coordinates */
    uint8_t degree[HEXHEX_MAX_CELLS];                       /* adjacent cells: 6, 4 (edge) or 3 (corner) */
    int16_t neighbour[HEXHEX_MAX_CELLS][HEXHEX_DIRECTIONS]; /* -1 off the board */
    int16_t symmetry[HEXHEX_SYMMETRIES][HEXHEX_MAX_CELLS];  /* where each map takes each cell */
} Hexhex;

/* The number of cells of a board with `size` cells on each side. */
static inline int hexhex_cell_count(int size) {
    return 3 * size * (size - 1) + 1;
}

/* What a step in a direction adds to q and to r. */
extern const int8_t hexhex_step_q[HEXHEX_DIRECTIONS], hexhex_step_r[HEXHEX_DIRECTIONS];

/* Fills in the tables of a board. `size` must be 2 to 10. */
void hexhex_init(Hexhex *board, int size);

/* The cell at (q, r), or -1 off the board. */
int hexhex_cell(const Hexhex *board, int q, int r);

/* Writes the name of the cell with a terminator, and returns its length without it. */
size_t hexhex_name(const Hexhex *board, int cell, char out[HEXHEX_NAME_SIZE]);

/* Reads a cell name (upper or lower case) at the start of `text`. *end then points behind the name. Returns -1, with
 * *end as it was or anywhere in `text`, if `text` does not start with a name, or if the cell is not on this board. More
 * digits or letters may follow the name (such as x for a flip). The caller must reject those that it does not expect.
 */
int hexhex_parse(const Hexhex *board, const char *text, const char **end);

/* The cell that the whole text names, or -1. */
int hexhex_named(const Hexhex *board, const char *text);

#ifdef __cplusplus
}
#endif

#endif
