/* See game_line.h. */
#include "selfplay/analysis/game_line.h"

#include "selfplay/io/variants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Says what is wrong with a key; false, for the caller to return. */
static bool wrong(JsonReader *reader, const char *key, const Error *reason) {
    json_fail(reader, key, reason);
    return false;
}

/* The errors of game_new begin with the option that is wrong. */
static const char *faulty_key(const Error *reason) {
    static const char *const keys[] = {"size", "capture", "pie"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!strncmp(reason->text, keys[i], strlen(keys[i])))
            return keys[i];
    return "game";
}

/* Takes the komi that is given, or else the usual one, which only games with points have. */
static bool read_komi(GameLine *line, JsonReader *reader, const cJSON *given, int usual) {
    const bool is_number = !given || cJSON_IsNumber(given);
    const double komi = !is_number ? NAN : given ? given->valuedouble : line->game->has_points ? usual : 0;
    Error reason;
    if (game_check_komi(line->game, komi, &reason)) {
        line->komi = (int)komi;
        return true;
    }
    if (is_number)
        error_prefix(&reason, "%g, ", komi);
    return wrong(reader, "komi", &reason);
}

bool game_line_read_game(GameLine *line, JsonReader *reader, Analysis *analysis, const GameOptions *defaults,
                         int komi) {
    *line = (GameLine){0};
    GameOptions options = *defaults;
    const char *usual_name = defaults->name ? defaults->name : "stigmergy";
    char name[32];
    int64_t size = defaults->size;
    snprintf(name, sizeof name, "%s", usual_name);
    json_string(reader, "game", name, sizeof name);
    json_int(reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size);
    const cJSON *komi_given = json_any(reader, "komi");
    if (strcmp(name, usual_name)) {
        options.capture = GAME_CAPTURE_DEFAULT;
        options.pie = GAME_PIE_DEFAULT;
    }
    variants_read_capture(reader, &options.capture);
    variants_read_pie(reader, &options.pie);
    if (reader->failed)
        return false;
    options.name = name;
    options.size = (int)size;
    Error reason;
    line->game = analysis_game(analysis, &options, &reason);
    if (!line->game)
        return wrong(reader, faulty_key(&reason), &reason);
    line->options = options;
    line->options.name = line->game->name;
    return read_komi(line, reader, komi_given, komi);
}

static bool read_colour(const char *text, Side *side) {
    const bool white = !strcasecmp(text, "W") || !strcasecmp(text, "white");
    *side = white ? WHITE : BLACK;
    return white || !strcasecmp(text, "B") || !strcasecmp(text, "black");
}

/* A pair of colour and text, as ["B", "c3"]. */
static bool read_pair(const cJSON *pair, Side *side, const char **text) {
    const cJSON *colour = cJSON_IsArray(pair) ? pair->child : NULL, *value = colour ? colour->next : NULL;
    if (!cJSON_IsString(colour) || !cJSON_IsString(value) || value->next)
        return false;
    *text = value->valuestring;
    return read_colour(colour->valuestring, side);
}

static bool read_stones(const GameLine *line, const cJSON *list, uint8_t stones[HEXHEX_MAX_CELLS], Error *error) {
    const Hexhex *board = &line->game->board;
    for (const cJSON *item = list->child; item; item = item->next) {
        Side side;
        const char *text;
        if (!read_pair(item, &side, &text))
            return error_set(error, "expected pairs of a colour and a cell, as [\"B\", \"c3\"]");
        const int cell = hexhex_named(board, text);
        if (cell < 0)
            return error_set(error, "'%.40s', expected a cell of hexhex-%d", text, board->size);
        if (stones[cell])
            return error_set(error, "there are two stones on '%.40s'", text);
        stones[cell] = (uint8_t)(side + 1);
    }
    return true;
}

/* The colour that the first move names, as in KataGo's queries; `usual` if it names none. */
static Side first_colour(const JsonReader *reader, Side usual) {
    const cJSON *moves = json_get(reader->object, "moves");
    const char *unused;
    Side side;
    return cJSON_IsArray(moves) && read_pair(moves->child, &side, &unused) ? side : usual;
}

bool game_line_read_start(const GameLine *line, JsonReader *reader, GameState *start) {
    const GameRules *rules = line->game->rules;
    const cJSON *list = json_array(reader, "initialStones");
    char player[16] = "";
    json_string(reader, "initialPlayer", player, sizeof player);
    if (reader->failed)
        return false;
    rules->start(line->game, start, line->komi);
    Side first = rules->to_move(start);
    const Side usual = first;
    const bool has_stones = list && list->child;
    Error reason;
    error_set(&reason, "'%s', expected B or W", player);
    if (player[0] && !read_colour(player, &first))
        return wrong(reader, "initialPlayer", &reason);
    if (!player[0] && has_stones)
        first = first_colour(reader, usual);
    if (!has_stones && first == usual)
        return true;
    const char *key = has_stones ? "initialStones" : "initialPlayer";
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    if (!rules->set_up) {
        error_set(&reason, "positions of %s cannot be set up by hand", line->game->name);
        return wrong(reader, key, &reason);
    }
    return ((!list || read_stones(line, list, stones, &reason)) &&
            rules->set_up(line->game, start, stones, first, line->komi, &reason)) ||
           wrong(reader, key, &reason);
}

