/* What the parts of an estimate share: estimate.c makes it from counts, estimate_replace.c from draws, arms.c for
 * several first moves. */
#ifndef STIGMERGY_SELFPLAY_STATS_ESTIMATE_INTERNAL_H
#define STIGMERGY_SELFPLAY_STATS_ESTIMATE_INTERNAL_H

#include "selfplay/stats/estimate.h"

/* How much of the posterior a bracket must hold. */
#define ESTIMATE_BRACKET_BELIEF 0.95

/* The distance of neighbouring komi values of one parity. */
#define ESTIMATE_NEIGHBOURS 2.0

/* Sets the pair: what is known where all curves are steps. The button is worth half a point at most, so both curves
 * speak of the same komi axis. */
void estimate_find_pair(FairKomi *result);

/* Sets by_model. Then the combined interval, where the interval of a curve is a bracket: each end is the mean of the
 * same end of both. */
void estimate_combine_brackets(FairKomi *result);

/* Black's chance at a komi by POSTERIOR_DRAWS_MAX draws: its mean, and the rate of each draw in `rates`. */
double estimate_rates_at(int komi, const PosteriorDraw *draws, double *rates);

/* The komi values among which the fairest one is: where a pair is known its own, and those in the brackets of either
 * curve at which the loser of the pair still has a chance. (A bracket is used for curves that are nearly steps.) */
EstimateConfig estimate_fairest_range(const FairKomi *result, const PosteriorDraw *draws, const EstimateConfig *config);

/* Compares the checks of both curves with their estimates and intervals. */
void estimate_compare_checks(FairKomi *result);

/* estimate_fair_komi that writes also POSTERIOR_DRAWS_MAX draws from the posterior that the estimate is made from. */
bool estimate_with_draws(const KomiData *data, int count, const EstimateConfig *config, FairKomi *result,
                         PosteriorDraw *draws, Error *error);

/* Only the draws. */
bool estimate_draws(const KomiData *data, int count, const EstimateConfig *config, PosteriorDraw *draws, Error *error);

/* Replaces what an estimate says of locations by what POSTERIOR_DRAWS_MAX draws say: both estimates and the combined
 * one, with their intervals; the pair; the recommended komi; the probabilities. Shapes, fits and margins stay, and the
 * checks are compared with the new intervals. A bracket of neighbouring komi values stays one, and gets wider where it
 * holds too few of the draws; a wider one comes from few games and gives way to what the draws say. The margins do not
 * enter. */
void estimate_replace(FairKomi *result, const PosteriorDraw *draws, const EstimateConfig *config);

#endif
