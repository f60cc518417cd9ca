/* See config.h. */
#include "selfplay/runs/komi/config.h"

#include "selfplay/io/document.h"

#include <stdio.h>

KomiConfig komi_config_default(int size) {
    return (KomiConfig){
        .run =
            {.kind = &komi_config_kind, .game = "stigmergy", .size = size, .seed = 1, .first_round = 32, .games = 400},
        .player = player_default(),
        .ladder = {800},
        .rungs = 1,
        .komi_range = {-hexhex_cell_count(size), hexhex_cell_count(size)}};
}

/* ---- Reading ---- */

const char *const komi_first_moves_words[2] = {"free", "each"};
const char *const komi_upgrade_words[UPGRADES] = {"none", "black", "white"};

static bool read(const cJSON *json, const char *source, RunConfig *base, Error *error) {
    KomiConfig *config = (KomiConfig *)base;
    JsonReader reader = json_open(json, source);
    int ends = 0, rungs = 0;
    int parity = (int)config->parity, first_moves = config->first_moves, upgrade = (int)config->upgrade;
    const int64_t old_size = base->size;
    run_config_keys(&reader, base);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &base->size);
    const cJSON *player = json_any(&reader, "player");
    json_ints(&reader, "ladder", 1, PLAYER_SIMULATIONS_MAX, config->ladder, KOMI_RUNGS_MAX, &rungs);
    json_number(&reader, "move_time", 0.001, 1e6, &config->move_seconds);
    if (base->size != old_size) {
        config->komi_range[0] = -hexhex_cell_count((int)base->size);
        config->komi_range[1] = hexhex_cell_count((int)base->size);
    }
    json_ints(&reader, "komi_range", -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, config->komi_range, 2, &ends);
    config->range_given |= ends > 0;
    json_word(&reader, "parity", run_config_parities, PARITIES, &parity);
    json_word(&reader, "first_moves", komi_first_moves_words, 2, &first_moves);
    json_word(&reader, "upgrade", komi_upgrade_words, UPGRADES, &upgrade);
    json_int(&reader, "first_round", 2, 1000000, &base->first_round);
    json_int(&reader, "games", 1, RUN_GAMES_MAX, &base->games);
    json_number(&reader, "until_width", 0, 1000, &config->until_width);
    json_number(&reader, "time", 0, RUN_SECONDS_MAX, &base->seconds);
    if (!json_close(&reader, error))
        return false;
    if (cJSON_HasObjectItem(json, "ladder") && cJSON_HasObjectItem(json, "move_time"))
        return error_set(error, "%s: 'ladder' and 'move_time' exclude each other", source);
    if (cJSON_HasObjectItem(json, "ladder") && rungs == 0)
        return error_set(error, "%s: 'ladder' is empty, expected at least one number of simulations", source);
    if (cJSON_HasObjectItem(json, "komi_range") && ends != 2)
        return error_set(error, "%s: 'komi_range' is wrong, expected [lowest, highest]", source);
    if (rungs > 0)
        config->rungs = rungs;
    config->parity = (RunParity)parity;
    config->first_moves = first_moves;
    config->upgrade = (KomiUpgrade)upgrade;
    return run_config_read_player(player, source, &config->player, error);
}

static bool check(RunConfig *base, Error *error) {
    KomiConfig *config = (KomiConfig *)base;
    const int64_t cells = hexhex_cell_count((int)base->size);
    const int64_t *range = config->komi_range;
    if (base->size < HEXHEX_MIN_SIZE || base->size > HEXHEX_MAX_SIZE)
        return error_set(error, "size: %lld, expected %d to %d", (long long)base->size, HEXHEX_MIN_SIZE,
                         HEXHEX_MAX_SIZE);
    if (range[0] > range[1] || range[0] < -cells || range[1] > cells)
        return error_set(
            error,
            "komi_range: %lld to %lld, expected an ascending range within -%lld to %lld, the cells of hexhex-%lld",
            (long long)range[0], (long long)range[1], (long long)cells, (long long)cells, (long long)base->size);
    const EstimateConfig estimate = komi_config_estimate(config);
    if (!estimate_config_plays(&estimate, false) && !estimate_config_plays(&estimate, true))
        return error_set(error, "komi_range: no komi of the wanted parity in %lld to %lld", (long long)range[0],
                         (long long)range[1]);
    if (config->rungs < 1 && config->move_seconds == 0)
        return error_set(error, "ladder: empty, expected at least one number of simulations");
    for (int i = 1; i < config->rungs; i++)
        if (config->ladder[i] <= config->ladder[i - 1])
            return error_set(error, "ladder: %lld after %lld, expected ascending numbers of simulations",
                             (long long)config->ladder[i], (long long)config->ladder[i - 1]);
    return run_config_settle_player(base, &config->player, error);
}

