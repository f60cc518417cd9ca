/* A kind of run, as run.h plays it: what a kind supplies, and what it can use. */
#ifndef STIGMERGY_SELFPLAY_RUNS_RUN_KIND_H
#define STIGMERGY_SELFPLAY_RUNS_RUN_KIND_H

#include "selfplay/io/document.h"
#include "selfplay/players/contest.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/record/record_file.h"
#include "selfplay/runs/config.h"
#include "selfplay/runs/opening.h"

typedef struct Run Run;
typedef struct RunWorker RunWorker;

enum {
    RUN_BLOCKS = 25,   /* each twice as large as the one before; together they have room for any game number */
    RUN_SEATS_MAX = 32 /* players or boards of a run */
};

/* ---- Games ---- */

/* What the statistics need to know about a game. */
typedef struct RunGame {
    uint64_t hash;           /* canonical, see selfplay/record/record.h */
    uint64_t opening;        /* hash of komi and opening */
    uint64_t simulations[2]; /* by side */
    uint16_t moves[2];       /* moves that were searched, by side */
    int32_t plan;            /* what its round has planned for it, played or not; the kind says what the number means */
    uint16_t turns, actions;
    int16_t komi;               /* with which it was played */
    int16_t margin_half_points; /* as in GameResult */
    uint8_t winner, reason;     /* a Side, an EndReason */
    bool played;
} RunGame;

/* Games that are numbered together. */
typedef struct RunGroup {
    char name[RUN_GROUP_MAX];    /* the GROUP in the names of games */
    uint64_t seed;               /* set by `begin` from the run's seed; the seeds of the games follow (run_seed) */
    RunGame *blocks[RUN_BLOCKS]; /* of games; they stay where they are while threads play */
    int room;                    /* for the games with numbers below this */
    int planned; /* plans by results: rounds have been planned for the numbers below this. By number: 0 */
    int played;  /* games */
    int round_start, round_end; /* the numbers of the current round; equal: the group is finished */
} RunGroup;

/* How a game begins that its round has planned, and who plays it. */
typedef struct RunStart {
    Opening opening; /* its komi and its actions */
    /* By side, settled. In all games of a round a side has the same player: each thread makes its search once. Only the
     * limits for a move may differ. */
    Player players[2];
    bool plays_itself; /* both are one player, who plays on one search */
} RunStart;

/* ---- Kinds ---- */

/* A kind of run consists of a RunKind, one of the two plans, a store if it keeps no record file, and a RunReread if
 * finished runs are read again. All functions must be there except those that say when they may be NULL.
 *
 * A kind that plans by results plays its groups one by one, each round after round (shards: a round of all groups). A
 * kind that plans by number plays all groups side by side, and `plan` gives them the same numbers. */

/* Plans by results: each round of a group follows from the games of its earlier rounds. */
typedef struct RunPlanByResults {
    /* Plans the next round of a group. Returns an array of *count entries, which the caller frees: entry i is the
     * number of games of plan *lowest + i. NULL with an error. `size` is how many games the usual round would have
     * (first_round in config.h); it may share out another number, and with no game at all the group is finished. It is
     * called once for each round that has games, in order, and again when the games are read back, so it must plan the
     * same round from the same games. It may change the kind's state. If it may take long, it looks at Run.stop and
     * Run.deadline and gives up soon, with an error, and leaves the state as it was. After the last round it may be
     * called any number of times, and must share out nothing and leave the state alone. */
    int *(*share_out)(Run *run, int group, int size, int *lowest, int *count, Error *error);
    /* Sets *enough, which is false before, to true where a group that has games needs no more. */
    bool (*enough)(const Run *run, int group, bool *enough, Error *error);
    /* Says how a game begins, by RunGame.plan and the game's seed. *start is all zeros before. The run plays the game,
     * and compares with it the games that it reads back. Called by several threads at once, while `count` and the
     * session's `progress` may run in another one. So it may read what stays the same while a round is played: the
     * settings, the game, what `begin` and `share_out` have made, run_seed, and the plan of its own game. It must not
     * read results of games nor what `count` changes. */
    void (*start)(const Run *run, GameId id, RunStart *start);
} RunPlanByResults;

