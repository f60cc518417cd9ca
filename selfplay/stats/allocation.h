/* Which komi values the next round of games is played at.
 *
 * A round's games follow the posterior of the fair komi (posterior.h): a share is played where the posterior has the
 * curve's location, the rest to either side where Black wins about 18% and 82%, so that the slope is known as well
 * and the interval with it. (The Psi method and QUEST+ choose each trial by its expected information; for a logistic
 * curve that choice lies near the location too, and a whole round at the posterior's own spread needs no look-ahead.)
 * Before any game the posterior is the prior, so the first round is spread over the prior's width; later rounds close
 * in by themselves. Each parity gets the games that bring the two closer to equal totals, at least a quarter of a
 * round.
 *
 * A pure function: no random numbers, and the rounding to whole games is a systematic one along the komi axis (the
 * running sum is rounded, so neighbours even out and the total is exact), with an offset that leaves no exact ties to
 * the last bit of a libm result. */
#ifndef STIGMERGY_SELFPLAY_STATS_ALLOCATION_H
#define STIGMERGY_SELFPLAY_STATS_ALLOCATION_H

#include "selfplay/stats/estimate.h"

/* Shares out `batch` (>= 0) games among the komi values config->komi_min .. komi_max of the allowed parities, from the
 * `count` komi values played so far. games[K - komi_min] is set for every komi K of the range and sums to `batch`.
 * False, with `error` set, for unusable input (as estimate_fair_komi) and when memory is short. */
bool allocate_games(const KomiData *data, int count, const EstimateConfig *config, int batch, int *games, Error *error);

#endif
