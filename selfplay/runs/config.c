/* See config.h. */
#include "selfplay/runs/config.h"

#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/runs/shard_spec.h"

#include <stdio.h>

/* How players draw their moves who would play the same game again. */
enum { USUAL_DRAW = 1 };
static const double USUAL_DRAW_LOSS = 0.05;

/* ---- Whole configurations ---- */

bool run_config_read(const cJSON *json, const char *source, RunConfig *config, Error *error) {
    return config->kind->read(json, source, config, error);
}

static bool is_no_document(const cJSON *json, const char *path, Error *error) {
    return !json_get(json, "schema") ||
           error_set(error, "%s: is a document that a command wrote, expected settings", path);
}

bool run_config_load(const char *path, RunConfig *config, Error *error) {
    char found[FILE_PATH_MAX];
    cJSON *json = json_load_config(config->kind->name, path, found, error);
    const bool good = json && is_no_document(json, found, error) && run_config_read(json, found, config, error);
    cJSON_Delete(json);
    return good;
}

bool run_config_check(RunConfig *config, Error *error) {
    const GameOptions usual = game_usual(run_config_game(config, config->size));
    config->capture = usual.capture;
    config->pie = usual.pie;
    return config->kind->check(config, error);
}

cJSON *run_config_identity(const RunConfig *config) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "engine", document_games_version(config->kind->name));
    config->kind->add_identity(json, config);
    return json;
}

bool run_config_hash(const RunConfig *config, char out[RECORD_RUN_MAX], Error *error) {
    cJSON *json = run_config_identity(config);
    const bool good = document_hash(json, out, error);
    cJSON_Delete(json);
    return good;
}

cJSON *run_config_to_json(const RunConfig *config) {
    cJSON *json = run_config_identity(config);
    cJSON_DeleteItemFromObjectCaseSensitive(json, "engine");
    if (config->kind->add_extent)
        config->kind->add_extent(json, config);
    return json;
}

GameOptions run_config_game(const RunConfig *config, int64_t size) {
    return (GameOptions){.name = config->game, .size = (int)size, .capture = config->capture, .pie = config->pie};
}

/* ---- Reading ---- */

void run_config_keys(JsonReader *reader, RunConfig *config) {
    json_string(reader, "game", config->game, sizeof config->game);
    json_u64(reader, "seed", &config->seed);
    json_int(reader, "shards", 1, SHARDS_MAX, &config->shards);
}

bool run_config_read_player(const cJSON *json, const char *source, Player *player, Error *error) {
    if (!json)
        return true;
    if (cJSON_IsString(json))
        return player_load(json->valuestring, player, error);
    char what[FILE_PATH_MAX + 16];
    snprintf(what, sizeof what, "%s: player", source);
    return player_from_json(json, what, player, error);
}

bool run_config_read_komi(const cJSON *json, const char *source, const char *what, bool *auto_komi, int64_t *komi,
                          Error *error) {
    if (!json)
        return true;
    *auto_komi = cJSON_IsString(json) && !strcmp(json->valuestring, "auto");
    *komi = cJSON_IsNumber(json) ? json->valueint : 0;
    return *auto_komi || (cJSON_IsNumber(json) && json->valuedouble == (double)json->valueint) ||
           error_set(error, "%s: %s is wrong, expected a whole number or \"auto\"", source, what);
}

const char *const run_config_parities[PARITIES] = {
    [PARITY_BOTH] = "both", [PARITY_EVEN] = "even", [PARITY_ODD] = "odd"};

bool run_config_check_komi(const RunConfig *config, int64_t size, int64_t komi, bool *has_points, Error *error) {
    const GameOptions options = run_config_game(config, size);
    Game *game = game_new(&options, error);
    if (!game)
        return false;
    *has_points = game->has_points;
    const bool good = game_check_komi(game, (double)komi, error) ||
                      error_prefix(error, "komi: %lld on hexhex-%lld, ", (long long)komi, (long long)size);
    game_free(game);
    return good;
}

/* ---- Writing ---- */

void run_config_add_komi(cJSON *json, bool auto_komi, int64_t komi) {
    if (auto_komi)
        cJSON_AddStringToObject(json, "komi", "auto");
    else
        cJSON_AddNumberToObject(json, "komi", (double)komi);
}

/* ---- Players ---- */

bool run_config_settle_player(const RunConfig *config, Player *player, Error *error) {
    if (!player_settle_checked(player, config->game, (int)config->size, error))
        return false;
    if (player->draw != PLAYER_DRAW_UNSAID || !player_has_network(player))
        return true;
    player->draw = USUAL_DRAW;
    if (player->draw_loss == PLAYER_DRAW_UNSAID)
        player->draw_loss = USUAL_DRAW_LOSS;
    return true;
}