/* Plays a turn, a text or a pair of colour and text; writes it as the rules do. */
static bool play_turn(const GameLine *line, const cJSON *item, GameState *state, GameHistory *history,
                      char text[GAME_TEXT_MAX], Error *error) {
    const Game *game = line->game;
    const char *given = cJSON_IsString(item) ? item->valuestring : NULL;
    const Side to_move = game_colour(game, state, game->rules->to_move(state));
    Side side = to_move;
    if (!given && !read_pair(item, &side, &given))
        return error_set(error, "expected a turn, as \"c3\" or [\"B\", \"c3\"]");
    if (!game->rules->over(state) && side != to_move)
        return error_set(error, "it is not the turn of %s", side == BLACK ? "Black" : "White");
    GameState before;
    Action actions[GAME_TURN_MAX];
    int count;
    game_copy(game, &before, state);
    if (!game_play_text(game, state, given, actions, &count, error))
        return false;
    game_history_add_turn(game, history, &before, actions, count);
    game_format_turn(game, &before, actions, count, text);
    return true;
}

static bool read_turns(GameLine *line, JsonReader *reader, const GameState *start) {
    const cJSON *list = json_array(reader, "moves");
    if (reader->failed)
        return false;
    const size_t turns = list ? (size_t)cJSON_GetArraySize(list) : 0;
    Error reason;
    line->states = malloc((turns + 1) * sizeof *line->states);
    line->histories = calloc(turns + 1, sizeof *line->histories);
    line->texts = calloc(turns + 1, sizeof *line->texts);
    error_set(&reason, "out of memory for %zu turns", turns);
    if (!line->states || !line->histories || !line->texts)
        return wrong(reader, "moves", &reason);
    game_copy(line->game, &line->states[0], start);
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        char text[GAME_TEXT_MAX];
        GameState *state = &line->states[line->turns + 1];
        GameHistory *history = &line->histories[line->turns + 1];
        game_copy(line->game, state, state - 1);
        *history = history[-1];
        if (!play_turn(line, item, state, history, text, &reason)) {
            error_prefix(&reason, "move %d: ", line->turns + 1);
            return wrong(reader, "moves", &reason);
        }
        if (!(line->texts[line->turns] = strdup(text))) {
            error_set(&reason, "out of memory");
            return wrong(reader, "moves", &reason);
        }
        line->turns++;
    }
    return true;
}

static bool read_unfinished(GameLine *line, JsonReader *reader) {
    const cJSON *list = json_array(reader, "partialTurn");
    if (reader->failed)
        return false;
    const int size = list ? cJSON_GetArraySize(list) : 0;
    Error reason;
    game_copy(line->game, &line->end, &line->states[line->turns]);
    line->end_history = line->histories[line->turns];
    line->unfinished = malloc((size_t)(size + 1) * sizeof *line->unfinished);
    error_set(&reason, "out of memory");
    if (!line->unfinished)
        return wrong(reader, "partialTurn", &reason);
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next) {
        const int action = cJSON_IsString(item) ? game_find_action(line->game, &line->end, item->valuestring) : -1;
        if (action < 0) {
            error_set(&reason, "action %d: '%.40s' is not possible here", line->unfinished_count + 1,
                      cJSON_IsString(item) ? item->valuestring : "(not a text)");
            return wrong(reader, "partialTurn", &reason);
        }
        line->game->rules->apply(line->game, &line->end, (Action)action);
        game_history_add(line->game, &line->end_history, (Action)action, &line->end);
        line->unfinished[line->unfinished_count++] = (Action)action;
        if (item->next && line->game->rules->turn_start(&line->end)) {
            error_set(&reason, "the turn ends with action %d", line->unfinished_count);
            return wrong(reader, "partialTurn", &reason);
        }
    }
    return true;
}

bool game_line_read(GameLine *line, JsonReader *reader, Analysis *analysis, const GameOptions *options, int komi) {
    GameState start;
    return game_line_read_game(line, reader, analysis, options, komi) && game_line_read_start(line, reader, &start) &&
           read_turns(line, reader, &start) && read_unfinished(line, reader);
}

void game_line_free(GameLine *line) {
    for (int i = 0; i < line->turns; i++)
        free(line->texts[i]);
    free(line->texts);
    free(line->states);
    free(line->histories);
    free(line->unfinished);
    *line = (GameLine){0};
}
