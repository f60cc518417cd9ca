/* See player.h. */
#include "selfplay/players/player.h"

#include "engine/base/rng.h"
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/players/player_text.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const char *const policy_names[] = {
    [PLAYOUT_UNIFORM] = "uniform", [PLAYOUT_LIGHT] = "light", [PLAYOUT_TACTICAL] = "tactical"};

static const char *const selection_names[] = {[SELECTION_RAVE] = "rave", [SELECTION_PUCT] = "puct"};

const char *player_policy_name(PlayoutPolicy policy) {
    return policy_names[policy];
}

Player player_default(void) {
    return (Player){.name = "default",
                    .draw = PLAYER_DRAW_UNSAID,
                    .draw_loss = PLAYER_DRAW_UNSAID,
                    .params = search_default_params(),
                    .simulations = 1000,
                    .memory_mb = 256,
                    .search_threads = 1};
}

void player_set_limits(Player *player, uint64_t simulations, double move_seconds) {
    player->simulations = simulations;
    player->many_simulations = player->large_board_simulations = 0;
    player->move_seconds = move_seconds;
}

/* ---- Reading ---- */

static void read_range(JsonReader *reader, const char *key, int64_t low, int64_t high, int *out) {
    int64_t value = *out;
    json_int(reader, key, low, high, &value);
    *out = (int)value;
}

static void read_small(JsonReader *reader, const char *key, int64_t high, int *out) {
    read_range(reader, key, 1, high, out);
}

/* ---- The keys of "search" ---- */

/* For whom a key stands in a description. */
typedef enum ParameterUse {
    USED_BY_ALL,
    USED_BY_PLAYOUTS, /* not with a network */
    USED_BY_PUCT,     /* read for all, written where selection is SELECTION_PUCT: the descriptions of other players keep
                         the keys that they had before there was PUCT */
    USED_BY_NETWORK   /* not with playouts */
} ParameterUse;

typedef enum ParameterType { TYPE_NUMBER, TYPE_WHOLE, TYPE_POLICY, TYPE_SELECTION } ParameterType;

/* The names of the types that have names; their numbers go from 0 to the end of the field's range. */
static const char *const *const type_names[] = {[TYPE_POLICY] = policy_names, [TYPE_SELECTION] = selection_names};
_Static_assert(sizeof(PlayoutPolicy) == sizeof(int) && sizeof(SearchSelection) == sizeof(int),
               "a name is read and written as an int");

/* A key and its field of SearchParams. */
typedef struct Parameter {
    const char *key;
    size_t offset;
    ParameterUse use;
    ParameterType type;
    /* False for every parameter that is added from now on. Its default must be 0, which is not written then: so players
     * without it, and the identities of their runs, stay what they were. */
    bool zero_is_written;
} Parameter;

#define FIELD(name) offsetof(SearchParams, name)

