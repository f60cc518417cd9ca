/* Where a fair-komi run stands: the games of a rung summed up by komi, and the estimate that follows. Rounds are
 * planned from this, and the document and the answer are made from it. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_STANDINGS_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_STANDINGS_H

#include "selfplay/runs/komi/config.h"
#include "selfplay/runs/run.h"

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
int komi_points(const Run *run, int rung, KomiPoint **points, Error *error);

/* The points as the estimate and the allocation want them: returns their number, or -1 without memory; *data is to be
 * freed. */
int komi_sum_up(const Run *run, int rung, KomiData **data, Error *error);

/* The estimate of a rung. */
bool komi_estimate(const Run *run, int rung, FairKomi *fair, Error *error);

#endif
