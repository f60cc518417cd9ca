/* See document.h. */
#include "selfplay/io/document.h"

#include "engine/base/rng.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

DocumentContext document_context(void) {
    DocumentContext context = {.seconds = 0};
    const time_t seconds = time(NULL);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(context.started, sizeof context.started, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return context;
}

/* ---- Parts ---- */

static double rounded(double value) {
    return floor(value * 1e4 + 0.5) / 1e4;
}

void document_add_number(cJSON *json, const char *key, double value) {
    cJSON_AddNumberToObject(json, key, rounded(value));
}

void document_add_interval(cJSON *json, const char *key, Interval interval) {
    cJSON *array = cJSON_AddArrayToObject(json, key);
    json_add(array, NULL, cJSON_CreateNumber(rounded(interval.low)));
    json_add(array, NULL, cJSON_CreateNumber(rounded(interval.high)));
}

void document_add_u64(cJSON *json, const char *key, uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cJSON_AddStringToObject(json, key, text);
}

const char *document_games_version(const char *kind) {
    const bool finds_komi = !strcmp(kind, "komi") || !strcmp(kind, "book");
    return finds_komi ? STIGMERGY_KOMI_GAMES_VERSION : STIGMERGY_GAMES_VERSION;
}

/* The kind of run whose documents have a schema of this name. */
static const char *kind_of_schema_name(const char *name) {
    const size_t before = strlen("stigmergy-");
    return strncmp(name, "stigmergy-", before) ? name : name + before;
}

void document_add_schema(cJSON *json, const DocumentSchema *schema) {
    cJSON *item = cJSON_AddObjectToObject(json, "schema");
    cJSON_AddStringToObject(item, "name", schema->name);
    cJSON_AddNumberToObject(item, "version", schema->version);
    cJSON *program = cJSON_AddObjectToObject(json, "program");
    cJSON_AddStringToObject(program, "name", "stigmergy");
    cJSON_AddStringToObject(program, "version", STIGMERGY_VERSION);
    cJSON_AddStringToObject(program, "games", document_games_version(kind_of_schema_name(schema->name)));
    cJSON_AddStringToObject(program, "build", __VERSION__);
}

void document_add_context(cJSON *json, const DocumentContext *context) {
    cJSON_AddStringToObject(json, "started", context->started);
    document_add_number(json, "seconds", context->seconds);
    cJSON *machine = cJSON_AddObjectToObject(json, "machine");
    struct utsname names;
    if (uname(&names) == 0) {
        cJSON_AddStringToObject(machine, "system", names.sysname);
        cJSON_AddStringToObject(machine, "architecture", names.machine);
    }
    cJSON_AddNumberToObject(machine, "processors", (double)sysconf(_SC_NPROCESSORS_ONLN));
}

void document_hash_bytes(const char *bytes, size_t length, char out[20]) {
    uint64_t hash = 0;
    for (size_t i = 0; i < length; i++)
        hash = rng_mix(hash ^ (uint64_t)(unsigned char)bytes[i]) + 0x9e3779b97f4a7c15ull;
    snprintf(out, 20, "%016llx", (unsigned long long)hash);
}

bool document_hash(const cJSON *identity, char out[20], Error *error) {
    char *text = json_format(identity, false);
    if (!text)
        return error_set(error, "out of memory for the identity of the run");
    document_hash_bytes(text, strlen(text), out);
    free(text);
    return true;
}

/* ---- The file ---- */

char *document_text(cJSON *json, Error *error) {
    char *text = json_format(json, true);
    cJSON_Delete(json);
    char *whole = text ? realloc(text, strlen(text) + 2) : NULL;
    if (whole)
        return strcat(whole, "\n");
    free(text);
    error_set(error, "out of memory for the result");
    return NULL;
}

bool document_write(cJSON *json, const char *path, Error *error) {
    char *text = document_text(json, error);
    const bool good = text ? file_write(path, text, strlen(text), error) : error_prefix(error, "%s: ", path);
    free(text);
    return good;
}

static bool refuse_setting(const char *path, const char *key, const cJSON *theirs, const cJSON *ours, Error *error) {
    char *found = theirs ? cJSON_PrintUnformatted(theirs) : NULL,
         *expected = ours ? cJSON_PrintUnformatted(ours) : NULL;
    error_set(error, "%s: belongs to another run: '%s' is %.100s there, %.100s here; choose another --out", path, key,
              found ? found : "the default", expected ? expected : "the default");
    free(expected);
    free(found);
    return false;
}

static bool same_settings(const char *path, const char *prefix, const cJSON *theirs, const cJSON *ours, Error *error);

/* The same for one setting, or for one item of a list; a missing one is NULL. */
static bool same_setting(const char *path, const char *key, const cJSON *theirs, const cJSON *ours, Error *error) {
    const cJSON *other = ours ? ours->child : NULL;
    char place[100];
    int number = 0;
    if (cJSON_Compare(theirs, ours, true))
        return true;
    if (cJSON_IsObject(theirs) && cJSON_IsObject(ours))
        return same_settings(path, key, theirs, ours, error);
    if (!cJSON_IsArray(theirs) || !cJSON_IsArray(ours) || cJSON_GetArraySize(theirs) != cJSON_GetArraySize(ours))
        return refuse_setting(path, key, theirs, ours, error);
    for (const cJSON *item = theirs->child; item; item = item->next, other = other->next) {
        snprintf(place, sizeof place, "%s[%d]", key, number++);
        if (!same_setting(path, place, item, other, error))
            return false;
    }
    return true;
}

/* Names the first setting that differs, by its path of keys after `prefix` ("players[0].simulations"). Settings that
 * are left out where they have their default are on one side only. */
static bool same_settings(const char *path, const char *prefix, const cJSON *theirs, const cJSON *ours, Error *error) {
    for (int pass = 0; pass < 2; pass++)
        for (const cJSON *item = (pass ? theirs : ours)->child; item; item = item->next) {
            char key[100];
            snprintf(key, sizeof key, "%s%s%s", prefix, *prefix ? "." : "", item->string);
            if (!same_setting(path, key, json_get(theirs, item->string), json_get(ours, item->string), error))
                return false;
        }
    return true;
}

/* Whether this version plays the same games as the one that wrote the document. */
static bool same_games(const char *path, const cJSON *json, const cJSON *identity, Error *error) {
    const cJSON *theirs = json_get(json_get(json, "settings"), "engine"), *ours = json_get(identity, "engine");
    /* Early versions said how they play by a number. */
    const cJSON *version = cJSON_IsString(theirs) ? theirs : json_get(json_get(json, "program"), "version");
    return !ours || cJSON_Compare(theirs, ours, true) || !cJSON_IsString(version) ||
           error_set(error,
                     "%s: belongs to another run: version %.20s is the first that plays its games, and "
                     "version " STIGMERGY_VERSION
                     " plays others; continue with a version that plays them and has its network, or "
                     "choose another --out",
                     path, version->valuestring);
}

bool document_check_schema(const cJSON *json, const DocumentSchema *schema, const char *path, const char *is_not,
                           Error *error) {
    const cJSON *item = json_get(json, "schema");
    const cJSON *name = json_get(item, "name");
    const cJSON *version = json_get(item, "version");
    if (!cJSON_IsString(name) || strcmp(name->valuestring, schema->name))
        return error_set(error, "%s: %s %s, expected schema name '%s'", path, is_not, schema->what, schema->name);
    return (cJSON_IsNumber(version) && version->valuedouble == schema->version) ||
           error_set(error, "%s: has schema version %g, expected %d", path,
                     cJSON_IsNumber(version) ? version->valuedouble : 0.0, schema->version);
}

static bool has_parts(const char *path, const cJSON *json, Error *error) {
    const cJSON *settings = json_get(json, "settings");
    const cJSON *started = json_get(json, "started");
    const cJSON *seconds = json_get(json, "seconds");
    return (cJSON_IsObject(settings) && cJSON_IsString(started) && cJSON_IsNumber(seconds)) ||
           error_set(error, "%s: 'settings', 'started' or 'seconds' is missing", path);
}

static void read_context(const cJSON *json, DocumentContext *context) {
    snprintf(context->started, sizeof context->started, "%s", json_get(json, "started")->valuestring);
    context->seconds = json_get(json, "seconds")->valuedouble;
}

cJSON *document_read(const char *path, const DocumentSchema *schema, DocumentContext *context, Error *error) {
    cJSON *json = json_load(path, error);
    if (json && document_check_schema(json, schema, path, "is not a result of", error) &&
        has_parts(path, json, error)) {
        read_context(json, context);
        return json;
    }
    cJSON_Delete(json);
    return NULL;
}

/* Whether a document says that it is of another kind or version. */
static bool is_of_another(const cJSON *json, const DocumentSchema *schema) {
    const cJSON *item = json_get(json, "schema");
    const cJSON *name = json_get(item, "name");
    const cJSON *version = json_get(item, "version");
    return (cJSON_IsString(name) && strcmp(name->valuestring, schema->name)) ||
           (cJSON_IsNumber(version) && version->valuedouble != schema->version);
}

bool document_find(const char *path, const DocumentSchema *schema, cJSON **out, Error *damage, Error *error) {
    *out = NULL;
    damage->text[0] = '\0';
    if (!file_exists(path))
        return true;
    size_t length;
    char *text = file_read(path, &length, error);
    if (!text)
        return false;
    cJSON *json = json_parse(text, length, path, damage);
    free(text);
    if (!json && damage->no_memory)
        return error_pass(error, damage);
    const bool other = json && is_of_another(json, schema);
    if (!json || document_check_schema(json, schema, path, "is not a result of", other ? error : damage)) {
        *out = json;
        return true;
    }
    cJSON_Delete(json);
    return !other;
}

bool document_resume(const char *path, const DocumentSchema *schema, const cJSON *identity, DocumentContext *context,
                     cJSON **out, Error *damage, Error *error) {
    if (!document_find(path, schema, out, damage, error))
        return false;
    cJSON *json = *out;
    *out = NULL;
    const bool whole = json && has_parts(path, json, damage);
    const bool good = !whole || !identity ||
                      (same_games(path, json, identity, error) &&
                       same_settings(path, "", json_get(json, "settings"), identity, error));
    if (whole && good) {
        read_context(json, context);
        *out = json;
    } else {
        cJSON_Delete(json);
    }
    return good;
}

enum { ASIDE_MAX = 1000 }; /* damaged documents that are kept */

static bool holds(const char *path, const char *text, size_t length) {
    size_t found;
    char *there = file_read(path, &found, NULL);
    const bool same = there && found == length && !memcmp(there, text, length);
    free(there);
    return same;
}

/* Keeps a text beside `path`, unless it is kept there already; `aside` becomes the name. */
static bool keep(const char *path, const char *text, size_t length, char aside[FILE_PATH_MAX], Error *error) {
    int room = snprintf(aside, FILE_PATH_MAX, "%s.damaged", path), i = 2;
    for (; room < FILE_PATH_MAX && file_exists(aside) && i <= ASIDE_MAX; i++) {
        if (holds(aside, text, length))
            return true;
        room = snprintf(aside, FILE_PATH_MAX, "%s.damaged-%d", path, i);
    }
    if (room >= FILE_PATH_MAX)
        return error_set(error, "%.80s...: the path is too long", path);
    return i <= ASIDE_MAX ? file_write(aside, text, length, error)
                          : error_set(error, "%s: is damaged, and there is no name to keep it under", path);
}

bool document_was_set_aside(const char *name, const char *of) {
    static const char damaged[] = ".damaged";
    const size_t length = strlen(of);
    if (strncmp(name, of, length) || strncmp(name + length, damaged, strlen(damaged)))
        return false;
    const char *number = name + length + strlen(damaged);
    return !*number || (number[0] == '-' && number[1] && strspn(number + 1, "0123456789") == strlen(number + 1));
}

bool document_set_aside(const char *path, const char *source, Error *damage, Error *error) {
    char aside[FILE_PATH_MAX];
    size_t length;
    char *text = file_read(path, &length, error);
    const bool good = text && keep(path, text, length, aside, error);
    const Error what = *damage;
    free(text);
    if (good)
        error_set(damage, "%s; kept as %s, and made again %s", what.text, aside, source);
    return good;
}
