/* The document of a shard: what it has played of the current round, for the merge and for the shard itself.
 *
 * It stands beside the shard's records, FILE.shard-I-of-N.json beside FILE.shard-I-of-N.records.jsonl, and is written
 * when a session begins and when it ends:
 *
 *     {"schema": {"name": "stigmergy-shard", "version": 1}, "program": {...}, "kind": "komi", "run": "5b0c...",
 *      "shard": 2, "shards": 6, "round": {"800": [32, 64]}, "config": {...}, "started": ..., "seconds": ...,
 *      "machine": {...}, "finished": true, "games": 5, "bytes": 3120, "hash": "90d1..."}
 *
 * `round` says which games were to be played by all shards together, as the run of that kind names them; `config` is
 * everything that a merge must know about the run. `bytes` and `hash` are those of the record file of a finished shard;
 * they show damage. A match adds `timing`, which is not in the records. */
#ifndef STIGMERGY_SELFPLAY_RUNS_SHARD_DOCUMENT_H
#define STIGMERGY_SELFPLAY_RUNS_SHARD_DOCUMENT_H

#include "selfplay/io/document.h"
#include "selfplay/record/record.h"
#include "selfplay/runs/shard_spec.h"

extern const DocumentSchema shard_document_schema;

typedef struct ShardDocument {
    char kind[16];            /* the subcommand: "komi", "match" */
    char run[RECORD_RUN_MAX]; /* the identity of the run */
    ShardSpec shard;
    cJSON *round, *config, *timing; /* owned; timing may be NULL */
    DocumentContext context;        /* of this shard in this round */
    bool finished;
    int64_t games;    /* in its record file. This field and those below are set if the shard is finished */
    int64_t bytes;    /* of the record file */
    char hash[20];    /* of its bytes */
    char version[32]; /* the first one that plays the same games as the program that wrote it */
} ShardDocument;

void shard_document_free(ShardDocument *document);

/* Writes the document. If the shard is finished, reads the record file for `bytes` and `hash`. */
bool shard_document_write(ShardDocument *document, const char *path, Error *error);

/* Reads the text of a document; `path` names it in errors. To be freed by shard_document_free, also if it failed. */
bool shard_document_parse(const char *text, size_t length, const char *path, ShardDocument *document, Error *error);

/* Reads the record file that belongs to the finished document at `path`. Returns its text, to be freed. NULL with an
 * error if the file has changed since the shard finished. */
char *shard_document_records(const ShardDocument *document, const char *path, size_t *length, Error *error);

/* Before a shard plays, when run, round and config of *document are known: reads from the document at `path` what an
 * earlier session of this round has left there. This is its context, its timing, and whether it is finished, with the
 * same config and an unchanged record file. A document that is missing, or of another round or run is ignored, because
 * the records tell runs apart. Of a damaged one *damage says what is wrong (document_find). It is an error if something
 * else stands there. */
bool shard_document_resume(const char *path, ShardDocument *document, Error *damage, Error *error);

/* The documents of shards that are to be merged, in the order of the shards. */
typedef struct ShardEntry {
    const char *path; /* not owned */
    ShardDocument document;
} ShardEntry;

typedef struct ShardSet {
    ShardEntry *entries;
    int count;
} ShardSet;

/* Reads all documents and checks that they belong together: one kind, version, run, configuration and round; all N
 * shards, each once, all finished. The error names what is wrong. To be freed by shard_set_free, also if it failed.
 */
bool shard_set_read(const char *const *paths, int count, ShardSet *set, Error *error);
void shard_set_free(ShardSet *set);

#endif