/* In the order in which they are written. It is part of the identity of a run, so it stays. */
static const Parameter parameters[] = {
    {"playout_policy", FIELD(playout_policy), USED_BY_PLAYOUTS, TYPE_POLICY, true},
    {"playouts", FIELD(playouts), USED_BY_PLAYOUTS, TYPE_WHOLE, true},
    {"expand_visits", FIELD(expand_visits), USED_BY_ALL, TYPE_WHOLE, true},
    {"rave", FIELD(rave_equivalence), USED_BY_PLAYOUTS, TYPE_NUMBER, true},
    {"judge", FIELD(static_eval), USED_BY_PLAYOUTS, TYPE_NUMBER, true},
    {"prior_playouts", FIELD(prior_playouts), USED_BY_PLAYOUTS, TYPE_WHOLE, true},
    {"prior_slope", FIELD(prior_slope), USED_BY_PLAYOUTS, TYPE_NUMBER, true},
    {"revisits", FIELD(revisits), USED_BY_ALL, TYPE_NUMBER, true},
    {"solver_share", FIELD(solver_share), USED_BY_ALL, TYPE_NUMBER, true},
    {"solver_open", FIELD(solver_open), USED_BY_ALL, TYPE_WHOLE, true},
    {"solver_claims_open", FIELD(solver_carriers_open), USED_BY_ALL, TYPE_WHOLE, true},
    {"exploration", FIELD(exploration), USED_BY_PLAYOUTS, TYPE_NUMBER, true},
    {"first_play", FIELD(fpu), USED_BY_PLAYOUTS, TYPE_NUMBER, true},
    {"selection", FIELD(selection), USED_BY_PLAYOUTS, TYPE_SELECTION, false},
    {"playout_share", FIELD(playout_share), USED_BY_NETWORK, TYPE_NUMBER, false},
    {"puct", FIELD(puct), USED_BY_PUCT, TYPE_NUMBER, true},
    {"considered", FIELD(considered), USED_BY_PUCT, TYPE_WHOLE, false},
    {"fpu_reduction", FIELD(fpu_reduction), USED_BY_PUCT, TYPE_NUMBER, true},
    {"score", FIELD(score), USED_BY_PUCT, TYPE_NUMBER, true},
    {"all_images", FIELD(all_images), USED_BY_ALL, TYPE_WHOLE, false},
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static void read_parameter(JsonReader *reader, const Parameter *parameter, SearchParams *params) {
    void *field = (char *)params + parameter->offset;
    const SearchRange range = search_params_range(parameter->offset);
    const int low = (int)range.low, high = (int)range.high;
    if (parameter->type == TYPE_NUMBER)
        json_number(reader, parameter->key, range.low, range.high, field);
    else if (parameter->type == TYPE_WHOLE)
        read_range(reader, parameter->key, low, high, field);
    else
        json_word(reader, parameter->key, type_names[parameter->type], high + 1, field);
}

/* False without memory. */
static bool write_parameter(cJSON *search, const Parameter *parameter, const SearchParams *params) {
    const void *field = (const char *)params + parameter->offset;
    const double value = parameter->type == TYPE_NUMBER ? *(const double *)field : *(const int *)field;
    if (!parameter->zero_is_written && !(value > 0))
        return true;
    if (parameter->type == TYPE_NUMBER || parameter->type == TYPE_WHOLE)
        return cJSON_AddNumberToObject(search, parameter->key, value);
    return cJSON_AddStringToObject(search, parameter->key, type_names[parameter->type][(int)value]);
}

/* Sets *key to the first key of this use that a description has, if it has one. */
static void note_key(const cJSON *search, ParameterUse use, const char **key) {
    for (int i = PARAMETERS - 1; i >= 0; i--)
        if (parameters[i].use == use && cJSON_HasObjectItem(search, parameters[i].key))
            *key = parameters[i].key;
}

static bool read_search(const cJSON *json, const char *source, Player *player, Error *error) {
    JsonReader reader = json_open_inside(json, source, "'search'");
    const bool chosen = player->network[0]; /* if not, player_settle sees whether the keys fit */
    const ParameterUse unknown = player_has_network(player) ? USED_BY_PLAYOUTS : USED_BY_NETWORK;
    if (!chosen) {
        note_key(json, USED_BY_PLAYOUTS, &player->playout_key);
        note_key(json, USED_BY_NETWORK, &player->network_key);
    }
    player->says_puct |= cJSON_HasObjectItem(json, "puct");
    for (int i = 0; i < PARAMETERS; i++)
        if (!chosen || parameters[i].use != unknown)
            read_parameter(&reader, &parameters[i], &player->params);
    return json_close(&reader, error);
}

bool player_set_network(Player *player, const char *network, const char *hash, Error *error) {
    if (!network[0])
        return error_set(error, "'network' is empty, expected a name, a path or \"%s\"", PLAYER_PLAYOUTS);
    text_copy(player->network, sizeof player->network, network);
    text_copy(player->network_hash, sizeof player->network_hash, hash);
    player->playout_key = player->network_key = NULL;
    player->params.selection = player_has_network(player) ? SELECTION_PUCT : SELECTION_RAVE;
    return !player_has_network(player) || hash[0] || network_hash(player->network, player->network_hash, error);
}

PlayerNetworkKeys player_read_network(JsonReader *reader) {
    const Error reason = {.text = "it needs 'network'"};
    const char *network = json_text(reader, "network", sizeof((Player *)NULL)->network - 1);
    const char *hash = json_text(reader, "network_hash", NETWORK_DIGITS_SIZE - 1);
    if (hash && !network)
        json_fail(reader, "network_hash", &reason);
    return (PlayerNetworkKeys){network, hash ? hash : ""};
}

/* A number that takes the place of `simulations` in some games or on some boards needs one to take the place of. */
static void check_instead(const cJSON *json, JsonReader *reader, const char *key, const Player *player) {
    const Error reason = {.text = "it needs 'simulations' above 0"};
    if (cJSON_HasObjectItem(json, key) && player->simulations == 0)
        json_fail(reader, key, &reason);
}

static void read_limits(const cJSON *json, JsonReader *reader, Player *player) {
    const bool given = cJSON_HasObjectItem(json, "simulations");
    int64_t simulations = (int64_t)player->simulations;
    int64_t many = given ? 0 : (int64_t)player->many_simulations;
    int64_t on_large_boards = given ? 0 : (int64_t)player->large_board_simulations;
    json_int(reader, "simulations", 0, PLAYER_SIMULATIONS_MAX, &simulations);
    json_int(reader, "many_simulations", 1, PLAYER_SIMULATIONS_MAX, &many);
    json_int(reader, "large_board_simulations", 1, PLAYER_SIMULATIONS_MAX, &on_large_boards);
    json_number(reader, "move_time", 0, 1e6, &player->move_seconds);
    player->simulations = (uint64_t)simulations;
    player->many_simulations = (uint64_t)many;
    player->large_board_simulations = (uint64_t)on_large_boards;
    if (player->move_seconds > 0 && !given)
        player_set_limits(player, 0, player->move_seconds); /* only the time limits the search */
    check_instead(json, reader, "many_simulations", player);
    check_instead(json, reader, "large_board_simulations", player);
}

static void read_name(JsonReader *reader, Player *player) {
    const Error reason = {.text = "expected a name that can be printed"};
    json_string(reader, "name", player->name, sizeof player->name);
    if (!text_can_be_printed(player->name))
        json_fail(reader, "name", &reason);
}

bool player_from_json(const cJSON *json, const char *source, Player *player, Error *error) {
    JsonReader reader = json_open(json, source);
    read_name(&reader, player);
    read_limits(json, &reader, player);
    json_int(&reader, "memory_mb", 1, 1 << 20, &player->memory_mb);
    read_range(&reader, "draw", 0, PLAYER_DRAW_MAX, &player->draw);
    json_number(&reader, "draw_loss", 0, 1, &player->draw_loss);
    read_small(&reader, "search_threads", SEARCH_THREADS_MAX, &player->search_threads);
    const PlayerNetworkKeys keys = player_read_network(&reader);
    const cJSON *search = json_object(&reader, "search");
    if (!json_close(&reader, error))
        return false;
    if (player->simulations == 0 && player->move_seconds == 0)
        return error_set(error, "%s: 'simulations' and 'move_time' are both 0, expected at least one limit", source);
    if (keys.network && !player_set_network(player, keys.network, keys.hash, error))
        return error_prefix(error, "%s: ", source);
    return !search || read_search(search, source, player, error);
}

bool player_load(const char *text, Player *player, Error *error) {
    char path[FILE_PATH_MAX] = "the player's description";
    const PlayerText kind = player_text(&text);
    if (kind == PLAYER_COMMAND)
        return error_set(error, "'gtp:%.56s': programs can play only in `stigmergy match`, expected a description",
                         text);
    cJSON *json = player_text_load(kind, text, path, error);
    const bool good = json && player_from_json(json, path, player, error);
    cJSON_Delete(json);
    return good;
}

/* ---- Settling ---- */

bool player_has_network(const Player *player) {
    return player->network[0] && strcmp(player->network, PLAYER_PLAYOUTS) != 0;
}

bool player_halves(const Player *player) {
    return player->params.selection == SELECTION_PUCT && player->params.considered > 1;
}

bool player_plays_by_chance(const Player *player) {
    return player->draw > 0 || !player_has_network(player) || player->params.playout_share > 0;
}

/* Gives a player the network of its game. */
static bool settle_on_network(Player *player, const GameNetwork *network, Error *error) {
    if (player->playout_key)
        return error_set(error,
                         "player '%s': '%s' means nothing with a network, and %s has one; add \"network\": \"%s\" "
                         "to play by playouts",
                         player->name, player->playout_key, network->game, PLAYER_PLAYOUTS);
    if (!network_hash(network->name, player->network_hash, error))
        return error_prefix(error, "player '%s': ", player->name);
    strcpy(player->network, network->name);
    player->params.selection = SELECTION_PUCT;
    if (!player->network_key) /* there is no other such key */
        player->params.playout_share = network->playout_share;
    if (!player->says_puct && network->puct > 0)
        player->params.puct = network->puct;
    return true;
}

/* From SMALL_BOARD to LARGE_BOARD the number goes from `simulations` to `large_board_simulations` by equal factors. */
static void settle_on_board(Player *player, int size) {
    enum { SMALL_BOARD = 5, LARGE_BOARD = 8 };
    const double small = (double)player->simulations, large = (double)player->large_board_simulations;
    const int steps = size > LARGE_BOARD ? LARGE_BOARD - SMALL_BOARD : size - SMALL_BOARD;
    if (small > 0 && large > 0 && steps > 0)
        player->simulations =
            (uint64_t)llround(small * pow(large / small, (double)steps / (LARGE_BOARD - SMALL_BOARD)));
}

static void settle_simulations(Player *player, bool many, int size) {
    if (many && player->many_simulations)
        player->simulations = player->many_simulations;
    else
        settle_on_board(player, size);
}

static bool settle_on_playouts(Player *player, const char *game, Error *error) {
    if (player->network_key)
        return error_set(error,
                         "player '%s': '%s' means nothing without a network, and %s has none; add "
                         "\"network\" with the name or path of one",
                         player->name, player->network_key, game);
    strcpy(player->network, PLAYER_PLAYOUTS);
    return true;
}

bool player_settle(Player *player, const char *game, int size, Error *error) {
    const GameNetwork *network = network_of_game(game, size);
    const bool given = player->network[0];
    if (!given && !(network ? settle_on_network(player, network, error) : settle_on_playouts(player, game, error)))
        return false;
    settle_simulations(player, !given && (!network || network->many_simulations), size);
    player->many_simulations = player->large_board_simulations = 0;
    return true;
}

bool player_settle_checked(Player *player, const char *game, int size, Error *error) {
    return player_settle(player, game, size, error) &&
           (!player_has_network(player) || network_check_game(player->network, player->network_hash, game, error) ||
            error_prefix(error, "player '%s', ", player->name));
}

/* ---- Writing ---- */

/* Whether it does so in every game, as far as is known. */
static bool evaluates_by_playouts(const Player *player) {
    return player->playout_key || !strcmp(player->network, PLAYER_PLAYOUTS);
}

/* False without memory. */
static bool add_search(cJSON *json, const Player *player) {
    const bool playouts = evaluates_by_playouts(player);
    const bool used[] = {[USED_BY_ALL] = true,
                         [USED_BY_PLAYOUTS] = playouts,
                         [USED_BY_PUCT] = !playouts || player->params.selection == SELECTION_PUCT,
                         [USED_BY_NETWORK] = !playouts};
    cJSON *search = cJSON_AddObjectToObject(json, "search");
    bool good = search;
    for (int i = 0; i < PARAMETERS && good; i++)
        good = !used[parameters[i].use] || write_parameter(search, &parameters[i], &player->params);
    return good;
}

cJSON *player_to_json(const Player *player) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", player->name);
    if (player->network[0])
        cJSON_AddStringToObject(json, "network", player->network);
    if (player_has_network(player))
        cJSON_AddStringToObject(json, "network_hash", player->network_hash);
    cJSON_AddNumberToObject(json, "simulations", (double)player->simulations);
    if (player->many_simulations)
        cJSON_AddNumberToObject(json, "many_simulations", (double)player->many_simulations);
    if (player->large_board_simulations)
        cJSON_AddNumberToObject(json, "large_board_simulations", (double)player->large_board_simulations);
    cJSON_AddNumberToObject(json, "move_time", player->move_seconds);
    cJSON_AddNumberToObject(json, "memory_mb", (double)player->memory_mb);
    cJSON_AddNumberToObject(json, "search_threads", player->search_threads);
    if (player->draw != PLAYER_DRAW_UNSAID)
        cJSON_AddNumberToObject(json, "draw", player->draw);
    if (player->draw_loss != PLAYER_DRAW_UNSAID)
        cJSON_AddNumberToObject(json, "draw_loss", player->draw_loss);
    if (!add_search(json, player)) {
        cJSON_Delete(json);
        return NULL;
    }
    return json;
}

