/* Whether all shards of a self-play run are there. Their records are then put together, checked and built into a set in
 * the same way as by `stigmergy selfplay --from`. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_MERGE_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_MERGE_H

#include "engine/base/error.h"

#include <stdbool.h>

/* Whether these folders are all shards of one run (document.h), each once; the error names what is wrong. */
bool selfplay_merge_check(const char *const *folders, int count, Error *error);

#endif
