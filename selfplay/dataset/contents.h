/* The contents of a data set (dataset.h): counts for each board size, and its files. */
#ifndef STIGMERGY_SELFPLAY_DATASET_CONTENTS_H
#define STIGMERGY_SELFPLAY_DATASET_CONTENTS_H

#include "engine/base/stop_flag.h"
#include "selfplay/runs/generate/dataset_files.h"
#include "selfplay/runs/generate/document.h"
#include "selfplay/runs/generate/records.h"

enum { DATASET_SAMPLE_MAX = 8192 };

/* The counts of one board size. */
typedef struct DatasetPart {
    int size;
    int64_t games, distinct_games; /* distinct_games: up to symmetry */
    int64_t positions, rows, full; /* one before each action; those with a search; those with a full search */
    int64_t black_wins, resigned;
    int64_t even_games; /* at an even komi */
    int komi_low, komi_high;
    double komi_sum, margin_sum, margin_squares; /* margins of the finished games: Black's, in points */
    char samples[DATASET_SAMPLE_MAX];            /* positions of the first game, as text */
} DatasetPart;

/* A file of the set. */
typedef struct DatasetFile {
    char path[64]; /* relative to the folder */
    char hash[72]; /* SHA-256, 64 hexadecimal digits */
    int64_t bytes, rows;
    int size; /* of the board; 0 if the file does not belong to one size */
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
    const StopFlag *stop;                   /* set from outside to give up soon, with an error; may be NULL */
    DatasetPart parts[HEXHEX_MAX_SIZE + 1]; /* by board size */
    DatasetFiles files;
    Error kept[DATASET_TEXTS]; /* says of a text that it was not the program's, and where it is kept; "": it was */
} Dataset;

/* The sum over all board sizes, of the counts alone: komi and margins stay 0. */
DatasetPart dataset_total(const Dataset *dataset);

/* Whether a file belongs to the set; `path` is relative to its folder. */
bool dataset_has_file(const Dataset *dataset, const char *path);

#endif
