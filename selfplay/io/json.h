/* Strict reading of JSON objects, on cJSON: every value has an expected type and range, every key is known.
 *
 * A reader is opened on an object, asked for its keys one after the other, and closed; the first thing that is wrong is
 * kept and reported by json_close: a wrong type, a number out of range, a key that nobody asked for. The error names
 * the source (a file, an option), the key and what was expected. Keys that are missing leave the value as it was. */
#ifndef STIGMERGY_SELFPLAY_IO_JSON_H
#define STIGMERGY_SELFPLAY_IO_JSON_H

#include "engine/base/error.h"
#include "selfplay/io/file.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_KEYS_MAX = 48 };

typedef struct JsonReader {
    const cJSON *object;
    const char *source; /* for errors: "configs/komi/quick.json" */
    const char *known[JSON_KEYS_MAX];
    int known_count;
    bool failed;
    char key[64]; /* that failed, "" where it is the whole */
    Error error;
} JsonReader;

/* Parses one whole text; NULL with an error that names the source and the line. The caller deletes it (cJSON_Delete).
 */
cJSON *json_parse(const char *text, size_t length, const char *source, Error *error);

/* Finds the configuration `name` of a kind ("players", "komi"; see data_find), reads and parses it; its path
 * goes to `path`. NULL with an error; the caller deletes it. */
cJSON *json_load_config(const char *kind, const char *name, char path[FILE_PATH_MAX], Error *error);

/* Opens a reader on `object`, which must be an object. `source` must outlive the reader. */
JsonReader json_open(const cJSON *object, const char *source);

/* Each reads a key into *out where it is there; low and high are inclusive. */
void json_int(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out);
void json_number(JsonReader *reader, const char *key, double low, double high, double *out);
void json_bool(JsonReader *reader, const char *key, bool *out);
void json_string(JsonReader *reader, const char *key, char *out, size_t size);

/* A 64-bit number that JSON carries as a string of decimal digits (a number is taken too where it is exact). */
void json_u64(JsonReader *reader, const char *key, uint64_t *out);

/* An array of whole numbers; *count is how many (at most capacity), or stays as it was. */
void json_ints(JsonReader *reader, const char *key, int64_t low, int64_t high, int64_t *out, int capacity, int *count);

/* The object, array or any value under a key, or NULL where it is missing or of another type. */
const cJSON *json_object(JsonReader *reader, const char *key);
const cJSON *json_array(JsonReader *reader, const char *key);
const cJSON *json_any(JsonReader *reader, const char *key);

/* Says that the value of a key is wrong for a reason of the caller's own. */
void json_fail(JsonReader *reader, const char *key, const Error *reason);

/* Says that a key that was not found is needed. */
void json_require(JsonReader *reader, const char *key);

/* Ends the reading: false with the first error, unknown keys included. */
bool json_close(JsonReader *reader, Error *error);

#endif
