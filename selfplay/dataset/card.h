/* What people and data set hubs read of a data set: the card (README.md, with the header that hubs look for) and its
 * metadata (croissant.json, the Croissant format 1.0 of MLCommons, https://docs.mlcommons.org/croissant/). Equal
 * games have equal cards; the metadata have a date too. `creator` and `url`, which hubs ask for, are those of the
 * configuration. */
#ifndef STIGMERGY_SELFPLAY_DATASET_CARD_H
#define STIGMERGY_SELFPLAY_DATASET_CARD_H

#include "selfplay/dataset/contents.h"

/* The texts, to be freed; NULL with an error without memory. */
char *dataset_card_text(const Dataset *dataset, Error *error);
char *dataset_croissant_text(const Dataset *dataset, Error *error);

#endif
