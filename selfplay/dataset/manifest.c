/* See manifest.h. */
#include "selfplay/dataset/manifest.h"

#include "selfplay/io/json.h"

#include <errno.h>
#include <math.h>
#include <sha2.h>
#include <stdio.h>
#include <sys/stat.h>

_Static_assert(sizeof(((DatasetFile *)NULL)->hash) >= SHA256_DIGEST_STRING_LENGTH, "a hash fits");

static const DocumentSchema schema = {"stigmergy-dataset", 1, "a data set"};

bool dataset_hash_file(const char *path, DatasetFile *file, Error *error) {
    struct stat status;
    if (stat(path, &status) != 0 || !SHA256File(path, file->hash))
        return error_set(error, "%s: cannot read: %s", path, strerror(errno));
    file->bytes = status.st_size;
    return true;
}

/* ---- Writing ---- */

static void add_count(cJSON *json, const char *key, int64_t value) {
    cJSON_AddNumberToObject(json, key, (double)value);
}

static void add_counts(cJSON *json, const DatasetPart *part) {
    add_count(json, "games", part->games);
    add_count(json, "distinct_games", part->distinct_games);
    add_count(json, "positions", part->positions);
    add_count(json, "rows", part->rows);
    add_count(json, "full_searches", part->full);
    add_count(json, "black_wins", part->black_wins);
    add_count(json, "resigned", part->resigned);
}

static cJSON *part_to_json(const DatasetPart *part) {
    cJSON *json = cJSON_CreateObject();
    const double games = (double)part->games, finished = fmax((double)(part->games - part->resigned), 1);
    const double mean = part->margin_sum / finished;
    cJSON_AddNumberToObject(json, "size", part->size);
    add_counts(json, part);
    document_add_number(json, "mean_actions", (double)part->positions / games);
    add_count(json, "even_komi_games", part->even_games);
    cJSON_AddNumberToObject(json, "komi_low", part->komi_low);
    cJSON_AddNumberToObject(json, "komi_high", part->komi_high);
    document_add_number(json, "mean_komi", part->komi_sum / games);
    document_add_number(json, "mean_margin", mean);
    document_add_number(json, "sd_margin", sqrt(fmax(part->margin_squares / finished - mean * mean, 0)));
    return json;
}

static cJSON *sizes_to_json(const Dataset *dataset) {
    cJSON *sizes = cJSON_CreateArray();
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++)
        if (dataset->parts[size].games > 0)
            json_add(sizes, NULL, part_to_json(&dataset->parts[size]));
    return sizes;
}

static cJSON *files_to_json(const DatasetFiles *files) {
    cJSON *array = cJSON_CreateArray();
    for (int i = 0; i < files->count; i++) {
        const DatasetFile *file = &files->items[i];
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "path", file->path);
        add_count(json, "bytes", file->bytes);
        cJSON_AddStringToObject(json, "sha256", file->hash);
        if (file->size)
            cJSON_AddNumberToObject(json, "size", file->size);
        if (file->size)
            add_count(json, "rows", file->rows);
        json_add(array, NULL, json);
    }
    return array;
}

/* Adds the counts and files, which follow from the records. */
static bool add_contents(cJSON *json, const Dataset *dataset) {
    const DatasetPart total = dataset_total(dataset);
    cJSON *counts = cJSON_AddObjectToObject(json, "counts");
    add_counts(counts, &total);
    return cJSON_AddItemToObject(json, "sizes", sizes_to_json(dataset)) &&
           json_add(json, "files", files_to_json(&dataset->files));
}

bool dataset_manifest_write(const Dataset *dataset, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *json = selfplay_document_to_json(dataset->document, &schema);
    const bool whole = json && add_contents(json, dataset);
    if (!whole || !file_path_in(dataset->folder, DATASET_MANIFEST, path, error)) {
        cJSON_Delete(json);
        return whole ? false : error_set(error, "out of memory for a manifest");
    }
    return document_write(json, path, error);
}

