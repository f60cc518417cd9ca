/* See card.h. The metadata are JSON-LD in the vocabulary of schema.org and of Croissant: the files with their hashes,
 * and the arrays as record sets. The format has no reader for .npz. So each field names its file set and its array, and
 * loaders that know NumPy do the rest. */
#include "selfplay/dataset/card.h"

#include "selfplay/dataset/rows.h"
#include "selfplay/dataset/stamp.h"
#include "selfplay/io/json.h"

#include <stdio.h>
#include <stdlib.h>

static void add_string(cJSON *json, const char *key, const char *value) {
    cJSON_AddStringToObject(json, key, value);
}

/* ---- The context: which vocabulary a word belongs to ---- */

static void add_context(cJSON *json) {
    static const char *const own[] = {
        "citeAs",   "column",   "extract", "field",     "fileObject",  "fileProperty", "fileSet",   "format",
        "includes", "jsonPath", "key",     "md5",       "parentField", "path",         "recordSet", "references",
        "regex",    "repeated", "replace", "separator", "source",      "subField",     "transform"};
    cJSON *context = cJSON_AddObjectToObject(json, "@context");
    add_string(context, "@language", "en");
    add_string(context, "@vocab", "https://schema.org/");
    add_string(context, "sc", "https://schema.org/");
    add_string(context, "cr", "http://mlcommons.org/croissant/");
    add_string(context, "rai", "http://mlcommons.org/croissant/RAI/");
    add_string(context, "dct", "http://purl.org/dc/terms/");
    add_string(context, "conformsTo", "dct:conformsTo");
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        char word[40];
        snprintf(word, sizeof word, "cr:%s", own[i]);
        add_string(context, own[i], word);
    }
    static const char *const typed[][3] = {
        {"data", "cr:data", "@json"}, {"dataType", "cr:dataType", "@vocab"}, {"examples", "cr:examples", "@json"}};
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; i++) {
        cJSON *word = cJSON_AddObjectToObject(context, typed[i][0]);
        add_string(word, "@id", typed[i][1]);
        add_string(word, "@type", typed[i][2]);
    }
}

/* ---- Files ---- */

static const char *encoding_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return !strcmp(dot, ".zst")   ? "application/zstd"
           : !strcmp(dot, ".npz") ? "application/x-npz"
           : !strcmp(dot, ".md")  ? "text/markdown"
                                  : "application/json";
}

static void add_files(cJSON *array, const DatasetFiles *files) {
    for (int i = 0; i < files->count; i++) {
        const DatasetFile *file = &files->items[i];
        char bytes[32];
        cJSON *item = cJSON_CreateObject();
        snprintf(bytes, sizeof bytes, "%lld B", (long long)file->bytes);
        add_string(item, "@type", "cr:FileObject");
        add_string(item, "@id", file->path);
        add_string(item, "name", file->path);
        add_string(item, "contentUrl", file->path);
        add_string(item, "contentSize", bytes);
        add_string(item, "encodingFormat", encoding_of(file->path));
        add_string(item, "sha256", file->hash);
        json_add(array, NULL, item);
    }
}

/* The files of arrays of one board size, as one file set. */
static void add_file_set(cJSON *array, const Dataset *dataset, int size) {
    char name[64], pattern[64];
    const char *game = dataset->document->config.run.game;
    cJSON *item = cJSON_CreateObject();
    snprintf(name, sizeof name, "%s-%d-files", game, size);
    snprintf(pattern, sizeof pattern, DATASET_SHARDS "/%s-%d-*.npz", game, size);
    add_string(item, "@type", "cr:FileSet");
    add_string(item, "@id", name);
    add_string(item, "name", name);
    add_string(item, "encodingFormat", "application/x-npz");
    add_string(item, "includes", pattern);
    json_add(array, NULL, item);
}

/* ---- Arrays ---- */

static const char *data_type(const char *type) {
    return type[1] == 'f' ? "sc:Float" : type[1] == 'S' ? "sc:Text" : "sc:Integer";
}

static void add_source(cJSON *field, const char *set) {
    char files[80];
    cJSON *source = cJSON_AddObjectToObject(field, "source");
    snprintf(files, sizeof files, "%.60s-files", set);
    add_string(cJSON_AddObjectToObject(source, "fileSet"), "@id", files);
    add_string(cJSON_AddObjectToObject(source, "extract"), "fileProperty", "content");
}