/* Plans by number: what is played follows from the group and the number of a game alone. */
typedef struct RunPlanByNumber {
    int task_games;         /* games of a task: 1, or 2 for pairs */
    const char *tasks_name; /* what documents call the tasks of a round: "pairs" */
    /* Sets the numbers of the games of the round that is to be played now, *start to *end - 1: the one that is not
     * complete, or the next. Called before the first round and after each, and perhaps twice for one, so it follows
     * from what has been played. When nothing is left, *start and *end are equal, which ends the run. `shards` is how
     * many shards play the round, 0 for one process. */
    void (*plan)(const Run *run, int group, int shards, int *start, int *end);
    /* Plays the games of the task that begins with `first`. For each game that has not been played it fills in the
     * worker's record and passes the end of the contest to run_finish. Called by several threads at once, and may read
     * what RunPlanByResults.start may, and which of its own games are played. False with an error. */
    bool (*play)(RunWorker *worker, GameId first, Error *error);
    /* The name of the player who has a side in a game, and whether a game that was read back is one that this run could
     * have played; `source` names the file in errors. Both are NULL in a kind with a store. */
    const char *(*player)(const Run *run, GameId id, Side side);
    bool (*check)(const Run *run, const char *source, GameId id, const GameRecord *record, Error *error);
} RunPlanByNumber;

/* How a finished run of any version of the program is read again (reread.h). The kind plans by results. */
typedef struct RunReread {
    bool needs_no_games; /* a document that counts none is fine */
    /* Adds the players' effort to settings, as a configuration says it. */
    void (*add_effort)(cJSON *settings, const cJSON *document);
    /* Opens the games at `records` by run_open_to_read. Where that fails, they are opened by run_open_played instead.
     * NULL where it does not matter which rounds this version would plan. */
    bool (*open_planned)(Run *run, const cJSON *document, const char *records, Error *error);
    /* Before run_open_played: takes from the document what is in no record, beside what RunKind.resume takes. False
     * with an error if it is damaged. */
    bool (*take_over)(Run *run, const cJSON *document, Error *error);
    /* For run_open_played: *plan becomes what a round has planned for this game (RunGame.plan), by its record alone.
     * The game was played to its end. */
    bool (*plan_of)(const Run *run, const char *source, GameId id, const GameRecord *record, int *plan, Error *error);
    /* And what is left to do after the last game. NULL: nothing. */
    bool (*settle)(Run *run, Error *error);
} RunReread;

/* Keeps the games elsewhere than in a record file. Called by one thread at a time, while others play. */
typedef struct RunStore {
    bool (*has)(const Run *run, GameId id); /* whether a game is there */
    bool (*write)(Run *run, GameId id, const GameRecord *record, Error *error);
    /* For run_close and again for run_free, also where `begin` failed half-way: it must bear a second call. */
    bool (*close)(Run *run, Error *error);
} RunStore;

typedef struct RunKind {
    const RunConfigKind *config; /* of its settings */
    DocumentSchema schema;
    size_t state_size; /* of the kind's own part of a run, zero-initialized */
    /* Whether groups are efforts, and another session may ask for other ones. Then games of such a group are kept. */
    bool has_ladder;
    const char *groups_name; /* what follows the name of a group in words if groups are no efforts: "komi" */

    const RunPlanByResults *by_results; /* one of these two, */
    const RunPlanByNumber *by_number;   /* the other one is NULL */
    const RunStore *store;              /* NULL: a record file */
    const RunReread *reread;            /* NULL: no finished run is read again */

    /* Completes a run whose configuration has been checked and whose game, in a kind without a store, has been made:
     * adds the groups. False with an error. */
    bool (*begin)(Run *run, Error *error);
    /* Frees what the kind's own part holds, also where `begin` failed half-way; NULL: nothing. */
    void (*close)(Run *run);
    /* Whether games can be played at all; NULL: they can. */
    bool (*rehearse)(const Run *run, Error *error);

    /* Counts a game after it was entered as *game. `wanted` is NULL if the game was read from a file. If it was just
     * played, *wanted is true; a kind that plans by number may set it to false, and `plan` then leaves nothing to play:
     * the games that are being played are given up. (A kind that plans by results ends between rounds, by `enough`. A
     * shard ignores *wanted: it plays its whole share.) Called by one thread at a time, while others play. Not called
     * in a kind with a store. NULL: nothing to do. */
    void (*count)(Run *run, GameId id, const GameRecord *record, RunGame *game, bool *wanted);
    /* The games of a group that count in the end are those below this number; NULL: all. What this session has played
     * beyond it is dropped when the records are sorted. */
    int (*end_of)(const Run *run, int group);
    /* If groups are played one by one and the time of a session is limited: how much of it a group gets, in relation to
     * the others. NULL: all get the same. */
    double (*time_weight)(const Run *run, int group);

    /* The result document, which the caller deletes; NULL with an error. A kind with a store makes its document itself,
     * and has NULL here and no schema. */
    cJSON *(*document)(const Run *run, const DocumentContext *context, Error *error);
    /* The array `timing`, which is in the document but in no record. add_timing adds the array of another document, as
     * a merge does, or NULL for none. NULL: there is no such array. */
    cJSON *(*timing)(const Run *run);
    void (*add_timing)(Run *run, const cJSON *array);
    /* Takes from the document of a run that goes on what else is in no record. False with an error if it is damaged.
     * NULL: there is nothing. */
    bool (*resume)(Run *run, const cJSON *document, Error *error);
} RunKind;

