/* Which part of a run a process plays, if several machines share the run.
 *
 * A run is cut into N shards. The tasks of a round (games, or pairs of games) are dealt out: shard I = 0..N-1 plays the
 * tasks I, I + N, ... of the round. task_of in rounds.c says in which order they are counted. The seed of a game
 * follows from the run's seed, the group and the number of the game alone, so the shards together play exactly what one
 * process would have played; see selfplay/docs/cluster.md.
 *
 * Both numbers may come from "--shard I/N". Otherwise N comes from "--shards N" or from the key `shards` of a
 * configuration, and I from "--shard I" or from the variable that a batch system sets: SLURM_ARRAY_TASK_ID (job arrays
 * of Slurm) or JOB_COMPLETION_INDEX (Indexed Jobs of Kubernetes). Without N these variables are ignored, because the
 * tasks of an array may also be whole runs. Slurm's own number of tasks is not used: it changes when a part of an array
 * is submitted again. */
#ifndef STIGMERGY_SELFPLAY_RUNS_SHARD_SPEC_H
#define STIGMERGY_SELFPLAY_RUNS_SHARD_SPEC_H

#include "selfplay/io/file.h"
#include "selfplay/record/record.h"

#include <stdint.h>

enum { SHARDS_MAX = 100000 };

typedef struct ShardSpec {
    int index; /* I */
    int count; /* N; 0: no shard, SHARD_WHOLE */
} ShardSpec;

static const ShardSpec SHARD_WHOLE = {0, 0}; /* the whole run */

/* Finds out which shard this process is. `text` is the value of --shard, NULL if it was not given. `count` is N if it
 * is known from elsewhere, otherwise 0; an N in `text` must agree with it. If N is known but no I is found, the process
 * plays the whole run, or it is an error if `needed` is set. Anything unusable is an error. */
bool shard_spec_settle(const char *text, int64_t count, bool needed, ShardSpec *out, Error *error);

static inline bool shard_spec_whole(ShardSpec shard) {
    return shard.count == 0;
}

/* Whether a task belongs to this shard. All tasks belong to the whole run. */
static inline bool shard_spec_has(ShardSpec shard, int64_t task) {
    return shard.count == 0 || task % shard.count == shard.index;
}

/* The path of a shard's file, which stands beside the run's file `path`. For "a/run.json", shard 2 of 6 and the ending
 * ".json" it is "a/run.shard-2-of-6.json". If `path` lacks the ending, the result has it all the same. For the whole
 * run it is `path` itself. False with an error if it is too long. */
bool shard_spec_path(ShardSpec shard, const char *path, const char *ending, char out[FILE_PATH_MAX], Error *error);

/* What a shell takes for the files of all shards, where shard_spec_path has a path for one: "a/run.shard-*-of-6.json".
 */
void shard_spec_pattern(ShardSpec shard, const char *path, const char *ending, char out[FILE_PATH_MAX]);

/* What one of the shards that are to be merged says of itself. */
typedef struct ShardClaim {
    const char *path;         /* of the shard's document or folder, for errors; not owned */
    char run[RECORD_RUN_MAX]; /* the identity of the run */
    ShardSpec shard;
} ShardClaim;

/* Whether these, at least one, are all shards of one run, each once. The error names what is wrong. */
bool shard_claims_check(const ShardClaim *claims, int count, Error *error);

#endif
