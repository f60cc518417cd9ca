/* See json.h. */
#include "selfplay/io/json.h"

#include "engine/base/utf8.h"
#include "engine/base/words.h"
#include "selfplay/io/data_folder.h"
#include "selfplay/io/nearest_word.h"
#include "selfplay/io/text.h"
#include "selfplay/io/zstd_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---- */

/* cJSON leaves out what it has no memory for, and says so only to callers who check every addition. So its memory comes
 * from here: a document that lacks something is not printed, and text that could not be parsed for want of memory is
 * not called wrong. Each thread has a note of its own, as documents are made and printed by one thread. */
static _Thread_local bool memory_failed;

static void *allocate(size_t size) {
    void *memory = malloc(size);
    memory_failed |= !memory;
    return memory;
}

__attribute__((constructor)) static void supply_memory(void) {
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});
}

/* ---- Reading ---- */

enum { WORD_MAX = 40 };                             /* bytes of a word */
static const double EXACT_MAX = 9007199254740992.0; /* 2^53: whole numbers up to here are exact in a double */

/* Says what is wrong with a text at `end` (NULL: at its beginning). A single line may be one of a file, whose number
 * its source has. */
static void name_place(const char *text, size_t length, const char *end, const char *source, const char *what,
                       Error *error) {
    int line = 1;
    for (const char *c = text; end && c < end && c < text + length; c++)
        line += *c == '\n';
    if (memchr(text, '\n', length))
        error_set(error, "%s: line %d %s", source, line, what);
    else
        error_set(error, "%s: %s", source, what);
}

/* A NUL byte: as it is, which cJSON would take for a blank, or as \u0000, where cJSON would end the string. */
static const char *find_nul(const char *text, size_t length) {
    const char *end = text + length, *nul = memchr(text, '\0', length);
    for (const char *c = text; !nul && (c = memchr(c, '\\', (size_t)(end - c))) && end - c > 1; c += 2)
        if (end - c >= 6 && !memcmp(c, "\\u0000", 6))
            nul = c;
    return nul;
}

/* What is wrong with a text before it is parsed, and where; NULL for nothing. */
static const char *find_fault(const char *text, size_t length, const char **at) {
    *at = NULL;
    if (length == 0)
        return "is empty";
    if ((*at = find_nul(text, length)))
        return "has a NUL byte";
    return (*at = text_find_foreign(text, length)) ? "is not UTF-8" : NULL;
}

cJSON *json_parse(const char *text, size_t length, const char *source, Error *error) {
    if (zstd_is_packed(text, length)) {
        error_set(error, "%s: is packed by zstd, expected JSON; zstd -d unpacks it", source);
        return NULL;
    }
    const char *end, *fault = find_fault(text, length, &end);
    const bool failed_before = memory_failed;
    memory_failed = false;
    cJSON *json = fault ? NULL : cJSON_ParseWithLengthOpts(text, length, &end, 0);
    const bool lacked = memory_failed;
    memory_failed = failed_before;
    if (json) {
        while (end < text + length && (*end == ' ' || *end == '\t' || *end == '\n' || *end == '\r'))
            end++;
        if (end >= text + length)
            return json;
        cJSON_Delete(json);
        fault = "goes on after the end of the JSON";
    }
    if (lacked)
        error_set(error, "%s: out of memory for %zu bytes of JSON", source, length);
    else
        name_place(text, length, end, source, fault ? fault : "is not valid JSON", error);
    return NULL;
}

cJSON *json_load(const char *path, Error *error) {
    size_t length;
    char *text = file_read(path, &length, error);
    cJSON *json = text ? json_parse(text, length, path, error) : NULL;
    free(text);
    return json;
}

cJSON *json_load_config(const char *folder, const char *name, char path[FILE_PATH_MAX], Error *error) {
    return data_find(folder, name, path, error) ? json_load(path, error) : NULL;
}

bool json_load_known(const char *folder, const char *name, cJSON **json, Error *error) {
    char path[FILE_PATH_MAX];
    bool found;
    *json = NULL;
    if (!data_look(folder, name, path, &found, error))
        return false;
    if (found)
        *json = json_load(path, error);
    return !found || *json;
}

static bool fail_at(JsonReader *reader, const char *key) {
    if (!reader->failed)
        snprintf(reader->key, sizeof reader->key, "%s", key);
    reader->failed = true;
    return false;
}

/* A key, and the object that it is in. */
static Error name_key(const JsonReader *reader, const char *key) {
    Error name;
    const char *inside = reader->inside;
    error_set(&name, "'%.60s'%s%s", key, inside ? " of " : "", inside ? inside : "");
    return name;
}

/* Says what is wrong with a key. Only the first failure is kept, as it is the one to report. */
static bool refuse(JsonReader *reader, const char *key, const char *fault) {
    if (!reader->failed)
        error_set(&reader->error, "%s: %s %s", reader->source, name_key(reader, key).text, fault);
    return fail_at(reader, key);
}

