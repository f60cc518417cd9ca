/* See result_internal.h. */
#include "selfplay/runs/komi/result_internal.h"

#include "selfplay/io/exact_value.h"
#include "selfplay/runs/komi/rung_internal.h"
#include "selfplay/runs/komi/second.h"

/* ---- Rungs ---- */

/* Adds copies to the document, if the rung is the highest one, and the parts themselves to the rung's entry. */
static void add_rung(cJSON *json, cJSON *entry, bool top, RungJson *parts) {
    komi_add_counts(entry, &parts->counts);
    if (top)
        komi_add_counts(json, &parts->counts);
    const struct {
        const char *key;
        cJSON *item;
    } items[] = {{"points", parts->points}, {"fair_komi", parts->fair}, {"first_moves", parts->first_moves}};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        if (!items[i].item)
            continue;
        if (top)
            json_add(json, items[i].key, cJSON_Duplicate(items[i].item, true));
        json_add(entry, items[i].key, items[i].item);
    }
}

static cJSON *drift_to_json(const Run *run, int from, int to, const RungValue *values) {
    const Drift drift = rung_drift(&values[from], &values[to]);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "from", run->groups[from].name);
    cJSON_AddStringToObject(json, "to", run->groups[to].name);
    document_add_number(json, "estimate", drift.estimate);
    document_add_interval(json, "ci95", drift.ci95);
    return json;
}

/* Rungs are played from the lowest to the highest: how many have games, or 1. Nothing is known of the others. */
static int begun_rungs(const Run *run) {
    int count = 1;
    while (count < run->group_count && run->groups[count].played > 0)
        count++;
    return count;
}

static void add_convergence(cJSON *json, const Run *run, const RungValue *values, int count) {
    const bool exact = cJSON_HasObjectItem(json, "exact");
    const Convergence convergence = rungs_converge(values, count, komi_second(run), exact);
    cJSON *object = cJSON_AddObjectToObject(json, "convergence");
    cJSON_AddStringToObject(object, "status", convergence_words[convergence.status]);
    cJSON *reasons = cJSON_AddArrayToObject(object, "reasons");
    for (int i = 0; i < REASON_COUNT; i++)
        if (convergence.reasons & 1u << i)
            json_add(reasons, NULL, cJSON_CreateString(reason_words[i]));
    if (convergence.bound == BOUND_NONE)
        cJSON_AddNullToObject(object, "bound");
    else
        cJSON_AddStringToObject(object, "bound", bound_words[convergence.bound]);
    cJSON *drifts = cJSON_AddArrayToObject(object, "drifts");
    for (int rung = 1; rung < count; rung++)
        json_add(drifts, NULL, drift_to_json(run, rung - 1, rung, values));
    if (komi_second(run))
        json_add(object, "second_family", komi_second_to_json(run, &values[count - 1]));
}

static void add_effort(cJSON *json, const KomiConfig *config, int rung) {
    const Player player = komi_config_player(config, rung);
    if (player.simulations)
        cJSON_AddNumberToObject(json, "simulations", (double)player.simulations);
    else
        cJSON_AddNumberToObject(json, "move_time", player.move_seconds);
}

/* ---- The document ---- */

static bool add_rungs(cJSON *json, const Run *run, Error *error) {
    const int count = begun_rungs(run), last = count - 1;
    cJSON *ladder = cJSON_CreateArray();
    RungValue values[KOMI_RUNGS_MAX];
    for (int rung = 0; rung < count; rung++) {
        RungJson parts;
        if (!komi_rung_to_json(run, rung, &values[rung], &parts, error)) {
            komi_rung_delete(&parts);
            cJSON_Delete(ladder);
            return false;
        }
        cJSON *entry = cJSON_CreateObject();
        add_effort(entry, komi_config(run), rung);
        add_rung(json, entry, rung == last, &parts);
        json_add(ladder, NULL, entry);
    }
    if (count == 1) {
        cJSON_Delete(ladder);
        return true;
    }
    json_add(json, "ladder", ladder);
    json_add(json, "drift", drift_to_json(run, last - 1, last, values));
    if (komi_config(run)->upgrade == UPGRADE_NONE) /* else the players are not equal, and show no convergence */
        add_convergence(json, run, values, count);
    return true;
}

cJSON *komi_result(const Run *run, const DocumentContext *context, Error *error) {
    static const char *const keys[] = {"game", "size", "player", "seed", NULL};
    cJSON *json = run_begin_document(run, context, keys);
    const Player player = komi_config_player(komi_config(run), begun_rungs(run) - 1);
    cJSON_ReplaceItemInObjectCaseSensitive(json, "player", player_to_json(&player));
    cJSON_AddBoolToObject(json, "by_chance", player_plays_by_chance(&player));
    if (exact_values_add(json, run->config->game, (int)run->config->size, error) && add_rungs(json, run, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}
