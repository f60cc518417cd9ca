/* A run of openings: self-play games from each first move, to learn which is how good and which the fairest.
 *
 * First moves that a symmetry of the board takes into each other are one *class*; its games begin with its first member
 * in the order of the actions. Games are numbered from 0 and played in rounds. Which classes the games of a round begin
 * with is fixed when all games before it are finished (fairest.h), and shuffled with the run's seed; the seed
 * of a game follows from the run's seed and the game's number. So the games are the same however many are played side
 * by side, and a run can be stopped at any moment and go on.
 *
 * Every finished game is appended to the record file at once; what is in that file is what has been played. When a
 * session ends by itself, the file is put into the order of the games, so that equal runs end in equal files. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H

#include "selfplay/record/record_file.h"
#include "selfplay/runs/openings/config.h"
#include "selfplay/runs/openings/fairest.h"
#include "selfplay/stats/interval.h"

/* First moves that are images of each other. */
typedef struct OpeningsClass {
    Action member[HEXHEX_SYMMETRIES]; /* in ascending order; games begin with the first */
    int members;
} OpeningsClass;

/* What the statistics need of a finished game. */
typedef struct OpeningsGame {
    uint64_t hash;    /* canonical, see selfplay/record/record.h */
    int16_t of_class; /* as planned, whether played or not */
    int16_t margin;   /* as in GameResult */
    uint16_t plies;   /* actions */
    bool first_won;   /* the player who placed first */
    bool played;
} OpeningsGame;

typedef struct OpeningsRun {
    OpeningsConfig config;
    char hash[20];   /* the run's identity */
    char effort[24]; /* openings_config_effort_name */
    Game *game;
    OpeningsClass *classes;
    int count;           /* of classes */
    OpeningsGame *games; /* by number; those of all rounds that are planned */
    int planned;         /* how many */
    int played;
    RecordFile records;
} OpeningsRun;

/* The games of a class summed up. Games that repeat another one of it are in `games` and the sums, but only once in the
 * data, which is what the rates and probabilities are made from. */
typedef struct OpeningsStanding {
    FairestData data;
    int games, wins;   /* of the first player */
    double margin_sum; /* Black's, in points, komi and button included */
    double plies;
    double probability; /* of being the fairest */
} OpeningsStanding;

/* Where a run stands, for whoever shows it. */
typedef struct OpeningsProgress {
    const OpeningsRun *run;
    int wanted;                        /* games */
    int played_now;                    /* games of this session */
    double seconds;                    /* of this session */
    const OpeningsStanding *standings; /* by class, from time to time new ones; NULL before the first */
    bool round_ended;
} OpeningsProgress;

typedef struct OpeningsSession {
    int threads;                                               /* games side by side */
    const atomic_bool *stop;                                   /* set from outside to end the session soon; or NULL */
    void (*progress)(void *user, const OpeningsProgress *now); /* called by one thread at a time, may be NULL */
    bool (*round_done)(void *user, const OpeningsRun *run, Error *error); /* after each round; may be NULL */
    void *user;
} OpeningsSession;

typedef enum OpeningsEnd { OPENINGS_DONE, OPENINGS_STOPPED, OPENINGS_TIME_UP, OPENINGS_FAILED } OpeningsEnd;

/* Opens or resumes a run whose records are in the file `records_path`: all records are read, checked by the rules, and
 * must belong to this run. To be closed by openings_run_close, also where it failed. */
bool openings_run_open(OpeningsRun *run, const OpeningsConfig *config, const char *records_path, Error *error);
void openings_run_close(OpeningsRun *run);

/* Plays until the run is finished, the session's time is up, or *stop. */
OpeningsEnd openings_run_play(OpeningsRun *run, const OpeningsSession *session, Error *error);

/* Puts the record file into the order of the games. */
bool openings_run_sort_records(OpeningsRun *run, Error *error);

/* The standings of all classes, to be freed; NULL with an error without memory. */
OpeningsStanding *openings_run_standings(const OpeningsRun *run, Error *error);

/* The 95% interval of a class's win rate: Wilson's for the distinct games. */
Interval openings_run_interval(const OpeningsStanding *standing);

/* The class that is most probably the fairest. */
int openings_run_fairest(const OpeningsRun *run, const OpeningsStanding *standings);

#endif
