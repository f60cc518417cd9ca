/* The self-play run: plays the games of a data set that are not there yet.
 *
 * Games are numbered from 0. Size, opening, komi and seed of a game follow from the run's seed and the game's number,
 * so the games are the same however many are played side by side and on how many machines, and a run can be stopped at
 * any moment and go on. store.h is where they go; selfplay/dataset/dataset.h makes the set of them. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_RUN_H

#include "selfplay/runs/generate/store.h"

#include <stdatomic.h>

typedef struct SelfplayRun {
    SelfplayConfig config;
    ShardSpec shard;
    SelfplayBoards boards;
    GameStore store;
} SelfplayRun;

typedef struct SelfplaySession {
    int threads;             /* games side by side */
    const atomic_bool *stop; /* set from outside to end the session soon; may be NULL */
    bool discard;            /* play, but write nothing: to measure what writing costs */
    /* After every game, called by one thread at a time; may be NULL. */
    void (*game_done)(void *user, const SelfplayRun *run, const GameRecord *record);
    void *user;
} SelfplaySession;

typedef enum SelfplayEnd { SELFPLAY_DONE, SELFPLAY_STOPPED, SELFPLAY_FAILED } SelfplayEnd;

/* Opens or resumes a run in the folder `out`; `config` has been checked. To be closed by selfplay_run_close, also where
 * it failed; zero-initialized with store.open.descriptor = -1 before that. */
bool selfplay_run_open(SelfplayRun *run, const SelfplayConfig *config, ShardSpec shard, const char *out, Error *error);
void selfplay_run_close(SelfplayRun *run);

/* How many games this machine is to have. */
int64_t selfplay_run_wanted(const SelfplayRun *run);

/* Plays until all games are there or *stop. */
SelfplayEnd selfplay_run_play(SelfplayRun *run, const SelfplaySession *session, Error *error);

/* Takes over all games of a record file or folder (selfplay_files_find) of the same run that are not there yet.
 * Ends early with an error when *stop is set, which may be NULL. */
bool selfplay_run_import(SelfplayRun *run, const char *path, const atomic_bool *stop, Error *error);

#endif
