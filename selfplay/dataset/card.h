/* What people and data set hubs read about a data set: the card and the metadata. The card is README.md, with the
 * header that hubs look for. The metadata is croissant.json, in the Croissant format 1.0 of MLCommons
 * (https://docs.mlcommons.org/croissant/). Equal games have equal cards; the metadata also have a date. Both have a
 * stamp (stamp.h). Hubs ask for `creator` and `url`, which are those of the configuration. */
#ifndef STIGMERGY_SELFPLAY_DATASET_CARD_H
#define STIGMERGY_SELFPLAY_DATASET_CARD_H

#include "selfplay/dataset/contents.h"

/* Each returns a text that the caller frees. NULL with an error if memory runs out. */
char *dataset_card_text(const Dataset *dataset, Error *error);
char *dataset_croissant_text(const Dataset *dataset, Error *error);

#endif
