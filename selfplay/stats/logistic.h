/* Firth's penalised logistic regression with one regressor: a check of the posterior.
 *
 * The likelihood of logit P = a + b x is multiplied by the square root of the determinant of Fisher's information
 * (Firth 1993, Biometrika 80: Jeffreys' prior). This removes the first-order bias and keeps a and b finite when the
 * results are separated. It is solved by Newton steps on Firth's modified score. A step that does not ascend is
 * halved. */
#ifndef STIGMERGY_SELFPLAY_STATS_LOGISTIC_H
#define STIGMERGY_SELFPLAY_STATS_LOGISTIC_H

#include <stdbool.h>

/* The results at one place on the x axis. */
typedef struct Trial {
    double x, games, wins; /* games > 0, 0 <= wins <= games; fractions allowed */
} Trial;

typedef struct LogisticFit {
    double intercept, slope; /* logit P(win) = intercept + slope * x */
    bool converged;
} LogisticFit;

/* Fits `count` trials. `converged` is false for fewer than two distinct x, because then the slope is undefined. */
LogisticFit firth_fit(const Trial *trials, int count);

#endif