/* ---- Writing ---- */

static void add_identity(cJSON *json, const RunConfig *base) {
    const KomiConfig *config = (const KomiConfig *)base;
    const Player player = player_with_effort(config->player, (Effort){0}); /* the rungs say it */
    const double range[2] = {(double)config->komi_range[0], (double)config->komi_range[1]};
    cJSON_AddStringToObject(json, "game", base->game);
    cJSON_AddNumberToObject(json, "size", (double)base->size);
    json_add(json, "player", player_to_json(&player));
    document_add_u64(json, "seed", base->seed);
    cJSON_AddNumberToObject(json, "move_time", config->move_seconds);
    json_add(json, "komi_range", cJSON_CreateDoubleArray(range, 2));
    cJSON_AddStringToObject(json, "parity", run_config_parities[config->parity]);
    /* What is usual is left out, so that a run from before there was a setting stays the same. */
    if (config->first_moves)
        cJSON_AddStringToObject(json, "first_moves", komi_first_moves_words[true]);
    if (config->upgrade != UPGRADE_NONE)
        cJSON_AddStringToObject(json, "upgrade", komi_upgrade_words[config->upgrade]);
    cJSON_AddNumberToObject(json, "first_round", (double)base->first_round);
}

static void add_extent(cJSON *json, const RunConfig *base) {
    const KomiConfig *config = (const KomiConfig *)base;
    const Player player = komi_config_player(config, 0); /* a description needs some effort; the rungs replace it */
    json_set(json, "player", player_to_json(&player));
    if (config->move_seconds == 0) {
        cJSON_DeleteItemFromObjectCaseSensitive(json, "move_time");
        cJSON *ladder = cJSON_AddArrayToObject(json, "ladder");
        for (int i = 0; i < config->rungs; i++)
            json_add(ladder, NULL, cJSON_CreateNumber((double)config->ladder[i]));
    }
    cJSON_AddNumberToObject(json, "games", (double)base->games);
    cJSON_AddNumberToObject(json, "until_width", config->until_width);
}

static void set_defaults(RunConfig *config, int size) {
    *(KomiConfig *)config = komi_config_default(size);
}

const RunConfigKind komi_config_kind = {.name = "komi",
                                        .size = sizeof(KomiConfig),
                                        .set_defaults = set_defaults,
                                        .read = read,
                                        .check = check,
                                        .add_identity = add_identity,
                                        .add_extent = add_extent};

/* ---- What follows from them ---- */

int komi_config_rungs(const KomiConfig *config) {
    return config->move_seconds > 0 ? 1 : config->rungs;
}

Effort komi_config_effort(const KomiConfig *config, int rung) {
    return config->move_seconds > 0 ? (Effort){.move_seconds = config->move_seconds}
                                    : (Effort){.simulations = config->ladder[rung]};
}

Player komi_config_player(const KomiConfig *config, int rung) {
    return player_with_effort(config->player, komi_config_effort(config, rung));
}

Player komi_config_side(const KomiConfig *config, int rung, Side side) {
    const bool better = config->upgrade == (side == BLACK ? UPGRADE_BLACK : UPGRADE_WHITE);
    const int times = better ? KOMI_UPGRADE : 1;
    const Effort usual = komi_config_effort(config, rung);
    return player_with_effort(config->player, (Effort){times * usual.simulations, times * usual.move_seconds});
}

EstimateConfig komi_config_estimate(const KomiConfig *config) {
    EstimateConfig estimate = estimate_config((int)config->run.size);
    estimate.komi_min = (int)config->komi_range[0];
    estimate.komi_max = (int)config->komi_range[1];
    estimate.even = config->parity != PARITY_ODD;
    estimate.odd = config->parity != PARITY_EVEN;
    return estimate;
}
