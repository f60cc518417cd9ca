/* See board_text.h. */
#include "selfplay/record/board_text.h"

#include <stdlib.h>

/* Who controls each cell, as in GameRules.control. Nobody in a game without control. */
static void find_control(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    memset(out, 0, HEXHEX_MAX_CELLS);
    if (game->rules->control)
        game->rules->control(game, state, out);
}

/* A cell; if its stone may be flipped, a mark in the gap after it. */
static void print_cell(uint8_t stone, uint8_t control, bool last, FILE *out) {
    fputc(stone ? " BW"[stone] : ".bw"[control], out);
    if (stone && control == 3 - stone)
        fputc('x', out);
    else if (!last)
        fputc(' ', out);
}

/* The numbers of the columns that begin in the outermost row. They stand half a cell above or below it. */
static void print_columns(int size, FILE *out) {
    fprintf(out, "%*s", size + 2, "");
    for (int column = 1; column <= size; column++)
        fprintf(out, column < size ? "%-2d" : "%d\n", column);
}

static void print_cells(const Game *game, const GameState *state, FILE *out) {
    const Hexhex *board = &game->board;
    const int size = board->size;
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS];
    game->rules->stones(game, state, stones);
    find_control(game, state, control);
    int cell = 0;
    for (int r = -(size - 1); r < size; r++) {
        const int columns = 2 * size - 1 - abs(r);
        fprintf(out, "%*s%c ", abs(r), "", 'a' + size - 1 - r);
        for (int column = 0; column < columns; column++, cell++)
            print_cell(stones[cell], control[cell], r == 0 && column + 1 == columns, out);
        if (r != 0) /* the number of the column that begins here at the edge */
            fprintf(out, "%d", columns + 1);
        fputc('\n', out);
    }
}

static void print_button(const Game *game, const GameState *state, FILE *out) {
    static const char *const holders[] = {[BUTTON_NONE] = "none",
                                          [BUTTON_ON_TABLE] = "on the table",
                                          [BUTTON_BLACK] = "Black's",
                                          [BUTTON_WHITE] = "White's"};
    if (game->rules->button)
        fprintf(out, ", button: %s", holders[game->rules->button(state)]);
}

void board_text_score(const Game *game, const GameState *state, char out[16]) {
    GameResult result = game->rules->result(game, state);
    result.winner = game_colour(game, state, result.winner);
    if (result.half_points == 0)
        strcpy(out, "0");
    else
        game_format_result(game, result, out);
}

void board_text_print(const Game *game, const GameState *state, int komi, FILE *out) {
    const GameRules *rules = game->rules;
    print_columns(game->board.size, out);
    print_cells(game, state, out);
    print_columns(game->board.size, out);
    if (rules->over(state))
        fprintf(out, "The game is over");
    else
        fprintf(out, "%s to move", game_colour(game, state, rules->to_move(state)) == BLACK ? "Black" : "White");
    if (game->has_points) {
        int cells[2];
        rules->board_score(game, state, cells);
        fprintf(out, ", komi: %d", komi);
        print_button(game, state, out);
        fprintf(out, "\nBlack: %d cells, White: %d cells", cells[BLACK], cells[WHITE]);
    }
    if (game->has_points || rules->over(state)) {
        char score[16];
        board_text_score(game, state, score);
        fprintf(out, ", score: %s", score);
    }
    fprintf(out, "\n");
}