/* ---- Reading ---- */

static cJSON *load(const char *folder, char path[FILE_PATH_MAX], Error *error) {
    if (!file_path_in(folder, DATASET_MANIFEST, path, error))
        return NULL;
    if (!file_exists(path)) {
        error_set(error, "%s: has no " DATASET_MANIFEST ", expected a data set that is finished", folder);
        return NULL;
    }
    cJSON *json = json_load(path, error);
    if (!json || document_check_schema(json, &schema, path, "is not the manifest of", error))
        return json;
    cJSON_Delete(json);
    return NULL;
}

bool dataset_manifest_load(const char *folder, SelfplayDocument *document, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *json = load(folder, path, error);
    const bool good = json && selfplay_document_from_json(json, path, document, error);
    cJSON_Delete(json);
    return good;
}

/* Whether a path stays within the folder of the set. */
static bool is_inside(const char *path) {
    return *path && *path != '/' && strcmp(path, "..") && strncmp(path, "../", 3) && !strstr(path, "/../");
}

/* Reads what the manifest says of a file; `path` becomes where it is. */
static bool read_file_entry(const char *folder, const char *manifest, const cJSON *item, DatasetFile *said,
                            char path[FILE_PATH_MAX], Error *error) {
    double rows = 0, size = 0;
    JsonReader reader = json_open_inside(item, manifest, "an entry of 'files'");
    json_require(&reader, "path");
    json_require(&reader, "bytes");
    json_require(&reader, "sha256");
    json_string(&reader, "path", said->path, sizeof said->path);
    json_int(&reader, "bytes", 0, INT64_MAX / 2, &said->bytes);
    json_string(&reader, "sha256", said->hash, sizeof said->hash);
    json_number(&reader, "rows", 0, 1e15, &rows);
    json_number(&reader, "size", 0, HEXHEX_MAX_SIZE, &size);
    if (!json_close(&reader, error))
        return false;
    if (!is_inside(said->path))
        return error_set(error, "%s: '%s' is not a path in the folder of the set", manifest, said->path);
    return file_path_in(folder, said->path, path, error);
}

/* Checks one file that the manifest names. */
static bool check_file(const char *folder, const char *manifest, const cJSON *item, Error *error) {
    DatasetFile said = {.bytes = 0}, found = {.bytes = 0};
    char path[FILE_PATH_MAX];
    if (!read_file_entry(folder, manifest, item, &said, path, error) || !dataset_hash_file(path, &found, error))
        return false;
    if (found.bytes != said.bytes)
        return error_set(error, "%s: has %lld bytes, expected %lld as the manifest says", path, (long long)found.bytes,
                         (long long)said.bytes);
    return !strcmp(found.hash, said.hash) ||
           error_set(error, "%s: is damaged: its SHA-256 is %.16s..., expected %.16s... as the manifest says", path,
                     found.hash, said.hash);
}

/* Whether a file that the manifest names is there, with its length. */
static bool has_file(const char *folder, const cJSON *item) {
    DatasetFile said = {.bytes = 0};
    char path[FILE_PATH_MAX];
    struct stat status;
    return read_file_entry(folder, DATASET_MANIFEST, item, &said, path, NULL) && stat(path, &status) == 0 &&
           status.st_size == said.bytes;
}

/* The entry of a file; NULL where there is none. */
static const cJSON *find_entry(const cJSON *json, const char *name) {
    const cJSON *item;
    cJSON_ArrayForEach(item, json_get(json, "files")) {
        const cJSON *path = json_get(item, "path");
        if (cJSON_IsString(path) && !strcmp(path->valuestring, name))
            return item;
    }
    return NULL;
}

