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
 * caller sorts the file by group and number (run_sort_records): equal runs leave equal files. The document follows
 * from the games and from the rounds in which they were played (reread.h).
 *
 * Several machines share a run round by round (shard_spec.h, selfplay/docs/cluster.md). A shard reads the games of
 * earlier rounds from the run's record file, plans the next round, and plays every N-th task of it into a record file
 * of its own. A merge (merge.h) joins the files of all shards to that of the run. Then the next round follows.
 *
 * A kind supplies what differs, in a RunKind (run_kind.h): its groups, the plan of a round, how a game begins or is
 * played, what counts in a record, and the document. selfplay/README.md says how to add a kind.
 *
 * The self-play run (generate/) keeps its games in packed blocks instead of a record file (RunStore), and has a
 * document of its own. Its groups, tasks, threads and shards are those of every run. */
#ifndef STIGMERGY_SELFPLAY_RUNS_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_RUN_H

#include "selfplay/runs/run_kind.h"
#include "selfplay/runs/shard_spec.h"

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
    /* Set from outside to end the session soon, also while the run is opened or a round is planned: what fails after
     * that counts as stopped. NULL, as run_new leaves it: nothing does. */
    const StopFlag *stop;
    double deadline;    /* of wall_seconds, of the group that is played; 0: none. run_play sets it */
    RecordFile records; /* those of the shard, where it is one */
    int kept_aside;     /* games of groups that do not count in this session, in a file that is only read */
    int dealt_away;     /* games in the records of a shard that other shards play now, because the settings changed */
    bool keeps_all;     /* more games were found than count, as where a test was added later: none is dropped */
    bool drops_rest;    /* but of this test its document says that it has found no such games; set by RunKind.resume */
    Error damage;       /* what is wrong with its document, see run_resume; "" for nothing */
    int64_t documented; /* the games that its document counts, of all rungs of a ladder; -1: there is no document */
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

/* The same, but nobody has locked the file `path`, which is only read (run->records stays empty), and the rounds are
 * planned as far as the run had come when it ended. `planned_after` says for each group from how many games its last
 * round was planned, or -1 if none was. If it is NULL, nobody knows: then as far as a run comes that nothing but its
 * number of games or Ctrl-C ends. */
bool run_open_to_read(Run *run, const char *path, const int *planned_after, Error *error);

/* Opens the games of a finished run of any version of the program, whose identity is `hash`; for kinds that have a
 * RunReread. They are in the file `path`, which is only read. Each game is checked by the rules. It need not be one
 * that this version would have planned. The run can make its document, and plays nothing. */
bool run_open_played(Run *run, const char *path, const char *hash, Error *error);

/* Opens a shard. What all shards have played in earlier rounds is in the file `path`, which is only read (missing:
 * nothing); what this shard has played of the current round is in its own, from which games of earlier rounds are
 * dropped. Games of this round that are dealt to other shards stay there until run_sort_records: with the settings of
 * before they would be its own. */
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
    int threads; /* tasks side by side */
    /* After every game and round, called by one thread at a time, while others play; may be NULL. False with an error
     * ends the session. */
    bool (*progress)(void *user, const RunProgress *now, Error *error);
    void *user;
} RunSession;

typedef enum RunEnd { RUN_DONE, RUN_STOPPED, RUN_TIME_UP, RUN_FAILED } RunEnd;

/* Plays until the run is finished (a shard: its share of the round), the session's time is up, or run->stop is set. */
RunEnd run_play(Run *run, const RunSession *session, Error *error);

/* Puts the record file into the order of groups and games. */
bool run_sort_records(Run *run, Error *error);

/* Writes the result document to a file, whole. */
bool run_write(const Run *run, const DocumentContext *context, const char *path, Error *error);

/* The number of games of all groups that have been played, and of those that count. */
int run_played(const Run *run);
int run_counted(const Run *run);

/* The games that the document of a run counts, of all rungs of a ladder. */
int64_t run_games_of(const cJSON *document);

/* ---- Rounds that several machines share ---- */

/* Sets the current round for this number of shards (0: one process) from the games that have been played. It is the
 * round that is not complete, or the next one. */
bool run_plan(Run *run, int shards, Error *error);

/* The current round as {"800": [FROM, TO], ...}, the tasks FROM .. TO-1 of each group that is in it, or as {"pairs":
 * [FROM, TO]} where groups are played side by side; empty where the run is finished. A task is one game, or a pair of
 * games: task t begins with game t * run_task_games(kind). The caller deletes it. */
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

#endif
