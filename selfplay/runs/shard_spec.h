/* Which part of a run a process plays, where several machines share the run.
 *
 * A run is cut into N shards; shard I = 0..N-1 plays every task (a game, a pair of games) whose number is I modulo N.
 * The seed of a task follows from the run's seed and the task's number alone, so the shards together play exactly what
 * one process would have played; see selfplay/docs/cluster.md.
 *
 * N and I come from "--shard I/N"; or N alone from "--shards N" or the key `shards` of a configuration, and I from
 * "--shard I" or what a batch system says of itself: SLURM_ARRAY_TASK_ID (Slurm's job arrays) or JOB_COMPLETION_INDEX
 * (Kubernetes' Indexed Jobs). Neither of these is looked at where no N is known: an array of whole runs is one, too.
 * How many tasks an array has is not asked of Slurm, for a part of an array that is submitted again changes that. */
#ifndef STIGMERGY_SELFPLAY_RUNS_SHARD_SPEC_H
#define STIGMERGY_SELFPLAY_RUNS_SHARD_SPEC_H

#include "selfplay/io/file.h"

#include <stdint.h>

enum { SHARDS_MAX = 100000 };

typedef struct ShardSpec {
    int index; /* I */
    int count; /* N; 0: no shard, the whole run */
} ShardSpec;

/* Settles which shard this process is. `text` is the value of --shard, NULL where it was not given; `count` is N where
 * it is known otherwise, else 0 (an N in `text` must then agree with it). Where N is known and no I is found, it is the
 * whole run, unless `needed`: then that is an error, as is anything else that is unusable. */
bool shard_spec_settle(const char *text, int64_t count, bool needed, ShardSpec *out, Error *error);

static inline bool shard_spec_whole(ShardSpec shard) {
    return shard.count == 0;
}

/* Whether a task is of this shard; the whole run has them all. */
static inline bool shard_spec_has(ShardSpec shard, int64_t task) {
    return shard.count == 0 || task % shard.count == shard.index;
}

/* What belongs to this shard beside the run's own file `path`: for the shard 2 of 6 of "a/run.json" and the ending
 * ".json" it is "a/run.shard-2-of-6.json"; a path without the ending gets it. The whole run keeps `path` itself. False
 * with an error where the path is too long. */
bool shard_spec_path(ShardSpec shard, const char *path, const char *ending, char out[FILE_PATH_MAX], Error *error);

#endif
