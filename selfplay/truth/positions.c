/* See positions.h. */
#include "selfplay/truth/positions.h"

#include "engine/base/list.h"
#include "engine/games/registry.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"

#include <stdio.h>
#include <stdlib.h>

const DocumentSchema truth_positions_schema = {"stigmergy-truth-positions", 1, "positions of known value"};

const char *const truth_source_names[TRUTH_SOURCES] = {"turns", "random", "game"};

enum { TEXT_MAX = 1 << 14 /* bytes of the moves of a position */ };

/* ---- A position ---- */

void truth_replay(const Game *game, const TruthPosition *position, int komi, GameState *state, GameHistory *history) {
    game->rules->start(game, state, komi);
    if (history)
        *history = (GameHistory){0};
    for (int i = 0; i < position->count; i++) {
        game->rules->apply(game, state, position->actions[i]);
        if (history)
            game_history_add(game, history, position->actions[i], state);
    }
}

void truth_complete(const Game *game, TruthPosition *position) {
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    truth_replay(game, position, position->komi, &state, NULL);
    position->mover = game->rules->to_move(&state);
    position->legal = game->rules->legal(game, &state, legal);
    position->winning = 0;
    position->empty = game_empty_cells(game, &state);
    for (int i = 0; i < position->legal; i++)
        position->winning += truth_wins(position, legal[i]);
    position->key = game_class_key(game, position->komi, position->actions, position->count);
}

/* Black wins at komi k if 2 * k is below the value. */
int truth_winning_komi(int half_points, bool button, Side mover) {
    int komi = -GAME_KOMI_LIMIT / 2 * 2 - button;
    while (2 * (komi + 2) < half_points)
        komi += 2;
    return mover == BLACK ? komi : komi + 2;
}

int truth_losing_komi(const TruthPosition *position) {
    return position->mover == BLACK ? position->komi + 2 : position->komi - 2;
}

bool truth_komi_fits(const Game *game, int komi) {
    return abs(komi) <= game_komi_limit(game);
}

/* ---- Sets ---- */

bool truth_set_init(TruthSet *set, const GameOptions *options, Error *error) {
    *set = (TruthSet){.game = game_new(options, error)};
    if (!set->game)
        return false;
    return set->game->has_points || error_set(error, "game: %s has no points, expected one that has", set->game->name);
}

void truth_set_free(TruthSet *set) {
    for (int i = 0; i < set->count; i++)
        free(set->list[i].actions);
    free(set->list);
    game_free(set->game);
    *set = (TruthSet){0};
}

bool truth_set_add(TruthSet *set, TruthPosition *position, Error *error) {
    if (!list_grow(&set->list, &set->capacity, set->count + 1, sizeof *set->list))
        return error_set(error, "out of memory for the positions");
    set->list[set->count++] = *position;
    position->actions = NULL;
    return true;
}

/* ---- Reading ---- */

/* Takes the turns of a text and keeps their actions. */
static bool read_moves(const Game *game, const char *text, TruthPosition *position, GameState *state, Error *error) {
    char turn[GAME_TEXT_MAX];
    int capacity = 0;
    game->rules->start(game, state, position->komi);
    while (game_next_turn(&text, turn)) {
        Action actions[GAME_TURN_MAX];
        int count;
        if (game->rules->over(state))
            return error_set(error, "the game is over before '%.20s'", turn);
        if (!game_play_text(game, state, turn, actions, &count, error))
            return false;
        if (!list_grow(&position->actions, &capacity, position->count + count, sizeof *actions))
            return error_set(error, "out of memory");
        memcpy(position->actions + position->count, actions, (size_t)count * sizeof *actions);
        position->count += count;
    }
    return !game->rules->over(state) || error_set(error, "the game is over, expected a position with moves");
}

static bool read_wins(const Game *game, const GameState *state, const char *text, TruthPosition *position,
                      Error *error) {
    char move[GAME_TEXT_MAX];
    while (game_next_turn(&text, move)) {
        const int action = game_find_action(game, state, move);
        if (action < 0 || truth_wins(position, (Action)action))
            return error_set(error, "'wins': '%.20s' is %s", move, action < 0 ? "no legal move" : "there twice");
        position->wins[action / 64] |= UINT64_C(1) << action % 64;
    }
    truth_complete(game, position);
    return position->winning > 0 || error_set(error, "'wins' is empty, expected the moves that win at the komi");
}

