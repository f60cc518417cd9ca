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

/* The rungs that the document is about, from the lowest to the highest, and what they say. */
typedef struct Rungs {
    int count, index[KOMI_RUNGS_MAX];
    RungValue values[KOMI_RUNGS_MAX];
} Rungs;

/* Those that have games: some in between may have none, where a session has extended the ladder. The lowest, if none
 * has. */
static Rungs begun_rungs(const Run *run) {
    Rungs rungs = {.count = 0};
    for (int rung = 0; rung < run->group_count; rung++)
        if (run->groups[rung].played > 0)
            rungs.index[rungs.count++] = rung;
    if (rungs.count == 0)
        rungs.count = 1;
    return rungs;
}

/* The drift from the rung before entry i to that one. */
static cJSON *drift_to_json(const Run *run, const Rungs *rungs, int i) {
    const Drift drift = rung_drift(&rungs->values[i - 1], &rungs->values[i]);
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "from", run->groups[rungs->index[i - 1]].name);
    cJSON_AddStringToObject(json, "to", run->groups[rungs->index[i]].name);
    document_add_number(json, "estimate", drift.estimate);
    document_add_interval(json, "ci95", drift.ci95);
    return json;
}

static void add_convergence(cJSON *json, const Run *run, const Rungs *rungs) {
    const bool exact = cJSON_HasObjectItem(json, "exact");
    const Convergence convergence = rungs_converge(rungs->values, rungs->count, komi_second(run), exact);
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
    for (int i = 1; i < rungs->count; i++)
        json_add(drifts, NULL, drift_to_json(run, rungs, i));
    if (komi_second(run))
        json_add(object, "second_family", komi_second_to_json(run, &rungs->values[rungs->count - 1]));
}

/* ---- The document ---- */

static bool add_rungs(cJSON *json, const Run *run, Rungs *rungs, Error *error) {
    const int last = rungs->count - 1;
    cJSON *ladder = cJSON_CreateArray();
    for (int i = 0; i < rungs->count; i++) {
        RungJson parts;
        if (!komi_rung_to_json(run, rungs->index[i], &rungs->values[i], &parts, error)) {
            komi_rung_delete(&parts);
            cJSON_Delete(ladder);
            return false;
        }
        cJSON *entry = cJSON_CreateObject();
        effort_add(entry, komi_config_effort(komi_config(run), rungs->index[i]));
        add_rung(json, entry, i == last, &parts);
        json_add(ladder, NULL, entry);
    }
    if (last == 0) {
        cJSON_Delete(ladder);
        return true;
    }
    json_add(json, "ladder", ladder);
    json_add(json, "drift", drift_to_json(run, rungs, last));
    if (komi_config(run)->upgrade == UPGRADE_NONE) /* else the players are not equal, and show no convergence */
        add_convergence(json, run, rungs);
    return true;
}

cJSON *komi_result(const Run *run, const DocumentContext *context, Error *error) {
    static const char *const keys[] = {"game", "size", "player", "seed", NULL};
    cJSON *json = run_begin_document(run, context, keys);
    Rungs rungs = begun_rungs(run);
    const Player player = komi_config_player(komi_config(run), rungs.index[rungs.count - 1]);
    json_set(json, "player", player_to_json(&player));
    cJSON_AddBoolToObject(json, "by_chance", player_plays_by_chance(&player));
    if (exact_values_add(json, run->config->game, (int)run->config->size, error) && add_rungs(json, run, &rungs, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}
