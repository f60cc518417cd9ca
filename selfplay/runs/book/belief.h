/* What is believed of the fair komi of one position: a probability distribution, from the games that were played from
 * it, a guess beforehand, and bounds that are proved.
 *
 * The model is that of the komi run (selfplay/stats/posterior.h), but both ends have the same lapse: Black's chance at
 * komi K is lapse/2 + (1 - lapse) * logistic((location - K) / scale). The fair komi is the location. A book has
 * hundreds of positions with a few games each, too few for two lapses. So all of them share one curve (scale and
 * lapse), which is learnt from all games together: the mean of its posterior, for which the evidence of each position
 * is summed up. The guess beforehand is a Student-t with 3 degrees of freedom, whose heavy tails soon yield to games.
 *
 * A belief is kept as a distribution function at BOOK_PLACES + 1 places. They cover the part of the line that has
 * nearly all of the probability, found by looking again with finer steps. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_BELIEF_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_BELIEF_H

#include "selfplay/stats/interval.h"

enum { BOOK_PLACES = 64, BOOK_CURVES = 36 };

typedef struct BookCurve {
    double scale, lapse; /* scale in points */
} BookCurve;

/* The games at one komi. */
typedef struct BookResult {
    int komi, games, black_wins;
} BookResult;

/* What is known of a position beside its games. All in points of komi. */
typedef struct BookPrior {
    double location, scale;
    Interval bounds; /* the fair komi certainly lies in here; where both ends are equal it is exact */
} BookPrior;

/* below[i] is the probability that the fair komi is below start + i * step. An exact one has the step 0. */
typedef struct BookBelief {
    double start, step;
    float below[BOOK_PLACES + 1];
} BookBelief;

/* The belief after these games. Returns the log of the evidence: of the probability of the results, up to a term that
 * is the same for all curves. */
double book_belief(BookBelief *belief, const BookResult *results, int count, BookCurve curve, const BookPrior *prior);

/* The place below which the share q (0 to 1) lies; its 95% interval; its mean. */
double book_belief_quantile(const BookBelief *belief, double q);
Interval book_belief_interval(const BookBelief *belief);
double book_belief_mean(const BookBelief *belief);

/* The candidate curves, and their mean by the sums of evidence: the geometric mean of the scale, and the mean of the
 * lapse. Without games all curves have the same evidence. */
BookCurve book_curve_candidate(int number);
BookCurve book_curve_mean(const double evidence[BOOK_CURVES]);

/* By how many scales the best of `count` draws from a Student-t with 3 degrees of freedom lies above its centre, in the
 * median. */
double book_best_of(int count);

#endif