/* Whether value, komi and side to move agree. */
static bool check_value(const TruthPosition *position, double value, Error *error) {
    const bool button = komi_has_button(position->komi);
    const int half_points = position->half_points;
    if (value * 2 != half_points || (button ? half_points % 2 == 0 : abs(half_points) % 4 != 2))
        return error_set(error, "'value': %g, expected %s", value,
                         button ? "a whole number and a half" : "an odd whole number");
    const int komi = truth_winning_komi(half_points, button, position->mover);
    if (position->komi != komi)
        return error_set(error, "'komi': %d, expected %d, at which %s just wins with the value %g", position->komi,
                         komi, position->mover == BLACK ? "Black" : "White", value);
    return true;
}

static bool read_source(const char *name, TruthPosition *position, Error *error) {
    for (int i = 0; name && i < TRUTH_SOURCES; i++)
        if (!strcmp(name, truth_source_names[i])) {
            position->source = (TruthSource)i;
            return true;
        }
    return error_set(error, "'source' is wrong, expected turns, random or game");
}

static bool read_position(const cJSON *json, const Game *game, const char *where, TruthPosition *position,
                          Error *error) {
    static const char *const needed[] = {"moves", "komi", "value", "wins", "source"};
    JsonReader reader = json_open(json, where);
    GameState state;
    int64_t komi = 0;
    double value = 0;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        json_require(&reader, needed[i]);
    const char *moves = json_text(&reader, "moves", TEXT_MAX), *wins = json_text(&reader, "wins", TEXT_MAX);
    const char *source = json_text(&reader, "source", 16);
    json_int(&reader, "komi", -game->board.cells, game->board.cells, &komi);
    json_number(&reader, "value", -game->board.cells - 1, game->board.cells + 1, &value);
    if (!json_close(&reader, error))
        return false;
    position->komi = (int)komi;
    position->half_points = (int)(value * 2);
    return (read_source(source, position, error) && read_moves(game, moves, position, &state, error) &&
            read_wins(game, &state, wins, position, error) && check_value(position, value, error)) ||
           error_prefix(error, "%s: ", where);
}

/* Reads the first line; *count becomes the number of positions that it promises. */
static bool read_header(const cJSON *json, const char *source, TruthSet *set, int64_t *count, Error *error) {
    static const char *const passed_over[] = {"schema", "program", "seed", "made", "left_out", "provenance"};
    char game[16] = "stigmergy";
    int64_t size = 0;
    if (!document_check_schema(json, &truth_positions_schema, source, "is no file of", error))
        return false;
    JsonReader reader = json_open(json, source);
    for (size_t i = 0; i < sizeof passed_over / sizeof passed_over[0]; i++)
        json_any(&reader, passed_over[i]);
    json_require(&reader, "size");
    json_require(&reader, "positions");
    json_string(&reader, "game", game, sizeof game);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size);
    json_int(&reader, "positions", 1, TRUTH_POSITIONS_MAX, count);
    return json_close(&reader, error) && (truth_set_init(set, &(GameOptions){.name = game, .size = (int)size}, error) ||
                                          error_prefix(error, "%s: ", source));
}

static bool read_line(const char *line, size_t length, const char *where, TruthSet *set, Error *error) {
    TruthPosition position = {.count = 0};
    cJSON *json = json_parse(line, length, where, error);
    const bool good =
        json && read_position(json, set->game, where, &position, error) && truth_set_add(set, &position, error);
    free(position.actions);
    cJSON_Delete(json);
    return good;
}

/* Parses the first line. Where it is none, the whole text may be another document, over several lines: then that, so
 * that the error says which. */
static cJSON *parse_header(const char *text, size_t length, size_t bytes, const char *source, const char *where,
                           Error *error) {
    Error ignored;
    cJSON *line = json_parse(text, bytes, where, error);
    return line ? line : json_parse(text, length, source, &ignored);
}

static bool read_lines(const char *text, size_t length, const char *source, TruthSet *set, Error *error) {
    const char *end = text + length, *at = text;
    int64_t promised = 0;
    if (length == 0)
        return error_set(error, "%s: is empty, expected positions made by `stigmergy truth --make`", source);
    for (int number = 1; at < end; number++) {
        char where[FILE_PATH_MAX + 32];
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t bytes = (size_t)((newline ? newline : end) - at);
        snprintf(where, sizeof where, "%s: line %d", source, number);
        if (!newline)
            return error_set(error, "%s: is torn, expected a newline at its end", where);
        if (number == 1) {
            cJSON *json = parse_header(text, length, bytes, source, where, error);
            const bool good = json && read_header(json, source, set, &promised, error);
            cJSON_Delete(json);
            if (!good)
                return false;
        } else if (!read_line(at, bytes, where, set, error)) {
            return false;
        }
        at = newline + 1;
    }
    return (promised > 0 && set->count == promised) ||
           error_set(error, "%s: holds %d positions, expected %lld", source, set->count, (long long)promised);
}

