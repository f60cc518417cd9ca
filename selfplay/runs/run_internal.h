/* What the parts of a run know of each other: run.c makes it and has its games, rounds.c plans, records.c reads back,
 * play.c plays. */
#ifndef STIGMERGY_SELFPLAY_RUNS_RUN_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_RUN_INTERNAL_H

#include "selfplay/runs/run.h"

/* Whether a game has been played, wherever it is kept. */
bool run_has_game(const Run *run, GameId id);

/* Makes room for the games below number `end` of a group, while other threads may look for games: nothing moves. */
bool run_make_room(RunGroup *group, int end, Error *error);

/* Settles the current round of a group, as run_plan does for all. */
bool run_settle(Run *run, int group, int shards, Error *error);

/* Plans the next round of a group whose rounds grow; all games planned so far have been played. */
bool run_grow(Run *run, int group, Error *error);

/* Whether a game is of the current round and of a shard. */
bool run_is_of_share(const Run *run, ShardSpec shard, GameId id);

/* Adds the games of a shard in the current round of a group, and those of them that are left to play. */
void run_count_share(const Run *run, ShardSpec shard, int group, int *games, int *left);

/* How a planned game begins, in a kind that plans by results. */
RunStart run_start(const Run *run, GameId id);

/* Enters a game in its place, for which there is room; `wanted` as in RunKind.count. */
void run_enter_game(Run *run, GameId id, const GameRecord *record, bool *wanted);

#endif
