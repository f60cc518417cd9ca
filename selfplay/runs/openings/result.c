/* See result.h. */
#include "selfplay/runs/openings/result.h"

#include "selfplay/io/exact_value.h"

#include <stdlib.h>

static const DocumentSchema schema = {"stigmergy-openings", 1, "a run of openings"};

static const char method[] = "beta posteriors under a uniform prior; games by top-two Thompson sampling";

cJSON *openings_result_exact(const OpeningsRun *run) {
    const bool variant = run->config.capture == GAME_CAPTURE_LINE; /* what is kept is of the default */
    return variant ? NULL : exact_document(run->config.game, (int)run->config.size, (int)run->config.komi);
}

/* ---- Parts ---- */

static void format_move(const OpeningsRun *run, Action action, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, (int)run->config.komi);
    run->game->rules->format(run->game, &start, action, out);
}

static void add_move(cJSON *json, const OpeningsRun *run, const OpeningsClass *first) {
    char text[GAME_TEXT_MAX];
    format_move(run, first->member[0], text);
    cJSON_AddStringToObject(json, "move", text);
}

static void add_winner(cJSON *json, const char *key, const cJSON *exact, const char *move, const OpeningsRun *run) {
    Side winner;
    if (exact_winner(exact, move, (int)run->config.komi, &winner))
        cJSON_AddStringToObject(json, key, winner == BLACK ? "B" : "W");
}

static cJSON *class_to_json(const OpeningsRun *run, const OpeningsClass *first, const OpeningsStanding *standing,
                            const cJSON *exact) {
    cJSON *json = cJSON_CreateObject();
    add_move(json, run, first);
    cJSON *moves = cJSON_AddArrayToObject(json, "moves");
    for (int i = 0; i < first->members; i++) {
        char text[GAME_TEXT_MAX];
        format_move(run, first->member[i], text);
        cJSON_AddItemToArray(moves, cJSON_CreateString(text));
    }
    const double games = standing->games;
    cJSON_AddNumberToObject(json, "games", games);
    cJSON_AddNumberToObject(json, "distinct_games", standing->data.games);
    cJSON_AddNumberToObject(json, "first_player_wins", standing->wins);
    if (games > 0)
        document_add_number(json, "win_rate", standing->wins / games);
    else
        cJSON_AddNullToObject(json, "win_rate");
    document_add_interval(json, "ci95", openings_run_interval(standing));
    document_add_number(json, "fairest_probability", standing->probability);
    document_add_number(json, "mean_actions", games > 0 ? standing->plies / games : 0);
    if (run->game->has_points)
        document_add_number(json, "mean_margin", games > 0 ? standing->margin_sum / games : 0);
    const cJSON *name = cJSON_GetObjectItem(json, "move");
    add_winner(json, "exact_winner", exact, name ? name->valuestring : "", run);
    return json;
}

static void add_fairest(cJSON *json, const OpeningsRun *run, const OpeningsStanding *standings) {
    const int best = openings_run_fairest(run, standings);
    const OpeningsStanding *standing = &standings[best];
    if (standing->games == 0) {
        cJSON_AddNullToObject(json, "fairest");
        return;
    }
    cJSON *fairest = cJSON_AddObjectToObject(json, "fairest");
    add_move(fairest, run, &run->classes[best]);
    document_add_number(fairest, "win_rate", (double)standing->wins / standing->games);
    document_add_interval(fairest, "ci95", openings_run_interval(standing));
    document_add_number(fairest, "probability", standing->probability);
    cJSON_AddStringToObject(fairest, "method", method);
}

/* ---- The document ---- */

static cJSON *begin_document(const OpeningsRun *run, const DocumentContext *context) {
    const OpeningsConfig *config = &run->config;
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &schema);
    cJSON_AddStringToObject(json, "game", config->game);
    cJSON_AddNumberToObject(json, "size", (double)config->size);
    if (run->game->has_points)
        cJSON_AddNumberToObject(json, "komi", (double)config->komi);
    const Player player = openings_config_player(config);
    cJSON_AddItemToObject(json, "player", player_to_json(&player));
    document_add_u64(json, "seed", config->seed);
    cJSON_AddStringToObject(json, "run", run->hash);
    cJSON_AddItemToObject(json, "settings", openings_config_identity(config));
    document_add_context(json, context);
    return json;
}

cJSON *openings_result(const OpeningsRun *run, const DocumentContext *context, Error *error) {
    OpeningsStanding *standings = openings_run_standings(run, error);
    if (!standings)
        return NULL;
    cJSON *json = begin_document(run, context), *exact = openings_result_exact(run);
    int distinct = 0;
    for (int i = 0; i < run->count; i++)
        distinct += standings[i].data.games;
    cJSON_AddNumberToObject(json, "games", run->played);
    document_add_number(json, "duplicate_share", run->played ? 1 - (double)distinct / run->played : 0);
    cJSON *openings = cJSON_AddArrayToObject(json, "openings");
    for (int i = 0; i < run->count; i++)
        cJSON_AddItemToArray(openings, class_to_json(run, &run->classes[i], &standings[i], exact));
    add_fairest(json, run, standings);
    Side winner;
    if (exact_winner(exact, NULL, (int)run->config.komi, &winner))
        add_winner(cJSON_AddObjectToObject(json, "exact"), "winner", exact, NULL, run);
    cJSON_Delete(exact);
    free(standings);
    return json;
}

bool openings_result_write(const OpeningsRun *run, const DocumentContext *context, const char *path, Error *error) {
    cJSON *json = openings_result(run, context, error);
    return json && document_write(json, path, error);
}

bool openings_result_resume(const char *path, const OpeningsConfig *config, DocumentContext *context, Error *error) {
    cJSON *identity = openings_config_identity(config), *document;
    const bool good = document_resume(path, &schema, identity, context, &document, error);
    cJSON_Delete(document);
    cJSON_Delete(identity);
    return good;
}