static bool wrong(JsonReader *reader, const char *key, const char *expected) {
    Error fault;
    error_set(&fault, "is wrong, expected %s", expected);
    return refuse(reader, key, fault.text);
}

JsonReader json_open_inside(const cJSON *object, const char *source, const char *inside) {
    JsonReader reader = {.object = object, .source = source, .inside = inside};
    if (!cJSON_IsObject(object)) {
        reader.object = NULL;
        reader.failed = true;
        if (inside)
            error_set(&reader.error, "%s: %s is wrong, expected an object", source, inside);
        else
            error_set(&reader.error, "%s: expected a JSON object", source);
    }
    return reader;
}

JsonReader json_open(const cJSON *object, const char *source) {
    return json_open_inside(object, source, NULL);
}

const cJSON *json_any(JsonReader *reader, const char *key) {
    if (reader->known_count < JSON_KEYS_MAX)
        reader->known[reader->known_count++] = key;
    return json_get(reader->object, key);
}

void json_number(JsonReader *reader, const char *key, double low, double high, double *out) {
    const cJSON *item = json_any(reader, key);
    if (!item)
        return;
    if (cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high) {
        *out = item->valuedouble;
        return;
    }
    Error expected;
    error_set(&expected, "a number from %.10g to %.10g", low, high);
    wrong(reader, key, expected.text);
}

static bool whole_number(const cJSON *item, int64_t low, int64_t high, int64_t *out) {
    if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) <= EXACT_MAX) ||
        floor(item->valuedouble) != item->valuedouble)
        return false;
    const int64_t value = (int64_t)item->valuedouble;
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}

void json_int(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out) {
    const cJSON *item = json_any(reader, key);
    if (!item || whole_number(item, low, high, out))
        return;
    Error expected;
    error_set(&expected, "a whole number from %lld to %lld", (long long)low, (long long)high);
    wrong(reader, key, expected.text);
}

void json_bool(JsonReader *reader, const char *key, bool *out) {
    const cJSON *item = json_any(reader, key);
    if (cJSON_IsBool(item))
        *out = cJSON_IsTrue(item);
    else if (item)
        wrong(reader, key, "true or false");
}

void json_string(JsonReader *reader, const char *key, char *out, size_t size) {
    const cJSON *item = json_any(reader, key);
    if (!item)
        return;
    if (cJSON_IsString(item) && strlen(item->valuestring) < size) {
        memcpy(out, item->valuestring, strlen(item->valuestring) + 1);
        return;
    }
    Error expected;
    error_set(&expected, "a string of at most %zu bytes", size - 1);
    wrong(reader, key, expected.text);
}

const char *json_text(JsonReader *reader, const char *key, size_t longest) {
    const cJSON *item = json_any(reader, key);
    if (!item || (cJSON_IsString(item) && strlen(item->valuestring) <= longest))
        return item ? item->valuestring : NULL;
    Error expected;
    error_set(&expected, "a string of at most %zu bytes", longest);
    wrong(reader, key, expected.text);
    return NULL;
}

void json_word(JsonReader *reader, const char *key, const char *const *words, int count, int *index) {
    const cJSON *item = json_any(reader, key);
    const char *text = cJSON_GetStringValue(item);
    const int found = text ? words_find(words, count, text) : -1;
    char list[160];
    Error reason;
    if (found >= 0)
        *index = found;
    if (!item || found >= 0)
        return;
    words_join(words, count, list, sizeof list);
    if (!text) {
        wrong(reader, key, list);
        return;
    }
    error_set(&reason, "'%.*s', expected %s", WORD_MAX, text, list);
    json_fail(reader, key, &reason);
}

void json_u64(JsonReader *reader, const char *key, uint64_t *out) {
    const cJSON *item = json_any(reader, key);
    int64_t number;
    if (!item)
        return;
    if (whole_number(item, 0, (int64_t)EXACT_MAX, &number)) {
        *out = (uint64_t)number;
        return;
    }
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        wrong(reader, key, "a string of decimal digits, below 2^64");
    else
        *out = value;
}

void json_ints(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out, int capacity, int *count) {
    const cJSON *array = json_any(reader, key);
    if (!array)
        return;
    int found = 0;
    bool good = cJSON_IsArray(array) && cJSON_GetArraySize(array) <= capacity;
    for (const cJSON *item = good ? array->child : NULL; item && good; item = item->next)
        good = whole_number(item, low, high, &out[found++]);
    if (good) {
        *count = found;
        return;
    }
    Error expected;
    error_set(&expected, "an array of at most %d whole numbers from %lld to %lld", capacity, (long long)low,
              (long long)high);
    wrong(reader, key, expected.text);
}

