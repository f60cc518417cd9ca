/* Puts the shards of a run together (shard_spec.h, selfplay/docs/cluster.md). Their games go into the run's record
 * file. The result is the one that a single process would have written from the same games, except for `started`,
 * `seconds`, `machine` and the timing.
 *
 * A merge takes all shards of one round or none: the record file is replaced in one step, then the document. Merging
 * the same shards again changes nothing, so an interrupted merge can be repeated. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MERGE_H
#define STIGMERGY_SELFPLAY_RUNS_MERGE_H

#include "selfplay/runs/shard_document.h"

typedef struct MergeReport {
    char kind[16]; /* of the run: "komi" */
    int shards;
    int games;    /* of the run, in all */
    int joined;   /* of them by this merge; 0: these shards were merged before, or */
    bool idle;    /* had nothing to play, because the run was finished */
    int left;     /* games of the next round; 0: the run is finished */
    bool good;    /* all shards are good; a failure then is one of writing */
    Error damage; /* what was wrong with the document of the run, "" for nothing */
} MergeReport;

/* Merges the shards whose documents are at `shards` into the run whose result is at `result`. */
bool merge_shards(const char *result, const char *const *shards, int count, MergeReport *report, Error *error);

#endif
