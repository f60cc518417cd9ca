/* See result_internal.h. */
#include "selfplay/runs/openings/result_internal.h"

#include "selfplay/io/exact_value.h"
#include "selfplay/runs/openings/standings.h"

#include <stdlib.h>

static const char method[] = "beta posteriors under a uniform prior; games by top-two Thompson sampling";

/* ---- Parts ---- */

static void add_move(cJSON *json, const Run *run, const ActionClass *first) {
    char text[GAME_TEXT_MAX];
    openings_format(run, first->action[0], text);
    cJSON_AddStringToObject(json, "move", text);
}

static void add_winner(cJSON *json, const char *key, const cJSON *exact, const char *move, const Run *run) {
    Side winner;
    if (exact_winner(exact, move, (int)openings_config(run)->komi, &winner))
        cJSON_AddStringToObject(json, key, winner == BLACK ? "B" : "W");
}

static cJSON *class_to_json(const Run *run, const ActionClass *first, const OpeningsStanding *standing,
                            const cJSON *exact) {
    cJSON *json = cJSON_CreateObject();
    add_move(json, run, first);
    cJSON *moves = cJSON_AddArrayToObject(json, "moves");
    for (int i = 0; i < first->count; i++) {
        char text[GAME_TEXT_MAX];
        openings_format(run, first->action[i], text);
        json_add(moves, NULL, cJSON_CreateString(text));
    }
    const double games = standing->games;
    cJSON_AddNumberToObject(json, "games", games);
    cJSON_AddNumberToObject(json, "distinct_games", standing->distinct.games);
    document_add_number(json, "effective_games", standing->effective_games);
    cJSON_AddNumberToObject(json, "first_player_wins", standing->wins);
    if (games > 0)
        document_add_number(json, "win_rate", standing->wins / games);
    else
        cJSON_AddNullToObject(json, "win_rate");
    document_add_interval(json, "ci95", openings_interval(standing));
    document_add_number(json, "fairest_probability", standing->probability);
    document_add_number(json, "mean_actions", games > 0 ? standing->plies / games : 0);
    if (run->game->has_points)
        document_add_number(json, "mean_margin", games > 0 ? standing->margin_sum / games : 0);
    const cJSON *name = json_get(json, "move");
    add_winner(json, "exact_winner", exact, name ? name->valuestring : "", run);
    return json;
}

static void add_fairest(cJSON *json, const Run *run, const OpeningsStanding *standings) {
    const int best = openings_fairest(run, standings);
    const OpeningsStanding *standing = &standings[best];
    if (standing->games == 0) {
        cJSON_AddNullToObject(json, "fairest");
        return;
    }
    cJSON *fairest = cJSON_AddObjectToObject(json, "fairest");
    add_move(fairest, run, &openings_state(run)->classes[best]);
    document_add_number(fairest, "win_rate", (double)standing->wins / standing->games);
    document_add_interval(fairest, "ci95", openings_interval(standing));
    document_add_number(fairest, "probability", standing->probability);
    cJSON_AddStringToObject(fairest, "method", method);
}

/* ---- The document ---- */

cJSON *openings_result(const Run *run, const DocumentContext *context, Error *error) {
    static const char *const keys[] = {"game", "size", "komi", "player", "seed", NULL};
    const OpeningsState *state = openings_state(run);
    const int played = run->groups[0].played;
    cJSON *exact;
    OpeningsStanding *standings = openings_standings(run, error);
    if (!standings || !openings_exact(run, &exact, error)) {
        free(standings);
        return NULL;
    }
    cJSON *json = run_begin_document(run, context, keys);
    int distinct = 0;
    if (!run->game->has_points)
        cJSON_DeleteItemFromObjectCaseSensitive(json, "komi");
    for (int i = 0; i < state->count; i++)
        distinct += standings[i].distinct.games;
    cJSON_AddBoolToObject(json, "by_chance", player_plays_by_chance(&openings_config(run)->player));
    cJSON_AddNumberToObject(json, "games", played);
    document_add_number(json, "duplicate_share", played ? 1 - (double)distinct / played : 0);
    cJSON *openings = cJSON_AddArrayToObject(json, "openings");
    for (int i = 0; i < state->count; i++)
        json_add(openings, NULL, class_to_json(run, &state->classes[i], &standings[i], exact));
    add_fairest(json, run, standings);
    Side winner;
    if (exact_winner(exact, NULL, (int)openings_config(run)->komi, &winner))
        add_winner(cJSON_AddObjectToObject(json, "exact"), "winner", exact, NULL, run);
    cJSON_Delete(exact);
    free(standings);
    return json;
}
