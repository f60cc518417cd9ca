/* The result document of a fair-komi run: made from the games alone, so that it can be rebuilt from the records. */
#ifndef STIGMERGY_KOMI_RESULT_H
#define STIGMERGY_KOMI_RESULT_H

#include "komi_run.h"

#include <cjson/cJSON.h>

#define KOMI_RESULT_SCHEMA "stigmergy-komi"
enum { KOMI_RESULT_VERSION = 1 };

/* What is no part of the games: when, how long and where. */
typedef struct KomiResultContext {
    char started[32]; /* UTC, ISO 8601: when the run was first started */
    double seconds;   /* of all sessions together */
} KomiResultContext;

/* The context of a run that starts now. */
KomiResultContext komi_result_context(void);

/* Makes the document; NULL with an error without memory. The caller deletes it. */
cJSON *komi_result(const KomiRun *run, const KomiResultContext *context, Error *error);

/* Writes the document to a file, whole. */
bool komi_result_write(const KomiRun *run, const KomiResultContext *context, const char *path, Error *error);

/* Before a run goes on at `path`: checks that a document there (none is fine) is one of this schema and of this run,
 * and reads its context. The error names what differs. */
bool komi_result_resume(const char *path, const KomiConfig *config, KomiResultContext *context, Error *error);

#endif
