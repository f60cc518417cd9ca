/* See board.h. */
#include "tools/play/board.h"

#include <stdlib.h>

/* Signs of a cell: empty, Black's and White's stone, empty and controlled by Black or White, empty and fifth. */
enum { EMPTY, STONE_BLACK, STONE_WHITE, CONTROL_BLACK, CONTROL_WHITE, EMPTY_FIFTH, SIGNS };

enum { FIFTHS_FROM = 6, LINES_BESIDE = 3 /* the score, the last news, the prompt */ };

static const char *const ascii_signs[SIGNS] = {".", "B", "W", "b", "w", "+"};
static const char *const plain_signs[SIGNS] = {"·", "●", "○", "▪", "▫", "+"};

/* With colours the board has the colour of wood, whatever the terminal's own colours are, and stones of both colours
 * are filled discs. */
static const char *const colour_signs[SIGNS] = {"·", "●", "●", "▪", "▪", "+"};
static const char *const colours[SIGNS] = {"38;5;94", "38;5;16", "38;5;231", "38;5;16", "38;5;231", "38;5;94"};
static const char wood[] = "\033[48;5;179m", reset[] = "\033[0m";

static void print_sign(int sign, PlayStyle style, FILE *out) {
    const char *text = !style.unicode ? ascii_signs[sign] : style.colour ? colour_signs[sign] : plain_signs[sign];
    if (style.colour)
        fprintf(out, "\033[%sm%s", colours[sign], text);
    else
        fputs(text, out);
}

/* The sign of the cell with this number (from 0) in its row. */
static int sign_of(const Game *game, int number, int stone, int control) {
    if (stone)
        return stone;
    if (control)
        return control + 2;
    return game->board.size >= FIFTHS_FROM && number % 5 == 4 ? EMPTY_FIFTH : EMPTY;
}

/* The gap between two cells: it shows marks of the cell to its left and of the cell to its right. */
static void print_gap(bool flippable, bool ends, bool begins, PlayStyle style, FILE *out) {
    if (style.colour)
        fputs("\033[38;5;160m", out);
    fputc(flippable ? 'x' : begins ? '(' : ends ? ')' : ' ', out);
}

/* The numbers of the columns that begin at the outermost row, half a cell above or below it. */
static void print_columns(int size, FILE *out) {
    fprintf(out, "%*s", size + 4, "");
    for (int column = 1; column <= size; column++)
        fprintf(out, column < size ? "%-2d" : "%d\n", column);
}

int play_board_columns(const Game *game) {
    return 4 * game->board.size + 4;
}

int play_board_lines(const Game *game) {
    return 2 * game->board.size - 1 + 2 /* numbers of columns */ + LINES_BESIDE;
}

void play_board_draw(const Game *game, const GameState *state, const GameState *before, PlayStyle style, FILE *out) {
    const int size = game->board.size;
    uint8_t stones[HEXHEX_MAX_CELLS], old[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS] = {0};
    game->rules->stones(game, state, stones);
    game->rules->stones(game, before ? before : state, old);
    if (game->rules->control)
        game->rules->control(game, state, control);
    int cell = 0;
    print_columns(size, out);
    for (int r = -(size - 1); r < size; r++) {
        const int columns = 2 * size - 1 - abs(r);
        fprintf(out, "%*s%c %s", abs(r) + 1, "", 'a' + size - 1 - r, style.colour ? wood : "");
        bool flippable = false, ends = false;
        for (int column = 0; column < columns; column++, cell++) {
            const bool changed = old[cell] != stones[cell];
            print_gap(flippable, ends, changed, style, out);
            print_sign(sign_of(game, column, stones[cell], control[cell]), style, out);
            flippable = stones[cell] && control[cell] == 3 - stones[cell];
            ends = changed;
        }
        if (flippable || ends || style.colour || r != 0)
            print_gap(flippable, ends, false, style, out);
        fputs(style.colour ? reset : "", out);
        if (r != 0) /* the column that begins here at the edge */
            fprintf(out, " %d", columns + 1);
        fputc('\n', out);
    }
    print_columns(size, out);
}

/* A sign outside the board. */
static void print_lone_sign(int sign, PlayStyle style, FILE *out) {
    fputs(style.colour ? wood : "", out);
    print_sign(sign, style, out);
    fputs(style.colour ? reset : "", out);
}

void play_board_legend(const Game *game, PlayStyle style, FILE *out) {
    print_lone_sign(STONE_BLACK, style, out);
    fputs(" Black, ", out);
    print_lone_sign(STONE_WHITE, style, out);
    fputs(" White", out);
    if (game->rules->control) {
        fputs(", ", out);
        print_lone_sign(CONTROL_BLACK, style, out);
        fputc(' ', out);
        print_lone_sign(CONTROL_WHITE, style, out);
        fputs(" cells they control, x may be flipped", out);
    }
    fputs(", ( ) last turn.\n", out);
    if (game->board.size >= FIFTHS_FROM)
        fputs("+ is every fifth cell of a row, to count by.\n", out);
}
