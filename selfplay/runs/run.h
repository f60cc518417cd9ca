/* A run: many games between players, and a document of what they show. All kinds of runs work as described here.
 *
 * The settings (config.h) that decide the games are the identity of a run. The same settings and the same program play
 * the same games, on any number of threads and machines and after any interruption, because every game follows from
 * numbers alone (unless a player has a limit of time or several search threads, or is an external engine). Games are in
 * *groups*: the rungs of a ladder, the pairings of a match. In each group they are numbered from 0. The seed of a game
 * follows from the run's seed, its group and its number. A GameId holds group and number; the name GROUP-NUMBER in
 * records ("800-17") is made and read in one place, record_file.h.
 *
 * Games are played in *rounds*. A round is planned when all games before it are finished, from their results: it says
 * which komi values or which first moves are played. The order within a round does not matter, so the threads of a pool
 * (game_pool.h) play its games side by side. What a thread plays in one go is a *task*: a game, or the two games of a
 * pair. Every finished game is appended to the record file and synced to disk at once.
 *
 * The record file is all that a run remembers. To resume, the run reads the file, checks every game by the rules, and
 * plans the same rounds again. So it makes no difference how the last session ended. After run_play has ended, its
 * caller sorts the file by group and number (run_sort_records): equal runs leave equal files. The document is made from
 * the games alone.
 *
 * Several machines share a run round by round (shard_spec.h, selfplay/docs/cluster.md). A shard reads the games of
 * earlier rounds from the run's record file, plans the next round, and plays every N-th task of it into a record file
 * of its own. A merge (merge.h) joins the files of all shards to that of the run. Then the next round follows.
 *
 * A kind supplies what differs, in a RunKind: its groups, the plan of a round, how a game begins or is played, what
 * counts in a record, and the document. There are two ways to plan (RunPlanByResults, RunPlanByNumber).
 * selfplay/README.md says how to add a kind.
 *
 * The self-play run (generate/) keeps its games in packed blocks instead of a record file (RunStore), and has a
 * document of its own. Its groups, tasks, threads and shards are those of every run. */
#ifndef STIGMERGY_SELFPLAY_RUNS_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_RUN_H

#include "selfplay/io/document.h"
#include "selfplay/players/contest.h"
#include "selfplay/players/game_pool.h"
#include "selfplay/record/record_file.h"
#include "selfplay/runs/config.h"
#include "selfplay/runs/shard_spec.h"

typedef struct Run Run;
typedef struct RunWorker RunWorker;

enum {
    RUN_BLOCKS = 25,     /* each twice as large as the one before; together they have room for any game number */
    RUN_SEATS_MAX = 32,  /* players or boards of a run */
    RUN_OPENING_MAX = 64 /* actions */
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
    int planned; /* plans by results: the numbers below this are planned; by number: there is room for those below */
    int played;  /* games */
    int round_start, round_end; /* the numbers of the current round; equal: the group is finished */
} RunGroup;

/* How a game begins that its round has planned, and who plays it. */
typedef struct RunStart {
    int komi;
    int opening_actions; /* of `opening` */
    Action opening[RUN_OPENING_MAX];
    /* By side, settled. In all games of a round a side has the same player: each thread makes its search once. Only the
     * limits for a move may differ. */
    Player players[2];
    bool plays_itself; /* both are one player, who plays on one search */
} RunStart;

/* ---- Kinds ---- */

/* A kind of run consists of a RunKind, one of the two plans, and a store if it keeps no record file. All functions must
 * be there except those that say when they may be NULL.
 *
 * A kind that plans by results plays its groups one by one, each round after round (shards: a round of all groups), and
 * has a task_games of 1, which run_new checks. A kind that plans by number plays all groups side by side, and `plan`
 * gives them the same numbers. */