static cJSON *describe_field(const char *set, const NpzArray *array, int index) {
    char id[96], about[320], shape[DATASET_SHAPE_MAX];
    cJSON *field = cJSON_CreateObject();
    const char *text = dataset_rows_about(index, shape);
    snprintf(id, sizeof id, "%.40s/%.40s", set, array->name);
    snprintf(about, sizeof about, "%s; NumPy type %s, shape %s", text, array->type, shape);
    add_string(field, "@type", "cr:Field");
    add_string(field, "@id", id);
    add_string(field, "name", array->name);
    add_string(field, "description", about);
    add_string(field, "dataType", data_type(array->type));
    add_source(field, set);
    return field;
}

/* The arrays with rows, for one board size. */
static bool add_record_set(cJSON *sets, const Dataset *dataset, int size, Error *error) {
    NpzArray arrays[DATASET_ARRAYS_MAX];
    char name[40];
    DatasetRows *rows = dataset_rows_new(dataset->boards->game[size], error);
    if (!rows)
        return false;
    const int count = dataset_rows_arrays(rows, arrays);
    cJSON *set = cJSON_CreateObject();
    snprintf(name, sizeof name, "%s-%d", dataset->document->config.run.game, size);
    add_string(set, "@type", "cr:RecordSet");
    add_string(set, "@id", name);
    add_string(set, "name", name);
    add_string(set, "description",
               "The positions on this board. Each file of the series shards/NAME-*.npz has the same arrays, with a row "
               "for each position.");
    cJSON *fields = cJSON_AddArrayToObject(set, "field");
    for (int i = 0; i < count; i++)
        json_add(fields, NULL, describe_field(name, &arrays[i], i));
    dataset_rows_free(rows);
    return cJSON_AddItemToArray(sets, set) || error_set(error, "out of memory for the metadata of a data set");
}

static void add_origin(cJSON *json, const Dataset *dataset) {
    char name[64], license[96], day[12], about[240];
    const SelfplayConfig *config = &dataset->document->config;
    snprintf(name, sizeof name, "%s-selfplay-%s", config->run.game, dataset->document->run);
    snprintf(license, sizeof license, "https://spdx.org/licenses/%s", config->license);
    snprintf(day, sizeof day, "%.10s", dataset->document->context.started);
    add_string(json, "@type", "sc:Dataset");
    add_string(json, "name", name);
    add_string(json, "conformsTo", "http://mlcommons.org/croissant/1.0");
    snprintf(about, sizeof about,
             "Games that a tree search played against itself on hexagonal boards. NumPy arrays hold their positions "
             "with policy, value%sfinal owners%s.",
             dataset->boards->game[config->sizes[0].size]->has_points ? ", score and " : " and ",
             dataset_total(dataset).resigned ? " (of games that were not resigned)" : "");
    add_string(json, "description", about);
    add_string(json, "license", license);
    add_string(json, "version", "1.0.0");
    add_string(json, "datePublished", day);
    add_string(json, "identifier", DATASET_STAMP);
    if (*config->url)
        add_string(json, "url", config->url);
    if (*config->creator) {
        cJSON *creator = cJSON_AddObjectToObject(json, "creator");
        add_string(creator, "@type", "sc:Organization");
        add_string(creator, "name", config->creator);
    }
}

static cJSON *describe(const Dataset *dataset, Error *error) {
    cJSON *json = cJSON_CreateObject();
    add_context(json);
    add_origin(json, dataset);
    cJSON *files = cJSON_AddArrayToObject(json, "distribution"), *sets = cJSON_AddArrayToObject(json, "recordSet");
    add_files(files, &dataset->files);
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        if (dataset->parts[size].rows == 0)
            continue;
        add_file_set(files, dataset, size);
        if (!add_record_set(sets, dataset, size, error)) {
            cJSON_Delete(json);
            return NULL;
        }
    }
    return json;
}

char *dataset_croissant_text(const Dataset *dataset, Error *error) {
    cJSON *json = describe(dataset, error);
    char *text = json_format(json, true);
    cJSON_Delete(json);
    if (text)
        dataset_stamp(text);
    if (json && !text)
        error_set(error, "out of memory for the metadata of a data set");
    return text;
}
