/* See config.h. */
#include "selfplay/runs/generate/config.h"

#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/io/variants.h"
#include "selfplay/runs/opening.h"

enum { POWER_MAX = 16, CONSIDERED = 16, USUAL_CHEAP = 80 };

SelfplayConfig selfplay_config_default(void) {
    SelfplayConfig config = {.run = {.kind = &selfplay_config_kind, .game = "stigmergy", .seed = 1, .games = 1000},
                             .player = player_default(),
                             .cheap_share = 0.75,
                             .opening_turns = {0, 4},
                             .referee_simulations = 100,
                             .recorded.share = 0.5,
                             .komi_spread = 2,
                             .wild_share = 0.05,
                             .wild_spread = 10,
                             .explore_turns = 0.2,
                             .noise = 0.05,
                             .noise_playouts = 50,
                             .power = 1,
                             .gumbel = 1,
                             .resign_moves = 5,
                             .resign_never = 0.1,
                             .rows = 20000,
                             .license = "CC0-1.0"};
    config.player.simulations = 400;
    strcpy(config.engine, document_games_version(selfplay_config_kind.name));
    selfplay_config_set_size(&config, 5);
    return config;
}

void selfplay_config_set_size(SelfplayConfig *config, int size) {
    SelfplaySize wanted = {.size = size, .weight = 1, .auto_komi = true};
    for (int i = 0; i < config->size_count; i++)
        if (config->sizes[i].size == size)
            wanted = config->sizes[i];
    config->sizes[0] = wanted;
    config->size_count = 1;
}

uint64_t selfplay_config_simulations(const SelfplayConfig *config, int size, bool full) {
    const uint64_t usual = config->player.simulations, cheap = (uint64_t)config->cheap_simulations;
    uint64_t here = usual;
    for (int i = 0; i < config->size_count; i++)
        if (config->sizes[i].size == size && config->sizes[i].simulations)
            here = (uint64_t)config->sizes[i].simulations;
    return full ? here : (cheap * here + usual - 1) / usual;
}

bool selfplay_config_games(const SelfplayConfig *config, Game *games[HEXHEX_MAX_SIZE + 1], Error *error) {
    for (int i = 0; i < config->size_count; i++) {
        const int64_t size = config->sizes[i].size;
        const GameOptions options = run_config_game(&config->run, size);
        games[size] = game_new(&options, error);
        if (!games[size])
            return false;
    }
    return true;
}

/* ---- Reading ---- */

static bool read_sizes(const cJSON *array, const char *source, SelfplayConfig *config, Error *error) {
    if (!array)
        return true;
    config->size_count = 0;
    for (const cJSON *item = array->child; item; item = item->next) {
        SelfplaySize size = {.weight = 1, .auto_komi = true};
        if (config->size_count == SELFPLAY_SIZES_MAX)
            return error_set(error, "%s: 'sizes' is too long, expected at most %d", source, SELFPLAY_SIZES_MAX);
        JsonReader reader = json_open_inside(item, source, "a size");
        json_require(&reader, "size");
        json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &size.size);
        json_number(&reader, "weight", 0.000001, 1000000, &size.weight);
        json_int(&reader, "simulations", 1, PLAYER_SIMULATIONS_MAX, &size.simulations);
        const PlayerNetworkKeys keys = player_read_network(&reader);
        const cJSON *komi = json_any(&reader, "komi");
        if (!json_close(&reader, error) ||
            !run_config_read_komi(komi, source, "'komi' of a size", &size.auto_komi, &size.komi, error))
            return false;
        if (keys.network && !player_set_network(&size.player, keys.network, keys.hash, error))
            return error_prefix(error, "%s: ", source);
        config->sizes[config->size_count++] = size;
    }
    return true;
}

static bool read_cheap(const cJSON *json, const char *source, SelfplayConfig *config, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'cheap'");
    json_number(&reader, "share", 0, 1, &config->cheap_share);
    json_int(&reader, "simulations", 1, PLAYER_SIMULATIONS_MAX, &config->cheap_simulations);
    return json_close(&reader, error);
}

