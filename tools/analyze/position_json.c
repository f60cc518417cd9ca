/* See position_json.h. */
#include "tools/analyze/position_json.h"

#include "selfplay/record/board_text.h"

static const char *colour_name(Side colour) {
    return colour == BLACK ? "B" : "W";
}

static void write_letters(JsonWriter *out, const char *key, const uint8_t *values, int cells) {
    char text[HEXHEX_MAX_CELLS + 1];
    for (int c = 0; c < cells; c++)
        text[c] = ".BW"[values[c]];
    text[cells] = '\0';
    json_write_string(out, key, text);
}

/* ---- What may be done ---- */

/* What an action does to the stone on its cell. */
static const char *effect_of(const GameLine *line, Action action, int cell, const uint8_t *before) {
    uint8_t after[HEXHEX_MAX_CELLS];
    GameState state;
    game_copy(line->game, &state, &line->end);
    line->game->rules->apply(line->game, &state, action);
    line->game->rules->stones(line->game, &state, after);
    if (!before[cell])
        return after[cell] ? "place" : "other";
    return !after[cell] ? "remove" : after[cell] != before[cell] ? "flip" : "other";
}

/* The cell that the text of an action names (c3, c3x, xc3), or -1. */
static int cell_of(const Hexhex *board, const char *text) {
    const char *end;
    for (; *text; text++) {
        const int cell = hexhex_parse(board, text, &end);
        if (cell >= 0)
            return *end == '\0' || !strcmp(end, "x") ? cell : -1;
    }
    return -1;
}

/* Writes the legal actions, and marks the cells that have one. */
static void write_legal(JsonWriter *out, const GameLine *line, const uint8_t *stones, bool has_action[]) {
    const Game *game = line->game;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->over(&line->end) ? 0 : game->rules->legal(game, &line->end, legal);
    json_begin_array(out, "legal");
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        game->rules->format(game, &line->end, legal[i], text);
        const int cell = cell_of(&game->board, text);
        json_begin_object(out, NULL);
        json_write_string(out, "action", text);
        if (cell >= 0) {
            has_action[cell] = true;
            json_write_int(out, "cell", cell);
            json_write_string(out, "effect", effect_of(line, legal[i], cell, stones));
        } else {
            json_write_null(out, "cell");
        }
        json_end_object(out);
    }
    json_end_array(out);
}

/* Why the other cells cannot be played, in the words of the rules. */
static void write_forbidden(JsonWriter *out, const GameLine *line, const bool has_action[]) {
    const Game *game = line->game;
    json_begin_object(out, "forbidden");
    for (int c = 0; c < game->board.cells && !game->rules->over(&line->end); c++) {
        if (has_action[c])
            continue;
        char name[HEXHEX_NAME_SIZE], key[12];
        Action turn[GAME_TURN_MAX];
        Error reason;
        hexhex_name(&game->board, c, name);
        error_set(&reason, "%s: the turn goes on with one of the marked cells", name);
        if (game->rules->turn_start(&line->end))
            game->rules->parse(game, &line->end, name, turn, &reason);
        snprintf(key, sizeof key, "%d", c);
        json_write_string(out, key, reason.text);
    }
    json_end_object(out);
}

/* ---- What there is to see ---- */

static void write_changed(JsonWriter *out, const GameLine *line, const uint8_t *stones) {
    const Game *game = line->game;
    json_begin_array(out, "changed");
    const int from = line->unfinished_count > 0 ? line->turns : line->turns - 1;
    if (from >= 0) {
        uint8_t before[HEXHEX_MAX_CELLS];
        game->rules->stones(game, &line->states[from], before);
        for (int c = 0; c < game->board.cells; c++)
            if (before[c] != stones[c])
                json_write_int(out, NULL, c);
    }
    json_end_array(out);
}

