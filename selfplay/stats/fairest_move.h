/* Which of several first moves is the fairest: the one whose win rate is nearest to one half.
 *
 * A win rate has the posterior of its games under a uniform prior, a beta distribution; the distance of each rate from
 * one half is then a random number, and a move is the fairest with the probability that its distance is the least.
 *
 * The games of a round are shared out as top-two Thompson sampling would on average (Russo, "Simple Bayesian algorithms
 * for best-arm identification", Operations Research 68, 2020): half of the draws for a move that is the fairest in a
 * draw from the posterior, half for the fairest one in a draw in which it is another. So the moves that may be the
 * fairest get the games, and the best of them not more than it takes to tell it from the next. A part of each round is
 * shared equally, so that the chances of all moves become known.
 *
 * Pure functions on a grid of win rates, in additions, multiplications and divisions alone: no random numbers, and the
 * same result on every processor. */
#ifndef STIGMERGY_SELFPLAY_STATS_FAIREST_MOVE_H
#define STIGMERGY_SELFPLAY_STATS_FAIREST_MOVE_H

#include "engine/base/error.h"

#include <stdbool.h>

/* How many games of a first move count, and how many of them the first player won. */
typedef struct FairestMoveData {
    int games, wins;
} FairestMoveData;

/* Of each of `count` moves (1 or more) the probability that it is the fairest; they sum up to 1. False without memory.
 */
bool fairest_move_probabilities(const FairestMoveData *data, int count, double *probability, Error *error);

/* Shares out the `batch` (0 or more) games of a round: games[i] for move i, from the probabilities. */
void fairest_move_allocate(const double *probability, int count, int batch, int *games);

#endif
