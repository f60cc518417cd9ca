/* See config.h. */
#include "selfplay/runs/match/config.h"

#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/runs/shard_spec.h"

#include <stdio.h>

MatchConfig match_config_default(int size) {
    return (MatchConfig){.game = "stigmergy",
                         .size = size,
                         .seed = 1,
                         .openings = opening_default_settings(),
                         .grace = 1,
                         .patience = 60};
}

/* ---- Players ---- */

static bool set_command(MatchPlayer *player, const char *command, const char *what, Error *error) {
    if (strlen(command) >= GTP_COMMAND_MAX || command[strspn(command, " \t")] == '\0')
        return error_set(error, "%s: '%.40s' is no command of an engine, expected one of 1 to %d bytes", what, command,
                         GTP_COMMAND_MAX - 1);
    strcpy(player->command, command);
    player->player.simulations = 0;
    player->player.move_seconds = 0;
    if (!player->player.name[0]) /* a long command is cut */
        snprintf(player->player.name, PLAYER_NAME_MAX, "gtp:%.*s", PLAYER_NAME_MAX - 5, command);
    return true;
}

static bool read_engine(const cJSON *json, const char *what, MatchPlayer *player, Error *error) {
    JsonReader reader = json_open(json, what);
    char command[GTP_COMMAND_MAX] = "";
    double move_seconds = 0;
    player->player.name[0] = '\0';
    json_string(&reader, "name", player->player.name, PLAYER_NAME_MAX);
    json_string(&reader, "gtp", command, sizeof command);
    json_number(&reader, "move_time", 0, 1e6, &move_seconds);
    if (!json_close(&reader, error) || !set_command(player, command, what, error))
        return false;
    player->player.move_seconds = move_seconds;
    return true;
}

static bool read_player(const cJSON *json, const char *what, MatchPlayer *player, Error *error) {
    if (cJSON_HasObjectItem(json, "gtp"))
        return read_engine(json, what, player, error);
    return player_from_json(json, what, &player->player, error);
}

static MatchPlayer *new_player(MatchConfig *config, const char *what, Error *error) {
    if (config->count == MATCH_PLAYERS_MAX) {
        error_set(error, "%s: too many players, expected at most %d", what, MATCH_PLAYERS_MAX);
        return NULL;
    }
    MatchPlayer *player = &config->players[config->count];
    *player = (MatchPlayer){.player = player_default()};
    return player;
}

bool match_config_add_player(MatchConfig *config, const char *text, const char *what, Error *error) {
    MatchPlayer *player = new_player(config, what, error);
    if (!player)
        return false;
    bool good;
    if (!strncmp(text, "gtp:", 4)) {
        player->player.name[0] = '\0';
        good = set_command(player, text + 4, what, error);
    } else if (text[0] == '{') {
        cJSON *json = json_parse(text, strlen(text), what, error);
        good = json && read_player(json, what, player, error);
        cJSON_Delete(json);
    } else {
        char path[FILE_PATH_MAX];
        cJSON *json = json_load_config("players", text, path, error);
        good = json && read_player(json, path, player, error);
        cJSON_Delete(json);
    }
    config->count += good;
    return good;
}

static bool add_players(MatchConfig *config, const cJSON *array, const char *source, Error *error) {
    for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
        if (cJSON_IsString(item)) {
            if (!match_config_add_player(config, item->valuestring, source, error))
                return false;
            continue;
        }
        MatchPlayer *player = new_player(config, source, error);
        if (!player || !read_player(item, source, player, error))
            return false;
        config->count++;
    }
    return true;
}

void match_config_set_effort(MatchConfig *config, uint64_t simulations, double move_seconds) {
    if (simulations == 0 && move_seconds == 0)
        return;
    for (int i = 0; i < config->count; i++) {
        Player *player = &config->players[i].player;
        const bool engine = config->players[i].command[0] != '\0';
        player->simulations = engine ? 0 : simulations;
        if (!engine || move_seconds > 0) /* simulations say nothing about the time of an engine */
            player->move_seconds = move_seconds;
    }
}

/* ---- Settings ---- */

static bool read_komi(const cJSON *json, const char *source, OpeningSettings *openings, Error *error) {
    if (!json)
        return true;
    openings->auto_komi = cJSON_IsString(json) && !strcmp(json->valuestring, "auto");
    openings->komi = cJSON_IsNumber(json) ? json->valueint : 0;
    return openings->auto_komi || (cJSON_IsNumber(json) && json->valuedouble == (double)json->valueint) ||
           error_set(error, "%s: 'komi' is wrong, expected a whole number or \"auto\"", source);
}

static const char *const capture_names[] = {
    [GAME_CAPTURE_DEFAULT] = "", [GAME_CAPTURE_FREE] = "free", [GAME_CAPTURE_LINE] = "line"};
