/* Files in the folder of a data set that do not belong to it. */
#ifndef STIGMERGY_SELFPLAY_DATASET_STRANGERS_H
#define STIGMERGY_SELFPLAY_DATASET_STRANGERS_H

#include "selfplay/dataset/contents.h"

/* Whether the folder has no files beside those of `dataset`, which are complete, and its manifest. The error names the
 * first few others. In the set's own folder some names are passed over: those that begin with .git, because a set may
 * be kept with git, and damaged documents that were set aside. */
bool dataset_has_no_strangers(const Dataset *dataset, Error *error);

#endif
