/* See record.h. */
#include "selfplay/record/record.h"

#include "engine/base/list.h"
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "selfplay/io/variants.h"
#include "selfplay/record/record_line.h"

#include <stdio.h>
#include <stdlib.h>

const char *const end_reason_names[END_REASONS] = {"score", "no-move", "illegal", "time", "crash", "resign"};

void record_clear(GameRecord *record) {
    Action *actions = record->actions;
    const int capacity = record->capacity;
    RecordSearches searches = record->searches;
    record_searches_clear(&searches);
    memset(record, 0, sizeof *record);
    record->actions = actions;
    record->capacity = capacity;
    record->searches = searches;
}

void record_free(GameRecord *record) {
    free(record->actions);
    record_searches_free(&record->searches);
    memset(record, 0, sizeof *record);
}

void record_forfeit(GameRecord *record, Side loser, EndReason reason, const char *note) {
    record->result = (GameResult){.winner = side_opponent(loser), .half_points = 0};
    record->reason = reason;
    snprintf(record->note, sizeof record->note, "%s", note);
    for (char *c = record->note; *c; c++)
        *c = *c < ' ' || *c > '~' ? '?' : *c; /* the note may quote the output of an engine */
}

bool record_add(GameRecord *record, Action action, Error *error) {
    if (!list_grow(&record->actions, &record->capacity, record->count + 1, sizeof *record->actions))
        return error_set(error, "out of memory for a game of %d actions", record->count + 1);
    record->actions[record->count++] = action;
    return true;
}

/* The number of legal actions before each action of a game, to be freed by the caller. NULL without memory. */
static int *count_legal(const GameRecord *record, const Game *game) {
    int *legal = malloc(((size_t)record->count + 1) * sizeof *legal);
    GameState state;
    Action actions[GAME_LEGAL_MAX];
    game->rules->start(game, &state, record->komi);
    for (int i = 0; legal && i < record->count; i++) {
        legal[i] = game->rules->legal(game, &state, actions);
        game->rules->apply(game, &state, record->actions[i]);
    }
    return legal;
}

/* ---- Writing ---- */

/* The turns. *opening is the number of turns that were given. */
static cJSON *moves_to_json(const GameRecord *record, const Game *game, int *opening) {
    cJSON *moves = cJSON_CreateArray();
    GameState state;
    game->rules->start(game, &state, record->komi);
    *opening = 0;
    for (int i = 0; i < record->count;) {
        *opening += i < record->opening_actions;
        char text[GAME_TEXT_MAX];
        i += game_format_turn(game, &state, record->actions + i, record->count - i, text);
        if (!cJSON_AddItemToArray(moves, cJSON_CreateString(text))) {
            cJSON_Delete(moves);
            return NULL;
        }
    }
    return moves;
}

static void add_effort(cJSON *json, const char *side, const RecordEffort *effort) {
    cJSON *item = cJSON_AddObjectToObject(json, side);
    cJSON_AddNumberToObject(item, "moves", effort->moves);
    cJSON_AddNumberToObject(item, "sims", (double)effort->simulations);
}

static bool add_searches(cJSON *json, const GameRecord *record, const Game *game) {
    if (record->searches.count == 0)
        return true;
    int *legal = count_legal(record, game);
    const RecordShape shape = {record->count, game->board.cells, legal};
    cJSON *searches = legal ? record_searches_to_json(&record->searches, &shape) : NULL;
    free(legal);
    return searches && cJSON_AddItemToObject(json, "searches", searches);
}

/* The optional keys, except the searches. */
static void add_optional(cJSON *json, const GameRecord *record, int opening) {
    if (opening)
        cJSON_AddNumberToObject(json, "opening", opening);
    if (record->note[0])
        cJSON_AddStringToObject(json, "note", record->note);
    if (!record->has_effort)
        return;
    cJSON *effort = cJSON_AddObjectToObject(json, "effort");
    add_effort(effort, "black", &record->effort[BLACK]);
    add_effort(effort, "white", &record->effort[WHITE]);
}

char *record_to_line(const GameRecord *record, const Game *game, Error *error) {
    cJSON *json = cJSON_CreateObject();
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)record->seed);
    cJSON_AddStringToObject(json, "id", record->id);
    cJSON_AddNumberToObject(json, "version", RECORD_VERSION);
    if (record->run[0])
        cJSON_AddStringToObject(json, "run", record->run);
    cJSON_AddStringToObject(json, "game", game->name);
    cJSON_AddNumberToObject(json, "size", game->board.size);
    variants_add(json, game->capture, game->pie);
    cJSON_AddNumberToObject(json, "komi", record->komi);
    cJSON_AddBoolToObject(json, "button", komi_has_button(record->komi));
    cJSON_AddStringToObject(json, "seed", seed);
    cJSON *players = cJSON_AddObjectToObject(json, "players");
    cJSON_AddStringToObject(players, "black", record->players[BLACK]);
    cJSON_AddStringToObject(players, "white", record->players[WHITE]);
    int opening;
    cJSON *moves = moves_to_json(record, game, &opening);
    bool whole = cJSON_AddItemToObject(json, "moves", moves);
    cJSON_AddStringToObject(json, "winner", record->result.winner == BLACK ? "B" : "W");
    cJSON_AddNumberToObject(json, "margin", 0.5 * record->result.half_points);
    whole = cJSON_AddStringToObject(json, "reason", end_reason_names[record->reason]) && whole;
    add_optional(json, record, opening);
    whole = whole && add_searches(json, record, game);
    char *text = whole ? json_format(json, false) : NULL;
    cJSON_Delete(json);
    if (!text)
        error_set(error, "out of memory for the record of a game");
    return text ? record_line_seal(text, error) : NULL;
}