bool dataset_text_is_named(const char *folder, const char *name, bool *named, Error *error) {
    DatasetFile said = {.bytes = 0}, found = {.bytes = 0};
    char manifest[FILE_PATH_MAX], path[FILE_PATH_MAX];
    cJSON *json;
    Error damage; /* of the manifest: then it names nothing */
    *named = false;
    if (!file_path_in(folder, DATASET_MANIFEST, manifest, error) ||
        !document_find(manifest, &schema, &json, &damage, error))
        return false;
    const cJSON *item = find_entry(json, name);
    const bool there = item && read_file_entry(folder, manifest, item, &said, path, NULL) && file_exists(path);
    const bool good = !there || dataset_hash_file(path, &found, error);
    *named = there && good && !strcmp(found.hash, said.hash);
    cJSON_Delete(json);
    return good;
}

/* Whether the folder has the files that the manifest names, and of them exactly the run's document. */
static bool has_files(const char *folder, const cJSON *json) {
    bool has_document = false;
    for (const cJSON *item = json_get(json, "files")->child; item; item = item->next) {
        const cJSON *path = json_get(item, "path");
        const bool is_document = cJSON_IsString(path) && !strcmp(path->valuestring, DATASET_RUN);
        if (!(is_document ? check_file(folder, DATASET_MANIFEST, item, NULL) : has_file(folder, item)))
            return false;
        has_document |= is_document;
    }
    return has_document;
}

/* Reads how many games a manifest counts, of which run and in which layout. */
static bool read_contents(const cJSON *json, const char *path, SelfplayDocument *found, int64_t *games, Error *error) {
    const cJSON *played = json_get(json_get(json, "counts"), "games");
    if (!cJSON_IsNumber(played) || !cJSON_IsArray(json_get(json, "files")))
        return error_set(error, "%s: 'counts' or 'files' is wrong or missing", path);
    *games = (int64_t)played->valuedouble;
    return selfplay_document_from_json(json, path, found, error);
}

bool dataset_resume(const char *folder, const SelfplayDocument *document, int64_t games, bool *complete, Error *damage,
                    Error *error) {
    char path[FILE_PATH_MAX];
    SelfplayDocument found;
    int64_t counted = -1;
    cJSON *json;
    const SelfplayConfig *a = &found.config, *b = &document->config;
    *complete = false;
    if (!file_path_in(folder, DATASET_MANIFEST, path, error) || !document_find(path, &schema, &json, damage, error))
        return false;
    const bool read = json && read_contents(json, path, &found, &counted, damage);
    const bool lacked = json && !read && damage->no_memory; /* which is no damage */
    if (read)
        *complete = counted == games && !strcmp(found.run, document->run) && a->rows == b->rows &&
                    !strcmp(a->license, b->license) && !strcmp(a->creator, b->creator) && !strcmp(a->url, b->url) &&
                    has_files(folder, json);
    cJSON_Delete(json);
    return !lacked || error_pass(error, damage);
}

bool dataset_manifest_check_files(const char *folder, Error *error) {
    char path[FILE_PATH_MAX];
    cJSON *json = load(folder, path, error);
    const cJSON *files = json_get(json, "files");
    bool good = json && (cJSON_IsArray(files) || error_set(error, "%s: 'files' is missing, expected an array", path));
    for (const cJSON *item = good ? files->child : NULL; item && good; item = item->next)
        good = check_file(folder, path, item, error);
    cJSON_Delete(json);
    return good;
}

bool dataset_manifest_check(const Dataset *dataset, Error *error) {
    static const char *const keys[] = {"counts", "sizes", "files"};
    char path[FILE_PATH_MAX];
    cJSON *json = load(dataset->folder, path, error), *expected = cJSON_CreateObject();
    bool good = json != NULL;
    if (good && !(expected && add_contents(expected, dataset)))
        good = error_set(error, "out of memory for a manifest");
    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
        if (!cJSON_Compare(json_get(json, keys[i]), json_get(expected, keys[i]), true))
            good = error_set(error, "%s: '%s' does not match the records", path, keys[i]);
    cJSON_Delete(json);
    cJSON_Delete(expected);
    return good;
}
