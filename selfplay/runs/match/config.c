/* See config.h. */
#include "selfplay/runs/match/config.h"

#include "engine/base/utf8.h"
#include "engine/games/registry.h"
#include "selfplay/io/document.h"
#include "selfplay/io/text.h"
#include "selfplay/io/variants.h"
#include "selfplay/players/player_text.h"

#include <stdio.h>

enum { RESTARTS = 20 }; /* the default */

MatchConfig match_config_default(int size) {
    return (MatchConfig){.run = {.kind = &match_config_kind, .game = "stigmergy", .size = size, .seed = 1},
                         .openings = opening_default_settings(),
                         .grace = 1,
                         .patience = 60,
                         .restarts = RESTARTS};
}

/* ---- Players ---- */

/* A name from a command: a long one is cut, and each character that cannot be printed becomes "?". */
static void name_engine(char name[PLAYER_NAME_MAX], const char *command) {
    strcpy(name, "gtp:");
    text_copy(name + 4, PLAYER_NAME_MAX - 4, command);
    for (char *c = name; *c; c++)
        memset(c, '?', text_control(c));
}

static bool set_command(MatchPlayer *player, const char *command, const char *what, Error *error) {
    if (strlen(command) >= GTP_COMMAND_MAX || command[strspn(command, " \t")] == '\0')
        return error_set(error, "%s: '%.40s' is no command of an engine, expected one of 1 to %d bytes", what, command,
                         GTP_COMMAND_MAX - 1);
    if (text_find_foreign(command, strlen(command))) /* documents of the match have it */
        return error_set(error, "%s: the command of an engine is not UTF-8", what);
    strcpy(player->command, command);
    player_set_limits(&player->player, 0, 0);
    return true;
}

