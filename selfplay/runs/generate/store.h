/* The games of a data set on disk, as they come in: complete at every moment, small in the end.
 *
 *     DIR/games.jsonl                     finished games, a line each, synced to disk one by one
 *     DIR/records/games-000000.jsonl.zst  the first GAME_STORE_BLOCK games of the run, in order, packed
 *
 * As soon as a block of games is complete it is packed, and its lines leave games.jsonl; when the run ends so does the
 * last, incomplete block, and games.jsonl is gone. So neither memory nor the time to go on with a run grows with the
 * lines that a text file would have, and equal runs end in equal files. Where several machines share a run
 * (selfplay/runs/shard_spec.h) blocks are of the games of this machine. A crash at any moment leaves every finished
 * game in one of the two places, or in both, where it counts once. Another process is kept out as long as the store is
 * open. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_STORE_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_STORE_H

#include "selfplay/io/file.h"
#include "selfplay/runs/generate/records.h"
#include "selfplay/runs/shard_spec.h"

enum { GAME_STORE_BLOCK = 256 };

typedef struct GameStore {
    char folder[FILE_PATH_MAX - 64];
    const SelfplayBoards *boards;
    ShardSpec shard;
    LineFile open;   /* games.jsonl */
    uint8_t *places; /* of each game of this shard: where it is */
    int64_t capacity;
    int64_t played;
    bool finished; /* nothing is open: the open file goes when the store is closed */
    bool torn;     /* the open file ended in a torn line, which was cut off */
    int repeated;  /* games that stood in the open file twice */
} GameStore;

/* Opens the store in `folder`, which is made where it is missing, and reads all games back: each must be one of this
 * run and shard, and is played again by the rules. To be closed by game_store_close, also where it failed;
 * zero-initialized with open.descriptor = -1 before that. `boards` must outlive it. */
bool game_store_open(GameStore *store, const char *folder, const SelfplayBoards *boards, ShardSpec shard, Error *error);
void game_store_close(GameStore *store);

/* Whether a game is there. */
bool game_store_has(const GameStore *store, int64_t number);

/* Adds a game that is not there yet; safe against a crash at any moment, one thread at a time. */
bool game_store_add(GameStore *store, int64_t number, const Game *game, const GameRecord *record, Error *error);

/* Whether a line begins with the id of its game, as the lines of a store do. */
bool game_store_takes_line(const char *line);

/* The same as game_store_add for such a line (without a newline) that is kept elsewhere too: without waiting for the
 * disk. */
bool game_store_add_line(GameStore *store, int64_t number, const char *line, size_t length, Error *error);

/* Packs what is still open. Other processes are kept out until the store is closed. */
bool game_store_finish(GameStore *store, Error *error);

#endif