static const char *const pie_names[] = {[GAME_PIE_DEFAULT] = "", [GAME_PIE_OFF] = "off", [GAME_PIE_ON] = "on"};

/* Finds a word among the names 1 and 2, which a variant has; "" leaves it as it was. */
static bool read_variant(const char *key, const char *word, const char *const names[3], int *out, const char *source,
                         Error *error) {
    for (int i = 1; i < 3; i++)
        if (!strcmp(word, names[i]))
            *out = i;
    return !*word || !strcmp(word, names[*out]) ||
           error_set(error, "%s: '%s' is wrong, expected \"%s\" or \"%s\"", source, key, names[1], names[2]);
}

static bool read_variants(const char *capture, const char *pie, const char *source, MatchConfig *config, Error *error) {
    int captures = (int)config->capture, pies = (int)config->pie;
    if (!read_variant("capture", capture, capture_names, &captures, source, error) ||
        !read_variant("pie", pie, pie_names, &pies, source, error))
        return false;
    config->capture = (GameCapture)captures;
    config->pie = (GamePie)pies;
    return true;
}

static bool read_openings(const cJSON *json, const char *source, OpeningSettings *openings, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open(json, source);
    json_int(&reader, "turns", 0, OPENING_TURNS_MAX, &openings->turns);
    json_number(&reader, "limit", 0.5, 1, &openings->limit);
    json_int(&reader, "simulations", 1, 1000000, &openings->simulations);
    return json_close(&reader, error);
}

static bool read_sprt(const cJSON *json, const char *source, MatchConfig *config, Error *error) {
    if (!json)
        return true;
    const cJSON *low = cJSON_GetArrayItem(json, 0), *high = cJSON_GetArrayItem(json, 1);
    if (cJSON_GetArraySize(json) != 2 || !cJSON_IsNumber(low) || !cJSON_IsNumber(high))
        return error_set(error, "%s: 'sprt' is wrong, expected [ELO0, ELO1]", source);
    config->sprt = true;
    config->elo0 = low->valuedouble;
    config->elo1 = high->valuedouble;
    return true;
}

bool match_config_from_json(const cJSON *json, const char *source, MatchConfig *config, Error *error) {
    JsonReader reader = json_open(json, source);
    int64_t simulations = 0, memory_mb = 0;
    double move_seconds = 0;
    char capture[8] = "", pie[8] = "";
    json_string(&reader, "capture", capture, sizeof capture);
    json_string(&reader, "pie", pie, sizeof pie);
    json_string(&reader, "game", config->game, sizeof config->game);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &config->size);
    json_u64(&reader, "seed", &config->seed);
    const cJSON *komi = json_any(&reader, "komi"), *openings = json_object(&reader, "openings");
    const cJSON *players = json_array(&reader, "players"), *sprt = json_array(&reader, "sprt");
    json_int(&reader, "simulations", 1, 1000000000, &simulations);
    json_number(&reader, "move_time", 0.001, 1e6, &move_seconds);
    json_int(&reader, "memory_mb", 1, 1 << 20, &memory_mb);
    json_number(&reader, "grace", 0, 1e6, &config->grace);
    json_number(&reader, "patience", 0.01, 1e6, &config->patience);
    json_int(&reader, "games", 2, MATCH_GAMES_MAX, &config->games);
    json_number(&reader, "time", 0, 1e9, &config->seconds);
    json_int(&reader, "shards", 1, SHARDS_MAX, &config->shards);
    if (!json_close(&reader, error) || !read_variants(capture, pie, source, config, error) ||
        !read_komi(komi, source, &config->openings, error) ||
        !read_openings(openings, source, &config->openings, error) || !read_sprt(sprt, source, config, error) ||
        !add_players(config, players, source, error))
        return false;
    match_config_set_effort(config, (uint64_t)simulations, move_seconds);
    for (int i = 0; memory_mb && i < config->count; i++)
        config->players[i].player.memory_mb = memory_mb;
    return true;
}

bool match_config_load(const char *path, MatchConfig *config, Error *error) {
    char found[FILE_PATH_MAX];
    cJSON *json = json_load_config("match", path, found, error);
    const bool good = json && match_config_from_json(json, found, config, error);
    cJSON_Delete(json);
    return good;
}

/* Gives the second and later ones of equal names a number. */
static void distinguish_names(MatchConfig *config) {
    for (int i = 1; i < config->count; i++) {
        char *name = config->players[i].player.name;
        char own[PLAYER_NAME_MAX];
        strcpy(own, name);
        for (int j = 0, number = 2; j < i; j++) {
            if (strcmp(config->players[j].player.name, name))
                continue;
            snprintf(name, PLAYER_NAME_MAX, "%.50s#%d", own, number++);
            j = -1; /* that one may be taken too */
        }
    }
}

