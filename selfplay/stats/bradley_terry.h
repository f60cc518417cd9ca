/* Ratings of several players from the pairs of games between them (Bradley and Terry 1952, Zermelo 1929).
 *
 * On average player i scores 1 / (1 + exp(r_j - r_i)) against player j. The ratings are chosen so that the expected
 * scores of every player add up to the real ones. Newton's method finds them, and their mean is 0. There must always be
 * an answer, so each two players that met get a twentieth of a won pair and of a lost pair in addition to their
 * results. (With half a pair, ratings of players 400 Elo apart come out a fifth too near to each other from ten pairs a
 * pairing.)
 *
 * The two games of a pair depend on each other, so an interval from the information matrix alone would be wrong.
 * Instead the covariance is a sandwich: the inverse information on both sides of the real variance of the pairs' scores
 * (Huber 1967; White 1982). Each interval is for a player against the mean of all players. Few pairs may show no
 * variance, all of them being split. So one pair more with the variance that the ratings expect counts in it, and the
 * limit is that of elo_limit_95. By simulation the intervals then hold in 94% or more, from 2 pairs a pairing on;
 * without both it was 64% to 90% where few pairs were decided.
 *
 * Nothing bounds a player from above who won all pairs: that end of the interval is ELO_LIMIT, and the rating itself
 * follows from what is added. The same holds below for one who lost all. */
#ifndef STIGMERGY_SELFPLAY_STATS_BRADLEY_TERRY_H
#define STIGMERGY_SELFPLAY_STATS_BRADLEY_TERRY_H

#include "engine/base/error.h"
#include "selfplay/stats/elo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BRADLEY_TERRY_MAX = 32 }; /* players */

typedef struct PairingCounts {
    int a, b;         /* two different players, 0 .. players-1 */
    PairCounts pairs; /* scores of a; a pairing without pairs is ignored */
} PairingCounts;

/* Fits the ratings of `players` (1 to BRADLEY_TERRY_MAX) players from `count` pairings, at most one for each two of
 * them. Writes the ratings, in Elo, to ratings[0 .. players-1]. False with an error if the pairings do not connect all
 * players. */
bool bradley_terry(int players, const PairingCounts *pairings, int count, EloEstimate *ratings, Error *error);

#ifdef __cplusplus
}
#endif

#endif
