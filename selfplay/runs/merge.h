/* Puts the shards of a run together (shard_spec.h, selfplay/docs/cluster.md): their games into the run's record file,
 * and the result that one process would have written from the same games (but for `started`, `seconds`, `machine` and
 * the timing).
 *
 * A merge takes all shards of one round or none: the record file is replaced in one step, then the document. Shards
 * that have been merged before change nothing, so that a merge that was interrupted is done again. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MERGE_H
#define STIGMERGY_SELFPLAY_RUNS_MERGE_H

#include "selfplay/runs/shard_document.h"

typedef struct MergeReport {
    char kind[16]; /* of the run: "komi" */
    int shards;
    int games;  /* of the run, in all */
    int joined; /* of them by this merge; 0: these shards were merged before */
    int left;   /* games of the next round; 0: the run is finished */
    bool good;  /* the shards are all right: what failed then, if something did, is the writing */
} MergeReport;

/* Merges the shards whose documents are at `shards` into the run whose result is at `result`. */
bool merge_shards(const char *result, const char *const *shards, int count, MergeReport *report, Error *error);

#endif
