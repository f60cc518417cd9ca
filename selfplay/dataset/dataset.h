/* A data set: the result of a self-play run, ready for training.
 *
 *     DIR/records/games-000000.jsonl.zst    the games: the source of truth (selfplay/runs/generate/store.h)
 *     DIR/shards/stigmergy-5-000000.npz     their positions as arrays, a series for each board size (rows.h)
 *     DIR/run.json                          the run (selfplay/runs/generate/document.h)
 *     DIR/README.md, DIR/croissant.json     the card for people and the metadata for hubs (card.h)
 *     DIR/manifest.json                     every file with its SHA-256, and counts (manifest.h)
 *
 * Everything except the records follows from the records. So it can be checked, and built again at any time. A file of
 * arrays ends with the first game that fills it, so no game is in two files. The manifest is written last and removed
 * first: a set with a manifest is complete. */
#ifndef STIGMERGY_SELFPLAY_DATASET_DATASET_H
#define STIGMERGY_SELFPLAY_DATASET_DATASET_H

#include "selfplay/dataset/contents.h"

/* Removes the manifest, because the set is going to change. False with an error. */
bool dataset_invalidate(const char *folder, Error *error);

/* Builds everything from the records in the folder, which must be a finished store. Keeps a copy of a README.md or
 * croissant.json that it replaces and that is not the program's own, see `kept`, also after a failure. The caller fills
 * in `folder`, `boards` and `document` of *dataset, and `stop` if it may be stopped, and sets the rest to zero.
 * dataset_free frees the result, also after a failure. Files of others stay (folder.h). */
bool dataset_build(Dataset *dataset, Error *error);

/* Plays every record again and compares the arrays with what follows from the records, and all files with the hashes of
 * the manifest. The error names the first thing that is wrong. It cannot be stopped. *dataset need not hold anything
 * before. Fills in *document. Afterwards the caller frees the data set and closes the boards, also after a failure. */
bool dataset_check(Dataset *dataset, const char *folder, SelfplayBoards *boards, SelfplayDocument *document,
                   Error *error);
void dataset_free(Dataset *dataset);

#endif