/* ---- Reading ---- */

/* Plays the moves. The first `opening` turns were given. A game that was not forfeited must end with the last move. */
static bool replay(const cJSON *moves, int64_t opening, const char *source, const Game *game, GameRecord *record,
                   Error *error) {
    GameState state;
    int turns = 0;
    game->rules->start(game, &state, record->komi);
    for (const cJSON *move = moves->child; move; move = move->next) {
        Action turn[GAME_TURN_MAX];
        int count;
        if (!cJSON_IsString(move))
            return error_set(error, "%s: game %s: 'moves' is wrong, expected an array of strings", source, record->id);
        if (!game_play_text(game, &state, move->valuestring, turn, &count, error))
            return error_prefix(error, "%s: game %s: move %d: ", source, record->id, turns + 1);
        for (int i = 0; i < count; i++)
            if (!record_add(record, turn[i], error))
                return false;
        if (++turns == opening)
            record->opening_actions = record->count;
    }
    if (turns < opening)
        return error_set(error, "%s: game %s: its opening is longer than the game", source, record->id);
    const bool forfeit = end_is_forfeit(record->reason);
    if (game->rules->over(&state) == forfeit)
        return error_set(error,
                         forfeit ? "%s: game %s: forfeited, but the moves end the game"
                                 : "%s: game %s: the moves do not end the game",
                         source, record->id);
    if (!forfeit)
        record->result = game->rules->result(game, &state);
    return true;
}

static bool read_players(const cJSON *json, const char *source, GameRecord *record, Error *error) {
    JsonReader reader = json_open_inside(json, source, "'players'");
    json_string(&reader, "black", record->players[BLACK], RECORD_NAME_MAX);
    json_string(&reader, "white", record->players[WHITE], RECORD_NAME_MAX);
    return json_close(&reader, error);
}

static bool read_reason(const char *text, const char *source, const Game *game, GameRecord *record, Error *error) {
    const EndReason by_rules = game->has_points ? END_SCORE : END_NO_MOVE;
    for (EndReason reason = 0; reason < END_REASONS; reason++)
        if (!strcmp(text, end_reason_names[reason]) && (end_is_forfeit(reason) || reason == by_rules)) {
            record->reason = reason;
            return true;
        }
    return error_set(error, "%s: game %s: 'reason' is wrong, expected %s, illegal, time, crash or resign", source,
                     record->id, end_reason_names[by_rules]);
}

static bool read_one_effort(const cJSON *json, const char *source, RecordEffort *effort, Error *error) {
    int64_t moves = 0, simulations = 0;
    JsonReader reader = json_open_inside(json, source, "a colour of 'effort'");
    json_int(&reader, "moves", 0, 1000000, &moves);
    json_int(&reader, "sims", 0, (int64_t)1 << 53, &simulations);
    effort->moves = (int)moves;
    effort->simulations = (uint64_t)simulations;
    return json_close(&reader, error);
}

static bool read_effort(const cJSON *json, const char *source, GameRecord *record, Error *error) {
    record->has_effort = json != NULL;
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'effort'");
    json_require(&reader, "black");
    json_require(&reader, "white");
    const cJSON *black = json_object(&reader, "black"), *white = json_object(&reader, "white");
    return json_close(&reader, error) && read_one_effort(black, source, &record->effort[BLACK], error) &&
           read_one_effort(white, source, &record->effort[WHITE], error);
}

/* Checks the result against the moves. A forfeited game has the result that the line states. */
static bool check_result(const char *winner, double margin, const char *source, GameRecord *record, Error *error) {
    if (end_is_forfeit(record->reason))
        record->result.winner = strcmp(winner, "B") ? WHITE : BLACK;
    if (strcmp(winner, record->result.winner == BLACK ? "B" : "W") || margin != 0.5 * record->result.half_points)
        return error_set(error, "%s: game %s: its result does not follow from its moves", source, record->id);
    return true;
}

static bool read_searches(const cJSON *json, const char *source, const Game *game, GameRecord *record, Error *error) {
    if (!json)
        return true;
    char where[FILE_PATH_MAX + 80];
    snprintf(where, sizeof where, "%s: game %s: 'searches'", source, record->id);
    int *legal = count_legal(record, game);
    const RecordShape shape = {record->count, game->board.cells, legal};
    const bool good = legal ? record_searches_from_json(json, where, &shape, &record->searches, error)
                            : error_set(error, "%s: out of memory", where);
    free(legal);
    return good;
}

