/* See config.h. */
#include "selfplay/runs/openings/config.h"

#include "selfplay/io/document.h"
#include "selfplay/io/variants.h"

OpeningsConfig openings_config_default(int size) {
    return (OpeningsConfig){.run = {.kind = &openings_config_kind,
                                    .game = "stigmergy",
                                    .size = size,
                                    .pie = GAME_PIE_OFF,
                                    .seed = 1,
                                    .first_round = 64,
                                    .games = 400},
                            .player = player_default(),
                            .effort = {.simulations = 800}};
}

static bool read(const cJSON *json, const char *source, RunConfig *base, Error *error) {
    OpeningsConfig *config = (OpeningsConfig *)base;
    JsonReader reader = json_open(json, source);
    run_config_keys(&reader, base);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &base->size);
    json_int(&reader, "komi", -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &config->komi);
    variants_read_capture(&reader, &base->capture);
    const cJSON *player = json_any(&reader, "player");
    effort_read(&reader, &config->effort);
    json_int(&reader, "first_round", 2, 1000000, &base->first_round);
    json_int(&reader, "games", 1, RUN_GAMES_MAX, &base->games);
    json_number(&reader, "until_probability", 0, 1, &config->until_probability);
    json_number(&reader, "time", 0, RUN_SECONDS_MAX, &base->seconds);
    return json_close(&reader, error) && run_config_read_player(player, source, &config->player, error);
}

static bool check(RunConfig *base, Error *error) {
    OpeningsConfig *config = (OpeningsConfig *)base;
    bool has_points;
    return run_config_check_komi(base, base->size, config->komi, &has_points, error) &&
           run_config_settle_player(base, &config->player, error);
}

static void add_identity(cJSON *json, const RunConfig *base) {
    const OpeningsConfig *config = (const OpeningsConfig *)base;
    const Player player = player_with_effort(config->player, config->effort);
    cJSON_AddStringToObject(json, "game", base->game);
    cJSON_AddNumberToObject(json, "size", (double)base->size);
    cJSON_AddStringToObject(json, "capture", base->capture == GAME_CAPTURE_LINE ? "line" : "free");
    cJSON_AddNumberToObject(json, "komi", (double)config->komi);
    json_add(json, "player", player_to_json(&player));
    document_add_u64(json, "seed", base->seed);
    cJSON_AddNumberToObject(json, "first_round", (double)base->first_round);
}

static void add_extent(cJSON *json, const RunConfig *base) {
    const OpeningsConfig *config = (const OpeningsConfig *)base;
    if (base->capture == GAME_CAPTURE_DEFAULT)
        cJSON_DeleteItemFromObjectCaseSensitive(json, "capture");
    effort_add(json, config->effort);
    cJSON_AddNumberToObject(json, "games", (double)base->games);
    cJSON_AddNumberToObject(json, "until_probability", config->until_probability);
}

static void set_defaults(RunConfig *config, int size) {
    *(OpeningsConfig *)config = openings_config_default(size);
}

const RunConfigKind openings_config_kind = {.name = "openings",
                                            .size = sizeof(OpeningsConfig),
                                            .set_defaults = set_defaults,
                                            .read = read,
                                            .check = check,
                                            .add_identity = add_identity,
                                            .add_extent = add_extent};