bool truth_set_parse(const char *text, size_t length, const char *source, TruthSet *set, Error *error) {
    *set = (TruthSet){0};
    const bool good = read_lines(text, length, source, set, error);
    if (good)
        document_hash_bytes(text, length, set->hash);
    else
        truth_set_free(set);
    return good;
}

bool truth_set_read(const char *path, TruthSet *set, Error *error) {
    size_t length;
    *set = (TruthSet){0};
    char *text = (text_ends_with(path, ".zst") ? zstd_file_read : file_read)(path, &length, error);
    const bool good = text && truth_set_parse(text, length, path, set, error);
    free(text);
    return good;
}

/* ---- Writing ---- */

/* Appends text to *out, which grows. */
static bool append(char **out, size_t *length, size_t *capacity, const char *text, Error *error) {
    const size_t bytes = strlen(text);
    if (!list_grow_bytes(out, capacity, *length + bytes + 1))
        return error_set(error, "out of memory for the positions");
    memcpy(*out + *length, text, bytes + 1);
    *length += bytes;
    return true;
}

/* The turns of a position, and its winning moves, with blanks between them. */
static void format_position(const Game *game, const TruthPosition *position, char moves[TEXT_MAX],
                            char wins[TEXT_MAX]) {
    GameState state;
    char text[GAME_TEXT_MAX];
    Action legal[GAME_LEGAL_MAX];
    size_t used = 0;
    moves[0] = wins[0] = '\0';
    game->rules->start(game, &state, position->komi);
    for (int i = 0; i < position->count && used < TEXT_MAX - sizeof text;) {
        i += game_format_turn(game, &state, position->actions + i, position->count - i, text);
        used += (size_t)snprintf(moves + used, TEXT_MAX - used, "%s%s", used ? " " : "", text);
    }
    used = 0;
    const int count = game->rules->legal(game, &state, legal);
    for (int i = 0; i < count; i++)
        if (truth_wins(position, legal[i]) && used < TEXT_MAX - sizeof text) {
            game->rules->format(game, &state, legal[i], text);
            used += (size_t)snprintf(wins + used, TEXT_MAX - used, "%s%s", used ? " " : "", text);
        }
}

static cJSON *position_to_json(const Game *game, const TruthPosition *position) {
    char moves[TEXT_MAX], wins[TEXT_MAX];
    cJSON *json = cJSON_CreateObject();
    format_position(game, position, moves, wins);
    cJSON_AddStringToObject(json, "moves", moves);
    cJSON_AddNumberToObject(json, "komi", position->komi);
    cJSON_AddNumberToObject(json, "value", position->half_points / 2.0);
    cJSON_AddStringToObject(json, "wins", wins);
    cJSON_AddStringToObject(json, "source", truth_source_names[position->source]);
    return json;
}

static cJSON *header_to_json(const TruthSet *set, uint64_t seed, cJSON *made, cJSON *left_out) {
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &truth_positions_schema);
    cJSON_AddStringToObject(json, "game", set->game->name);
    cJSON_AddNumberToObject(json, "size", set->game->board.size);
    document_add_u64(json, "seed", seed);
    cJSON_AddNumberToObject(json, "positions", set->count);
    json_add(json, "made", made);
    json_add(json, "left_out", left_out);
    cJSON_AddStringToObject(json, "provenance",
                            "Made by `stigmergy truth --make` to judge players: the games were played for this file "
                            "alone, and no network was trained on them.");
    return json;
}

bool truth_set_write(const TruthSet *set, uint64_t seed, cJSON *made, cJSON *left_out, const char *path, Error *error) {
    char *text = NULL;
    size_t length = 0, capacity = 0;
    bool good = true;
    for (int i = -1; i < set->count && good; i++) {
        char *line =
            json_print(i < 0 ? header_to_json(set, seed, made, left_out) : position_to_json(set->game, &set->list[i]));
        good = line ? append(&text, &length, &capacity, line, error) && append(&text, &length, &capacity, "\n", error)
                    : error_set(error, "%s: out of memory", path);
        free(line);
    }
    good = good && (text_ends_with(path, ".zst") ? zstd_file_write : file_write)(path, text, length, error);
    free(text);
    return good;
}
