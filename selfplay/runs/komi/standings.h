/* Where a fair-komi run stands: the games of a rung summed up by beginning (first_moves.h) and komi, and the estimate
 * that follows. Rounds are planned from this, and the document and the answer are made from it. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_STANDINGS_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_STANDINGS_H

#include "selfplay/runs/komi/convergence.h"
#include "selfplay/runs/komi/first_moves.h"
#include "selfplay/stats/arms.h"

/* The games of a rung and a beginning summed up by komi, ascending. All games count. Those of a player without chance
 * that are equal depend on each other: then data.design_effect says how much (selfplay/stats/design_effect.h). */
typedef struct KomiPoint {
    KomiData data;
    int lines;                         /* different games, up to a symmetry of the board */
    double margin_sum, margin_squares; /* Black's margins in points, komi and button included */
    double plies;
} KomiPoint;

/* Returns the number of points, or -1 without memory; *points is to be freed. */
int komi_points(const Run *run, int rung, int beginning, KomiPoint **points, Error *error);

/* How many games, how many of them differ, and how many independent ones they are worth. */
typedef struct KomiCounts {
    double games, lines, effective;
} KomiCounts;

void komi_count_point(KomiCounts *counts, const KomiPoint *point);

/* Adds the games of a beginning. False with an error. */
bool komi_count_games(const Run *run, int rung, int beginning, KomiCounts *counts, Error *error);

/* The points of all beginnings as the estimate and the allocation want them. To be freed in any case. */
typedef struct KomiArms {
    Arm *arms;
    KomiData **data; /* of each arm */
    int count;
} KomiArms;

bool komi_sum_up(const Run *run, int rung, KomiArms *arms, Error *error);
void komi_arms_free(KomiArms *arms);

/* The estimate of a rung; with forced first moves that of the board, from all of them. */
bool komi_estimate(const Run *run, int rung, FairKomi *fair, Error *error);

/* What a rung says. With forced first moves, *arms becomes what is known of each, else it is empty; to be freed by
 * arms_free in any case. */
bool komi_rung_value(const Run *run, int rung, RungValue *value, ArmsEstimate *arms, Error *error);

/* Lists the beginnings of an estimate, the most probably best first, equal ones by their fair komi. `order` has room
 * for them all. */
void komi_order_arms(const ArmsEstimate *estimate, int *order);

#endif
