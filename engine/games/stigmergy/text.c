/* See text.h. */
#include "engine/games/stigmergy/text.h"

#include "engine/games/stigmergy/core.h"

#include <strings.h>

void stigmergy_format(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]) {
    (void)state;
    const int words = game->board.words;
    if (action == stigmergy_pass(words)) {
        strcpy(out, "pass");
    } else if (action == stigmergy_take_button(words)) {
        strcpy(out, "take-button");
    } else {
        const size_t length = hexhex_name(&game->board, action % (64 * words), out);
        if (action >= 64 * words)
            strcpy(out + length, "x");
    }
}

/* ---- Reading ---- */

/* The functions that read return as GameRules.parse does. */
typedef struct Reading {
    const Game *game;
    const StigmergyState *state;
    CoreMoves moves;
    const char *text;
    Error *error;
} Reading;

static int read_pass(const Reading *reading, Action *out) {
    *out = stigmergy_pass(reading->game->board.words);
    if (reading->moves.pass)
        return 1;
    error_set(reading->error, "pass: not allowed while %s",
              reading->moves.button ? "the button lies on the table" : "an empty cell is controlled by nobody");
    return -1;
}

static int read_button(const Reading *reading, Action *out) {
    *out = stigmergy_take_button(reading->game->board.words);
    if (reading->moves.button)
        return 1;
    error_set(reading->error, "take-button: %s",
              reading->state->button == BUTTON_NONE ? "this game has no button (only odd komi has one)"
                                                    : "the button has been taken already");
    return -1;
}

/* A stone on cell c, written with an x if `flip`. */
static int read_stone(const Reading *reading, int c, bool flip, Action *out) {
    static const char *const names[2] = {"Black", "White"};
    const StigmergyState *state = reading->state;
    const char *text = reading->text, *mover = names[state->side], *opponent = names[1 - state->side];
    const int words = reading->game->board.words;
    const bool own = core_has(state->plane + plane_stones(state->side, words), c);
    const bool enemy = core_has(state->plane + plane_stones(side_opponent(state->side), words), c);
    if (flip && !enemy)
        error_set(reading->error, "%s: there is no stone of %s to flip", text, opponent);
    else if (own)
        error_set(reading->error, "%s: %s has a stone there already", text, mover);
    else if (enemy && !core_has(reading->moves.flip, c))
        error_set(reading->error, "%s: %s does not control that cell, so the stone cannot be flipped", text, mover);
    else if (!enemy && !core_has(reading->moves.place, c))
        error_set(reading->error, "%s: %s controls that cell", text, opponent);
    else {
        *out = (Action)(enemy ? 64 * words + c : c);
        return 1;
    }
    return -1;
}

static int not_a_move(const Reading *reading) {
    const Hexhex *board = &reading->game->board;
    char highest[HEXHEX_NAME_SIZE];
    hexhex_name(board, 0, highest);
    error_set(reading->error, "'%.40s' is not a move: expected a cell of hexhex-%d (a1 to row %c), a cell with an x%s",
              reading->text, board->size, highest[0],
              reading->state->button == BUTTON_NONE ? ", or pass" : ", pass or take-button");
    return -1;
}

int stigmergy_parse(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX],
                    Error *error) {
    Reading reading = {.game = game, .state = (const StigmergyState *)state, .text = text, .error = error};
    if (game->rules->over(state)) {
        error_set(error, "the game is over");
        return -1;
    }
    stigmergy_core_moves(stigmergy_tables(game), reading.state, &reading.moves);
    if (!strcasecmp(text, "pass"))
        return read_pass(&reading, turn);
    if (!strcasecmp(text, "take-button"))
        return read_button(&reading, turn);
    const char *end = text;
    const int c = hexhex_parse(&game->board, text, &end);
    const bool flip = c >= 0 && (*end == 'x' || *end == 'X');
    return c < 0 || end[flip] != '\0' ? not_a_move(&reading) : read_stone(&reading, c, flip, turn);
}
