/* The middle of many values, such as draws from a posterior. */
#ifndef STIGMERGY_SELFPLAY_STATS_MIDDLE_H
#define STIGMERGY_SELFPLAY_STATS_MIDDLE_H

#include "selfplay/stats/interval.h"

/* Sorts `count` values, at least one. Returns their median; *ci95 becomes their central 95%. */
double middle_of(double *values, int count, Interval *ci95);

#endif