static bool read_engine(const cJSON *json, const char *what, MatchPlayer *player, Error *error) {
    const Error reason = {.text = "expected a name that can be printed"};
    JsonReader reader = json_open(json, what);
    char command[GTP_COMMAND_MAX] = "";
    double move_seconds = 0;
    json_string(&reader, "gtp", command, sizeof command);
    name_engine(player->player.name, command);
    json_string(&reader, "name", player->player.name, PLAYER_NAME_MAX);
    if (!text_can_be_printed(player->player.name))
        json_fail(&reader, "name", &reason);
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

/* `allowed`: a command may be started. */
static bool add_player(MatchConfig *config, const char *text, bool allowed, const char *what, Error *error) {
    MatchPlayer *player = new_player(config, what, error);
    if (!player)
        return false;
    const PlayerText said = player_text(&text);
    bool good;
    if (said == PLAYER_COMMAND) {
        name_engine(player->player.name, text);
        player->allowed = allowed;
        good = set_command(player, text, what, error);
    } else {
        char source[FILE_PATH_MAX];
        snprintf(source, sizeof source, "%s", what);
        cJSON *json = player_text_load(said, text, source, error);
        good = json && read_player(json, source, player, error);
        cJSON_Delete(json);
    }
    config->count += good;
    return good;
}

bool match_config_add_player(MatchConfig *config, const char *text, const char *what, Error *error) {
    return add_player(config, text, true, what, error);
}

static bool add_players(MatchConfig *config, const cJSON *array, const char *source, Error *error) {
    for (const cJSON *item = array ? array->child : NULL; item; item = item->next) {
        char what[FILE_PATH_MAX + 40];
        snprintf(what, sizeof what, "%s: player %d", source, config->count + 1);
        if (cJSON_IsString(item)) {
            if (!add_player(config, item->valuestring, false, what, error))
                return false;
            continue;
        }
        MatchPlayer *player = new_player(config, what, error);
        if (!player || !read_player(item, what, player, error))
            return false;
        config->count++;
    }
    return true;
}

static void set_effort(MatchPlayer *player, const MatchEffort *effort) {
    const bool engine = player->command[0];
    const Effort move = engine ? (Effort){.move_seconds = effort->engine_seconds} : effort->built_in;
    if (effort_is_given(move))
        player->player = player_with_effort(player->player, move);
    if (effort->memory_mb && !engine)
        player->player.memory_mb = effort->memory_mb;
}

/* ---- Settings ---- */

static bool read_openings(const cJSON *json, const char *source, OpeningSettings *openings, Error *error) {
    if (!json)
        return true;
    JsonReader reader = json_open_inside(json, source, "'openings'");
    json_int(&reader, "turns", 0, OPENING_TURNS_MAX, &openings->turns);
    json_bool(&reader, "all", &openings->all);
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

static bool read(const cJSON *json, const char *source, RunConfig *base, Error *error) {
    MatchConfig *config = (MatchConfig *)base;
    JsonReader reader = json_open(json, source);
    run_config_keys(&reader, base);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &base->size);
    variants_read_capture(&reader, &base->capture);
    variants_read_pie(&reader, &base->pie);
    const cJSON *komi = json_any(&reader, "komi"), *openings = json_object(&reader, "openings");
    const cJSON *players = json_array(&reader, "players"), *sprt = json_array(&reader, "sprt");
    json_int(&reader, "simulations", 1, PLAYER_SIMULATIONS_MAX, &config->effort.built_in.simulations);
    json_number(&reader, "move_time", 0.001, 1e6, &config->effort.built_in.move_seconds);
    json_int(&reader, "memory_mb", 1, 1 << 20, &config->effort.memory_mb);
    json_number(&reader, "grace", 0, 1e6, &config->grace);
    json_number(&reader, "patience", 0.01, 1e6, &config->patience);
    json_int(&reader, "restarts", 0, 1000000, &config->restarts);
    json_int(&reader, "games", 2, MATCH_GAMES_MAX, &base->games);
    json_number(&reader, "time", 0, RUN_SECONDS_MAX, &base->seconds);
    if (!json_close(&reader, error) ||
        !run_config_read_komi(komi, source, "'komi'", &config->openings.auto_komi, &config->openings.komi, error) ||
        !read_openings(openings, source, &config->openings, error) || !read_sprt(sprt, source, config, error) ||
        !add_players(config, players, source, error))
        return false;
    config->effort.engine_seconds = config->effort.built_in.move_seconds;
    return true;
}

enum { NUMBERED_NAME_MAX = 51 }; /* what a number is put behind */

/* Gives the second and later ones of equal names a number. */
static void distinguish_names(MatchConfig *config) {
    for (int i = 1; i < config->count; i++) {
        char *name = config->players[i].player.name;
        char own[NUMBERED_NAME_MAX];
        text_copy(own, sizeof own, name);
        for (int j = 0, number = 2; j < i; j++) {
            if (strcmp(config->players[j].player.name, name))
                continue;
            snprintf(name, PLAYER_NAME_MAX, "%s#%d", own, number++);
            j = -1; /* that one may be taken too */
        }
    }
}

/* From the empty board, or after each first move, the same players meet again and again: so they draw their moves. */
static bool settle_players(MatchConfig *config, Error *error) {
    const bool few = config->openings.all && config->openings.turns < 2;
    for (int i = 0; i < config->count; i++) {
        Player *player = &config->players[i].player;
        if (!config->players[i].command[0] &&
            !(few ? run_config_settle_player(&config->run, player, error)
                  : player_settle_checked(player, config->run.game, (int)config->run.size, error)))
            return false;
    }
    return true;
}

/* The number of games with which every opening of a list has been played once. */
static bool count_openings(const MatchConfig *config, int64_t *games, Error *error) {
    const GameOptions options = run_config_game(&config->run, config->run.size);
    Beginnings all = {0};
    Game *game = game_new(&options, error);
    const bool good = game && opening_list(game, &config->openings, &all, error);
    *games = 2 * (int64_t)all.count;
    beginnings_free(&all);
    game_free(game);
    return good;
}

/* Openings that are all classes: checks them. Of several, each is played once where no number of games is given. */
static bool check_openings(MatchConfig *config, Error *error) {
    OpeningSettings *openings = &config->openings;
    int64_t games;
    if (!openings->all)
        return true;
    if (openings->turns > OPENING_ALL_TURNS_MAX)
        return error_set(error, "openings: all of %lld turns, expected 0 to %d turns", (long long)openings->turns,
                         OPENING_ALL_TURNS_MAX);
    openings->limit = 1;
    if (!count_openings(config, &games, error))
        return false;
    if (config->run.games == 0 && !config->sprt && openings->turns > 0)
        config->run.games = games;
    return true;
}

static bool check(RunConfig *base, Error *error) {
    MatchConfig *config = (MatchConfig *)base;
    bool has_points;
    if (config->count < 2)
        return error_set(error, "players: %d, expected two or more (--player A --player B)", config->count);
    if (config->sprt && config->count > 2)
        return error_set(error, "sprt: %d players, expected two", config->count);
    if (config->sprt && !(config->elo0 < config->elo1 && config->elo0 >= -1000 && config->elo1 <= 1000))
        return error_set(error, "sprt: %g,%g, expected ELO0 below ELO1, both from -1000 to 1000", config->elo0,
                         config->elo1);
    if (base->games % 2 != 0)
        return error_set(error, "games: %lld, expected an even number, for every opening is played twice",
                         (long long)base->games);
    for (int i = 0; i < config->count; i++) {
        MatchPlayer *player = &config->players[i];
        set_effort(player, &config->effort);
        if (!player->command[0] && player->player.simulations == 0 && player->player.move_seconds == 0)
            return error_set(error, "player '%s': no limit of a move, expected simulations or a time",
                             player->player.name);
    }
    distinguish_names(config);
    if (!run_config_check_komi(base, base->size, config->openings.komi, &has_points, error))
        return false;
    if (!has_points && config->openings.auto_komi)
        return error_set(error, "komi: auto, expected 0, for %s has no points", base->game);
    if (!check_openings(config, error))
        return false;
    if (base->games == 0 && !config->sprt)
        base->games = MATCH_GAMES_DEFAULT;
    return settle_players(config, error);
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

static cJSON *player_json(const MatchPlayer *player) {
    if (!player->command[0])
        return player_to_json(&player->player);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", player->player.name);
    cJSON_AddStringToObject(json, "gtp", player->command);
    cJSON_AddNumberToObject(json, "move_time", player->player.move_seconds);
    return json;
}

static void add_identity(cJSON *json, const RunConfig *base) {
    const MatchConfig *config = (const MatchConfig *)base;
    cJSON_AddStringToObject(json, "game", base->game);
    cJSON_AddNumberToObject(json, "size", (double)base->size);
    variants_add(json, base->capture, base->pie);
    run_config_add_komi(json, config->openings.auto_komi, config->openings.komi);
    document_add_u64(json, "seed", base->seed);
    cJSON *players = cJSON_AddArrayToObject(json, "players");
    for (int i = 0; i < config->count; i++)
        json_add(players, NULL, player_json(&config->players[i]));
    cJSON *openings = cJSON_AddObjectToObject(json, "openings");
    cJSON_AddNumberToObject(openings, "turns", (double)config->openings.turns);
    if (config->openings.all)
        cJSON_AddTrueToObject(openings, "all");
    cJSON_AddNumberToObject(openings, "limit", config->openings.limit);
    cJSON_AddNumberToObject(openings, "simulations", (double)config->openings.simulations);
    cJSON_AddNumberToObject(json, "grace", config->grace);
    cJSON_AddNumberToObject(json, "patience", config->patience);
}

static void add_extent(cJSON *json, const RunConfig *base) {
    const MatchConfig *config = (const MatchConfig *)base;
    const double test[2] = {config->elo0, config->elo1};
    if (base->games)
        cJSON_AddNumberToObject(json, "games", (double)base->games);
    if (config->sprt)
        json_add(json, "sprt", cJSON_CreateDoubleArray(test, 2));
    if (config->restarts != RESTARTS)
        cJSON_AddNumberToObject(json, "restarts", (double)config->restarts);
}

static void set_defaults(RunConfig *config, int size) {
    *(MatchConfig *)config = match_config_default(size);
}

const RunConfigKind match_config_kind = {.name = "match",
                                         .size = sizeof(MatchConfig),
                                         .set_defaults = set_defaults,
                                         .read = read,
                                         .check = check,
                                         .add_identity = add_identity,
                                         .add_extent = add_extent};
