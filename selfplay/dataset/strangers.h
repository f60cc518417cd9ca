/* Files in the folder of a data set that do not belong to it. */
#ifndef STIGMERGY_SELFPLAY_DATASET_STRANGERS_H
#define STIGMERGY_SELFPLAY_DATASET_STRANGERS_H

#include "selfplay/dataset/contents.h"

/* Whether the folder has no files beside those of `dataset`, which are complete, and its manifest. The error names the
 * first few others. Names that begin with .git are passed over in the set's own folder: a set may be kept with git. */
bool dataset_has_no_strangers(const Dataset *dataset, Error *error);

#endif
