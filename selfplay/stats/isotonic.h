/* Centred isotonic regression of a falling win rate: a check that assumes no shape of the curve.
 *
 * The pool-adjacent-violators algorithm merges neighbouring komi values until the win rates fall. Each merged block
 * becomes one point, at the mean of its places weighted by games. The curve is straight from point to point (Oron and
 * Flournoy 2017, Statistics in Biopharmaceutical Research 9). Plain isotonic regression would have flat steps there. As
 * in that paper, blocks with equal rates are merged too, except at rates 0 and 1. */
#ifndef STIGMERGY_SELFPLAY_STATS_ISOTONIC_H
#define STIGMERGY_SELFPLAY_STATS_ISOTONIC_H

#include "selfplay/stats/logistic.h"

#include <stdbool.h>

/* Replaces `trials` by the points of the centred isotonic curve, whose rates wins/games fall. There must be `count`
 * trials in strictly ascending order of x with games > 0. Returns the number of points. */
int isotonic_pool(Trial *trials, int count);

/* Where the pooled curve of `points` (count > 0) crosses one half. If it does not, `*crosses` is false and the result
 * is the end of the curve that is nearer to one half. */
double isotonic_half(const Trial *points, int count, bool *crosses);

#endif