static bool read_openings(const cJSON *json, const char *source, SelfplayConfig *config, Error *error) {
    if (!json)
        return true;
    int count = 2;
    JsonReader reader = json_open_inside(json, source, "'openings'");
    json_ints(&reader, "turns", 0, OPENING_TURNS_MAX, config->opening_turns, 2, &count);
    json_int(&reader, "simulations", 1, 1000000, &config->referee_simulations);
    json_string(&reader, "from", config->recorded.from, sizeof config->recorded.from);
    json_number(&reader, "share", 0, 1, &config->recorded.share);
    if (config->recorded.from[0])
        json_string(&reader, "from_hash", config->recorded.hash, sizeof config->recorded.hash);
    if (!json_close(&reader, error))
        return false;
    if (json_get(json, "share") && !config->recorded.from[0])
        return error_set(error, "%s: 'share' of 'openings' means nothing without 'from'", source);
    return (count == 2 && config->opening_turns[0] <= config->opening_turns[1]) ||
           error_set(error, "%s: 'turns' of 'openings' is wrong, expected [at least, at most]", source);
}

static bool read_komi(const cJSON *json, const char *source, SelfplayConfig *config, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'komi'");
    json_number(&reader, "spread", 0, GAME_KOMI_LIMIT, &config->komi_spread);
    json_number(&reader, "wild_share", 0, 1, &config->wild_share);
    json_number(&reader, "wild_spread", 0, GAME_KOMI_LIMIT, &config->wild_spread);
    return json_close(&reader, error);
}

static bool read_explore(const cJSON *json, const char *source, SelfplayConfig *config, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'explore'");
    json_number(&reader, "turns", 0, 1000, &config->explore_turns);
    json_number(&reader, "noise", 0, 1, &config->noise);
    json_int(&reader, "noise_playouts", 0, 1000000, &config->noise_playouts);
    json_int(&reader, "power", 1, POWER_MAX, &config->power);
    json_number(&reader, "gumbel", 0, 10, &config->gumbel);
    return json_close(&reader, error);
}

static bool read_resign(const cJSON *json, const char *source, SelfplayConfig *config, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'resign'");
    json_number(&reader, "below", 0, 0.5, &config->resign_below);
    json_int(&reader, "moves", 1, 1000, &config->resign_moves);
    json_number(&reader, "never", 0, 1, &config->resign_never);
    json_int(&reader, "finish", 0, PLAYER_SIMULATIONS_MAX, &config->resign_finish);
    return json_close(&reader, error);
}

/* What a set is like beside its games. */
static void read_layout(JsonReader *reader, SelfplayConfig *config) {
    json_int(reader, "rows", 1, 1000000, &config->rows);
    json_string(reader, "license", config->license, sizeof config->license);
    json_string(reader, "creator", config->creator, sizeof config->creator);
    json_string(reader, "url", config->url, sizeof config->url);
}

bool selfplay_config_load_layout(const char *path, SelfplayConfig *config, bool *alone, Error *error) {
    char found[FILE_PATH_MAX];
    cJSON *json = json_load_config(selfplay_config_kind.name, path, found, error);
    if (!json)
        return false;
    JsonReader reader = json_open(json, found);
    read_layout(&reader, config);
    *alone = json_close(&reader, NULL);
    cJSON_Delete(json);
    return true;
}

static bool read(const cJSON *json, const char *source, RunConfig *base, Error *error) {
    SelfplayConfig *config = (SelfplayConfig *)base;
    JsonReader reader = json_open(json, source);
    int64_t simulations = 0;
    run_config_keys(&reader, base);
    json_int(&reader, "simulations", 1, PLAYER_SIMULATIONS_MAX, &simulations);
    json_int(&reader, "games", 1, SELFPLAY_GAMES_MAX, &base->games);
    read_layout(&reader, config);
    variants_read_capture(&reader, &base->capture);
    variants_read_pie(&reader, &base->pie);
    const cJSON *player = json_any(&reader, "player"), *sizes = json_array(&reader, "sizes");
    const cJSON *cheap = json_object(&reader, "cheap"), *openings = json_object(&reader, "openings");
    const cJSON *komi = json_object(&reader, "komi"), *explore = json_object(&reader, "explore");
    const cJSON *resign = json_object(&reader, "resign");
    if (!json_close(&reader, error) || !run_config_read_player(player, source, &config->player, error) ||
        !read_sizes(sizes, source, config, error) || !read_cheap(cheap, source, config, error) ||
        !read_openings(openings, source, config, error) || !read_komi(komi, source, config, error) ||
        !read_explore(explore, source, config, error) || !read_resign(resign, source, config, error))
        return false;
    if (simulations)
        player_set_limits(&config->player, (uint64_t)simulations, 0);
    return true;
}

