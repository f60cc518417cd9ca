/* Firth's penalised logistic regression with one regressor, as a check of the posterior.
 *
 * The likelihood of logit P = a + b x is multiplied by the square root of the determinant of Fisher's information
 * (Firth 1993, Biometrika 80: Jeffreys' prior), which takes away the first-order bias and keeps a and b finite where
 * the results are separated. Solved by Newton steps on Firth's modified score, halved where they do not ascend. */
#ifndef STIGMERGY_SELFPLAY_STATS_LOGISTIC_H
#define STIGMERGY_SELFPLAY_STATS_LOGISTIC_H

#include <stdbool.h>

/* The results at one place of the x axis. */
typedef struct Trial {
    double x, games, wins; /* games > 0, 0 <= wins <= games; fractions allowed */
} Trial;

typedef struct LogisticFit {
    double intercept, slope; /* logit P(win) = intercept + slope * x */
    bool converged;
} LogisticFit;

/* Fits `count` trials. With fewer than two distinct x the slope is not defined: `converged` is false. */
LogisticFit firth_fit(const Trial *trials, int count);

#endif
