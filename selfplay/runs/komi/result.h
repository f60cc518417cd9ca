/* The result document of a fair-komi run: made from the games alone, so that it can be rebuilt from the records. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RESULT_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RESULT_H

#include "selfplay/io/document.h"
#include "selfplay/runs/komi/run.h"

/* Makes the document; NULL with an error without memory. The caller deletes it. */
cJSON *komi_result(const KomiRun *run, const DocumentContext *context, Error *error);

/* Writes the document to a file, whole. */
bool komi_result_write(const KomiRun *run, const DocumentContext *context, const char *path, Error *error);

/* Before a run goes on at `path`: checks that a document there (none is fine) is one of this schema and of this run,
 * and reads its context. The error names what differs. */
bool komi_result_resume(const char *path, const KomiConfig *config, DocumentContext *context, Error *error);

#endif
