/* Game trees as records: one finished game as a JSON line (record.h). */
#include "selfplay/io/variants.h"
#include "selfplay/record/game_tree_internal.h"
#include "selfplay/record/record.h"

#include <stdio.h>

static GameForfeit forfeit_of(EndReason reason) {
    return !end_is_forfeit(reason) ? FORFEIT_NONE
           : reason == END_RESIGN  ? FORFEIT_RESIGN
           : reason == END_TIME    ? FORFEIT_TIME
                                   : FORFEIT_OTHER;
}

/* ---- Reading ---- */

static bool fill_from_record(GameTree *tree, const GameRecord *record, Error *error) {
    const Game *game = tree->game;
    for (int side = BLACK; side <= WHITE; side++)
        game_tree_copy_name(tree->players[side], record->players[side]);
    GameState state;
    game->rules->start(game, &state, record->komi);
    for (int i = 0, node = 0; i < record->count;) {
        char text[GAME_TEXT_MAX];
        i += game_format_turn(game, &state, record->actions + i, record->count - i, text);
        node = game_tree_add(tree, node, text, error);
        if (node < 0)
            return false;
    }
    if (end_is_forfeit(record->reason))
        game_tree_set_forfeit(tree, forfeit_of(record->reason), game_colour(game, &state, record->result.winner));
    return true;
}

/* Whether the two keys are right that say which game a record is of; about the others record_from_json speaks. */
static bool check_game(const cJSON *name, const cJSON *size, const char *source, Error *error) {
    if (!cJSON_IsString(name))
        return error_set(error, "%s: 'game' is wrong, expected a string", source);
    if (!size)
        return error_set(error, "%s: 'size' is missing", source);
    return cJSON_IsNumber(size) || error_set(error, "%s: 'size' is wrong, expected a whole number from %d to %d",
                                             source, HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE);
}

static GameTree *new_tree(const GameOptions *options, int komi, const char *source, Error *error) {
    GameTree *tree = game_tree_new(options, komi, error);
    if (!tree)
        error_prefix(error, "%s: ", source);
    return tree;
}

GameTree *game_tree_from_record(const cJSON *json, const char *source, const GameOptions *options, Error *error) {
    const cJSON *name = json_get(json, "game"), *size = json_get(json, "size");
    GameOptions own = *options;
    if (!check_game(name, size, source, error))
        return NULL;
    own.name = name->valuestring;
    own.size = size->valueint;
    own.capture = GAME_CAPTURE_DEFAULT;
    own.pie = GAME_PIE_DEFAULT;
    JsonReader reader = json_open(json, source);
    variants_read_capture(&reader, &own.capture); /* record_from_json says what is wrong */
    variants_read_pie(&reader, &own.pie);
    GameTree *tree = new_tree(&own, 0, source, error);
    if (!tree)
        return NULL;
    GameRecord record = {0};
    bool good = record_from_json(json, source, tree->game, &record, error);
    if (good) {
        game_tree_free(tree);
        tree = new_tree(&own, record.komi, source, error);
        good = tree && fill_from_record(tree, &record, error);
    }
    record_free(&record);
    if (good)
        return tree;
    game_tree_free(tree);
    return NULL;
}

/* ---- Writing ---- */

/* Takes the result from the rules, or from the tree if a player gave up or ran out of time. */
static bool fill_result(const GameTree *tree, const GameState *end, GameRecord *record, Error *error) {
    const Game *game = tree->game;
    Side winner;
    const GameForfeit forfeit = game_tree_forfeit(tree, &winner);
    if (forfeit == FORFEIT_RESIGN || forfeit == FORFEIT_TIME) {
        const Side loser = side_opponent(game_colour(game, end, winner));
        record_forfeit(record, loser, forfeit == FORFEIT_RESIGN ? END_RESIGN : END_TIME, "");
        return true;
    }
    if (!game->rules->over(end))
        return error_set(error, "the game is not over, but a record needs a finished game");
    record->result = game->rules->result(game, end);
    record->reason = game->has_points ? END_SCORE : END_NO_MOVE;
    return true;
}

static bool fill_record(const GameTree *tree, GameRecord *record, Error *error) {
    const Game *game = tree->game;
    GameState state;
    game->rules->start(game, &state, tree->komi);
    snprintf(record->id, sizeof record->id, "game");
    record->komi = tree->komi;
    for (int side = BLACK; side <= WHITE; side++)
        text_copy(record->players[side], RECORD_NAME_MAX, tree->players[side]);
    for (int i = game_tree_next(tree, 0); i >= 0; i = game_tree_next(tree, i)) {
        Action turn[GAME_TURN_MAX];
        int count;
        if (!game_play_text(game, &state, tree->nodes[i].turn, turn, &count, error))
            return false;
        for (int k = 0; k < count; k++)
            if (!record_add(record, turn[k], error))
                return false;
    }
    return fill_result(tree, &state, record, error);
}

char *game_tree_to_record(const GameTree *tree, Error *error) {
    if (tree->set_up) {
        error_set(error, "a record must begin at the start position, but this game was set up by hand");
        return NULL;
    }
    GameRecord record = {0};
    char *line = fill_record(tree, &record, error) ? record_to_line(&record, tree->game, error) : NULL;
    record_free(&record);
    return line;
}
