/* The names of the files of a data set in its folder. selfplay/dataset/dataset.h says what they are. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_DATASET_FILES_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_DATASET_FILES_H

#define DATASET_CARD "README.md"
#define DATASET_METADATA "croissant.json"
#define DATASET_RUN "run.json"
#define DATASET_MANIFEST "manifest.json"

/* The games that are not packed yet; and the folders of packed games and of arrays. */
#define DATASET_OPEN_GAMES "games.jsonl"
#define DATASET_RECORDS "records"
#define DATASET_SHARDS "shards"

enum {
    DATASET_TEXTS = 2, /* which people may edit: the card and the metadata */
    DATASET_DOCUMENTS = 4
};

/* All files beside those in the folders: first the texts, last the manifest, which names all others. */
extern const char *const dataset_documents[DATASET_DOCUMENTS];

#endif
