/* See player.h. */
#include "selfplay/players/player.h"

#include "selfplay/io/json.h"

#include <stdio.h>
static const char *const policy_names[] = {
    [PLAYOUT_UNIFORM] = "uniform", [PLAYOUT_LIGHT] = "light", [PLAYOUT_TACTICAL] = "tactical"};

const char *player_policy_name(PlayoutPolicy policy) {
    return policy_names[policy];
}

Player player_default(void) {
    return (Player){.name = "default",
                    .params = search_default_params(),
                    .simulations = 1000,
                    .memory_mb = 256,
                    .search_threads = 1};
}

static void read_range(JsonReader *reader, const char *key, int64_t low, int64_t high, int *out) {
    int64_t value = *out;
    json_int(reader, key, low, high, &value);
    *out = (int)value;
}

static void read_small(JsonReader *reader, const char *key, int64_t high, int *out) {
    read_range(reader, key, 1, high, out);
}

static bool read_search(const cJSON *json, const char *source, SearchParams *params, Error *error) {
    JsonReader reader = json_open(json, source);
    char policy[16];
    strcpy(policy, policy_names[params->policy]);
    json_string(&reader, "playout_policy", policy, sizeof policy);
    read_range(&reader, "playouts", 1, EVALUATION_PLAYOUTS_MAX, &params->playouts);
    read_small(&reader, "expand_visits", 1000000, &params->expand_visits);
    json_number(&reader, "rave", 0, 1e6, &params->rave);
    json_number(&reader, "judge", 0, 10, &params->judge);
    read_range(&reader, "prior_playouts", 0, 1000, &params->prior_playouts);
    json_number(&reader, "prior_slope", 0, 10, &params->prior_slope);
    json_number(&reader, "solver_share", 0, 1, &params->solver_share);
    read_range(&reader, "solver_open", 0, HEXHEX_MAX_CELLS, &params->solver_open);
    read_range(&reader, "solver_claims_open", 0, HEXHEX_MAX_CELLS, &params->solver_claims_open);
    json_number(&reader, "exploration", 0, 100, &params->exploration);
    json_number(&reader, "first_play", 0, 1, &params->first_play);
    if (!json_close(&reader, error))
        return false;
    for (int i = 0; i < 3; i++)
        if (!strcmp(policy, policy_names[i])) {
            params->policy = (PlayoutPolicy)i;
            return true;
        }
    return error_set(error, "%s: 'playout_policy' is wrong, expected \"uniform\", \"light\" or \"tactical\"", source);
}

bool player_from_json(const cJSON *json, const char *source, Player *player, Error *error) {
    JsonReader reader = json_open(json, source);
    int64_t simulations = (int64_t)player->simulations;
    json_string(&reader, "name", player->name, sizeof player->name);
    json_int(&reader, "simulations", 0, 1000000000, &simulations);
    json_number(&reader, "move_time", 0, 1e6, &player->move_seconds);
    json_int(&reader, "memory_mb", 1, 1 << 20, &player->memory_mb);
    read_small(&reader, "search_threads", SEARCH_THREADS_MAX, &player->search_threads);
    const cJSON *search = json_object(&reader, "search");
    if (!json_close(&reader, error))
        return false;
    if (player->move_seconds > 0 && !cJSON_HasObjectItem(json, "simulations"))
        simulations = 0; /* the time alone decides */
    player->simulations = (uint64_t)simulations;
    if (player->simulations == 0 && player->move_seconds == 0)
        return error_set(error, "%s: 'simulations' and 'move_time' are both 0, expected at least one limit", source);
    return !search || read_search(search, source, &player->params, error);
}

bool player_load(const char *path_or_name, Player *player, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *json = json_load_config("players", path_or_name, path, error);
    const bool good = json && player_from_json(json, path, player, error);
    cJSON_Delete(json);
    return good;
}

cJSON *player_to_json(const Player *player) {
    const SearchParams *params = &player->params;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", player->name);
    cJSON_AddNumberToObject(json, "simulations", (double)player->simulations);
    cJSON_AddNumberToObject(json, "move_time", player->move_seconds);
    cJSON_AddNumberToObject(json, "memory_mb", (double)player->memory_mb);
    cJSON_AddNumberToObject(json, "search_threads", player->search_threads);
    cJSON *search = cJSON_AddObjectToObject(json, "search");
    cJSON_AddStringToObject(search, "playout_policy", policy_names[params->policy]);
    cJSON_AddNumberToObject(search, "playouts", params->playouts);
    cJSON_AddNumberToObject(search, "expand_visits", params->expand_visits);
    cJSON_AddNumberToObject(search, "rave", params->rave);
    cJSON_AddNumberToObject(search, "judge", params->judge);
    cJSON_AddNumberToObject(search, "prior_playouts", params->prior_playouts);
    cJSON_AddNumberToObject(search, "prior_slope", params->prior_slope);
    cJSON_AddNumberToObject(search, "solver_share", params->solver_share);
    cJSON_AddNumberToObject(search, "solver_open", params->solver_open);
    cJSON_AddNumberToObject(search, "solver_claims_open", params->solver_claims_open);
    cJSON_AddNumberToObject(search, "exploration", params->exploration);
    if (!cJSON_AddNumberToObject(search, "first_play", params->first_play)) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}

void player_title(const Player *player, char out[PLAYER_TITLE_MAX]) {
    snprintf(out, PLAYER_TITLE_MAX, "Stigmergy (%s)", player->name);
}

Search *player_new_search(const Player *player, const Game *game, uint64_t seed, Error *error) {
    const SearchOptions options = {.params = player->params,
                                   .threads = player->search_threads,
                                   .memory = (size_t)player->memory_mb << 20,
                                   .seed = seed};
    return search_new(game, &options, error);
}

SearchLimits player_limits(const Player *player, const atomic_bool *stop) {
    return (SearchLimits){.simulations = player->simulations, .seconds = player->move_seconds, .stop = stop};
}