/* Plans by results: each round of a group follows from the games of its earlier rounds. */
typedef struct RunPlanByResults {
    /* Plans the next round of a group. Returns an array of *count entries, which the caller frees: entry i is the
     * number of games of plan *lowest + i. NULL with an error. `size` is how many games the usual round would have
     * (first_round in config.h); it may share out another number, and with no game at all the group is finished. It is
     * called once for each round that has games, in order, and again when the games are read back, so it must plan the
     * same round from the same games. It may change the kind's state. After the last round it may be called any number
     * of times, and must share out nothing and leave the state alone. */
    int *(*share_out)(Run *run, int group, int size, int *lowest, int *count, Error *error);
    /* Sets *enough, which is false before, to true where a group that has games needs no more. */
    bool (*enough)(const Run *run, int group, bool *enough, Error *error);
    /* Says how a game begins, by RunGame.plan and the game's seed. *start is all zeros before. The run plays the game,
     * and compares with it the games that it reads back. Called by several threads at once, while `count` and the
     * session's `progress` may run in another one. So it may read what stays the same while a round is played: the
     * settings, the game, what `begin` and `share_out` have made, run_seed, and the plan of its own game. It must not
     * read results of games nor what `count` changes. */
    void (*start)(const Run *run, GameId id, RunStart *start);

    /* For run_open_played: *plan becomes what a round has planned for this game (RunGame.plan), by its record alone.
     * The game was played to its end. NULL in a kind that nobody opens in that way. */
    bool (*plan_of)(const Run *run, const char *source, GameId id, const GameRecord *record, int *plan, Error *error);
    /* What is left to do after it, where the document does not follow from the games alone; NULL: nothing. */
    bool (*settle_played)(Run *run, Error *error);
} RunPlanByResults;

