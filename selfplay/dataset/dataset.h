/* A data set: what a self-play run leaves behind, ready for training.
 *
 *     DIR/records/games-000000.jsonl.zst    the games: the source of truth (selfplay/runs/generate/store.h)
 *     DIR/shards/stigmergy-5-000000.npz     their positions as arrays, a series for each board size (rows.h)
 *     DIR/run.json                          the run (selfplay/runs/generate/document.h)
 *     DIR/README.md, DIR/croissant.json     the card for people and the metadata for hubs (card.h)
 *     DIR/manifest.json                     every file with its SHA-256, and counts (manifest.h)
 *
 * Everything but the records follows from the records, so it can be built again at any time, and checked. A file of
 * arrays ends with the first game that fills it, so that no game is in two of them. The manifest is written last and
 * removed first: a set that has one is complete. */
#ifndef STIGMERGY_SELFPLAY_DATASET_DATASET_H
#define STIGMERGY_SELFPLAY_DATASET_DATASET_H

#include "selfplay/dataset/contents.h"

/* Takes the manifest away: the set is going to change. */
bool dataset_invalidate(const char *folder, Error *error);

/* Builds everything from the records in the folder, which is a finished store: `folder`, `boards` and `document` of
 * *dataset say of what, the rest is zero. To be freed by dataset_free, also where it failed. */
bool dataset_build(Dataset *dataset, Error *error);

/* Plays every record again and compares everything else with what follows from them; the error names the first thing
 * that is wrong. *document is filled in. Likewise to be freed, and the boards to be closed. */
bool dataset_check(Dataset *dataset, const char *folder, SelfplayBoards *boards, SelfplayDocument *document,
                   Error *error);
void dataset_free(Dataset *dataset);

#endif
