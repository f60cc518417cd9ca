/* See second.h. */
#include "selfplay/runs/komi/second.h"

#include "selfplay/io/document.h"
#include "selfplay/io/file.h"
#include "selfplay/io/json_value.h"

#include <string.h>

/* ---- What is kept of it ---- */

static bool read_interval(const cJSON *json, Interval *interval) {
    const cJSON *low = cJSON_GetArrayItem(json, 0), *high = cJSON_GetArrayItem(json, 1);
    if (!cJSON_IsNumber(low) || !cJSON_IsNumber(high) || low->valuedouble > high->valuedouble)
        return false;
    *interval = (Interval){low->valuedouble, high->valuedouble};
    return true;
}

static bool read_estimate(const cJSON *json, const char *key, const char *interval_key, double *value,
                          Interval *interval) {
    return json_get_number(json, key, value) && read_interval(json_get(json, interval_key), interval);
}

/* Reads a kept result; false if something is wrong. */
static bool read_value(const cJSON *json, RungValue *value) {
    const cJSON *fair = json_get(json, "fair_komi"), *combined = json_get(fair, "combined");
    const cJSON *up_to = json_get(fair, "black_wins_up_to"), *from = json_get(fair, "white_wins_from");
    const cJSON *simulations = json_get(json_get(json, "player"), "simulations"), *games = json_get(json, "games");
    FairKomi *out = &value->fair;
    *value = (RungValue){.fair.pair_known = cJSON_IsNumber(up_to) && cJSON_IsNumber(from)};
    if (out->pair_known) {
        out->black_wins_up_to = up_to->valueint;
        out->white_wins_from = from->valueint;
    }
    if (!cJSON_IsNumber(simulations) || !cJSON_IsNumber(games))
        return false;
    value->effort = simulations->valuedouble;
    value->games = games->valueint;
    return cJSON_IsString(json_get(json, "source")) &&
           read_estimate(combined, "estimate", "ci95", &out->combined, &out->combined_ci95) &&
           read_estimate(combined, "by_model", "by_model_ci95", &out->by_model, &out->by_model_ci95);
}

/* Keeps a result, which then belongs to the run. */
static bool keep(Run *run, cJSON *json, const char *source, Error *error) {
    KomiState *state = run->state;
    cJSON_Delete(state->second);
    state->second = json;
    return read_value(json, &state->second_value) ||
           error_set(error,
                     "%s: the second family is wrong, expected its source, player and fair_komi as version 0.25 writes "
                     "it (stigmergy estimate)",
                     source);
}

bool komi_read_second(Run *run, const cJSON *document, Error *error) {
    const cJSON *kept = json_get(json_get(document, "convergence"), "second_family");
    return !kept || keep(run, cJSON_Duplicate(kept, true), "convergence", error);
}

const RungValue *komi_second(const Run *run) {
    const KomiState *state = run->state;
    return state->second ? &state->second_value : NULL;
}

const char *komi_second_source(const Run *run) {
    return cJSON_GetStringValue(json_get(((const KomiState *)run->state)->second, "source"));
}

cJSON *komi_second_to_json(const Run *run, const RungValue *top) {
    const KomiState *state = run->state;
    static const char *const made[] = {"difference", "agrees"};
    const Drift drift = rung_drift(&state->second_value, top);
    cJSON *json = cJSON_Duplicate(state->second, true);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        cJSON_DeleteItemFromObjectCaseSensitive(json, made[i]);
    cJSON *difference = cJSON_AddObjectToObject(json, "difference");
    document_add_number(difference, "estimate", drift.estimate);
    document_add_interval(difference, "ci95", drift.ci95);
    cJSON_AddBoolToObject(json, "agrees", drift_is_small(&drift));
    return json;
}

/* ---- Another run ---- */

/* The hash of a player's network, or else its name. Players of before there were networks say nothing. */
static const char *network_of(const cJSON *player) {
    const char *hash = cJSON_GetStringValue(json_get(player, "network_hash"));
    const char *name = cJSON_GetStringValue(json_get(player, "network"));
    return hash ? hash : name ? name : "none";
}

bool komi_same_family(const cJSON *player, const cJSON *other) {
    return !strcmp(network_of(player), network_of(other));
}

/* Whether a result says something about the convergence of this run. */
static bool check(const Run *run, const cJSON *document, const char *path, Error *error) {
    const cJSON *settings = json_get(document, "settings"), *game = json_get(document, "game");
    const cJSON *size = json_get(document, "size"), *first = json_get(settings, "first_moves");
    if (!cJSON_IsString(game) || strcmp(game->valuestring, run->config->game) != 0 || !cJSON_IsNumber(size) ||
        size->valuedouble != (double)run->config->size)
        return error_set(error, "%s: is of another board, expected %s on hexhex-%d", path, run->config->game,
                         (int)run->config->size);
    if (!cJSON_IsString(first) || strcmp(first->valuestring, komi_first_moves_words[true]) != 0 ||
        json_get(settings, "upgrade"))
        return error_set(error, "%s: expected a run with \"first_moves\": \"each\" and two equal sides", path);
    cJSON *mine = run_config_identity(run->config);
    const bool alike = cJSON_Compare(json_get(mine, "parity"), json_get(settings, "parity"), true) &&
                       cJSON_Compare(json_get(mine, "komi_range"), json_get(settings, "komi_range"), true);
    cJSON_Delete(mine);
    if (!alike)
        return error_set(error, "%s: played at other komi values, expected the same parity and komi_range", path);
    cJSON *own = player_to_json(&komi_config(run)->player);
    const bool same = komi_same_family(own, json_get(document, "player"));
    cJSON_Delete(own);
    return !same || error_set(error, "%s: plays with the same network, expected another family of players", path);
}

/* Whether the document of this run has a convergence, which the second family is part of. */
static bool check_own(const Run *run, const char *path, Error *error) {
    int rungs = 0;
    for (int rung = 0; rung < run->group_count; rung++)
        rungs += run->groups[rung].played > 0;
    const bool equal = komi_config(run)->upgrade == UPGRADE_NONE;
    return (rungs > 1 && equal) ||
           error_set(error,
                     "%s: is no second family of a result with %s, expected a ladder of two rungs or more and two "
                     "equal sides",
                     path, equal ? "one rung" : "an upgrade");
}

static void add_copy(cJSON *json, const char *key, const cJSON *value) {
    json_add(json, key, value ? cJSON_Duplicate(value, true) : cJSON_CreateNull());
}

/* What is kept of a result. */
static cJSON *extract(const cJSON *document, const char *path) {
    static const char *const kept[] = {"combined", "black_wins_up_to", "white_wins_from"};
    const cJSON *fair = json_get(document, "fair_komi");
    cJSON *json = cJSON_CreateObject();
    json_add_text(json, "source", file_name_of(path));
    add_copy(json, "player", json_get(document, "player"));
    add_copy(json, "games", json_get(document, "games"));
    cJSON *kept_fair = cJSON_AddObjectToObject(json, "fair_komi");
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        add_copy(kept_fair, kept[i], json_get(fair, kept[i]));
    return json;
}

bool komi_compare_with(Run *run, const char *path, Error *error) {
    DocumentContext context;
    cJSON *document = document_read(path, &run->kind->schema, &context, error);
    const bool good = document && check(run, document, path, error) && check_own(run, path, error) &&
                      keep(run, extract(document, path), path, error);
    cJSON_Delete(document);
    return good;
}
