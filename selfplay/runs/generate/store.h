/* The games of a data set on disk while they are played: complete at every moment, and small in the end.
 *
 *     DIR/games.jsonl                     finished games, a line each, synced to disk one by one
 *     DIR/records/games-000000.jsonl.zst  the first GAME_STORE_BLOCK games of the run, in order, packed
 *
 * When a block of games is complete, it is packed, and its lines are removed from games.jsonl. At the end of the run
 * the last, incomplete block is packed too, and games.jsonl is removed. So equal runs end with equal files, and a long
 * run needs no more memory to be resumed than a short one. If several machines share a run
 * (selfplay/runs/shard_spec.h), the blocks hold the games of this machine. After a crash at any moment every finished
 * game is in one of the two places, or in both; then it counts once. Games that are taken over from elsewhere stay in
 * memory until their block is complete (one with games in games.jsonl too: until the end), and games.jsonl is not
 * touched: if they are lost, they are taken over again.
 * While the store is open, no other process can use it. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_STORE_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_STORE_H

#include "selfplay/io/line_file.h"
#include "selfplay/runs/generate/records.h"
#include "selfplay/runs/shard_spec.h"

enum { GAME_STORE_BLOCK = 256 };

typedef struct GameStore {
    char folder[FILE_PATH_MAX - 64];
    const SelfplayBoards *boards;
    ShardSpec shard;
    LineFile open;   /* games.jsonl */
    uint8_t *places; /* of each game of this shard: where it is, */
    char **taken;    /* and its line, where it was taken over and is not packed yet */
    int64_t capacity;
    int64_t games, end; /* how many the run has, and the number after that of the last game that was read */
    int64_t played;
    bool torn;                      /* the open file ended in a torn line, which was cut off */
    int repeated;                   /* games that stood in the open file twice */
    bool made_folder, made_records; /* these folders were not there before */
} GameStore;

/* Opens the store in `folder`, which is made if it is missing, and reads all games back. Each game must be of this run
 * and shard, and is played again by the rules. A game whose number is not below `games`, the number of games of the
 * run, is not entered: `end` tells that there is one. Before the call the store must be zero-initialized with
 * open.descriptor = -1. After it, also if it failed, game_store_close closes the store. `boards` must outlive it.
 *
 * game_store_close removes the open file if it has no games, for it does not belong to a complete set, and the folders
 * that were made and stayed empty. False with an error if that file cannot be removed, or if something may not be on
 * the disk. */
bool game_store_open(GameStore *store, const char *folder, const SelfplayBoards *boards, ShardSpec shard, int64_t games,
                     Error *error);
bool game_store_close(GameStore *store, Error *error);

/* Whether a game is there. */
bool game_store_has(const GameStore *store, int64_t number);

/* Adds a game that is not there yet; safe against a crash at any moment, one thread at a time. */
bool game_store_add(GameStore *store, int64_t number, const Game *game, const GameRecord *record, Error *error);

/* Takes over the game of a line that begins with its name (selfplay_line_number; without a newline), which is kept in
 * another file too: it may not be on the disk before game_store_finish. Lines that were written without a sync for each
 * could be damaged by a crash anywhere. */
bool game_store_take_line(GameStore *store, int64_t number, const char *line, size_t length, Error *error);

/* Packs what is still open. Other processes are kept out until the store is closed. */
bool game_store_finish(GameStore *store, Error *error);

#endif
