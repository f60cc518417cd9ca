/* JSON in and out, on cJSON.
 *
 * Reading is strict: every value has an expected type and range, and every key must be known. A reader is opened on an
 * object, asked for one key after the other, and closed. It keeps the first thing that is wrong (a wrong type, a number
 * out of range, a key that nobody asked for), and json_close reports it. The error names the source (a file, an
 * option), the key, and what was expected. A key that is missing leaves the value as it was.
 *
 * Writing is cJSON's own (cJSON_AddObjectToObject and so on). Here is only what it lacks: numbers without needless
 * digits, UTF-8 whatever the texts are, and one line of output. Without memory cJSON leaves out what it cannot add;
 * then the document is not printed. For this json.c sets cJSON's memory hooks (cJSON_InitHooks) for the whole process,
 * before main. A program must not set others. */
#ifndef STIGMERGY_SELFPLAY_IO_JSON_H
#define STIGMERGY_SELFPLAY_IO_JSON_H

#include "engine/base/error.h"
#include "selfplay/io/file.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { JSON_KEYS_MAX = 64 }; /* keys that a reader may be asked for; more are taken for unknown ones */

typedef struct JsonReader {
    const cJSON *object;
    const char *source;               /* for errors: "configs/komi/quick.json" */
    const char *inside;               /* for errors: which object of the source this is; NULL: the whole */
    const char *known[JSON_KEYS_MAX]; /* the keys that were asked for */
    int known_count;
    bool failed;
    char key[64]; /* the key that is wrong, "" where the whole object is */
    Error error;
} JsonReader;

/* ---- Reading ---- */

/* Parses one whole text, in which a NUL byte is wrong, and so is what is not UTF-8. NULL with an error that names the
 * source and the line; with no_memory in it, the text may be JSON all the same. The caller deletes the result
 * (cJSON_Delete). */
cJSON *json_parse(const char *text, size_t length, const char *source, Error *error);

/* Reads and parses a file. NULL with an error. The caller deletes the result. */
cJSON *json_load(const char *path, Error *error);

/* Finds the configuration `name` in a folder of the data ("players", "komi"; see data_find), reads it and parses it.
 * Its path goes to `path`. NULL with an error. The caller deletes the result. */
cJSON *json_load_config(const char *folder, const char *name, char path[FILE_PATH_MAX], Error *error);

/* The same for what may be missing in the data folder: then *json is NULL, which is no error. */
bool json_load_known(const char *folder, const char *name, cJSON **json, Error *error);

/* The value under a key of an object, which belongs to that; NULL if there is none, or if `object` is NULL. */
static inline cJSON *json_get(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Opens a reader on `object`, which must be an object. `source` and all keys that are read must outlive the reader. */
JsonReader json_open(const cJSON *object, const char *source);

/* The same for an object inside that of the source: `inside` says which ("'cheap'", "a size"), and errors say "'share'
 * of 'cheap'". It must outlive the reader. */
JsonReader json_open_inside(const cJSON *object, const char *source, const char *inside);

/* Each of these reads a key into *out if the object has it. `low` and `high` are allowed values too. `size` is that of
 * `out` with its terminator. */
void json_int(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out);
void json_number(JsonReader *reader, const char *key, double low, double high, double *out);
void json_bool(JsonReader *reader, const char *key, bool *out);
void json_string(JsonReader *reader, const char *key, char *out, size_t size);

/* The text under a key, at most `longest` bytes; it belongs to the JSON. NULL if the key is missing or wrong. */
const char *json_text(JsonReader *reader, const char *key, size_t longest);

/* One of `count` words: *index becomes its number among them. */
void json_word(JsonReader *reader, const char *key, const char *const *words, int count, int *index);

/* A 64-bit number as a string of decimal digits. A JSON number is accepted too, if it is exact in a double. */
void json_u64(JsonReader *reader, const char *key, uint64_t *out);

/* An array of at most `capacity` whole numbers. *count becomes their number. */
void json_ints(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out, int capacity, int *count);

/* The object, the array, or any value under a key; NULL if it is missing. The first two fail on another type. */
const cJSON *json_object(JsonReader *reader, const char *key);
const cJSON *json_array(JsonReader *reader, const char *key);
const cJSON *json_any(JsonReader *reader, const char *key);

/* Reports that the value of a key is wrong, for a reason of the caller's own. */
void json_fail(JsonReader *reader, const char *key, const Error *reason);

/* Reports an error if the object does not have this key. */
void json_require(JsonReader *reader, const char *key);

/* Ends the reading. False with the first error; a key that nobody asked for is one. */
bool json_close(JsonReader *reader, Error *error);

/* ---- Writing ---- */

/* Each of these adds a value to an object under `key`, or at the end of an array if `key` is NULL. */

/* Any value. False if there is no memory to add it; then it is deleted. */
bool json_add(cJSON *parent, const char *key, cJSON *item);

/* The same in an object, in place of what is under the key, if there is something. */
bool json_set(cJSON *object, const char *key, cJSON *item);

/* A number with six significant digits; null if it is not finite. */
void json_add_number(cJSON *parent, const char *key, double value);

/* Text of any origin, which may not be UTF-8: json_format makes it so. For objects and, with key NULL, arrays. */
void json_add_text(cJSON *parent, const char *key, const char *text);

/* The text, or null if it is NULL or empty. */
void json_add_text_or_null(cJSON *parent, const char *key, const char *text);

/* The value as text, on one line or on lines of its own, without a newline at the end. Every byte that is not part of
 * UTF-8 becomes a replacement character (U+FFFD). NULL without memory, also if there was none for a part of any value
 * that this thread has built since it last called this. The caller frees the result. */
char *json_format(const cJSON *json, bool on_lines);

/* The same on one line; deletes the value. */
char *json_print(cJSON *json);

#ifdef __cplusplus
}
#endif

#endif
