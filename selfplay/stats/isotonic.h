/* Centred isotonic regression of a falling win rate, as a check that assumes no curve.
 *
 * The pool-adjacent-violators algorithm merges neighbouring komi values until the win rates fall; each merged block is
 * then one point, at the games-weighted mean of its places, and the curve runs straight from point to point (Oron and
 * Flournoy 2017, Statistics in Biopharmaceutical Research 9), where plain isotonic regression would have flat steps.
 * As in that paper blocks of equal rate are merged too, except at rates 0 and 1. */
#ifndef STIGMERGY_SELFPLAY_STATS_ISOTONIC_H
#define STIGMERGY_SELFPLAY_STATS_ISOTONIC_H

#include "selfplay/stats/logistic.h"

#include <stdbool.h>

/* Replaces `trials` (count of them, strictly ascending x, games > 0) by the points of the centred isotonic curve, whose
 * rates wins/games fall. Returns their number. */
int isotonic_pool(Trial *trials, int count);

/* Where the pooled curve of `points` (count > 0) crosses one half. Where it does not, the nearest end of the curve, and
 * `*crosses` is false. */
double isotonic_half(const Trial *points, int count, bool *crosses);

#endif
