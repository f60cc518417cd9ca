/* See komi_result.h. */
#include "komi_result.h"

#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

KomiResultContext komi_result_context(void) {
    KomiResultContext context = {.seconds = 0};
    const time_t seconds = time(NULL);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(context.started, sizeof context.started, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return context;
}

/* Numbers are written with four decimals: more would only show rounding. */
static double rounded(double value) {
    return floor(value * 1e4 + 0.5) / 1e4;
}

static void add_number(cJSON *json, const char *key, double value) {
    cJSON_AddNumberToObject(json, key, rounded(value));
}

static void add_interval(cJSON *json, const char *key, Interval interval) {
    cJSON *array = cJSON_AddArrayToObject(json, key);
    cJSON_AddItemToArray(array, cJSON_CreateNumber(rounded(interval.low)));
    cJSON_AddItemToArray(array, cJSON_CreateNumber(rounded(interval.high)));
}

/* ---- Parts ---- */

static cJSON *point_to_json(const KomiPoint *point) {
    const double n = point->games, mean = point->margin_sum / n;
    const double variance = n > 1 ? (point->margin_squares - n * mean * mean) / (n - 1) : 0;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "komi", point->data.komi);
    cJSON_AddBoolToObject(json, "button", komi_has_button(point->data.komi));
    cJSON_AddNumberToObject(json, "games", n);
    cJSON_AddNumberToObject(json, "distinct_games", point->data.games);
    cJSON_AddNumberToObject(json, "black_wins", point->black_wins);
    add_number(json, "win_rate", point->black_wins / n);
    add_interval(json, "ci95", wilson_interval(point->black_wins / n * point->data.games, point->data.games));
    add_number(json, "mean_margin", mean);
    add_number(json, "sd_margin", sqrt(variance > 0 ? variance : 0));
    add_number(json, "mean_plies", point->plies / n);
    return json;
}

static cJSON *curve_to_json(const CurveEstimate *curve) {
    cJSON *json = cJSON_CreateObject();
    add_number(json, "estimate", curve->estimate);
    add_interval(json, "ci95", curve->ci95);
    cJSON_AddNumberToObject(json, "distinct_games", curve->games);
    cJSON_AddBoolToObject(json, "separated", curve->separated);
    cJSON_AddBoolToObject(json, "ci95_is_bracket", curve->bracket_used);
    cJSON_AddBoolToObject(json, "one_sided", curve->one_sided);
    return json;
}

static void add_checks(cJSON *json, const FairKomi *fair) {
    cJSON *checks = cJSON_AddObjectToObject(json, "checks");
    const CurveEstimate *const curves[] = {&fair->even, &fair->odd};
    static const char *const names[] = {"even", "odd_with_button"};
    for (int i = 0; i < 2; i++) {
        cJSON *check = cJSON_AddObjectToObject(checks, names[i]);
        add_number(check, "firth", curves[i]->firth);
        cJSON_AddBoolToObject(check, "firth_defined", curves[i]->firth_defined);
        add_number(check, "isotonic", curves[i]->isotonic);
        cJSON_AddBoolToObject(check, "isotonic_defined", curves[i]->isotonic_defined);
    }
    add_number(checks, "margin_estimate", fair->margin);
    add_number(checks, "margin_standard_error", fair->margin_error);
    add_number(checks, "largest_disagreement", fair->disagreement);
    cJSON_AddBoolToObject(checks, "agree", fair->checks_agree);
}

static cJSON *fair_to_json(const FairKomi *fair) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToObject(json, "even", curve_to_json(&fair->even));
    cJSON_AddItemToObject(json, "odd_with_button", curve_to_json(&fair->odd));
    cJSON *combined = cJSON_AddObjectToObject(json, "combined");
    add_number(combined, "estimate", fair->combined);
    add_interval(combined, "ci95", fair->combined_ci95);
    cJSON_AddNumberToObject(json, "recommended", fair->recommended);
    add_number(json, "win_rate_at_recommended", fair->win_rate);
    add_interval(json, "ci95", fair->win_rate_ci95);
    cJSON_AddStringToObject(json, "method", ESTIMATE_METHOD);
    cJSON *model = cJSON_AddObjectToObject(json, "model");
    add_number(model, "location", fair->combined);
    add_number(model, "slope", fair->slope);
    add_number(model, "lapse", fair->lapse);
    add_checks(json, fair);
    return json;
}

