/* The fair-komi run: self-play games at komi values that follow what is known of the fair komi.
 *
 * For each rung of the ladder (a search effort) games are numbered from 0 and played in rounds. The komi values of a
 * round are fixed when all games before it are finished (selfplay/stats/allocation.h), and shuffled with the run's
 * seed; the seed of a game follows from the run's seed, the rung and the game's number. So the games are the same
 * however many are played side by side, and a run can be stopped at any moment and go on.
 *
 * Every finished game is appended to the record file at once, and synced to disk; what is in that file is what has been
 * played. When a session ends by itself, the file is put into the order of the games, so that equal runs end in equal
 * files.
 *
 * Several machines share a run round by round (selfplay/runs/shard_spec.h, selfplay/docs/cluster.md). The round of a
 * shared run is the next round of every rung that is not finished, all rungs at once: which of its games are whose
 * follows from the games of the rounds before, which all shards have read from the run's record file. A shard has a
 * record file of its own; a merge puts those of all shards into the run's. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H

#include "selfplay/record/record_file.h"
#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/shard_spec.h"

/* What the statistics need of a finished game. */
typedef struct KomiGame {
    uint64_t hash;  /* canonical, see selfplay/record/record.h */
    int16_t komi;   /* as planned, whether played or not */
    int16_t margin; /* as in GameResult */
    uint16_t plies;
    bool played;
} KomiGame;

typedef struct KomiRung {
    char name[24];   /* komi_config_rung_name */
    KomiGame *games; /* by number; those of all rounds that are planned */
    int planned;     /* how many */
    int played;
    int round_start, round_end; /* the games of the current round; equal: the rung is finished */
} KomiRung;

typedef struct KomiRun {
    KomiConfig config;
    char hash[20]; /* the run's identity */
    Game *game;
    int rungs;
    KomiRung rung[KOMI_RUNGS_MAX];
    ShardSpec shard;
    RecordFile records; /* those of the shard, where it is one */
} KomiRun;

/* Where a run stands, for whoever shows it. */
typedef struct KomiProgress {
    const KomiRun *run;
    int rung;
    int played, wanted; /* games of this rung; of a shard: of its share of the round */
    int played_now;     /* games of this session and rung */
    double seconds;     /* of this session and rung */
    const FairKomi
        *fair; /* the estimate of this rung, from time to time a new one; NULL before the first, in a shard */
    bool round_ended;
} KomiProgress;

typedef struct KomiSession {
    int threads;                                           /* games side by side */
    const atomic_bool *stop;                               /* set from outside to end the session soon; may be NULL */
    void (*progress)(void *user, const KomiProgress *now); /* called by one thread at a time, may be NULL */
    bool (*round_done)(void *user, const KomiRun *run, Error *error); /* after each round; may be NULL */
    void *user;
} KomiSession;

typedef enum KomiEnd { KOMI_DONE, KOMI_STOPPED, KOMI_TIME_UP, KOMI_FAILED } KomiEnd;

/* Opens or resumes a run whose records are in the file `records_path`: all records are read, checked by the rules, and
 * must belong to this run. To be closed by komi_run_close, also where it failed. */
bool komi_run_open(KomiRun *run, const KomiConfig *config, const char *records_path, Error *error);
void komi_run_close(KomiRun *run);

/* Plays until all rungs are finished, the session's time is up, or *stop. */
KomiEnd komi_run_play(KomiRun *run, const KomiSession *session, Error *error);

/* Puts the record file into the order of rungs and games. */
bool komi_run_sort_records(KomiRun *run, Error *error);

/* ---- Runs that several machines share ---- */

/* Opens a shard of a run. What all shards have played in earlier rounds is in the file `records_path`, which is only
 * read (missing: nothing); what this shard has played of the current round is in `shard_path`, from which games of
 * earlier rounds are dropped. To be closed by komi_run_close, also where it failed. */
bool komi_run_open_shard(KomiRun *run, const KomiConfig *config, ShardSpec shard, const char *records_path,
                         const char *shard_path, Error *error);

/* Settles the current round from the games that have been played: a round that is not complete, or the next one. */
bool komi_run_plan(KomiRun *run, Error *error);

/* The current round as {"800": [FROM, TO], ...}, the games FROM .. TO-1 of the rungs that are in it, empty where the
 * run is finished; the caller deletes it. How many of its games are of a shard, and how many of them are left to play.
 */
cJSON *komi_run_round(const KomiRun *run);
void komi_run_share(const KomiRun *run, ShardSpec shard, int *games, int *left);

/* Plays this shard's share of the round. */
KomiEnd komi_run_play_shard(KomiRun *run, const KomiSession *session, Error *error);

/* For a merge, in a run opened by komi_run_open and planned: enters the games of `shard`, the text of its record file
 * `path`. They are in no file of the run before komi_run_join takes the texts of all shards into it. */
bool komi_run_enter_shard(KomiRun *run, ShardSpec shard, const char *path, const char *text, size_t length,
                          Error *error);
bool komi_run_join(KomiRun *run, const char *text, size_t length, Error *error);

/* ---- Summing up ---- */

/* The games of a rung summed up by komi, ascending. Games that repeat another one of the same komi are in `games` and
 * the sums of a KomiPoint, but only once in its data, which is what the estimate is made from. */
typedef struct KomiPoint {
    KomiData data;
    int games, black_wins;
    double margin_sum, margin_squares; /* Black's margins in points, komi and button included */
    double plies;
} KomiPoint;

/* Returns the number of points, or -1 without memory; *points is to be freed. */
int komi_run_points(const KomiRun *run, int rung, KomiPoint **points, Error *error);

/* The points as the estimate and the allocation want them: returns their number, or -1 without memory; *data is to be
 * freed. */
int komi_run_data(const KomiRun *run, int rung, KomiData **data, Error *error);

/* The estimate of a rung. */
bool komi_run_estimate(const KomiRun *run, int rung, FairKomi *fair, Error *error);

#endif