/* ---- Playing ---- */

void player_title(const Player *player, char out[PLAYER_TITLE_MAX]) {
    snprintf(out, PLAYER_TITLE_MAX, "Stigmergy (%s)", player->name);
}

/* Makes a search that evaluates with the player's network. */
static Search *new_network_search(const Player *player, PlayerNetworks *networks, const Game *game,
                                  SearchOptions options, Error *error) {
    if (!networks) {
        error_set(error, "player '%s' plays with the network %s, expected networks from player_networks_new",
                  player->name, player->network);
        return NULL;
    }
    const NetworkEvaluator *evaluator = player_networks_get(networks, player->network, player->network_hash, error);
    if (!evaluator)
        return NULL;
    options.evaluator = &evaluator->evaluator;
    Search *search = search_new(game, &options, error);
    if (!search)
        error_prefix(error, "player '%s', network '%.100s': ", player->name, player->network);
    return search;
}

Search *player_new_search(const Player *player, PlayerNetworks *networks, const Game *game, uint64_t seed,
                          Error *error) {
    const SearchOptions options = {.params = player->params,
                                   .threads = player->search_threads,
                                   .memory = (size_t)player->memory_mb << 20,
                                   .seed = seed};
    if (player_has_network(player))
        return new_network_search(player, networks, game, options, error);
    if (player->network[0])
        return search_new(game, &options, error);
    error_set(error, "player '%s' is not settled, expected a call of player_settle before", player->name);
    return NULL;
}

SearchLimits player_limits(const Player *player, const StopFlag *stop) {
    return (SearchLimits){.simulations = player->simulations, .seconds = player->move_seconds, .stop = stop};
}

uint64_t player_draw_seed(uint64_t seed, int turn, int action) {
    return rng_split(rng_split(~seed, (uint64_t)turn), (uint64_t)action);
}

Action player_choose(const Player *player, const Search *search, uint64_t seed) {
    Rng rng = rng_seed(seed);
    const double loss = player->draw_loss == PLAYER_DRAW_UNSAID ? 1 : player->draw_loss;
    return player->draw > 0 ? search_draw(search, player->draw, loss, &rng) : search_best(search);
}
