/* See config.h. */
#include "selfplay/runs/komi/config.h"

#include "engine/base/rng.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/shard_spec.h"

#include <stdio.h>
#include <stdlib.h>

KomiConfig komi_config_default(int size) {
    KomiConfig config = {.game = "stigmergy",
                         .size = size,
                         .player = player_default(),
                         .seed = 1,
                         .ladder = {800},
                         .rungs = 1,
                         .komi_range = {-hexhex_cell_count(size), hexhex_cell_count(size)},
                         .even = true,
                         .odd = true,
                         .first_round = 32,
                         .games = 400};
    return config;
}

static bool read_parity(const char *text, const char *source, KomiConfig *config, Error *error) {
    config->even = !strcmp(text, "even") || !strcmp(text, "both");
    config->odd = !strcmp(text, "odd") || !strcmp(text, "both");
    return config->even || config->odd ||
           error_set(error, "%s: 'parity' is wrong, expected \"both\", \"even\" or \"odd\"", source);
}

static bool read_player(const cJSON *json, const char *source, Player *player, Error *error) {
    if (!json)
        return true;
    if (cJSON_IsString(json))
        return player_load(json->valuestring, player, error);
    return player_from_json(json, source, player, error);
}

bool komi_config_from_json(const cJSON *json, const char *source, KomiConfig *config, Error *error) {
    JsonReader reader = json_open(json, source);
    char parity[8] = "";
    int ends = 0, rungs = 0;
    const int64_t old_size = config->size;
    json_string(&reader, "game", config->game, sizeof config->game);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &config->size);
    json_u64(&reader, "seed", &config->seed);
    const cJSON *player = json_any(&reader, "player");
    json_ints(&reader, "ladder", 1, 1000000000, config->ladder, KOMI_RUNGS_MAX, &rungs);
    json_number(&reader, "move_time", 0.001, 1e6, &config->move_seconds);
    if (config->size != old_size) {
        config->komi_range[0] = -hexhex_cell_count((int)config->size);
        config->komi_range[1] = hexhex_cell_count((int)config->size);
    }
    json_ints(&reader, "komi_range", -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, config->komi_range, 2, &ends);
    json_string(&reader, "parity", parity, sizeof parity);
    json_int(&reader, "first_round", 2, 1000000, &config->first_round);
    json_int(&reader, "games", 1, 1000000000, &config->games);
    json_number(&reader, "until_width", 0, 1000, &config->until_width);
    json_number(&reader, "time", 0, 1e9, &config->seconds);
    json_int(&reader, "shards", 1, SHARDS_MAX, &config->shards);
    if (!json_close(&reader, error))
        return false;
    if (cJSON_HasObjectItem(json, "ladder") && cJSON_HasObjectItem(json, "move_time"))
        return error_set(error, "%s: 'ladder' and 'move_time' exclude each other", source);
    if (cJSON_HasObjectItem(json, "ladder") && rungs == 0)
        return error_set(error, "%s: 'ladder' is empty, expected at least one number of simulations", source);
    if (ends == 1)
        return error_set(error, "%s: 'komi_range' is wrong, expected [lowest, highest]", source);
    if (rungs > 0)
        config->rungs = rungs;
    if (cJSON_HasObjectItem(json, "parity") && !read_parity(parity, source, config, error))
        return false;
    return read_player(player, source, &config->player, error);
}

bool komi_config_load(const char *path, KomiConfig *config, Error *error) {
    char found[FILE_PATH_MAX];
    cJSON *json = json_load_config("komi", path, found, error);
    const bool good = json && komi_config_from_json(json, found, config, error);
    cJSON_Delete(json);
    return good;
}