/* Plans by number: what is played follows from the group and the number of a game alone. */
typedef struct RunPlanByNumber {
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

/* Keeps the games elsewhere than in a record file. Called by one thread at a time, while others play. */
typedef struct RunStore {
    bool (*has)(const Run *run, GameId id); /* whether a game is there */
    bool (*write)(Run *run, GameId id, const GameRecord *record, Error *error);
    /* For run_close and again for run_free, also where `begin` failed half-way: it must bear a second call. */
    bool (*close)(Run *run, Error *error);
} RunStore;

typedef struct RunKind {
    DocumentSchema schema;
    size_t state_size; /* of the kind's own part of a run, zero-initialized */
    int task_games;    /* games of a task: 1, or 2 for pairs */
    /* Whether groups are efforts, and another session may ask for other ones. Then games of such a group are kept. */
    bool has_ladder;
    const char *groups_name; /* what follows the name of a group in words if groups are no efforts: "komi" */
    const char *tasks_name;  /* what documents call the tasks of a round: "pairs"; not used by a kind with by_results */

    const RunPlanByResults *by_results; /* one of these two, */
    const RunPlanByNumber *by_number;   /* the other one is NULL */
    const RunStore *store;              /* NULL: a record file */

    /* Completes a run whose configuration has been checked and whose game, in a kind without a store, has been made:
     * adds the groups. False with an error. */
    bool (*begin)(Run *run, Error *error);
    /* Frees what the kind's own part holds, also where `begin` failed half-way; NULL: nothing. */
    void (*close)(Run *run);
    /* Whether games can be played at all; NULL: they can. */
    bool (*rehearse)(const Run *run, Error *error);

    /* Counts a game after it was entered as *game. `now` is true if it was just played, false if it was read from a
     * file. In a kind that plans by number it may set *wanted to false, and `plan` then leaves nothing to play: the
     * games that are being played are given up. (A kind that plans by results ends between rounds, by `enough`. A shard
     * ignores *wanted: it plays its whole share.) Called by one thread at a time, while others play. Not called in a
     * kind with a store. NULL: nothing to do. */
    void (*count)(Run *run, GameId id, const GameRecord *record, RunGame *game, bool now, bool *wanted);
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

struct Run {
    const RunKind *kind;
    RunConfig *config;         /* a copy, owned */
    void *state;               /* the kind's own, owned */
    char hash[RECORD_RUN_MAX]; /* the run's identity */
    Game *game;                /* NULL in a kind with several, which must have a store */
    PlayerNetworks *networks;  /* of all players, shared by the threads */
    RunGroup *groups;
    int group_count, group_capacity;
    ShardSpec shard;
    RecordFile records; /* those of the shard, where it is one */
    bool keeps_all;     /* more games were found than count, as where a test was added later: none is dropped */
    Error damage;       /* what is wrong with its document, see run_resume; "" for nothing */
    int documented;     /* the games that its document counts, of all rungs of a ladder */
};

/* ---- The life of a run ----
 *
 * These are called in this order (tools/cli/run_session.c does so):
 *   run_new, run_claim, run_open, run_set_aside    make the run, and find what there is of it;
 *   run_write                                      so that an output that cannot be written is found now;
 *   run_play                                       plays; its `progress` may call run_write from time to time;
 *   run_sort_records                               if it was not stopped and did not fail;
 *   run_write                                      also if it failed, for what is in no record;
 *   run_close, run_free                            in any case.
 * A shard calls run_open_shard instead of run_open, and writes a document of its own (shard_document.h) instead of
 * calling run_write. A kind with a store has functions of its own for what it keeps (generate/run.h). Such a kind calls
 * none of those from run_claim to run_set_aside, nor run_sort_records or run_write. */

/* Makes a run of a copy of the settings, which it checks (run_config_check). It must still be opened. `shard` is the
 * part that this process plays. NULL with an error. To be freed by run_free. */
Run *run_new(const RunKind *kind, const RunConfig *config, ShardSpec shard, Error *error);

/* Closes the files of a run that is over. False with an error if something may not be on the disk. run_free closes them
 * too, but cannot say so. */
bool run_close(Run *run, Error *error);
void run_free(Run *run);

/* Opens the record file (of a shard its own), creates it if it is missing, and locks it: from then on no other process
 * plays the run or merges into it. */
bool run_lock(Run *run, const char *records, Error *error);

/* Checks that the document at `path`, if there is one, is of this kind and this run, and takes over what is in no
 * record. *context must hold document_context() before, and stays so where there is no document that can be read. The
 * error names what differs, or that the file of its games is gone. A document that is damaged (document_resume) is no
 * error yet: run->damage says what is wrong. */
bool run_resume(Run *run, const char *path, DocumentContext *context, Error *error);

/* run_lock, then run_resume, as a session or a merge begins: what the document says holds only once no other process
 * can write it. But a document of another run is refused before that, so that no record file is made beside it. */
bool run_claim(Run *run, const char *path, const char *records, DocumentContext *context, Error *error);

/* To be called when the run is open: whether it can go on with the games that were found. False with an error if there
 * are none although its document at `path` counts some or is damaged. */
bool run_check_found(const Run *run, const char *path, Error *error);

/* The same. If the document is damaged but the records have games, which are all that a run needs, keeps a copy of the
 * document and says so in run->damage. The next run_write makes the document again; beside a shard, which does not
 * write it, the next merge does. */
bool run_set_aside(Run *run, const char *path, Error *error);

/* Opens the records of a whole run: all are read, checked by the rules, and must belong to this run. run_open_to_merge
 * does not check whether games can be played here. */
bool run_open(Run *run, Error *error);
bool run_open_to_merge(Run *run, Error *error);

/* The same, but nobody has locked the file `path`, which is only read (run->records says only how many games are kept),
 * and the rounds are planned as far as the run had come when it ended. `planned_after` says for each group from how
 * many games its last round was planned, or -1 if none was. If it is NULL, nobody knows: then as far as a run comes
 * that nothing but its number of games or Ctrl-C ends. */
bool run_open_to_read(Run *run, const char *path, const int *planned_after, Error *error);

/* Opens the games of a finished run of any version of the program, whose identity is `hash`; for kinds that have
 * `plan_of`. They are in the file `path`, which is only read. Each game is checked by the rules. It need not be one
 * that this version would have planned. The run can make its document, and plays nothing. */
bool run_open_played(Run *run, const char *path, const char *hash, Error *error);

/* Opens a shard. What all shards have played in earlier rounds is in the file `path`, which is only read (missing:
 * nothing); what this shard has played of the current round is in its own, from which games of earlier rounds are
 * dropped. */
bool run_open_shard(Run *run, const char *path, Error *error);

/* Where a run stands, after a game or a round. */
typedef struct RunProgress {
    const Run *run;
    int group;                /* the group that is played; -1: all of them side by side */
    int played;               /* games played: in the group or in all; in a shard, in its share of the round */
    int64_t wanted;           /* how many games that will be; 0: no limit */
    int played_now;           /* in this session */
    double seconds;           /* of this session */
    const GameRecord *record; /* of the game that has ended; NULL: a round has ended */
} RunProgress;

typedef struct RunSession {
    int threads;          /* tasks side by side */
    const StopFlag *stop; /* set from outside to end the session soon; may be NULL */
    /* After every game and round, called by one thread at a time, while others play; may be NULL. False with an error
     * ends the session. */
    bool (*progress)(void *user, const RunProgress *now, Error *error);
    void *user;
} RunSession;

typedef enum RunEnd { RUN_DONE, RUN_STOPPED, RUN_TIME_UP, RUN_FAILED } RunEnd;

/* Plays until the run is finished (a shard: its share of the round), the session's time is up, or *stop. */
RunEnd run_play(Run *run, const RunSession *session, Error *error);

/* Puts the record file into the order of groups and games. */
bool run_sort_records(Run *run, Error *error);

/* Writes the result document to a file, whole. */
bool run_write(const Run *run, const DocumentContext *context, const char *path, Error *error);

/* The number of games of all groups that have been played, and of those that count. */
int run_played(const Run *run);
int run_counted(const Run *run);

/* The games that the document of a run counts, of all rungs of a ladder. */
int run_games_of(const cJSON *document);

/* ---- Rounds that several machines share ---- */

/* Sets the current round for this number of shards (0: one process) from the games that have been played. It is the
 * round that is not complete, or the next one. */
bool run_plan(Run *run, int shards, Error *error);

/* The current round as {"800": [FROM, TO], ...}, the tasks FROM .. TO-1 of each group that is in it, or as {"pairs":
 * [FROM, TO]} where groups are played side by side; empty where the run is finished. A task is one game, or a pair of
 * games: task t begins with game t * RunKind.task_games. The caller deletes it. */
cJSON *run_round(const Run *run);

/* Whether all games of a round that run_round named once have been played; the run is planned. */
bool run_has_round(const Run *run, const cJSON *round);

/* How many games of a group are left to play, in a planned run of one process. A kind that plans by results may need
 * fewer of them. */
int64_t run_left(const Run *run, int group);

/* How many games of the current round belong to a shard, and how many of them are left to play. */
void run_share(const Run *run, ShardSpec shard, int *games, int *left);

/* For a merge, in a planned run: enters the games of `shard`, the text of its record file `path`. They are in no file
 * of the run before run_join takes the texts of all shards into it. */
bool run_enter_shard(Run *run, ShardSpec shard, const char *path, const char *text, size_t length, Error *error);
bool run_join(Run *run, const char *text, size_t length, Error *error);

/* ---- For the kinds ---- */

/* Adds a group and returns it; NULL without memory. The pointer is valid until the next run_add_group. The seed should
 * follow from the run's, and differ from those of the other groups. */
RunGroup *run_add_group(Run *run, const char *name, uint64_t seed, Error *error);

/* run_place returns the place of a game of a planned round; for other numbers NULL or a place that means nothing (see
 * RunGroup.planned). run_game returns the game, NULL if it has not been played. */
RunGame *run_place(const Run *run, GameId id);
const RunGame *run_game(const Run *run, GameId id);

/* Lists the games of a group that count, sorted by plan and then by hash. Returns their number, or -1 without memory.
 * The caller frees *games. run_repeats tells whether game i of such a list repeats the one before it. */
int run_sorted_games(const Run *run, int group, const RunGame ***games, Error *error);
bool run_repeats(const RunGame *const *games, int i);

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

/* Sets up the worker's record: name, run, komi, seed, the players of Black and White, the actions of an opening. */
bool run_begin_record(RunWorker *worker, GameId id, int komi, uint64_t seed, const char *const players[2],
                      const Action *opening, int count, Error *error);

/* Plays the game of the worker's record and calls run_finish. */
bool run_contest(RunWorker *worker, GameId id, Seat *black, Seat *white, Error *error);

/* Passes the worker's record on if its game is finished. False only if `end` is CONTEST_FAILED. If it cannot be
 * written, the pool ends by itself (pool_finish). Then, and when no more games are wanted, the game is not stored. */
bool run_finish(RunWorker *worker, GameId id, ContestEnd end);

#endif
