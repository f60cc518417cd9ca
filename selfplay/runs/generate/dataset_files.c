/* See dataset_files.h. */
#include "selfplay/runs/generate/dataset_files.h"

const char *const dataset_documents[DATASET_DOCUMENTS] = {DATASET_CARD, DATASET_METADATA, DATASET_RUN,
                                                          DATASET_MANIFEST};
