/* Demand for games at places of the komi axis, and the whole games that a round makes of it.
 *
 * Whole games come from systematic rounding: the running sum is rounded, so the total is exact and rounding errors do
 * not add up. An offset avoids exact ties, which the last bit of a libm result could decide. */
#ifndef STIGMERGY_SELFPLAY_STATS_DEMAND_H
#define STIGMERGY_SELFPLAY_STATS_DEMAND_H

#include <stdbool.h>

/* The first is the share of the games at a location that is played at the location itself. The rest goes to both sides,
 * the second number of scales away from it. That is close to where a D-optimal design has its two places for a logistic
 * (1.54). The widths of the intervals hardly change with either number. */
#define DEMAND_CENTRE_SHARE 0.8
#define DEMAND_SIDE 1.5

/* Rounds a running sum of games. */
int demand_whole(double games);

/* Adds `weight` of demand for a curve with this location and scale, at the location and on both sides, to komi of one
 * parity, which the range must have. demand[K - komi_min] is that of komi K, up to komi_max. */
void demand_add_curve(double *demand, int komi_min, int komi_max, bool odd, double location, double scale,
                      double weight);

/* Turns demand, which is not all 0, into `batch` whole games, and adds them to `games`. */
void demand_round(const double *demand, int count, int batch, int *games);

#endif
