/* The line of a record, its checksum, and what a power loss leaves of it.
 *
 * A line of version 2 has "version": 2, and its last key is "check": the first 16 hexadecimal digits of the SHA-256 of
 * all bytes of the line before `,"check":`. A line of version 1 has neither key. It is read too, unchecked. */
#ifndef STIGMERGY_SELFPLAY_RECORD_RECORD_LINE_H
#define STIGMERGY_SELFPLAY_RECORD_RECORD_LINE_H

#include "engine/base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RECORD_VERSION = 2 };

#define RECORD_LINE_BEGINNING "{\"id\":\"" /* of every line that is written */

/* Makes the line, with its newline, of a record's JSON, which is freed. NULL with an error without memory; the caller
 * frees the result. */
char *record_line_seal(char *json, Error *error);

/* Parses a line, with or without its newline, and compares its checksum. `source` names it in errors. NULL with an
 * error; the caller deletes the result. */
cJSON *record_line_parse(const char *line, size_t length, const char *source, Error *error);

/* False with an error where the JSON is a result document and no game. `json` may be NULL. */
bool record_no_result(const cJSON *json, const char *source, Error *error);

/* Leaves out of `length` what a power loss has left of the last line of a file: it has no newline, or it has one and is
 * no JSON, because parts of it are zeros. Where there are lines before it, they say that the file is ours. Where it is
 * the only line, it must say so itself: it must begin as records do (some bytes may be zeros), and have no newline or a
 * zero. False with an error otherwise, or without memory. */
bool record_lines_whole(const char *path, const char *text, size_t *length, Error *error);

#ifdef __cplusplus
}
#endif

#endif
