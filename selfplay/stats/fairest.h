/* Which whole komi is the fairest: how likely each of them is to be the one at which Black's chance is nearest to one
 * half, by draws from the posterior. Where one side wins 90% or more, only the lapses decide how near that is, and
 * these are hardly known. So such komi values count as equally unfair, and of them the one nearest to the location is
 * taken. */
#ifndef STIGMERGY_SELFPLAY_STATS_FAIREST_H
#define STIGMERGY_SELFPLAY_STATS_FAIREST_H

#include "selfplay/stats/posterior.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KomiProbability {
    int komi;
    double probability;
} KomiProbability;

enum { FAIREST_MAX = 100 };

/* This far from one half all chances are equally unfair. */
#define FAIREST_UNFAIR 0.4

/* Whether a komi at which Black has this win rate, with its interval, gives both sides a chance, as far as the games
 * tell: too few of them refuse no komi. On a solved board no whole komi does. */
static inline bool komi_is_fair(double win_rate, Interval ci95) {
    return (win_rate > 0.25 && win_rate < 0.75) || interval_contains(ci95, 0.5);
}

/* Writes the komi values of the allowed range and parities with a probability of 1 / FAIREST_MAX or more, ascending,
 * and returns their number. count: at most POSTERIOR_DRAWS_MAX.
 */
int fairest_komi(const PosteriorDraw *draws, int count, const EstimateConfig *config, KomiProbability out[FAIREST_MAX]);

#ifdef __cplusplus
}
#endif

#endif
