/* See reread.h. */
#include "selfplay/runs/komi/reread.h"

#include <stdio.h>

static const cJSON *at(const cJSON *json, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

/* The efforts of a ladder: those that have games are in the document. */
static cJSON *ladder_of(const cJSON *document) {
    cJSON *ladder = cJSON_CreateArray();
    const cJSON *rungs = at(document, "ladder"), *rung;
    if (!rungs)
        json_add(ladder, NULL, cJSON_Duplicate(at(at(document, "player"), "simulations"), true));
    cJSON_ArrayForEach(rung, rungs) json_add(ladder, NULL, cJSON_Duplicate(at(rung, "simulations"), true));
    return ladder;
}

/* The settings of the run as a configuration has them: there the player has an effort, the document says which. */
static cJSON *settings_of(const cJSON *document) {
    cJSON *settings = cJSON_Duplicate(at(document, "settings"), true);
    const cJSON *move_time = at(settings, "move_time");
    const bool timed = cJSON_IsNumber(move_time) && move_time->valuedouble > 0;
    cJSON_DeleteItemFromObjectCaseSensitive(settings, "engine");
    cJSON_ReplaceItemInObjectCaseSensitive(settings, "player", cJSON_Duplicate(at(document, "player"), true));
    if (!timed) {
        cJSON_DeleteItemFromObjectCaseSensitive(settings, "move_time");
        json_add(settings, "ladder", ladder_of(document));
    }
    return settings;
}

static Run *run_of(const cJSON *document, const char *path, Error *error) {
    KomiConfig config = komi_config_default(5);
    cJSON *settings = settings_of(document);
    Run *run = run_config_read(settings, path, &config.run, error)
                   ? run_new(&komi_kind, &config.run, (ShardSpec){0, 0}, error)
                   : NULL;
    cJSON_Delete(settings);
    return run;
}

static bool find_games(const char *path, char records[FILE_PATH_MAX], Error *error) {
    char packed[FILE_PATH_MAX + 8];
    if (!record_file_path(path, records, error))
        return false;
    snprintf(packed, sizeof packed, "%s.zst", records);
    return file_exists(records) || file_exists(packed) ||
           error_set(error, "%s: its games are missing, expected %s or %s beside it", path, records, packed);
}

Run *komi_reread(const char *path, cJSON **document, Error *error) {
    DocumentContext context;
    char records[FILE_PATH_MAX];
    *document = document_read(path, &komi_kind.schema, &context, error);
    if (!*document)
        return NULL;
    const cJSON *hash = at(*document, "run");
    Run *run = find_games(path, records, error) ? run_of(*document, path, error) : NULL;
    if (run && cJSON_IsString(hash) && run_open_played(run, records, hash->valuestring, error))
        return run;
    if (run && !cJSON_IsString(hash))
        error_set(error, "%s: 'run' is missing, expected the identity of the run", path);
    run_free(run);
    cJSON_Delete(*document);
    *document = NULL;
    return NULL;
}

cJSON *komi_reread_document(const Run *run, const cJSON *document, Error *error) {
    static const char *const kept[] = {"settings", "started", "seconds", "machine"};
    const DocumentContext context = document_context();
    cJSON *json = run_document(run, &context, error);
    for (size_t i = 0; json && i < sizeof kept / sizeof kept[0]; i++)
        cJSON_ReplaceItemInObjectCaseSensitive(json, kept[i], cJSON_Duplicate(at(document, kept[i]), true));
    return json;
}