/* Whether this is the game of the record. A record of an earlier version says nothing about variants. */
static bool check_game(const GameOptions *options, const char *source, const Game *game, const GameRecord *record,
                       Error *error) {
    const GameOptions usual = game_usual(*options);
    if (strcmp(options->name, game->name) || options->size != game->board.size)
        return error_set(error, "%s: game %s is of %s on hexhex-%d, expected %s on hexhex-%d", source, record->id,
                         options->name, options->size, game->name, game->board.size);
    const char *wrong = options->capture != GAME_CAPTURE_DEFAULT && usual.capture != game->capture ? "capture"
                        : options->pie != GAME_PIE_DEFAULT && usual.pie != game->pie               ? "pie"
                                                                                                   : NULL;
    return !wrong || error_set(error, "%s: game %s: '%s' is wrong, expected the variant that this run or game has",
                               source, record->id, wrong);
}

bool record_from_json(const cJSON *json, const char *source, const Game *game, GameRecord *record, Error *error) {
    record_clear(record);
    JsonReader reader = json_open(json, source);
    char name[32] = "", winner[4] = "", reason[16] = "";
    int64_t version = 1, size = 0, komi = 0, opening = 0;
    double margin = 0;
    bool button = false;
    GameOptions options = {.name = name};
    static const char *const needed[] = {"id",      "game",  "size",   "komi",   "button", "seed",
                                         "players", "moves", "winner", "margin", "reason"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        json_require(&reader, needed[i]);
    json_string(&reader, "id", record->id, RECORD_ID_MAX);
    json_int(&reader, "version", 1, RECORD_VERSION, &version);
    json_any(&reader, "check"); /* record_line_parse has compared it with the line */
    json_string(&reader, "run", record->run, RECORD_RUN_MAX);
    json_string(&reader, "game", name, sizeof name);
    json_int(&reader, "size", 0, 1000, &size);
    variants_read_capture(&reader, &options.capture);
    variants_read_pie(&reader, &options.pie);
    json_int(&reader, "komi", -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi);
    json_bool(&reader, "button", &button);
    json_u64(&reader, "seed", &record->seed);
    json_string(&reader, "winner", winner, sizeof winner);
    json_number(&reader, "margin", -1e4, 1e4, &margin);
    json_string(&reader, "reason", reason, sizeof reason);
    json_int(&reader, "opening", 0, 1000, &opening);
    json_string(&reader, "note", record->note, RECORD_NOTE_MAX);
    const cJSON *players = json_object(&reader, "players"), *moves = json_array(&reader, "moves");
    const cJSON *effort = json_object(&reader, "effort"), *searches = json_object(&reader, "searches");
    if (!json_close(&reader, error))
        return false;
    options.size = (int)size;
    if (!check_game(&options, source, game, record, error))
        return false;
    record->komi = (int)komi;
    if (button != komi_has_button(record->komi))
        return error_set(error, "%s: game %s: 'button' is wrong for komi %d", source, record->id, record->komi);
    return read_players(players, source, record, error) && read_reason(reason, source, game, record, error) &&
           replay(moves, opening, source, game, record, error) && read_effort(effort, source, record, error) &&
           read_searches(searches, source, game, record, error) && check_result(winner, margin, source, record, error);
}

bool record_from_line(const char *line, size_t length, const char *source, const Game *game, GameRecord *record,
                      Error *error) {
    cJSON *json = record_line_parse(line, length, source, error);
    const bool good = json && record_from_json(json, source, game, record, error);
    cJSON_Delete(json);
    return good;
}

bool record_has_origin(const GameRecord *record, const char *source, uint64_t seed, const char *const players[2],
                       Error *error) {
    for (Side side = BLACK; side <= WHITE; side++)
        if (strcmp(record->players[side], players[side]))
            return error_set(error, "%s: game %s: %s is '%s', expected '%s'", source, record->id,
                             side == BLACK ? "Black" : "White", record->players[side], players[side]);
    return record->seed == seed || error_set(error, "%s: game %s has the seed %llu, expected %llu", source, record->id,
                                             (unsigned long long)record->seed, (unsigned long long)seed);
}

int record_turns(const GameRecord *record, const Game *game) {
    GameState state;
    int turns = 0;
    game->rules->start(game, &state, record->komi);
    for (int i = 0; i < record->count; i++) {
        turns += game->rules->turn_start(&state);
        game->rules->apply(game, &state, record->actions[i]);
    }
    return turns;
}

uint64_t record_canonical_hash(const GameRecord *record, const Game *game) {
    uint64_t lowest = UINT64_MAX;
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        uint64_t hash = rng_mix((uint64_t)(record->komi + GAME_KOMI_LIMIT));
        for (int i = 0; i < record->count; i++)
            hash = rng_mix(hash ^ game->rules->symmetry(game, map, record->actions[i])) + 0x9e3779b97f4a7c15ull;
        if (hash < lowest)
            lowest = hash;
    }
    return lowest;
}