typedef struct RungJson {
    cJSON *points, *fair;
    int games;
    double distinct;
} RungJson;

static bool rung_to_json(const KomiRun *run, int rung, RungJson *out, FairKomi *fair, Error *error) {
    KomiPoint *points;
    const int count = komi_run_points(run, rung, &points, error);
    if (count < 0 || !komi_run_estimate(run, rung, fair, error)) {
        if (count >= 0)
            free(points);
        return false;
    }
    *out = (RungJson){.points = cJSON_CreateArray(), .fair = fair_to_json(fair)};
    for (int i = 0; i < count; i++) {
        cJSON_AddItemToArray(out->points, point_to_json(&points[i]));
        out->games += points[i].games;
        out->distinct += points[i].data.games;
    }
    free(points);
    return true;
}

static cJSON *drift_to_json(const KomiRun *run, int rung, const FairKomi *below, const FairKomi *top) {
    cJSON *json = cJSON_CreateObject();
    const double change = top->combined - below->combined;
    const double error = hypot((top->combined_ci95.high - top->combined_ci95.low) / 2,
                               (below->combined_ci95.high - below->combined_ci95.low) / 2);
    cJSON_AddStringToObject(json, "from", run->rung[rung - 1].name);
    cJSON_AddStringToObject(json, "to", run->rung[rung].name);
    add_number(json, "estimate", change);
    add_interval(json, "ci95", (Interval){change - error, change + error});
    return json;
}

static void add_effort(cJSON *json, const KomiConfig *config, int rung) {
    const Player player = komi_config_player(config, rung);
    if (player.simulations)
        cJSON_AddNumberToObject(json, "simulations", (double)player.simulations);
    else
        cJSON_AddNumberToObject(json, "move_time", player.move_seconds);
}

static cJSON *machine_to_json(void) {
    cJSON *json = cJSON_CreateObject();
    struct utsname names;
    if (uname(&names) == 0) {
        cJSON_AddStringToObject(json, "system", names.sysname);
        cJSON_AddStringToObject(json, "architecture", names.machine);
    }
    cJSON_AddNumberToObject(json, "processors", (double)sysconf(_SC_NPROCESSORS_ONLN));
    return json;
}

static cJSON *program_to_json(void) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", "stigmergy");
    cJSON_AddStringToObject(json, "version", STIGMERGY_VERSION);
    cJSON_AddStringToObject(json, "build", __VERSION__);
    return json;
}

/* ---- The document ---- */

static cJSON *begin_document(const KomiRun *run, const KomiResultContext *context) {
    const KomiConfig *config = &run->config;
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)config->seed);
    cJSON *json = cJSON_CreateObject(), *schema = cJSON_AddObjectToObject(json, "schema");
    cJSON_AddStringToObject(schema, "name", KOMI_RESULT_SCHEMA);
    cJSON_AddNumberToObject(schema, "version", KOMI_RESULT_VERSION);
    cJSON_AddItemToObject(json, "program", program_to_json());
    cJSON_AddStringToObject(json, "game", config->game);
    cJSON_AddNumberToObject(json, "size", (double)config->size);
    const Player player = komi_config_player(config, run->rungs - 1);
    cJSON_AddItemToObject(json, "player", player_to_json(&player));
    cJSON_AddStringToObject(json, "seed", seed);
    cJSON_AddStringToObject(json, "run", run->hash);
    cJSON_AddItemToObject(json, "settings", komi_config_identity(config));
    cJSON_AddStringToObject(json, "started", context->started);
    add_number(json, "seconds", context->seconds);
    cJSON_AddItemToObject(json, "machine", machine_to_json());
    return json;
}

