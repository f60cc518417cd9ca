/* The self-play run: plays the games of a data set that are not there yet.
 *
 * All games are one group, and one round. Size, opening, komi and seed of a game follow from the run's seed and the
 * game's number. So several machines can share a run without a merge between rounds. The games are kept by store.h, and
 * selfplay/dataset/dataset.h makes the set of them. */
#ifndef STIGMERGY_SELFPLAY_RUNS_GENERATE_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_GENERATE_RUN_H

#include "selfplay/runs/generate/recorded_openings.h"
#include "selfplay/runs/generate/store.h"
#include "selfplay/runs/run.h"

extern const RunKind selfplay_kind;

/* The kind's own part of a run. */
typedef struct SelfplayState {
    SelfplayBoards boards;
    RecordedOpenings recorded;
    GameStore store;
    bool discard; /* play, but write nothing: to measure what writing costs */
} SelfplayState;

static inline const SelfplayConfig *selfplay_config(const Run *run) {
    return (const SelfplayConfig *)run->config;
}
static inline SelfplayState *selfplay_state(const Run *run) {
    return run->state;
}

/* Opens or resumes a run in a folder, whose games must be among those of the run. It takes the place of run_open. */
bool selfplay_run_open(Run *run, const char *folder, Error *error);

/* The number of games that this machine plays in all. */
int64_t selfplay_run_wanted(const Run *run);

#endif
