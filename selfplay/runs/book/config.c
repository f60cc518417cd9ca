/* See config.h. */
#include "selfplay/runs/book/config.h"

#include "selfplay/io/document.h"

BookConfig book_config_default(int size) {
    return (BookConfig){
        .run =
            {.kind = &book_config_kind, .game = "stigmergy", .size = size, .seed = 1, .first_round = 64, .games = 2000},
        .player = player_default(),
        .effort = {.simulations = 800},
        .plan = book_plan_default()};
}

/* ---- Reading ---- */

static bool read(const cJSON *json, const char *source, RunConfig *base, Error *error) {
    BookConfig *config = (BookConfig *)base;
    BookPlanSettings *plan = &config->plan;
    JsonReader reader = json_open(json, source);
    int parity = (int)config->parity;
    run_config_keys(&reader, base);
    json_int(&reader, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &base->size);
    const cJSON *player = json_any(&reader, "player");
    effort_read(&reader, &config->effort);
    json_word(&reader, "parity", run_config_parities, PARITIES, &parity);
    json_int(&reader, "round", 2, 1000000, &base->first_round);
    json_int(&reader, "leaf_games", 1, 1000000, &plan->leaf_games);
    json_number(&reader, "expand_share", 0, 1, &plan->expand_share);
    json_int(&reader, "solver_nodes", 0, 1000000000000, &plan->solver_nodes);
    json_int(&reader, "nodes", 1, BOOK_NODES_MAX, &plan->nodes);
    json_int(&reader, "games", 1, RUN_GAMES_MAX, &base->games);
    json_number(&reader, "until_width", 0, 1000, &config->until_width);
    json_number(&reader, "time", 0, RUN_SECONDS_MAX, &base->seconds);
    if (!json_close(&reader, error))
        return false;
    config->parity = (RunParity)parity;
    return run_config_read_player(player, source, &config->player, error);
}

static bool check(RunConfig *base, Error *error) {
    BookConfig *config = (BookConfig *)base;
    bool has_points;
    if (!run_config_check_komi(base, base->size, 0, &has_points, error))
        return false;
    if (!has_points)
        return error_set(error, "game: %s is played without komi, expected one with points; see `stigmergy openings`",
                         base->game);
    return run_config_settle_player(base, &config->player, error) &&
           (player_plays_by_chance(&config->player) ||
            error_set(error,
                      "player '%s': it plays the same game from a position each time, expected one that draws "
                      "moves (\"draw\": 1): each game of a book counts as one of its own",
                      config->player.name));
}

/* ---- Writing ---- */

static void add_identity(cJSON *json, const RunConfig *base) {
    const BookConfig *config = (const BookConfig *)base;
    const BookPlanSettings *plan = &config->plan;
    const Player player = player_with_effort(config->player, config->effort);
    cJSON_AddStringToObject(json, "game", base->game);
    cJSON_AddNumberToObject(json, "size", (double)base->size);
    json_add(json, "player", player_to_json(&player));
    document_add_u64(json, "seed", base->seed);
    cJSON_AddStringToObject(json, "parity", run_config_parities[config->parity]);
    cJSON_AddNumberToObject(json, "round", (double)base->first_round);
    cJSON_AddNumberToObject(json, "leaf_games", (double)plan->leaf_games);
    cJSON_AddNumberToObject(json, "expand_share", plan->expand_share);
    cJSON_AddNumberToObject(json, "solver_nodes", (double)plan->solver_nodes);
    cJSON_AddNumberToObject(json, "nodes", (double)plan->nodes);
}

static void add_extent(cJSON *json, const RunConfig *base) {
    const BookConfig *config = (const BookConfig *)base;
    effort_add(json, config->effort);
    cJSON_AddNumberToObject(json, "games", (double)base->games);
    cJSON_AddNumberToObject(json, "until_width", config->until_width);
}

static void set_defaults(RunConfig *config, int size) {
    *(BookConfig *)config = book_config_default(size);
}

const RunConfigKind book_config_kind = {.name = "book",
                                        .size = sizeof(BookConfig),
                                        .set_defaults = set_defaults,
                                        .read = read,
                                        .check = check,
                                        .add_identity = add_identity,
                                        .add_extent = add_extent};
