/* See shard_document.h. */
#include "selfplay/runs/shard_document.h"

#include "selfplay/io/json.h"
#include "selfplay/record/record_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const DocumentSchema shard_document_schema = {"stigmergy-shard", 1, "a shard"};

void shard_document_free(ShardDocument *document) {
    cJSON_Delete(document->round);
    cJSON_Delete(document->config);
    cJSON_Delete(document->timing);
    memset(document, 0, sizeof *document);
}

/* ---- One document ---- */

/* What the record file of a shard that has finished is like. */
static bool measure_records(ShardDocument *document, const char *path, Error *error) {
    char records[FILE_PATH_MAX];
    size_t length;
    char *text = record_file_path(path, records, error) ? file_read(records, &length, error) : NULL;
    if (!text)
        return false;
    document->games = 0;
    for (size_t i = 0; i < length; i++)
        document->games += text[i] == '\n';
    document->bytes = (int64_t)length;
    document_hash_bytes(text, length, document->hash);
    free(text);
    return true;
}

bool shard_document_write(ShardDocument *document, const char *path, Error *error) {
    if (document->finished && !measure_records(document, path, error))
        return false;
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &shard_document_schema);
    json_set(json_get(json, "program"), "games", cJSON_CreateString(document_games_version(document->kind)));
    cJSON_AddStringToObject(json, "kind", document->kind);
    cJSON_AddStringToObject(json, "run", document->run);
    cJSON_AddNumberToObject(json, "shard", document->shard.index);
    cJSON_AddNumberToObject(json, "shards", document->shard.count);
    json_add(json, "round", cJSON_Duplicate(document->round, true));
    json_add(json, "config", cJSON_Duplicate(document->config, true));
    document_add_context(json, &document->context);
    if (document->timing)
        json_add(json, "timing", cJSON_Duplicate(document->timing, true));
    cJSON_AddBoolToObject(json, "finished", document->finished);
    if (document->finished) {
        cJSON_AddNumberToObject(json, "games", (double)document->games);
        cJSON_AddNumberToObject(json, "bytes", (double)document->bytes);
        cJSON_AddStringToObject(json, "hash", document->hash);
    }
    return document_write(json, path, error);
}

/* Tells by the schema what file this is, before anything else is asked of it. */
static bool check_schema(const cJSON *json, const char *path, ShardDocument *document, Error *error) {
    const cJSON *program = json_get(json, "program");
    const cJSON *games = json_get(program, "games");
    const cJSON *program_version = games ? games : json_get(program, "version");
    if (!document_check_schema(json, &shard_document_schema, path, "is no document of", error))
        return false;
    snprintf(document->version, sizeof document->version, "%s",
             cJSON_IsString(program_version) ? program_version->valuestring : "");
    return true;
}

static bool read_fields(const cJSON *json, const char *path, ShardDocument *document, Error *error) {
    static const char *const needed[] = {"kind",   "run",     "shard",   "shards",  "round",
                                         "config", "started", "seconds", "finished"};
    static const char *const needed_where_finished[] = {"games", "bytes", "hash"};
    static const char *const passed_over[] = {"schema", "program", "machine"};
    JsonReader reader = json_open(json, path);
    int64_t index = 0, count = 0;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        json_require(&reader, needed[i]);
    for (size_t i = 0; i < sizeof passed_over / sizeof passed_over[0]; i++)
        json_any(&reader, passed_over[i]);
    json_string(&reader, "kind", document->kind, sizeof document->kind);
    json_string(&reader, "run", document->run, sizeof document->run);
    json_int(&reader, "shard", 0, SHARDS_MAX - 1, &index);
    json_int(&reader, "shards", 1, SHARDS_MAX, &count);
    json_string(&reader, "started", document->context.started, sizeof document->context.started);
    json_number(&reader, "seconds", 0, 1e12, &document->context.seconds);
    json_bool(&reader, "finished", &document->finished);
    for (size_t i = 0; document->finished && i < sizeof needed_where_finished / sizeof needed_where_finished[0]; i++)
        json_require(&reader, needed_where_finished[i]);
    json_int(&reader, "games", 0, RECORD_NUMBER_MAX, &document->games);
    json_int(&reader, "bytes", 0, INT64_MAX >> 10, &document->bytes);
    json_string(&reader, "hash", document->hash, sizeof document->hash);
    document->round = cJSON_Duplicate(json_object(&reader, "round"), true);
    document->config = cJSON_Duplicate(json_object(&reader, "config"), true);
    document->timing = cJSON_Duplicate(json_array(&reader, "timing"), true);
    document->shard = (ShardSpec){(int)index, (int)count};
    if (!json_close(&reader, error))
        return false;
    return index < count || error_set(error, "%s: 'shard' is wrong, expected 0 to %lld", path, (long long)count - 1);
}

bool shard_document_parse(const char *text, size_t length, const char *path, ShardDocument *document, Error *error) {
    memset(document, 0, sizeof *document);
    cJSON *json = json_parse(text, length, path, error);
    const bool good = json && check_schema(json, path, document, error) && read_fields(json, path, document, error);
    cJSON_Delete(json);
    return good;
}

/* To be freed by shard_document_free, also where it failed. */
static bool read_document(const char *path, ShardDocument *document, Error *error) {
    size_t length;
    memset(document, 0, sizeof *document);
    char *text = file_read(path, &length, error);
    const bool good = text && shard_document_parse(text, length, path, document, error);
    free(text);
    return good;
}

