/* See config.h. */
#include "selfplay/runs/openings/config.h"

#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"

#include <stdio.h>
#include <stdlib.h>

OpeningsConfig openings_config_default(int size) {
    return (OpeningsConfig){.game = "stigmergy",
                            .size = size,
                            .player = player_default(),
                            .seed = 1,
                            .simulations = 800,
                            .first_round = 64,
                            .games = 400};
}

static bool read_capture(const char *text, const char *source, GameCapture *capture, Error *error) {
    *capture = !strcmp(text, "line") ? GAME_CAPTURE_LINE : GAME_CAPTURE_FREE;
    return *capture == GAME_CAPTURE_LINE || !strcmp(text, "free") ||
           error_set(error, "%s: 'capture' is wrong, expected \"free\" or \"line\"", source);
}

static bool read_player(const cJSON *json, const char *source, Player *player, Error *error) {
    if (!json)
        return true;
    if (cJSON_IsString(json))
        return player_load(json->valuestring, player, error);
    return player_from_json(json, source, player, error);
}

bool openings_config_from_json(const cJSON *json, const char *source, OpeningsConfig *config, Error *error) {
    JsonReader reader = json_open(json, source);
    char capture[8] = "";
    json_string(&reader, "game", config->game, sizeof config->game);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &config->size);
    json_string(&reader, "capture", capture, sizeof capture);
    json_int(&reader, "komi", -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &config->komi);
    json_u64(&reader, "seed", &config->seed);
    const cJSON *player = json_any(&reader, "player");
    json_int(&reader, "simulations", 1, 1000000000, &config->simulations);
    json_number(&reader, "move_time", 0.001, 1e6, &config->move_seconds);
    json_int(&reader, "first_round", 2, 1000000, &config->first_round);
    json_int(&reader, "games", 1, 1000000000, &config->games);
    json_number(&reader, "until_probability", 0, 1, &config->until_probability);
    json_number(&reader, "time", 0, 1e9, &config->seconds);
    if (!json_close(&reader, error))
        return false;
    if (cJSON_HasObjectItem(json, "simulations") && cJSON_HasObjectItem(json, "move_time"))
        return error_set(error, "%s: 'simulations' and 'move_time' exclude each other", source);
    if (cJSON_HasObjectItem(json, "capture") && !read_capture(capture, source, &config->capture, error))
        return false;
    return read_player(player, source, &config->player, error);
}

bool openings_config_load(const char *path, OpeningsConfig *config, Error *error) {
    char found[FILE_PATH_MAX];
    cJSON *json = json_load_config("openings", path, found, error);
    const bool good = json && openings_config_from_json(json, found, config, error);
    cJSON_Delete(json);
    return good;
}

bool openings_config_check(const OpeningsConfig *config, Error *error) {
    const GameOptions options = openings_config_game(config);
    Game *game = game_new(&options, error);
    if (!game)
        return false;
    const int64_t limit = game->has_points ? game->board.cells : 0;
    const bool has_points = game->has_points;
    game_free(game);
    if (config->komi >= -limit && config->komi <= limit)
        return true;
    return has_points ? error_set(error, "komi: %lld, expected -%lld to %lld, the cells of hexhex-%lld",
                                  (long long)config->komi, (long long)limit, (long long)limit, (long long)config->size)
                      : error_set(error, "komi: %s is played without", config->game);
}

GameOptions openings_config_game(const OpeningsConfig *config) {
    return (GameOptions){
        .name = config->game, .size = (int)config->size, .capture = config->capture, .pie = GAME_PIE_OFF};
}

Player openings_config_player(const OpeningsConfig *config) {
    Player player = config->player;
    player.simulations = config->move_seconds > 0 ? 0 : (uint64_t)config->simulations;
    player.move_seconds = config->move_seconds;
    return player;
}

void openings_config_effort_name(const OpeningsConfig *config, char out[24]) {
    if (config->move_seconds > 0)
        snprintf(out, 24, "t%g", config->move_seconds);
    else
        snprintf(out, 24, "%lld", (long long)config->simulations);
}

cJSON *openings_config_identity(const OpeningsConfig *config) {
    cJSON *json = cJSON_CreateObject();
    const Player player = openings_config_player(config);
    cJSON_AddStringToObject(json, "engine", STIGMERGY_VERSION);
    cJSON_AddStringToObject(json, "game", config->game);
    cJSON_AddNumberToObject(json, "size", (double)config->size);
    cJSON_AddStringToObject(json, "capture", config->capture == GAME_CAPTURE_LINE ? "line" : "free");
    cJSON_AddNumberToObject(json, "komi", (double)config->komi);
    cJSON_AddItemToObject(json, "player", player_to_json(&player));
    document_add_u64(json, "seed", config->seed);
    cJSON_AddNumberToObject(json, "first_round", (double)config->first_round);
    return json;
}

bool openings_config_hash(const OpeningsConfig *config, char out[20], Error *error) {
    cJSON *json = openings_config_identity(config);
    const bool good = document_hash(json, out, error);
    cJSON_Delete(json);
    return good;
}
