/* Goodness of fit: whether games look like those of the model.
 *
 * The measure is the deviance, twice the log-likelihood ratio of a win rate of its own for each komi against the curve.
 * Its distribution is no chi-square, because most komi values have few games or a chance near 0 or 1. So the games are
 * simulated: for each curve drawn from the posterior, its deviance from the games is compared with that from games that
 * the curve plays itself at the same komi values. The share of draws in which the simulated games are the worse ones is
 * the posterior predictive p-value (Gelman, Meng and Stern 1996). It is cautious: under the model it falls below 0.05
 * in fewer than 5% of the runs (tests/studies/study_coverage.c). */
#ifndef STIGMERGY_SELFPLAY_STATS_GOODNESS_H
#define STIGMERGY_SELFPLAY_STATS_GOODNESS_H

#include "selfplay/stats/posterior.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Goodness {
    double deviance; /* mean over the draws */
    double expected; /* the same of simulated games: what it would be if the games were of the model */
    int komi_values; /* how many entries of `data` have games of this curve */
    double p;        /* 0 to 1; 1 without games */
} Goodness;

/* The fit of one curve. The same input gives the same result. */
Goodness goodness_of_fit(const PosteriorDraw *draws, int draw_count, bool odd, const KomiData *data, int count);

#ifdef __cplusplus
}
#endif

#endif
