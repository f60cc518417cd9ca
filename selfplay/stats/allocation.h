/* Chooses the komi values at which the next round of games is played.
 *
 * The games of a round follow the posterior of the fair komi (posterior.h). One share is played where the posterior has
 * the location of the curve. The rest is played on both sides of it, where Black wins about 18% and 82%: these games
 * show the slope, and the interval depends on it. (The Psi method and QUEST+ choose each trial by its expected
 * information. For a logistic curve they choose points near the location too. A whole round at the spread of the
 * posterior works without looking ahead.)
 *
 * Before any game the posterior is the prior, so the first round covers the width of the prior. Later rounds come
 * closer on their own. Each parity gets the games that bring both totals closer together, and at least a quarter of a
 * round.
 *
 * This is a pure function without random numbers (demand.h). */
#ifndef STIGMERGY_SELFPLAY_STATS_ALLOCATION_H
#define STIGMERGY_SELFPLAY_STATS_ALLOCATION_H

#include "selfplay/stats/estimate.h"

/* Shares out `batch` (>= 0) games among the komi values config->komi_min .. komi_max of the allowed parities, given the
 * `count` komi values played so far. Sets games[K - komi_min] for every komi K of the range; their sum is `batch`.
 * False, with `error` set, for unusable input (as in estimate_fair_komi) or without memory. */
bool allocate_games(const KomiData *data, int count, const EstimateConfig *config, int batch, int *games, Error *error);

/* The games of a round of `batch` games at even komi. Their number brings the totals of both parities closer together,
 * and each parity that is allowed gets at least a quarter. */
int allocation_even_games(const KomiData *data, int count, const EstimateConfig *config, int batch);

#endif
