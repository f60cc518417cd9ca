/* See position_json.h. */
#include "selfplay/analysis/position_json.h"

#include "selfplay/record/board_text.h"

static const char *colour_name(Side colour) {
    return colour == BLACK ? "B" : "W";
}

static void add_letters(cJSON *out, const char *key, const uint8_t *values, int cells) {
    char text[HEXHEX_MAX_CELLS + 1];
    for (int c = 0; c < cells; c++)
        text[c] = ".BW"[values[c]];
    text[cells] = '\0';
    cJSON_AddStringToObject(out, key, text);
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

/* Writes the legal actions, and marks the cells that have one. */
static void add_legal(cJSON *out, const GameLine *line, const uint8_t *stones, bool has_action[]) {
    const Game *game = line->game;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->over(&line->end) ? 0 : game->rules->legal(game, &line->end, legal);
    cJSON *list = cJSON_AddArrayToObject(out, "legal");
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        int cell;
        game->rules->format(game, &line->end, legal[i], text);
        game->rules->action_kind(game, legal[i], &cell);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "action", text);
        if (cell >= 0) {
            has_action[cell] = true;
            cJSON_AddNumberToObject(item, "cell", cell);
            cJSON_AddStringToObject(item, "effect", effect_of(line, legal[i], cell, stones));
        } else {
            cJSON_AddNullToObject(item, "cell");
            cJSON_AddNullToObject(item, "effect");
        }
        json_add(list, NULL, item);
    }
}

/* Why the other cells cannot be played, in the words of the rules. */
static void add_forbidden(cJSON *out, const GameLine *line, const bool has_action[]) {
    const Game *game = line->game;
    cJSON *reasons = cJSON_AddObjectToObject(out, "forbidden");
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
        cJSON_AddStringToObject(reasons, key, reason.text);
    }
}

/* ---- What the board shows ---- */

static void add_changed(cJSON *out, const GameLine *line, const uint8_t *stones) {
    const Game *game = line->game;
    cJSON *list = cJSON_AddArrayToObject(out, "changed");
    const int from = line->unfinished_count > 0 ? line->turns : line->turns - 1;
    if (from >= 0) {
        uint8_t before[HEXHEX_MAX_CELLS];
        game->rules->stones(game, &line->states[from], before);
        for (int c = 0; c < game->board.cells; c++)
            if (before[c] != stones[c])
                json_add(list, NULL, cJSON_CreateNumber(c));
    }
}

static void add_sight(cJSON *out, const GameLine *line) {
    const Game *game = line->game;
    if (!game->rules->sight) {
        cJSON_AddNullToObject(out, "sight");
        return;
    }
    cJSON *cells = cJSON_AddArrayToObject(out, "sight");
    for (int c = 0; c < game->board.cells; c++) {
        int16_t seen[HEXHEX_DIRECTIONS];
        int needed;
        const int count = game->rules->sight(game, &line->end, c, seen, &needed);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "needed", needed);
        cJSON *list = cJSON_AddArrayToObject(item, "seen");
        for (int i = 0; i < count; i++)
            json_add(list, NULL, cJSON_CreateNumber(seen[i]));
        json_add(cells, NULL, item);
    }
}

static void add_score(cJSON *out, const GameLine *line) {
    const GameRules *rules = line->game->rules;
    const bool over = rules->over(&line->end);
    if (!line->game->has_points && !over) {
        cJSON_AddNullToObject(out, "score");
        return;
    }
    char text[16];
    cJSON *score = cJSON_AddObjectToObject(out, "score");
    if (line->game->has_points) {
        int cells[2];
        rules->board_score(line->game, &line->end, cells);
        cJSON_AddNumberToObject(score, "black", cells[BLACK]);
        cJSON_AddNumberToObject(score, "white", cells[WHITE]);
    }
    board_text_score(line->game, &line->end, text);
    cJSON_AddStringToObject(score, "text", text);
    if (over) {
        const Side winner = rules->result(line->game, &line->end).winner;
        cJSON_AddStringToObject(score, "winner", colour_name(game_colour(line->game, &line->end, winner)));
    }
}

static void add_button(cJSON *out, const GameLine *line) {
    static const char *const names[] = {
        [BUTTON_NONE] = NULL, [BUTTON_ON_TABLE] = "table", [BUTTON_BLACK] = "B", [BUTTON_WHITE] = "W"};
    json_add_text_or_null(out, "button", names[game_button(line->game, &line->end)]);
}

/* The turn that the actions after the last whole turn make, if they make one. */
static void add_completed(cJSON *out, const GameLine *line) {
    const Game *game = line->game;
    const bool whole = game->rules->turn_start(&line->end) || game->rules->over(&line->end);
    if (line->unfinished_count == 0 || !whole) {
        cJSON_AddNullToObject(out, "completed");
        return;
    }
    GameState state;
    char text[GAME_TEXT_MAX];
    game_copy(game, &state, &line->states[line->turns]);
    game_format_turn(game, &state, line->unfinished, line->unfinished_count, text);
    cJSON_AddStringToObject(out, "completed", text);
}

/* The cells by colour, and what may be done on them. */
static void add_cells(cJSON *out, const GameLine *line) {
    const Game *game = line->game;
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS];
    bool has_action[HEXHEX_MAX_CELLS] = {false};
    game->rules->stones(game, &line->end, stones);
    add_letters(out, "stones", stones, game->board.cells);
    if (game->rules->control) {
        game->rules->control(game, &line->end, control);
        add_letters(out, "control", control, game->board.cells);
    } else {
        cJSON_AddNullToObject(out, "control");
    }
    add_changed(out, line, stones);
    add_score(out, line);
    add_button(out, line);
    add_legal(out, line, stones, has_action);
    add_forbidden(out, line, has_action);
}

cJSON *position_to_json(const GameLine *line) {
    const Game *game = line->game;
    const GameRules *rules = game->rules;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "game", game->name);
    cJSON_AddNumberToObject(out, "size", game->board.size);
    cJSON_AddNumberToObject(out, "komi", line->komi);
    cJSON *turns = cJSON_AddArrayToObject(out, "turns");
    for (int i = 0; i < line->turns; i++)
        json_add(turns, NULL, cJSON_CreateString(line->texts[i]));
    cJSON_AddStringToObject(out, "toMove", colour_name(game_colour(game, &line->end, rules->to_move(&line->end))));
    cJSON_AddBoolToObject(out, "swapped", game_colour(game, &line->end, BLACK) == WHITE);
    cJSON_AddBoolToObject(out, "over", rules->over(&line->end));
    cJSON_AddBoolToObject(out, "withinTurn", !rules->turn_start(&line->end) && !rules->over(&line->end));
    add_completed(out, line);
    add_cells(out, line);
    add_sight(out, line);
    return out;
}

cJSON *board_to_json(int size) {
    Hexhex board;
    hexhex_init(&board, size);
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "size", size);
    cJSON *cells = cJSON_AddArrayToObject(out, "cells");
    for (int c = 0; c < board.cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        hexhex_name(&board, c, name);
        cJSON *cell = cJSON_CreateObject();
        cJSON_AddStringToObject(cell, "name", name);
        cJSON_AddNumberToObject(cell, "q", board.q[c]);
        cJSON_AddNumberToObject(cell, "r", board.r[c]);
        json_add(cells, NULL, cell);
    }
    return out;
}
