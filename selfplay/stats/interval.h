/* Intervals, and Wilson's score interval for a proportion (Wilson 1927). Unlike the textbook interval it stays inside
 * [0, 1], and keeps its coverage for few games and for rates near 0 or 1. */
#ifndef STIGMERGY_SELFPLAY_STATS_INTERVAL_H
#define STIGMERGY_SELFPLAY_STATS_INTERVAL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Interval {
    double low, high;
} Interval;

/* Whether a value lies in the interval, its ends included. */
static inline bool interval_contains(Interval interval, double value) {
    return value >= interval.low && value <= interval.high;
}

/* The 95% interval of a win rate from `wins` in `games` (0 <= wins <= games; effective counts may have fractions).
 * Without games it is [0, 1]. */
Interval wilson_interval(double wins, double games);

#ifdef __cplusplus
}
#endif

#endif
