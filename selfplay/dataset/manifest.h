/* The manifest of a data set, DIR/manifest.json: the run and its settings, counts, and every file with its SHA-256. */
#ifndef STIGMERGY_SELFPLAY_DATASET_MANIFEST_H
#define STIGMERGY_SELFPLAY_DATASET_MANIFEST_H

#include "selfplay/dataset/contents.h"

/* Fills in the length and the SHA-256 (libmd) of a file. */
bool dataset_hash_file(const char *path, DatasetFile *file, Error *error);

/* Writes the manifest of a set that is complete. */
bool dataset_manifest_write(const Dataset *dataset, Error *error);

/* Before a run goes on: *complete says whether the set in the folder is complete. Then it has a manifest of this run
 * with `games` games, in the layout of the document, the run's own document, and every other file with its length. What
 * is in those is not checked. A damaged manifest is no error: *damage says what is wrong (document_find). */
bool dataset_resume(const char *folder, const SelfplayDocument *document, int64_t games, bool *complete, Error *damage,
                    Error *error);

/* *named: whether a file of the set is there, and is the one that the manifest names. False with an error. */
bool dataset_text_is_named(const char *folder, const char *name, bool *named, Error *error);

/* Reads what the manifest says about the run. */
bool dataset_manifest_load(const char *folder, SelfplayDocument *document, Error *error);

/* Whether every file that the manifest names exists with the length and the hash in the manifest. */
bool dataset_manifest_check_files(const char *folder, Error *error);

/* Whether the manifest has the counts and files of `dataset`, which was made from the records. */
bool dataset_manifest_check(const Dataset *dataset, Error *error);

#endif
