/* Ratings of several players from the pairs of games between them (Bradley and Terry 1952, Zermelo 1929).
 *
 * Player i scores 1 / (1 + exp(r_j - r_i)) against player j on average. The ratings are those whose expected scores add
 * up to the real ones for every player, found by Newton's method; their mean is 0. So that there is always an answer,
 * each two players that met have half a won and half a lost pair added to their results.
 *
 * The games of a pair depend on each other, so the textbook interval from the information matrix alone would be wrong:
 * the covariance is the sandwich of the inverse information around the variance that the pairs' scores really have
 * (Huber 1967; White 1982). Intervals are of a player against the mean of all. */
#ifndef STIGMERGY_SELFPLAY_STATS_BRADLEY_TERRY_H
#define STIGMERGY_SELFPLAY_STATS_BRADLEY_TERRY_H

#include "engine/base/error.h"
#include "selfplay/stats/elo.h"

enum { BRADLEY_TERRY_MAX = 32 }; /* players */

typedef struct PairingCounts {
    int a, b;         /* two different players, 0 .. players-1 */
    PairCounts pairs; /* scores of a; without pairs the pairing says nothing */
} PairingCounts;

/* Fits the ratings of `players` (1 to BRADLEY_TERRY_MAX) from `count` pairings, in Elo, into ratings[0 .. players-1].
 * False with an error where the pairings do not connect all players. */
bool bradley_terry(int players, const PairingCounts *pairings, int count, EloEstimate *ratings, Error *error);

#endif
