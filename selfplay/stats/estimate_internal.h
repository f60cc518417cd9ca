/* What the parts of an estimate share: estimate.c makes it from counts, estimate_replace.c from draws. */
#ifndef STIGMERGY_SELFPLAY_STATS_ESTIMATE_INTERNAL_H
#define STIGMERGY_SELFPLAY_STATS_ESTIMATE_INTERNAL_H

#include "selfplay/stats/estimate.h"

/* How much of the posterior a bracket must hold. */
#define ESTIMATE_BRACKET_BELIEF 0.95

/* Sets the pair: what is known where all curves are steps. The button is worth half a point at most, so both curves
 * speak of the same komi axis. */
void estimate_find_pair(FairKomi *result);

/* The combined interval, where the interval of a curve is a bracket: each end is the mean of the same end of both. */
void estimate_combine_brackets(FairKomi *result);

/* The komi values among which the fairest one is: those of the pair, where one is known. */
EstimateConfig estimate_fairest_range(const FairKomi *result, const EstimateConfig *config);

#endif
