/* See output.h. */
#include "tools/cli/output.h"

#include "selfplay/io/atomic_file.h"
#include "selfplay/io/json.h"
#include "selfplay/record/record_file.h"

#include <stdio.h>
#include <string.h>

static bool is_file(const char *path) {
    return path && strcmp(path, "-") != 0;
}

bool output_check(const char *path, Error *error) {
    return !is_file(path) || file_write_check(path, error);
}

bool output_spares(const char *option, const char *path, const char *file, Error *error) {
    bool same = false;
    if (is_file(path) && !file_write_replaces(path, file, &same, error))
        return false;
    return !same ||
           error_set(error, "%s: %.200s: the command needs this file itself, expected another one", option, path);
}

bool output_spares_games(const char *option, const char *path, const char *result, Error *error) {
    char records[FILE_PATH_MAX], packed[FILE_PATH_MAX + 4];
    if (!is_file(path))
        return true;
    if (!record_file_path(result, records, error))
        return false;
    snprintf(packed, sizeof packed, "%s.zst", records);
    return output_spares(option, path, records, error) && output_spares(option, path, packed, error);
}

bool output_spares_result(const char *option, const char *path, const char *result, Error *error) {
    return output_spares(option, path, result, error) && output_spares_games(option, path, result, error);
}

/* ---- Descriptions and settings ---- */

static bool spares_network(const char *option, const char *path, const char *network, Error *error) {
    char file[FILE_PATH_MAX];
    return !network[0] || !strcmp(network, PLAYER_PLAYOUTS) ||
           !network_find(network, file, NULL) || /* who loads it says why */
           output_spares(option, path, file, error);
}

bool output_spares_network(const char *option, const char *path, const Player *player, Error *error) {
    return spares_network(option, path, player->network, error);
}

/* A player's description: a string, as an option has it, or JSON. */
static bool spares_player(const char *option, const char *path, const cJSON *player, Error *error) {
    const char *network = cJSON_GetStringValue(json_get(player, "network"));
    if (cJSON_IsString(player))
        return output_spares_description(option, path, "players", player->valuestring, error);
    return !network || spares_network(option, path, network, error);
}

static bool spares_settings(const char *option, const char *path, const cJSON *settings, Error *error) {
    const cJSON *player;
    bool good = spares_player(option, path, json_get(settings, "player"), error);
    cJSON_ArrayForEach(player, json_get(settings, "players")) good = good && spares_player(option, path, player, error);
    return good;
}

bool output_spares_description(const char *option, const char *path, const char *folder, const char *name,
                               Error *error) {
    char file[FILE_PATH_MAX] = "a description";
    if (!is_file(path) || !name || !strncmp(name, "gtp:", 4))
        return true;
    const bool is_json = *name == '{';
    cJSON *json = is_json ? json_parse(name, strlen(name), file, error) : json_load_config(folder, name, file, error);
    bool good = json && (is_json || output_spares(option, path, file, error));
    if (good && cJSON_IsObject(json)) /* if not, who loads it says so */
        good = (strcmp(folder, "players") ? spares_settings : spares_player)(option, path, json, error);
    cJSON_Delete(json);
    return good;
}