/* ---- Checking ---- */

static bool check_size(SelfplayConfig *config, int index, Error *error) {
    SelfplaySize *size = &config->sizes[index];
    bool has_points;
    for (int i = 0; i < index; i++)
        if (config->sizes[i].size == size->size)
            return error_set(error, "sizes: %lld stands there twice", (long long)size->size);
    if (!run_config_check_komi(&config->run, size->size, size->komi, &has_points, error))
        return false;
    size->auto_komi &= has_points;
    return true;
}

static bool check_license(const char *license) {
    return *license && !license[strspn(license, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+")];
}

/* Unless the settings say how much a cheap search does, it does not do more than a full one. */
static void settle_cheap(SelfplayConfig *config) {
    const uint64_t full = config->player.simulations;
    if (config->cheap_simulations == 0)
        config->cheap_simulations = full < USUAL_CHEAP ? (int64_t)full : USUAL_CHEAP;
}

/* Makes the player of a size from that of the set. */
static bool settle_size(const SelfplayConfig *config, SelfplaySize *size, Error *error) {
    const Player own = size->player;
    size->player = config->player;
    if ((own.network[0] && !player_set_network(&size->player, own.network, own.network_hash, error)) ||
        !player_settle_checked(&size->player, config->run.game, (int)size->size, error))
        return false;
    if (player_has_network(&size->player) != player_has_network(&config->sizes[0].player))
        return error_set(error, "sizes: some have a network and some have none, expected the same for all");
    /* Noise on the values of moves leads PUCT astray (engine/search/MEASUREMENTS.md). */
    if (player_has_network(&size->player) && size->player.params.considered == 0)
        size->player.params.considered = CONSIDERED;
    return true;
}

/* Makes the players of all sizes; that of the largest becomes the player of the set. */
static bool settle_sizes(SelfplayConfig *config, Error *error) {
    const SelfplaySize *largest = config->sizes;
    for (SelfplaySize *size = config->sizes; size < config->sizes + config->size_count; size++) {
        if (!settle_size(config, size, error))
            return false;
        if (size->size > largest->size)
            largest = size;
    }
    config->player = largest->player;
    return true;
}

/* Finds out which recorded games there are. */
static bool hash_recorded(SelfplayConfig *config, Error *error) {
    Game *games[HEXHEX_MAX_SIZE + 1] = {NULL};
    const bool good = selfplay_config_games(config, games, error) &&
                      recorded_openings_hash(config->recorded.from, games, config->recorded.hash, error);
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        game_free(games[size]);
    return good;
}

static bool check(RunConfig *base, Error *error) {
    SelfplayConfig *config = (SelfplayConfig *)base;
    if (config->size_count == 0)
        return error_set(error, "sizes: none, expected at least one");
    for (int i = 0; i < config->size_count; i++)
        if (!check_size(config, i, error))
            return false;
    if (config->player.simulations == 0 || config->player.move_seconds > 0)
        return error_set(error,
                         "player '%s': its effort is a time, expected simulations, for a data set must be the "
                         "same on every machine",
                         config->player.name);
    if (config->player.search_threads != 1)
        return error_set(error,
                         "player '%s': search_threads is %d, expected 1, for a data set must be the same every time",
                         config->player.name, config->player.search_threads);
    if (config->player.large_board_simulations)
        return error_set(error,
                         "player '%s': 'large_board_simulations' means nothing here, expected \"simulations\" with a "
                         "size in 'sizes'",
                         config->player.name);
    if (!check_license(config->license))
        return error_set(error, "license: '%s', expected an SPDX identifier such as CC0-1.0", config->license);
    settle_cheap(config);
    return settle_sizes(config, error) &&
           (!config->recorded.from[0] || config->recorded.hash[0] || hash_recorded(config, error));
}

/* ---- Identity ---- */

static void add_sizes(cJSON *json, const SelfplayConfig *config) {
    cJSON *sizes = cJSON_AddArrayToObject(json, "sizes");
    for (int i = 0; i < config->size_count; i++) {
        cJSON *item = cJSON_CreateObject();
        cJSON_AddNumberToObject(item, "size", (double)config->sizes[i].size);
        cJSON_AddNumberToObject(item, "weight", config->sizes[i].weight);
        run_config_add_komi(item, config->sizes[i].auto_komi, config->sizes[i].komi);
        if (config->sizes[i].simulations)
            cJSON_AddNumberToObject(item, "simulations", (double)config->sizes[i].simulations);
        if (strcmp(config->sizes[i].player.network_hash, config->player.network_hash) != 0) {
            cJSON_AddStringToObject(item, "network", config->sizes[i].player.network);
            cJSON_AddStringToObject(item, "network_hash", config->sizes[i].player.network_hash);
        }
        json_add(sizes, NULL, item);
    }
}

static void add_variety(cJSON *json, const SelfplayConfig *config) {
    cJSON *cheap = cJSON_AddObjectToObject(json, "cheap");
    cJSON_AddNumberToObject(cheap, "share", config->cheap_share);
    cJSON_AddNumberToObject(cheap, "simulations", (double)config->cheap_simulations);
    cJSON *openings = cJSON_AddObjectToObject(json, "openings"), *turns = cJSON_AddArrayToObject(openings, "turns");
    for (int i = 0; i < 2; i++)
        json_add(turns, NULL, cJSON_CreateNumber((double)config->opening_turns[i]));
    cJSON_AddNumberToObject(openings, "simulations", (double)config->referee_simulations);
    if (config->recorded.from[0]) {
        cJSON_AddStringToObject(openings, "from", config->recorded.from);
        cJSON_AddStringToObject(openings, "from_hash", config->recorded.hash);
        cJSON_AddNumberToObject(openings, "share", config->recorded.share);
    }
    cJSON *komi = cJSON_AddObjectToObject(json, "komi");
    cJSON_AddNumberToObject(komi, "spread", config->komi_spread);
    cJSON_AddNumberToObject(komi, "wild_share", config->wild_share);
    cJSON_AddNumberToObject(komi, "wild_spread", config->wild_spread);
    cJSON *explore = cJSON_AddObjectToObject(json, "explore");
    cJSON_AddNumberToObject(explore, "turns", config->explore_turns);
    cJSON_AddNumberToObject(explore, "noise", config->noise);
    cJSON_AddNumberToObject(explore, "noise_playouts", (double)config->noise_playouts);
    cJSON_AddNumberToObject(explore, "power", (double)config->power);
    if (player_halves(&config->player))
        cJSON_AddNumberToObject(explore, "gumbel", config->gumbel);
    cJSON *resign = cJSON_AddObjectToObject(json, "resign");
    cJSON_AddNumberToObject(resign, "below", config->resign_below);
    cJSON_AddNumberToObject(resign, "moves", (double)config->resign_moves);
    cJSON_AddNumberToObject(resign, "never", config->resign_never);
    if (config->resign_finish)
        cJSON_AddNumberToObject(resign, "finish", (double)config->resign_finish);
}

static void add_identity(cJSON *json, const RunConfig *base) {
    const SelfplayConfig *config = (const SelfplayConfig *)base;
    /* A set that is read may be of another version. */
    json_set(json, "engine", cJSON_CreateString(config->engine));
    cJSON_AddStringToObject(json, "game", base->game);
    variants_add(json, base->capture, base->pie);
    document_add_u64(json, "seed", base->seed);
    add_sizes(json, config);
    add_variety(json, config);
    json_add(json, "player", player_to_json(&config->player));
}

const RunConfigKind selfplay_config_kind = {
    .name = "selfplay", .size = sizeof(SelfplayConfig), .read = read, .check = check, .add_identity = add_identity};
