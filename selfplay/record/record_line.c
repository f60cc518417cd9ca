/* See record_line.h. */
#include "selfplay/record/record_line.h"

#include "selfplay/io/json.h"
#include "selfplay/io/text.h"

#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = ",\"check\":\"", ending[] = "\"}";

enum {
    DIGITS = 16,
    KEY_LENGTH = sizeof key - 1,
    ENDING_LENGTH = sizeof ending - 1,
    SEAL_LENGTH = KEY_LENGTH + DIGITS + ENDING_LENGTH
};

static void hash_text(const char *text, size_t length, char digits[DIGITS + 1]) {
    uint8_t hash[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)text, length);
    SHA256Final(hash, &context);
    text_hex(hash, DIGITS / 2, digits);
}

char *record_line_seal(char *json, Error *error) {
    const size_t length = strlen(json) - 1; /* without the last brace */
    char digits[DIGITS + 1], *line = realloc(json, length + SEAL_LENGTH + 2);
    if (!line) {
        free(json);
        error_set(error, "out of memory for the record of a game");
        return NULL;
    }
    hash_text(line, length, digits);
    snprintf(line + length, SEAL_LENGTH + 2, "%s%s%s\n", key, digits, ending);
    return line;
}

bool record_no_result(const cJSON *json, const char *source, Error *error) {
    return !cJSON_IsObject(json_get(json, "schema")) ||
           error_set(error, "%s: is a result, expected a game; the games of FILE.json are in FILE.records.jsonl",
                     source);
}

static bool has_seal(const char *line, size_t length) {
    if (length <= SEAL_LENGTH)
        return false;
    const char *seal = line + length - SEAL_LENGTH;
    return !memcmp(seal, key, KEY_LENGTH) && !memcmp(seal + KEY_LENGTH + DIGITS, ending, ENDING_LENGTH);
}

static bool check_seal(const char *line, size_t length, const char *id, const char *source, Error *error) {
    char digits[DIGITS + 1];
    if (!has_seal(line, length))
        return error_set(error, "%s: game %s: 'check' is missing or not the last key, expected %d digits", source, id,
                         DIGITS);
    hash_text(line, length - SEAL_LENGTH, digits);
    const char *found = line + length - SEAL_LENGTH + KEY_LENGTH;
    return !memcmp(found, digits, DIGITS) ||
           error_set(error, "%s: game %s: the line was changed: its checksum is %s, expected %.*s as it says", source,
                     id, digits, DIGITS, found);
}

static bool check_version(const cJSON *json, const char *line, size_t length, const char *source, Error *error) {
    const cJSON *version = json_get(json, "version");
    const cJSON *item = json_get(json, "id");
    const char *id = cJSON_IsString(item) ? item->valuestring : "without an id";
    if (!version && !cJSON_HasObjectItem(json, "check"))
        return true;
    if (!cJSON_IsNumber(version) || version->valuedouble != RECORD_VERSION)
        return error_set(error, "%s: game %s: 'version' is wrong, expected %d, or neither 'version' nor 'check'",
                         source, id, RECORD_VERSION);
    return check_seal(line, length, id, source, error);
}

cJSON *record_line_parse(const char *line, size_t length, const char *source, Error *error) {
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    cJSON *json = json_parse(line, length, source, error);
    if (!json || check_version(json, line, length, source, error))
        return json;
    cJSON_Delete(json);
    return NULL;
}

/* ---- After a power loss ---- */

/* Where the last line of a text begins that is not empty. */
static size_t last_line(const char *text, size_t length) {
    size_t begin = length - 1;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    return begin;
}

/* Whether a line may be what is left of a record that was being written. */
static bool is_left_of_record(const char *line, size_t length) {
    static const char beginning[] = RECORD_LINE_BEGINNING;
    for (size_t i = 0; i < length && i < sizeof beginning - 1; i++)
        if (line[i] && line[i] != beginning[i])
            return false;
    return line[length - 1] != '\n' || memchr(line, '\0', length);
}

bool record_lines_whole(const char *path, const char *text, size_t *length, Error *error) {
    if (*length == 0)
        return true;
    const size_t begin = last_line(text, *length);
    if (text[*length - 1] == '\n') {
        Error reason = {.text = ""};
        cJSON *json = json_parse(text + begin, *length - begin, path, &reason);
        cJSON_Delete(json);
        if (json || reason.no_memory)
            return json || error_pass(error, &reason);
    }
    if (begin == 0 && !is_left_of_record(text, *length))
        return error_set(error, "%s: line 1 is no record of a game, expected a line of JSON", path);
    *length = begin;
    return true;
}
