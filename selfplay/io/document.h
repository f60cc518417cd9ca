/* What the result documents of all runs have in common: JSON files that begin with a schema, say which program made
 * them with which settings, and are found again when the run goes on. */
#ifndef STIGMERGY_SELFPLAY_IO_DOCUMENT_H
#define STIGMERGY_SELFPLAY_IO_DOCUMENT_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* A kind of document. */
typedef struct DocumentSchema {
    const char *name; /* "stigmergy-komi" */
    int version;
    const char *what; /* in errors: "a komi run" */
} DocumentSchema;

/* What is no part of the games: when and how long. */
typedef struct DocumentContext {
    char started[32]; /* UTC, ISO 8601: when the run was first started */
    double seconds;   /* of all sessions together */
} DocumentContext;

/* The context of a run that starts now. */
DocumentContext document_context(void);

/* Numbers are written with four decimals: more would only show rounding. */
void document_add_number(cJSON *json, const char *key, double value);
void document_add_interval(cJSON *json, const char *key, Interval interval);

/* A 64-bit number, as a string. */
void document_add_u64(cJSON *json, const char *key, uint64_t value);

/* The keys `schema` and `program`; `started`, `seconds` and `machine`. */
void document_add_schema(cJSON *json, const DocumentSchema *schema);
void document_add_context(cJSON *json, const DocumentContext *context);

/* The identity of a run as 16 hexadecimal digits: a hash of the settings that decide its games. */
bool document_hash(const cJSON *identity, char out[20], Error *error);

/* The same hash of any bytes: tells whether a file is what it was. */
void document_hash_bytes(const char *bytes, size_t length, char out[20]);

/* Writes the document to a file, whole, and deletes it; NULL (no memory for it) is an error. */
bool document_write(cJSON *json, const char *path, Error *error);

/* Before a run goes on: reads the document at `path` and its context, and checks that it is of this schema and that its
 * `settings` are `identity`; the error names what differs. *out is the document, to be deleted, or NULL where there is
 * no such file, which is fine. */
bool document_resume(const char *path, const DocumentSchema *schema, const cJSON *identity, DocumentContext *context,
                     cJSON **out, Error *error);

#endif