static bool add_rungs(cJSON *json, const KomiRun *run, Error *error) {
    cJSON *ladder = cJSON_CreateArray();
    FairKomi fair[2]; /* of the rung before and this one, in turn */
    for (int rung = 0; rung < run->rungs; rung++) {
        RungJson parts;
        if (!rung_to_json(run, rung, &parts, &fair[rung % 2], error)) {
            cJSON_Delete(ladder);
            return false;
        }
        const bool top = rung == run->rungs - 1;
        cJSON *entry = cJSON_CreateObject();
        add_effort(entry, &run->config, rung);
        cJSON_AddNumberToObject(entry, "games", parts.games);
        if (top) {
            cJSON_AddNumberToObject(json, "games", parts.games);
            add_number(json, "duplicate_share", parts.games ? 1 - parts.distinct / parts.games : 0);
            cJSON_AddItemToObject(json, "points", cJSON_Duplicate(parts.points, true));
            cJSON_AddItemToObject(json, "fair_komi", cJSON_Duplicate(parts.fair, true));
        }
        add_number(entry, "duplicate_share", parts.games ? 1 - parts.distinct / parts.games : 0);
        cJSON_AddItemToObject(entry, "points", parts.points);
        cJSON_AddItemToObject(entry, "fair_komi", parts.fair);
        cJSON_AddItemToArray(ladder, entry);
    }
    if (run->rungs == 1) {
        cJSON_Delete(ladder);
        return true;
    }
    const int last = run->rungs - 1;
    cJSON_AddItemToObject(json, "ladder", ladder);
    cJSON_AddItemToObject(json, "drift", drift_to_json(run, last, &fair[(last - 1) % 2], &fair[last % 2]));
    return true;
}

cJSON *komi_result(const KomiRun *run, const KomiResultContext *context, Error *error) {
    cJSON *json = begin_document(run, context);
    if (add_rungs(json, run, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}

bool komi_result_write(const KomiRun *run, const KomiResultContext *context, const char *path, Error *error) {
    cJSON *json = komi_result(run, context, error);
    if (!json)
        return false;
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    char *whole = text ? realloc(text, strlen(text) + 2) : NULL;
    if (!whole) {
        free(text);
        return error_set(error, "%s: out of memory for the result", path);
    }
    strcat(whole, "\n");
    const bool good = file_write(path, whole, strlen(whole), error);
    free(whole);
    return good;
}

/* ---- Resuming ---- */

/* Names the first setting that differs. */
static bool same_settings(const char *path, const cJSON *theirs, const cJSON *ours, Error *error) {
    for (const cJSON *item = ours ? ours->child : NULL; item; item = item->next) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(theirs, item->string);
        if (cJSON_Compare(item, other, true))
            continue;
        char *expected = cJSON_PrintUnformatted(item), *found = other ? cJSON_PrintUnformatted(other) : NULL;
        error_set(error, "%s: is of another run: '%s' is %.100s there, %.100s here; choose another --out", path,
                  item->string, found ? found : "missing", expected ? expected : "?");
        free(expected);
        free(found);
        return false;
    }
    return true;
}

static bool check_document(const char *path, const cJSON *json, const KomiConfig *config, KomiResultContext *context,
                           Error *error) {
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(json, "schema");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(schema, "name");
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(schema, "version");
    const cJSON *settings = cJSON_GetObjectItemCaseSensitive(json, "settings");
    const cJSON *started = cJSON_GetObjectItemCaseSensitive(json, "started");
    const cJSON *seconds = cJSON_GetObjectItemCaseSensitive(json, "seconds");
    if (!cJSON_IsString(name) || strcmp(name->valuestring, KOMI_RESULT_SCHEMA))
        return error_set(error, "%s: is no result of a komi run, expected schema name '%s'", path, KOMI_RESULT_SCHEMA);
    if (!cJSON_IsNumber(version) || version->valueint != KOMI_RESULT_VERSION)
        return error_set(error, "%s: has schema version %g, expected %d", path,
                         cJSON_IsNumber(version) ? version->valuedouble : 0.0, KOMI_RESULT_VERSION);
    if (!cJSON_IsObject(settings) || !cJSON_IsString(started) || !cJSON_IsNumber(seconds))
        return error_set(error, "%s: 'settings', 'started' or 'seconds' is missing", path);
    cJSON *ours = komi_config_identity(config);
    const bool same = same_settings(path, settings, ours, error);
    cJSON_Delete(ours);
    snprintf(context->started, sizeof context->started, "%s", started->valuestring);
    context->seconds = seconds->valuedouble;
    return same;
}

bool komi_result_resume(const char *path, const KomiConfig *config, KomiResultContext *context, Error *error) {
    if (!file_exists(path))
        return true;
    size_t length;
    char *text = file_read(path, &length, error);
    cJSON *json = text ? json_parse(text, length, path, error) : NULL;
    free(text);
    const bool good = json && check_document(path, json, config, context, error);
    cJSON_Delete(json);
    return good;
}
