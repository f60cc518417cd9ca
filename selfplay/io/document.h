/* What the result documents of all runs have in common. They are JSON files. They begin with a schema, say which
 * program made them with which settings, and are read again when the run is resumed. */
#ifndef STIGMERGY_SELFPLAY_IO_DOCUMENT_H
#define STIGMERGY_SELFPLAY_IO_DOCUMENT_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A kind of document. */
typedef struct DocumentSchema {
    const char *name; /* "stigmergy-komi" */
    /* Stays when keys are added: readers leave out keys that they do not know, and do without those that older
     * documents lack. Raised where the meaning of an old key changes. Then no older document can be resumed or
     * estimated again. */
    int version;
    const char *what; /* in errors: "a komi run" */
} DocumentSchema;

/* What does not belong to the games: when the run was started and how long it took. */
typedef struct DocumentContext {
    char started[32]; /* when the run was first started: UTC, ISO 8601 */
    double seconds;   /* of all sessions together */
} DocumentContext;

/* The context of a run that starts now. */
DocumentContext document_context(void);

/* Numbers get four decimals. More would only show rounding errors. */
void document_add_number(cJSON *json, const char *key, double value);
void document_add_interval(cJSON *json, const char *key, Interval interval);

/* A 64-bit number, as a string. */
void document_add_u64(cJSON *json, const char *key, uint64_t value);

/* The first version of the program that plays the same games as this one in a kind of run ("komi"): `games` of the
 * program in its documents. */
const char *document_games_version(const char *kind);

/* document_add_schema writes the keys `schema` and `program`, document_add_context `started`, `seconds` and
 * `machine`. */
void document_add_schema(cJSON *json, const DocumentSchema *schema);
void document_add_context(cJSON *json, const DocumentContext *context);

/* The identity of a run, as 16 hexadecimal digits. It is a hash of the settings that decide its games. */
bool document_hash(const cJSON *identity, char out[20], Error *error);

/* The same hash, of any bytes. It shows whether a file has changed. */
void document_hash_bytes(const char *bytes, size_t length, char out[20]);

/* The text of a document, to be freed by the caller. Frees `json` (cJSON_Delete), also after an error. NULL with an
 * error without memory, also if `json` is NULL. */
char *document_text(cJSON *json, Error *error);

/* Writes the document to a file, whole or not at all. Frees `json` (cJSON_Delete), also after an error. `json` may be
 * NULL: then there was no memory, which is an error. */
bool document_write(cJSON *json, const char *path, Error *error);

/* Checks the name and the version of a document's schema; false with an error. `is_not` says in the error what another
 * name means, before schema->what: "is not a result of". */
bool document_check_schema(const cJSON *json, const DocumentSchema *schema, const char *path, const char *is_not,
                           Error *error);

/* Reads the document at `path`, which must have this schema, and its context. The caller deletes it; NULL with an
 * error. */
cJSON *document_read(const char *path, const DocumentSchema *schema, DocumentContext *context, Error *error);

/* Reads the document at `path` that is to be replaced. *out becomes the document, which the caller deletes, or NULL if
 * there is none. It is an error if the document is of another kind or another version. It is no error if the file is
 * damaged: empty, no JSON, or without a schema. Then *out is NULL and *damage says what is wrong, which is ""
 * otherwise. */
bool document_find(const char *path, const DocumentSchema *schema, cJSON **out, Error *damage, Error *error);

/* The same for a run that is resumed, with its context. Checks that the `settings` equal `identity`; the error names
 * the difference. A document without settings or context is damaged. *context is written only if there is a document.
 */
bool document_resume(const char *path, const DocumentSchema *schema, const cJSON *identity, DocumentContext *context,
                     cJSON **out, Error *damage, Error *error);

/* Keeps a copy of a damaged document beside it, as FILE.damaged or FILE.damaged-2 and so on, unless there is one. Adds
 * to *damage where it is, and from what the document is made again: `source` is "from the records" or the like. False
 * with an error. */
bool document_set_aside(const char *path, const char *source, Error *damage, Error *error);

/* Whether a file of this name is a copy of the document `of` that was kept so. */
bool document_was_set_aside(const char *name, const char *of);

#ifdef __cplusplus
}
#endif

#endif
