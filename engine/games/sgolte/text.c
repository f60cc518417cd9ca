/* See text.h. A turn is read stone by stone on a copy of the position. So each error can say what the rules expect at
 * that point. */
#include "engine/games/sgolte/text.h"

#include <stdio.h>
#include <strings.h>

/* ---- Writing ---- */

static int stage_of(const Game *game, Action action) {
    return action / (64 * game->board.words);
}

static int cell_of(const Game *game, Action action) {
    return action % (64 * game->board.words);
}

void sgolte_format(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]) {
    sgolte_format_turn(game, state, &action, 1, out);
}

void sgolte_format_turn(const Game *game, const GameState *state, const Action *turn, int count,
                        char out[GAME_TEXT_MAX]) {
    (void)state;
    static const char before_first[] = {'\0', 'x', '>'};
    char *end = out;
    for (int i = 0, previous = SGOLTE_PLACE; i < count; i++) {
        if (turn[i] == sgolte_swap(game->board.words)) {
            strcpy(out, "swap");
            return;
        }
        const int stage = stage_of(game, turn[i]);
        if (stage != previous)
            *end++ = before_first[stage];
        else if (i > 0)
            *end++ = ',';
        end += hexhex_name(&game->board, cell_of(game, turn[i]), end);
        previous = stage;
    }
    *end = '\0';
}

/* ---- Reading ---- */

typedef struct Reader {
    const Game *game;
    GameState state; /* the position after the actions read so far */
    const char *text, *at;
    Action *turn;
    int count;
    Error *error;
} Reader;

static SgolteTurn where(const Reader *reader) {
    const GameState *state = &reader->state;
    return ((const SgolteState *)state)->turn;
}

static int stone_on(const Reader *reader, int cell) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    reader->game->rules->stones(reader->game, &reader->state, stones);
    return stones[cell];
}

/* Reads the name of a cell, and writes it in the form in which it is printed. */
static bool read_cell(Reader *reader, const char *what, int *cell, char name[HEXHEX_NAME_SIZE]) {
    const Hexhex *board = &reader->game->board;
    const char *end;
    *cell = hexhex_parse(board, reader->at, &end);
    if (*cell < 0 || (*end >= '0' && *end <= '9')) {
        char highest[HEXHEX_NAME_SIZE];
        hexhex_name(board, 0, highest);
        return error_set(reader->error, "'%.40s': expected %s, a cell of hexhex-%d (a1 to row %c)", reader->at, what,
                         board->size, highest[0]);
    }
    hexhex_name(board, *cell, name);
    reader->at = end;
    return true;
}

/* Takes the action if it is legal. Returns whether it is. */
static bool take(Reader *reader, SgolteStage stage, int cell) {
    const Game *game = reader->game;
    const Action action = sgolte_action(game->board.words, stage, cell);
    if (!game_is_legal(game, &reader->state, action))
        return false;
    game->rules->apply(game, &reader->state, action);
    reader->turn[reader->count++] = action;
    return true;
}

static bool read_placement(Reader *reader) {
    int cell;
    char name[HEXHEX_NAME_SIZE];
    const char *what = sgolte_may_swap(where(reader))
                           ? "swap or a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups)"
                           : "a placement (like c3, or c3xd4,d5>e1,e2 where it joins groups)";
    if (!read_cell(reader, what, &cell, name))
        return false;
    if (stone_on(reader, cell))
        return error_set(reader->error, "%s: there is a stone already, expected an empty cell", name);
    if (!take(reader, SGOLTE_PLACE, cell))
        return error_set(reader->error,
                         "%s: that joins groups, and no capture that splits an enemy group leaves room for its stones",
                         name);
    const bool done = reader->game->rules->turn_start(&reader->state);
    if (done && *reader->at)
        return error_set(reader->error, "%s joins no groups: expected the end of the turn after it, found '%.20s'",
                         name, reader->at);
    if (!done && *reader->at != 'x' && *reader->at != 'X')
        return error_set(reader->error, "%s joins groups: expected x and captures after it, found '%.20s'", name,
                         reader->at);
    reader->at += !done;
    return true;
}

/* Reports why a stone cannot be captured next. */
static bool refuse_capture(Reader *reader, int cell, const char *name) {
    const SgolteTurn turn = where(reader);
    const Side enemy = game_colour(reader->game, &reader->state, side_opponent(turn.side));
    if (stone_on(reader, cell) != 1 + enemy)
        return error_set(reader->error, "x%s: there is no enemy stone, expected a stone of an enemy group", name);
    return error_set(reader->error,
                     "x%s: expected a stone %sfrom which on the captures can split %s, with room for their stones",
                     name, turn.captured ? "of the same group " : "", turn.captured ? "it" : "an enemy group");
}

static bool read_captures(Reader *reader) {
    for (;;) {
        int cell;
        char name[HEXHEX_NAME_SIZE];
        if (!read_cell(reader, "a capture", &cell, name))
            return false;
        if (!take(reader, SGOLTE_CAPTURE, cell))
            return refuse_capture(reader, cell, name);
        const bool split = where(reader).stage == SGOLTE_REPLACE;
        if (split && *reader->at == ',')
            return error_set(reader->error, "x%s splits the group: expected > and re-placements, not another capture",
                             name);
        if (!split && *reader->at != ',')
            return error_set(reader->error, "x%s does not split the group yet: expected a comma and another capture",
                             name);
        if (split && *reader->at != '>')
            return error_set(reader->error, "x%s splits the group: expected > and %d re-placement%s, found '%.20s'",
                             name, where(reader).captured, where(reader).captured == 1 ? "" : "s", reader->at);
        reader->at++;
        if (split)
            return true;
    }
}

static bool read_replacements(Reader *reader) {
    const int wanted = where(reader).captured;
    for (int i = 1; i <= wanted; i++) {
        int cell;
        char name[HEXHEX_NAME_SIZE];
        if (!read_cell(reader, "a re-placement", &cell, name))
            return false;
        if (stone_on(reader, cell))
            return error_set(reader->error, ">%s: there is a stone already, expected an empty cell", name);
        if (!take(reader, SGOLTE_REPLACE, cell))
            return error_set(reader->error,
                             ">%s: that joins groups or leaves no room for the other stones, expected a re-placement "
                             "that does neither",
                             name);
        if (*reader->at != (i < wanted ? ',' : '\0'))
            return error_set(reader->error, "expected %d re-placement%s, as many as captures, found '%.20s' after %d",
                             wanted, wanted == 1 ? "" : "s", reader->at, i);
        reader->at += i < wanted;
    }
    return true;
}

int sgolte_parse(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX], Error *error) {
    Reader reader = {.game = game, .text = text, .at = text, .turn = turn, .error = error};
    if (game->rules->over(state)) {
        error_set(error, "the game is over");
        return -1;
    }
    if (!strcasecmp(text, "swap")) {
        turn[0] = sgolte_swap(game->board.words);
        if (game_is_legal(game, state, turn[0]))
            return 1;
        error_set(error, "swap: it may only answer Black's first stone, and only with the pie rule");
        return -1;
    }
    game_copy(game, &reader.state, state);
    const bool good = read_placement(&reader) && (where(&reader).stage != SGOLTE_CAPTURE || read_captures(&reader)) &&
                      (where(&reader).stage != SGOLTE_REPLACE || read_replacements(&reader));
    return good ? reader.count : -1;
}