bool komi_config_check(const KomiConfig *config, Error *error) {
    const int64_t cells = hexhex_cell_count((int)config->size);
    const int64_t *range = config->komi_range;
    if (config->size < HEXHEX_MIN_SIZE || config->size > HEXHEX_MAX_SIZE)
        return error_set(error, "size: %lld, expected %d to %d", (long long)config->size, HEXHEX_MIN_SIZE,
                         HEXHEX_MAX_SIZE);
    if (range[0] > range[1] || range[0] < -cells || range[1] > cells)
        return error_set(
            error,
            "komi_range: %lld to %lld, expected an ascending range within -%lld to %lld, the cells of hexhex-%lld",
            (long long)range[0], (long long)range[1], (long long)cells, (long long)cells, (long long)config->size);
    if (range[0] == range[1] && (range[0] % 2 == 0 ? !config->even : !config->odd))
        return error_set(error, "komi_range: no komi of the wanted parity in %lld to %lld", (long long)range[0],
                         (long long)range[1]);
    if (config->rungs < 1 && config->move_seconds == 0)
        return error_set(error, "ladder: empty, expected at least one number of simulations");
    for (int i = 1; i < config->rungs; i++)
        if (config->ladder[i] <= config->ladder[i - 1])
            return error_set(error, "ladder: %lld after %lld, expected ascending numbers of simulations",
                             (long long)config->ladder[i], (long long)config->ladder[i - 1]);
    return true;
}

cJSON *komi_config_identity(const KomiConfig *config) {
    cJSON *json = cJSON_CreateObject();
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)config->seed);
    cJSON_AddStringToObject(json, "engine", STIGMERGY_VERSION);
    cJSON_AddStringToObject(json, "game", config->game);
    cJSON_AddNumberToObject(json, "size", (double)config->size);
    Player player = config->player;
    player.simulations = 0; /* the rungs say it */
    player.move_seconds = 0;
    cJSON_AddItemToObject(json, "player", player_to_json(&player));
    cJSON_AddStringToObject(json, "seed", seed);
    cJSON_AddNumberToObject(json, "move_time", config->move_seconds);
    cJSON *range = cJSON_AddArrayToObject(json, "komi_range");
    cJSON_AddItemToArray(range, cJSON_CreateNumber((double)config->komi_range[0]));
    cJSON_AddItemToArray(range, cJSON_CreateNumber((double)config->komi_range[1]));
    cJSON_AddStringToObject(json, "parity", config->even && config->odd ? "both" : config->even ? "even" : "odd");
    cJSON_AddNumberToObject(json, "first_round", (double)config->first_round);
    return json;
}

cJSON *komi_config_to_json(const KomiConfig *config) {
    cJSON *json = komi_config_identity(config);
    const Player player = komi_config_player(config, 0); /* a description needs some effort; the rungs replace it */
    cJSON_DeleteItemFromObjectCaseSensitive(json, "engine");
    cJSON_ReplaceItemInObjectCaseSensitive(json, "player", player_to_json(&player));
    if (config->move_seconds == 0) {
        cJSON_DeleteItemFromObjectCaseSensitive(json, "move_time");
        cJSON *ladder = cJSON_AddArrayToObject(json, "ladder");
        for (int i = 0; i < config->rungs; i++)
            cJSON_AddItemToArray(ladder, cJSON_CreateNumber((double)config->ladder[i]));
    }
    cJSON_AddNumberToObject(json, "games", (double)config->games);
    cJSON_AddNumberToObject(json, "until_width", config->until_width);
    return json;
}

bool komi_config_hash(const KomiConfig *config, char out[20], Error *error) {
    cJSON *json = komi_config_identity(config);
    const bool good = document_hash(json, out, error);
    cJSON_Delete(json);
    return good;
}

int komi_config_rungs(const KomiConfig *config) {
    return config->move_seconds > 0 ? 1 : config->rungs;
}

Player komi_config_player(const KomiConfig *config, int rung) {
    Player player = config->player;
    player.simulations = config->move_seconds > 0 ? 0 : (uint64_t)config->ladder[rung];
    player.move_seconds = config->move_seconds;
    return player;
}

void komi_config_rung_name(const KomiConfig *config, int rung, char out[24]) {
    if (config->move_seconds > 0)
        snprintf(out, 24, "t%g", config->move_seconds);
    else
        snprintf(out, 24, "%lld", (long long)config->ladder[rung]);
}

EstimateConfig komi_config_estimate(const KomiConfig *config) {
    EstimateConfig estimate = estimate_config((int)config->size);
    estimate.komi_min = (int)config->komi_range[0];
    estimate.komi_max = (int)config->komi_range[1];
    estimate.even = config->even;
    estimate.odd = config->odd;
    return estimate;
}
