/* The folder of a data set: which of the files in it are the set's.
 *
 * The program writes and removes there only regular files of its own names. All else is somebody's. */
#ifndef STIGMERGY_SELFPLAY_DATASET_FOLDER_H
#define STIGMERGY_SELFPLAY_DATASET_FOLDER_H

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

/* Whether the folder has no files beside those of `dataset`, which are complete, and its manifest. The error names the
 * first few others. In the set's own folder some names are passed over: those that begin with .git, because a set may
 * be kept with git, and damaged documents that were set aside. */
bool dataset_has_no_strangers(const Dataset *dataset, Error *error);

#endif
