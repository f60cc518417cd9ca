/* What is believed of the fair komi of one position: a probability distribution, from the games that were played from
 * it, a guess beforehand, and bounds that are proved.
 *
 * The model is that of the komi run (selfplay/stats/posterior.h), but both ends have the same lapse: Black's chance at
 * komi K is lapse/2 + (1 - lapse) * logistic((location - K) / scale). The fair komi is the location. A book has
 * hundreds of positions with a few games each, too few for two lapses. So all of them share one curve (scale and
 * lapse), which is learnt from all games together: the mean of its posterior, for which the evidence of each position
 * is summed up. The guess beforehand is a Student-t with 3 degrees of freedom, whose heavy tails soon yield to games.
 *
 * A belief is kept as a distribution function at BELIEF_PLACES + 1 places. They cover the part of the line that has
 * nearly all of the probability, found by looking again with finer steps. */
#ifndef STIGMERGY_SELFPLAY_STATS_KOMI_BELIEF_H
#define STIGMERGY_SELFPLAY_STATS_KOMI_BELIEF_H

#include "selfplay/stats/interval.h"

enum { BELIEF_PLACES = 64, BELIEF_CURVES = 36 };

typedef struct BeliefCurve {
    double scale, lapse; /* scale in points */
} BeliefCurve;

/* The games at one komi. */
typedef struct BeliefResult {
    int komi, games, black_wins;
} BeliefResult;

/* What is known of a position beside its games. All in points of komi. */
typedef struct BeliefPrior {
    double location, scale;
    Interval bounds; /* the fair komi certainly lies in here; where both ends are equal it is exact */
} BeliefPrior;

/* below[i] is the probability that the fair komi is below start + i * step. An exact one has the step 0. */
typedef struct KomiBelief {
    double start, step;
    float below[BELIEF_PLACES + 1];
} KomiBelief;

/* The belief after these games. Returns the log of the evidence: of the probability of the results, up to a term that
 * is the same for all curves. */
double komi_belief(KomiBelief *belief, const BeliefResult *results, int count, BeliefCurve curve,
                   const BeliefPrior *prior);

/* The place below which the share q (0 to 1) lies; its 95% interval; its mean. */
double komi_belief_quantile(const KomiBelief *belief, double q);
Interval komi_belief_interval(const KomiBelief *belief);
double komi_belief_mean(const KomiBelief *belief);

/* The candidate curves, and their mean by the sums of evidence: the geometric mean of the scale, and the mean of the
 * lapse. Without games all curves have the same evidence. */
BeliefCurve belief_curve_candidate(int number);
BeliefCurve belief_curve_mean(const double evidence[BELIEF_CURVES]);

/* By how many scales the best of `count` draws from a Student-t with 3 degrees of freedom lies above its centre, in the
 * median. */
double belief_best_of(int count);

#endif
