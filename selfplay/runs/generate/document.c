/* See document.h. */
#include "selfplay/runs/generate/document.h"

#include "selfplay/io/json.h"
#include "selfplay/runs/generate/dataset_files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

const DocumentSchema selfplay_document_schema = {"stigmergy-selfplay", 1, "a self-play run"};

/* ---- Writing ---- */

static void add_layout(cJSON *json, const SelfplayDocument *document) {
    const SelfplayConfig *config = &document->config;
    cJSON_AddNumberToObject(json, "games", (double)config->run.games);
    cJSON_AddNumberToObject(json, "rows_a_shard", (double)config->rows);
    cJSON_AddStringToObject(json, "license", config->license);
    cJSON_AddStringToObject(json, "creator", config->creator);
    cJSON_AddStringToObject(json, "url", config->url);
    cJSON *part = cJSON_AddArrayToObject(json, "machine_shard");
    json_add(part, NULL, cJSON_CreateNumber(document->shard.index));
    json_add(part, NULL, cJSON_CreateNumber(document->shard.count));
    cJSON_AddStringToObject(json, "command", document->command);
}

cJSON *selfplay_document_to_json(const SelfplayDocument *document, const DocumentSchema *wanted) {
    cJSON *json = cJSON_CreateObject(), *identity = run_config_identity(&document->config.run);
    document_add_schema(json, wanted);
    cJSON_AddStringToObject(json, "run", document->run);
    add_layout(json, document);
    document_add_context(json, &document->context);
    if (cJSON_AddItemToObject(json, "settings", identity))
        return json;
    cJSON_Delete(identity);
    cJSON_Delete(json);
    return NULL;
}

bool selfplay_document_write(const char *folder, const SelfplayDocument *document, Error *error) {
    char path[FILE_PATH_MAX];
    return file_path_in(folder, DATASET_RUN, path, error) &&
           document_write(selfplay_document_to_json(document, &selfplay_document_schema), path, error);
}

/* ---- Reading ---- */

/* The settings, and the version that no configuration can choose. */
static bool read_settings(const cJSON *settings, const char *source, SelfplayConfig *config, Error *error) {
    cJSON *copy = cJSON_Duplicate(settings, true);
    if (settings && !copy)
        return error_set(error, "%s: out of memory for the settings", source);
    const cJSON *engine = json_get(copy, "engine");
    if (cJSON_IsString(engine))
        snprintf(config->engine, sizeof config->engine, "%s", engine->valuestring);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "engine");
    const bool good = copy ? run_config_read(copy, source, &config->run, error)
                           : error_set(error, "%s: 'settings' is missing, expected an object", source);
    cJSON_Delete(copy);
    return good && run_config_check(&config->run, error);
}

/* The values of the keys that stand beside the settings. */
static bool read_layout(const cJSON *json, const char *source, SelfplayDocument *document, Error *error) {
    JsonReader reader = json_open(json, source);
    int64_t part[2] = {0, 0};
    int count = 2;
    json_string(&reader, "run", document->run, sizeof document->run);
    json_int(&reader, "games", 1, SELFPLAY_GAMES_MAX, &document->config.run.games);
    json_int(&reader, "rows_a_shard", 1, 1000000, &document->config.rows);
    json_string(&reader, "license", document->config.license, sizeof document->config.license);
    json_string(&reader, "creator", document->config.creator, sizeof document->config.creator);
    json_string(&reader, "url", document->config.url, sizeof document->config.url);
    json_ints(&reader, "machine_shard", 0, SHARDS_MAX, part, 2, &count);
    json_text(&reader, "command", INT_MAX);
    json_string(&reader, "started", document->context.started, sizeof document->context.started);
    json_number(&reader, "seconds", 0, 1e12, &document->context.seconds);
    if (!json_close(&reader, error))
        return false;
    document->shard = (ShardSpec){(int)part[0], (int)part[1]};
    return (count == 2 && (part[0] < part[1] || (part[0] == 0 && part[1] == 0))) ||
           error_set(error, "%s: 'machine_shard' is wrong, expected [I, N] with I from 0 to N-1, or [0, 0]", source);
}

bool selfplay_document_from_json(const cJSON *json, const char *source, SelfplayDocument *document, Error *error) {
    static const char *const keys[] = {"run", "games",         "rows_a_shard", "license", "creator",
                                       "url", "machine_shard", "command",      "started", "seconds"};
    document->config = selfplay_config_default();
    if (!read_settings(json_get(json, "settings"), source, &document->config, error))
        return false;
    cJSON *layout = cJSON_CreateObject();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const cJSON *item = json_get(json, keys[i]);
        if (item && json_add(layout, keys[i], cJSON_Duplicate(item, true)))
            continue;
        cJSON_Delete(layout);
        return error_set(error, item ? "%s: out of memory for '%s'" : "%s: '%s' is missing", source, keys[i]);
    }
    const bool good = read_layout(layout, source, document, error) && run_config_check(&document->config.run, error);
    cJSON_Delete(layout);
    return good;
}

bool selfplay_document_load(const char *folder, SelfplayDocument *document, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *json = file_path_in(folder, DATASET_RUN, path, error) ? json_load(path, error) : NULL;
    const bool good = json &&
                      document_check_schema(json, &selfplay_document_schema, path, "is not a result of", error) &&
                      selfplay_document_from_json(json, path, document, error);
    cJSON_Delete(json);
    return good;
}

/* The number of machines must be the same, and this one's place among them. Where there are no such numbers, the
 * document is damaged. */
static bool same_shard(const cJSON *json, const char *path, ShardSpec shard, Error *damage, Error *error) {
    const cJSON *part = json_get(json, "machine_shard");
    const cJSON *index = cJSON_GetArrayItem(part, 0), *count = cJSON_GetArrayItem(part, 1);
    if (!cJSON_IsNumber(index) || !cJSON_IsNumber(count)) {
        error_set(damage, "%s: 'machine_shard' is wrong or missing", path);
        return true;
    }
    return (index->valueint == shard.index && count->valueint == shard.count) ||
           error_set(error, "%s: is of another shard, expected %d of %d; choose another --out", path, shard.index,
                     shard.count);
}

bool selfplay_document_resume(const char *folder, SelfplayDocument *document, Error *damage, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *identity = run_config_identity(&document->config.run), *json = NULL;
    const bool good =
        file_path_in(folder, DATASET_RUN, path, error) &&
        document_resume(path, &selfplay_document_schema, identity, &document->context, &json, damage, error) &&
        (!json || same_shard(json, path, document->shard, damage, error));
    cJSON_Delete(identity);
    cJSON_Delete(json);
    return good;
}