/* ---- For the kinds ---- */

/* Adds a group and returns it; NULL without memory. The pointer is valid until the next run_add_group. The seed should
 * follow from the run's, and differ from those of the other groups. */
RunGroup *run_add_group(Run *run, const char *name, uint64_t seed, Error *error);

/* run_place returns the place of a game; NULL, or an empty place, for one that no round has planned. run_game returns
 * the game, NULL if it has not been played. */
RunGame *run_place(const Run *run, GameId id);
const RunGame *run_game(const Run *run, GameId id);

/* Lists the games of a group that count, sorted by plan and then by hash. Returns their number, or -1 without memory.
 * The caller frees *games. run_repeats tells whether game i of such a list repeats the one before it. */
int run_sorted_games(const Run *run, int group, const RunGame ***games, Error *error);
bool run_repeats(const RunGame *const *games, int i);

/* How many games a task has: one, where the plan does not say otherwise. */
static inline int run_task_games(const RunKind *kind) {
    return kind->by_number ? kind->by_number->task_games : 1;
}

/* The numbers of the games of a group that count are below this. */
int run_end_of(const Run *run, int group);

/* The seed of a game: it follows from its group's and its number. */
uint64_t run_seed(const Run *run, GameId id);

/* The name of a first move. */
void run_format_first(const Run *run, int komi, Action action, char out[GAME_TEXT_MAX]);

/* A hash of komi and opening of a game. */
uint64_t run_opening_hash(const GameRecord *record);

/* Begins a document: schema, the `keys` of the identity (up to NULL), the identity itself, the context. */
cJSON *run_begin_document(const Run *run, const DocumentContext *context, const char *const *keys);

/* What a thread keeps from game to game. It is freed with the thread. */
struct RunWorker {
    const Run *run;
    GamePool *pool;
    GameRecord record;
    RunStart start;            /* of the game that is played */
    Seat seats[RUN_SEATS_MAX]; /* as the kind numbers its players or boards; made when they are first needed */
    Search *referees[RUN_SEATS_MAX];
};

/* The seat `number` (a player with its search), made where it is missing; and a referee, the search that judges
 * openings (opening.h). NULL with an error. The search of a seat and a referee stay, so a number always stands for the
 * same player and the same game; `number` is below RUN_SEATS_MAX. `player` must last until the game has been played. A
 * kind with external engines sets seats[number].engine before it asks for the seat; the worker then owns the engine. */
Seat *run_seat(RunWorker *worker, int number, const Player *player, const Game *game, Error *error);
Search *run_referee(RunWorker *worker, int number, const Game *game, Error *error);

/* Sets up the worker's record: name, run, seed, the players of Black and White, komi and actions of an opening. */
bool run_begin_record(RunWorker *worker, GameId id, const Opening *opening, const char *const players[2], Error *error);

/* Plays the game of the worker's record and calls run_finish. */
bool run_contest(RunWorker *worker, GameId id, Seat *black, Seat *white, Error *error);

/* Passes the worker's record on if its game is finished. False only if `end` is CONTEST_FAILED. If it cannot be
 * written, the pool ends by itself (pool_finish). Then, and when no more games are wanted, the game is not stored. */
bool run_finish(RunWorker *worker, GameId id, ContestEnd end);

#endif
