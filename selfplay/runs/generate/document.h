/* What a self-play run says about itself: DIR/run.json. It is written when the run begins. With it the same command
 * continues the run, and another command is refused. It has the settings that are needed to read the records and to
 * build the set again. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_DOCUMENT_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_DOCUMENT_H

#include "selfplay/io/document.h"
#include "selfplay/io/file.h"
#include "selfplay/record/record.h"
#include "selfplay/runs/generate/config.h"
#include "selfplay/runs/shard_spec.h"

extern const DocumentSchema selfplay_document_schema;

/* A run as it stands in the document. */
typedef struct SelfplayDocument {
    SelfplayConfig config;
    char run[RECORD_RUN_MAX];
    ShardSpec shard;
    DocumentContext context;
    const char *command; /* that makes it, as for a shell, of any length; is written, not read back */
} SelfplayDocument;

/* Before a run continues: if the folder has a document, checks that it is of these settings and this shard, and reads
 * its context. A damaged document is no error: *damage says what is wrong (document_resume). */
bool selfplay_document_resume(const char *folder, SelfplayDocument *document, Error *damage, Error *error);

/* Reads the document of a folder. */
bool selfplay_document_load(const char *folder, SelfplayDocument *document, Error *error);

/* Writes it, whole. */
bool selfplay_document_write(const char *folder, const SelfplayDocument *document, Error *error);

/* The keys of the document, under another schema: what a manifest begins with. NULL without memory. */
cJSON *selfplay_document_to_json(const SelfplayDocument *document, const DocumentSchema *schema);

/* Reads only these keys of a document that has more. `source` names it in errors. */
bool selfplay_document_from_json(const cJSON *json, const char *source, SelfplayDocument *document, Error *error);

#endif