static bool check_komi(const MatchConfig *config, Error *error) {
    const int64_t cells = hexhex_cell_count((int)config->size);
    const GameOptions options = match_config_game(config);
    Game *game = game_new(&options, error);
    if (!game)
        return false;
    const bool has_points = game->has_points;
    game_free(game);
    if (!has_points && (config->openings.auto_komi || config->openings.komi != 0))
        return error_set(error, "komi: %s is played without, expected none", config->game);
    return (config->openings.komi >= -cells && config->openings.komi <= cells) ||
           error_set(error, "komi: %lld, expected auto or -%lld to %lld, the cells of hexhex-%lld",
                     (long long)config->openings.komi, (long long)cells, (long long)cells, (long long)config->size);
}

bool match_config_check(MatchConfig *config, Error *error) {
    if (config->count < 2)
        return error_set(error, "players: %d, expected two or more (--player A --player B)", config->count);
    if (config->sprt && config->count > 2)
        return error_set(error, "sprt: %d players, expected two", config->count);
    if (config->sprt && !(config->elo0 < config->elo1 && config->elo0 >= -1000 && config->elo1 <= 1000))
        return error_set(error, "sprt: %g,%g, expected ELO0 below ELO1, both from -1000 to 1000", config->elo0,
                         config->elo1);
    if (config->games % 2 != 0)
        return error_set(error, "games: %lld, expected an even number, for every opening is played twice",
                         (long long)config->games);
    for (int i = 0; i < config->count; i++) {
        const MatchPlayer *player = &config->players[i];
        if (!player->command[0] && player->player.simulations == 0 && player->player.move_seconds == 0)
            return error_set(error, "player '%s': no limit of a move, expected simulations or a time",
                             player->player.name);
    }
    distinguish_names(config);
    if (config->games == 0 && !config->sprt)
        config->games = MATCH_GAMES_DEFAULT;
    return check_komi(config, error);
}

GameOptions match_config_game(const MatchConfig *config) {
    return (GameOptions){
        .name = config->game, .size = (int)config->size, .capture = config->capture, .pie = config->pie};
}

bool match_config_timed(const MatchConfig *config) {
    for (int i = 0; i < config->count; i++)
        if (config->players[i].player.move_seconds > 0)
            return true;
    return false;
}

int match_config_search_threads(const MatchConfig *config) {
    int most = 1;
    for (int i = 0; i < config->count; i++)
        if (!config->players[i].command[0] && config->players[i].player.search_threads > most)
            most = config->players[i].player.search_threads;
    return most;
}

/* ---- Identity ---- */

cJSON *match_player_to_json(const MatchPlayer *player) {
    if (!player->command[0])
        return player_to_json(&player->player);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", player->player.name);
    cJSON_AddStringToObject(json, "gtp", player->command);
    cJSON_AddNumberToObject(json, "move_time", player->player.move_seconds);
    return json;
}

cJSON *match_config_identity(const MatchConfig *config) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "engine", STIGMERGY_VERSION);
    cJSON_AddStringToObject(json, "game", config->game);
    cJSON_AddNumberToObject(json, "size", (double)config->size);
    if (config->capture != GAME_CAPTURE_DEFAULT)
        cJSON_AddStringToObject(json, "capture", capture_names[config->capture]);
    if (config->pie != GAME_PIE_DEFAULT)
        cJSON_AddStringToObject(json, "pie", pie_names[config->pie]);
    if (config->openings.auto_komi)
        cJSON_AddStringToObject(json, "komi", "auto");
    else
        cJSON_AddNumberToObject(json, "komi", (double)config->openings.komi);
    document_add_u64(json, "seed", config->seed);
    cJSON *players = cJSON_AddArrayToObject(json, "players");
    for (int i = 0; i < config->count; i++)
        cJSON_AddItemToArray(players, match_player_to_json(&config->players[i]));
    cJSON *openings = cJSON_AddObjectToObject(json, "openings");
    cJSON_AddNumberToObject(openings, "turns", (double)config->openings.turns);
    cJSON_AddNumberToObject(openings, "limit", config->openings.limit);
    cJSON_AddNumberToObject(openings, "simulations", (double)config->openings.simulations);
    cJSON_AddNumberToObject(json, "grace", config->grace);
    cJSON_AddNumberToObject(json, "patience", config->patience);
    return json;
}

cJSON *match_config_to_json(const MatchConfig *config) {
    cJSON *json = match_config_identity(config);
    cJSON_DeleteItemFromObjectCaseSensitive(json, "engine");
    if (config->games)
        cJSON_AddNumberToObject(json, "games", (double)config->games);
    if (config->sprt) {
        cJSON *sprt = cJSON_AddArrayToObject(json, "sprt");
        cJSON_AddItemToArray(sprt, cJSON_CreateNumber(config->elo0));
        cJSON_AddItemToArray(sprt, cJSON_CreateNumber(config->elo1));
    }
    return json;
}
