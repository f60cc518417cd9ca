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

#include "selfplay/runs/generate/document.h"
#include "selfplay/runs/generate/records.h"

#include <stdatomic.h>

enum { DATASET_SAMPLE_MAX = 8192 };

/* What there is of a board size. */
typedef struct DatasetPart {
    int size;
    int64_t games, distinct_games; /* up to symmetry */
    int64_t positions, rows, full; /* actions; those searched; by full searches */
    int64_t black_wins, resigned;
    int64_t even_games; /* at an even komi */
    int komi_low, komi_high;
    double komi_sum, margin_sum, margin_squares; /* margins of the finished games: Black's, in points */
    char samples[DATASET_SAMPLE_MAX];            /* positions of the first game, as text */
} DatasetPart;

/* A file of the set. */
typedef struct DatasetFile {
    char path[64]; /* in the folder */
    char hash[72]; /* SHA-256, 64 hexadecimal digits */
    int64_t bytes, rows;
    int size; /* of the board; 0 where the file is not of one */
} DatasetFile;

typedef struct DatasetFiles {
    DatasetFile *items;
    int count, capacity;
} DatasetFiles;

/* A whole set. */
typedef struct Dataset {
    const char *folder;
    const SelfplayBoards *boards;
    const SelfplayDocument *document;
    const atomic_bool *stop;                /* set from outside to give up soon, with an error; may be NULL */
    DatasetPart parts[HEXHEX_MAX_SIZE + 1]; /* by board size */
    DatasetFiles files;
} Dataset;

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

/* All sizes together. */
DatasetPart dataset_total(const Dataset *dataset);

#endif