char *shard_document_records(const ShardDocument *document, const char *path, size_t *length, Error *error) {
    char records[FILE_PATH_MAX], hash[20];
    char *text = record_file_path(path, records, error) ? file_read(records, length, error) : NULL;
    if (!text)
        return NULL;
    document_hash_bytes(text, *length, hash);
    if ((int64_t)*length == document->bytes && !strcmp(hash, document->hash))
        return text;
    error_set(error,
              "%s: is damaged: not the %lld bytes that shard %d finished with; delete it and run that shard again",
              records, (long long)document->bytes, document->shard.index);
    free(text);
    return NULL;
}

/* Takes over what an earlier session of this round has left. If that had other settings, such as fewer games, the
 * document must be written again, although all games may be there: a merge goes by its settings. */
static void take_over(ShardDocument *document, ShardDocument *before, const char *path) {
    size_t length;
    const bool stands = before->finished && cJSON_Compare(before->config, document->config, true);
    char *text = stands ? shard_document_records(before, path, &length, NULL) : NULL;
    document->finished = text != NULL;
    document->context = before->context;
    free(text);
    cJSON_Delete(document->timing);
    document->timing = before->timing;
    before->timing = NULL;
}

bool shard_document_resume(const char *path, ShardDocument *document, Error *damage, Error *error) {
    ShardDocument before = {.finished = false};
    cJSON *json;
    if (!document_find(path, &shard_document_schema, &json, damage, error))
        return false;
    if (json && read_fields(json, path, &before, damage) && !strcmp(before.run, document->run) &&
        cJSON_Compare(before.round, document->round, true))
        take_over(document, &before, path);
    cJSON_Delete(json);
    shard_document_free(&before);
    return true;
}

/* ---- A set of them ---- */

/* Names the first setting in which two configurations differ. */
static bool same_config(const ShardEntry *entry, const ShardEntry *first, Error *error) {
    for (int turn = 0; turn < 2; turn++) {
        const cJSON *ours = (turn ? first : entry)->document.config, *theirs = (turn ? entry : first)->document.config;
        for (const cJSON *item = ours->child; item; item = item->next)
            if (!cJSON_Compare(item, json_get(theirs, item->string), true))
                return error_set(error, "%s: is of another run than %s: '%.40s' differs", entry->path, first->path,
                                 item->string);
    }
    return true;
}

/* Whether a shard was played by this version, of the kind and with the settings of the first one. */
static bool same_settings(const ShardEntry *entry, const ShardEntry *first, Error *error) {
    const ShardDocument *document = &entry->document, *expected = &first->document;
    if (strcmp(document->kind, expected->kind))
        return error_set(error, "%s: is a shard of %s, expected one of %s as %s is", entry->path, document->kind,
                         expected->kind, first->path);
    const char *ours = document_games_version(document->kind);
    if (strcmp(document->version, ours))
        return error_set(error, "%s: has games as version '%s' plays them, expected %s, as this program does",
                         entry->path, document->version, ours);
    return same_config(entry, first, error);
}

/* Whether a shard is of the same round as the first one, and finished. */
static bool same_round(const ShardEntry *entry, const ShardEntry *first, Error *error) {
    const ShardDocument *document = &entry->document;
    if (!cJSON_Compare(document->round, first->document.round, true))
        return error_set(error,
                         "%s: is of another round than %s; run all shards again, those of this round end at once",
                         entry->path, first->path);
    return document->finished || error_set(error, "%s: shard %d of %d is not finished; run it again", entry->path,
                                           document->shard.index, document->shard.count);
}

static bool check_entries(const ShardSet *set, bool (*check)(const ShardEntry *, const ShardEntry *, Error *),
                          Error *error) {
    for (int i = 0; i < set->count; i++)
        if (!check(&set->entries[i], &set->entries[0], error))
            return false;
    return true;
}

static bool check_claims(const ShardSet *set, Error *error) {
    ShardClaim *claims = calloc((size_t)set->count, sizeof *claims);
    for (int i = 0; claims && i < set->count; i++) {
        const ShardDocument *document = &set->entries[i].document;
        claims[i] = (ShardClaim){.path = set->entries[i].path, .shard = document->shard};
        strcpy(claims[i].run, document->run);
    }
    const bool good = claims ? shard_claims_check(claims, set->count, error)
                             : error_set(error, "out of memory for %d shards", set->count);
    free(claims);
    return good;
}

static int compare_entries(const void *left, const void *right) {
    const ShardEntry *a = left, *b = right;
    return a->document.shard.index - b->document.shard.index;
}

bool shard_set_read(const char *const *paths, int count, ShardSet *set, Error *error) {
    *set = (ShardSet){.entries = calloc((size_t)count, sizeof *set->entries)};
    if (!set->entries)
        return error_set(error, "out of memory for %d shards", count);
    for (; set->count < count; set->count++) {
        ShardEntry *entry = &set->entries[set->count];
        entry->path = paths[set->count];
        if (!read_document(entry->path, &entry->document, error)) {
            set->count++; /* to be freed, too */
            return false;
        }
    }
    if (!check_entries(set, same_settings, error) || !check_claims(set, error) ||
        !check_entries(set, same_round, error))
        return false;
    qsort(set->entries, (size_t)count, sizeof *set->entries, compare_entries);
    return true;
}

void shard_set_free(ShardSet *set) {
    for (int i = 0; i < set->count; i++)
        shard_document_free(&set->entries[i].document);
    free(set->entries);
    *set = (ShardSet){0};
}