const cJSON *json_object(JsonReader *reader, const char *key) {
    const cJSON *item = json_any(reader, key);
    if (!item || cJSON_IsObject(item))
        return item;
    wrong(reader, key, "an object");
    return NULL;
}

const cJSON *json_array(JsonReader *reader, const char *key) {
    const cJSON *item = json_any(reader, key);
    if (!item || cJSON_IsArray(item))
        return item;
    wrong(reader, key, "an array");
    return NULL;
}

void json_fail(JsonReader *reader, const char *key, const Error *reason) {
    if (!reader->failed) {
        error_pass(&reader->error, reason);
        error_prefix(&reader->error, "%s: %s is wrong: ", reader->source, name_key(reader, key).text);
    }
    fail_at(reader, key);
}

void json_require(JsonReader *reader, const char *key) {
    if (!json_get(reader->object, key))
        refuse(reader, key, "is missing");
}

static bool is_known(const JsonReader *reader, const char *key) {
    for (int i = 0; i < reader->known_count; i++)
        if (!strcmp(reader->known[i], key))
            return true;
    return false;
}

/* Says which key was probably meant, or else which there are, as far as there is room. */
static void refuse_key(JsonReader *reader, const char *key) {
    const char *meant = nearest_word(key, reader->known, reader->known_count);
    char keys[200] = "";
    size_t used = 0;
    for (int i = 0; i < reader->known_count; i++) {
        const bool fits = used + strlen(reader->known[i]) + sizeof ", ..., " < sizeof keys;
        used += (size_t)snprintf(keys + used, sizeof keys - used, "%s%s", i > 0 ? ", " : "",
                                 fits ? reader->known[i] : "...");
        if (!fits)
            break;
    }
    const Error name = name_key(reader, key);
    if (meant)
        error_set(&reader->error, "%s: unknown key %s, did you mean '%s'?", reader->source, name.text, meant);
    else
        error_set(&reader->error, "%s: unknown key %s, expected one of %s", reader->source, name.text, keys);
    fail_at(reader, key);
}

/* Whether an earlier item has the key of this one. There are few before, because each earlier key is a known one. */
static bool is_repeated(const JsonReader *reader, const cJSON *item) {
    const cJSON *earlier = reader->object->child;
    while (earlier != item && strcmp(earlier->string, item->string) != 0)
        earlier = earlier->next;
    return earlier != item;
}

bool json_close(JsonReader *reader, Error *error) {
    for (const cJSON *item = reader->object ? reader->object->child : NULL; item && !reader->failed;
         item = item->next) {
        if (!is_known(reader, item->string))
            refuse_key(reader, item->string);
        else if (is_repeated(reader, item))
            refuse(reader, item->string, "is given twice");
    }
    return !reader->failed || error_pass(error, &reader->error);
}

/* ---- Writing ---- */

bool json_add(cJSON *parent, const char *key, cJSON *item) {
    const bool added = key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item);
    if (!added)
        cJSON_Delete(item);
    return added;
}

bool json_set(cJSON *object, const char *key, cJSON *item) {
    const bool set = json_get(object, key) ? cJSON_ReplaceItemInObjectCaseSensitive(object, key, item)
                                           : cJSON_AddItemToObject(object, key, item);
    if (!set)
        cJSON_Delete(item);
    return set;
}

void json_add_number(cJSON *parent, const char *key, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", value);
    json_add(parent, key, isfinite(value) ? cJSON_CreateNumber(strtod(digits, NULL)) : cJSON_CreateNull());
}

void json_add_text(cJSON *parent, const char *key, const char *text) {
    json_add(parent, key, cJSON_CreateString(text));
}

void json_add_text_or_null(cJSON *parent, const char *key, const char *text) {
    if (text && *text)
        json_add_text(parent, key, text);
    else
        json_add(parent, key, cJSON_CreateNull());
}

/* A copy of a text in which foreign bytes are replaced, to be freed. NULL without memory. */
static char *to_utf8(const char *text) {
    static const char replacement[] = "\xef\xbf\xbd";
    size_t left = strlen(text);
    char *copy = allocate(3 * left + 1), *to = copy;
    while (copy && left > 0) {
        const size_t length = text_character(text, left), taken = length ? length : 1, put = length ? length : 3;
        memcpy(to, length ? text : replacement, put);
        to += put;
        text += taken;
        left -= taken;
    }
    if (copy)
        *to = '\0';
    return copy;
}

char *json_format(const cJSON *json, bool on_lines) {
    const bool whole = json && !memory_failed;
    memory_failed = false;
    char *text = whole ? (on_lines ? cJSON_Print : cJSON_PrintUnformatted)(json) : NULL;
    if (!text || !text_find_foreign(text, strlen(text)))
        return text;
    char *copy = to_utf8(text);
    free(text);
    return copy;
}

char *json_print(cJSON *json) {
    char *text = json_format(json, false);
    cJSON_Delete(json);
    return text;
}
