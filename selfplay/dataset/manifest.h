/* The manifest of a data set, DIR/manifest.json: the run and its settings, counts, and every file with its SHA-256. */
#ifndef STIGMERGY_SELFPLAY_DATASET_MANIFEST_H
#define STIGMERGY_SELFPLAY_DATASET_MANIFEST_H

#include "selfplay/dataset/contents.h"

/* Fills in length and SHA-256 (libmd) of a file. */
bool dataset_hash_file(const char *path, DatasetFile *file, Error *error);

/* Writes the manifest of a set that is complete. */
bool dataset_manifest_write(const Dataset *dataset, Error *error);

/* Whether the set in the folder is complete: it has a manifest, of this run with so many games, laid out as the
 * document says. Whether its files are sound is not looked at. */
bool dataset_is_complete(const char *folder, const SelfplayDocument *document, int64_t games);

/* Reads what the manifest says of the run. */
bool dataset_manifest_load(const char *folder, SelfplayDocument *document, Error *error);

/* Whether every file that the manifest names is there, as long as it says and with the hash that it says. */
bool dataset_manifest_check_files(const char *folder, Error *error);

/* Whether the manifest says of counts and files what `dataset` does, which was made from the records. */
bool dataset_manifest_check(const Dataset *dataset, Error *error);

#endif
