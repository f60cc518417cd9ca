/* The fair-komi run: self-play games at komi values that follow what is known of the fair komi.
 *
 * Its groups are the rungs of a ladder of search efforts. The komi values of a round are fixed when all games of the
 * rung before it are finished (selfplay/stats/allocation.h), and shuffled with the run's seed; RunGame.plan is the
 * komi. The round of a shared run is the next round of every rung that is not finished, all rungs at once. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H

#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/run.h"

extern const RunKind komi_kind;

/* The settings of a run. */
static inline const KomiConfig *komi_config(const Run *run) {
    return (const KomiConfig *)run->config;
}

/* The games of a rung summed up by komi, ascending. All games count. Those of a player without chance that are equal
 * depend on each other: then data.design_effect says how much (selfplay/stats/design_effect.h). */
typedef struct KomiPoint {
    KomiData data;
    int lines;                         /* different games, up to a symmetry of the board */
    double margin_sum, margin_squares; /* Black's margins in points, komi and button included */
    double plies;
} KomiPoint;

/* Returns the number of points, or -1 without memory; *points is to be freed. */
int komi_run_points(const Run *run, int rung, KomiPoint **points, Error *error);

/* The estimate of a rung. */
bool komi_run_estimate(const Run *run, int rung, FairKomi *fair, Error *error);

#endif
