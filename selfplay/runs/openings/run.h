/* A run of openings: self-play games from each first move, to learn which is how good and which the fairest.
 *
 * First moves that a symmetry of the board takes into each other are one *class*; its games begin with its first member
 * in the order of the actions. A run has one group. Which classes the games of a round begin with is fixed when all
 * games before it are finished (fairest.h), and shuffled with the run's seed; RunGame.plan is the class. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H

#include "selfplay/runs/openings/config.h"
#include "selfplay/runs/openings/fairest.h"
#include "selfplay/runs/run.h"

extern const RunKind openings_kind;

/* First moves that are images of each other. */
typedef struct OpeningsClass {
    Action member[HEXHEX_SYMMETRIES]; /* in ascending order; games begin with the first */
    int members;
} OpeningsClass;

/* The kind's own part of a run. */
typedef struct OpeningsState {
    OpeningsClass classes[GAME_LEGAL_MAX];
    int count;
} OpeningsState;

/* The games of a class summed up. Games that repeat another one of it are in `games` and the sums, but only once in the
 * data, which is what the rates and probabilities are made from. */
typedef struct OpeningsStanding {
    FairestData data;
    int games, wins;   /* of the first player */
    double margin_sum; /* Black's, in points, komi and button included */
    double plies;
    double probability; /* of being the fairest */
} OpeningsStanding;

/* The settings and the classes of a run. */
static inline const OpeningsConfig *openings_config(const Run *run) {
    return (const OpeningsConfig *)run->config;
}
static inline const OpeningsState *openings_state(const Run *run) {
    return run->state;
}

/* The standings of all classes, to be freed; NULL with an error without memory. */
OpeningsStanding *openings_run_standings(const Run *run, Error *error);

/* The 95% interval of a class's win rate: Wilson's for the distinct games. */
Interval openings_run_interval(const OpeningsStanding *standing);

/* The class that is most probably the fairest. */
int openings_run_fairest(const Run *run, const OpeningsStanding *standings);

/* The name of an action of the first move. */
void openings_run_format(const Run *run, Action action, char out[GAME_TEXT_MAX]);

/* The exact document that belongs to the run; NULL where there is none. The caller deletes it. */
cJSON *openings_run_exact(const Run *run);

#endif
