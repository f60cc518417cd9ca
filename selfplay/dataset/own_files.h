/* What the program may write and remove in the folder of a data set: regular files of its own names. All else there is
 * somebody's. */
#ifndef STIGMERGY_SELFPLAY_DATASET_OWN_FILES_H
#define STIGMERGY_SELFPLAY_DATASET_OWN_FILES_H

#include "selfplay/dataset/contents.h"

enum { DATASET_PATH_MAX = 64 };

/* The path in the set of a file of arrays: shards/stigmergy-5-000000.npz. */
void dataset_shard_path(const Game *game, int number, char out[DATASET_PATH_MAX]);

/* Whether the folder, which need not exist, has no symbolic links where a set has its files, and files and folders
 * where it has those: a link that came with a set could lead anywhere. The error names the first that is wrong. */
bool dataset_has_no_links(const char *folder, Error *error);

/* Removes arrays of the boards of `dataset`, which is complete, that it does not have, and what a program that was
 * killed has left behind. */
bool dataset_sweep(const Dataset *dataset, Error *error);

#endif