static void write_sight(JsonWriter *out, const GameLine *line) {
    const Game *game = line->game;
    if (!game->rules->sight) {
        json_write_null(out, "sight");
        return;
    }
    json_begin_array(out, "sight");
    for (int c = 0; c < game->board.cells; c++) {
        int16_t seen[HEXHEX_DIRECTIONS];
        int needed;
        const int count = game->rules->sight(game, &line->end, c, seen, &needed);
        json_begin_object(out, NULL);
        json_write_int(out, "needed", needed);
        json_begin_array(out, "seen");
        for (int i = 0; i < count; i++)
            json_write_int(out, NULL, seen[i]);
        json_end_array(out);
        json_end_object(out);
    }
    json_end_array(out);
}

static void write_score(JsonWriter *out, const GameLine *line) {
    const GameRules *rules = line->game->rules;
    const bool over = rules->over(&line->end);
    if (!line->game->has_points && !over) {
        json_write_null(out, "score");
        return;
    }
    char text[16];
    json_begin_object(out, "score");
    if (line->game->has_points) {
        int cells[2];
        rules->board_score(line->game, &line->end, cells);
        json_write_int(out, "black", cells[BLACK]);
        json_write_int(out, "white", cells[WHITE]);
    }
    board_text_score(line->game, &line->end, text);
    json_write_string(out, "text", text);
    if (over) {
        const Side winner = rules->result(line->game, &line->end).winner;
        json_write_string(out, "winner", colour_name(game_colour(line->game, &line->end, winner)));
    }
    json_end_object(out);
}

static void write_button(JsonWriter *out, const GameLine *line) {
    static const char *const names[] = {NULL, "table", "B", "W"};
    const int button = line->game->rules->button ? line->game->rules->button(&line->end) : 0;
    if (names[button])
        json_write_string(out, "button", names[button]);
    else
        json_write_null(out, "button");
}

/* The turn that the actions after the last whole turn make, where they make one. */
static void write_completed(JsonWriter *out, const GameLine *line) {
    const Game *game = line->game;
    const bool whole = game->rules->turn_start(&line->end) || game->rules->over(&line->end);
    if (line->unfinished_count == 0 || !whole) {
        json_write_null(out, "completed");
        return;
    }
    GameState state;
    char text[GAME_TEXT_MAX];
    game_copy(game, &state, &line->states[line->turns]);
    game_format_turn(game, &state, line->unfinished, line->unfinished_count, text);
    json_write_string(out, "completed", text);
}

void position_write(JsonWriter *out, const GameLine *line) {
    const Game *game = line->game;
    const GameRules *rules = game->rules;
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS];
    bool has_action[HEXHEX_MAX_CELLS] = {false};
    rules->stones(game, &line->end, stones);
    json_begin_object(out, NULL);
    json_write_string(out, "game", game->name);
    json_write_int(out, "size", game->board.size);
    json_write_int(out, "komi", line->komi);
    json_begin_array(out, "turns");
    for (int i = 0; i < line->turns; i++)
        json_write_string(out, NULL, line->texts[i]);
    json_end_array(out);
    json_write_string(out, "toMove", colour_name(game_colour(game, &line->end, rules->to_move(&line->end))));
    json_write_bool(out, "swapped", game_colour(game, &line->end, BLACK) == WHITE);
    json_write_bool(out, "over", rules->over(&line->end));
    json_write_bool(out, "withinTurn", !rules->turn_start(&line->end) && !rules->over(&line->end));
    write_completed(out, line);
    write_letters(out, "stones", stones, game->board.cells);
    if (rules->control) {
        rules->control(game, &line->end, control);
        write_letters(out, "control", control, game->board.cells);
    } else {
        json_write_null(out, "control");
    }
    write_changed(out, line, stones);
    write_score(out, line);
    write_button(out, line);
    write_legal(out, line, stones, has_action);
    write_forbidden(out, line, has_action);
    write_sight(out, line);
    json_end_object(out);
}

void board_write(JsonWriter *out, int size) {
    Hexhex board;
    hexhex_init(&board, size);
    json_begin_object(out, NULL);
    json_write_int(out, "size", size);
    json_begin_array(out, "cells");
    for (int c = 0; c < board.cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        hexhex_name(&board, c, name);
        json_begin_object(out, NULL);
        json_write_string(out, "name", name);
        json_write_int(out, "q", board.q[c]);
        json_write_int(out, "r", board.r[c]);
        json_end_object(out);
    }
    json_end_array(out);
    json_end_object(out);
}
