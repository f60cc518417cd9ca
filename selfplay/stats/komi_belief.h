/* What is believed of the fair komi of one position: a probability distribution, from the games that were played from
 * it, a guess beforehand, and bounds that are proved.
 *
 * The model is that of the komi run (selfplay/stats/posterior.h), but both ends have the same lapse: Black's chance at
 * komi K is lapse/2 + (1 - lapse) * logistic((location - K) / scale). The fair komi is the location. A book has
 * hundreds of positions with a few games each, too few for two lapses. So all of them share one curve (scale and
 * lapse), which is learnt from all games together (best_move.h). The guess beforehand is a Student-t with 3 degrees of
 * freedom, whose heavy tails soon yield to games.
 *
 * A belief is kept as a distribution function at BELIEF_PLACES + 1 places. They cover the part of the line that has
 * nearly all of the probability, found by looking again with finer steps. */
#ifndef STIGMERGY_SELFPLAY_STATS_KOMI_BELIEF_H
#define STIGMERGY_SELFPLAY_STATS_KOMI_BELIEF_H

#include "selfplay/stats/interval.h"

enum { BELIEF_PLACES = 64, BELIEF_FACTORS = 128 };

typedef struct BeliefCurve {
    double scale, lapse; /* scale in points */
} BeliefCurve;

/* The games at one komi. */
typedef struct BeliefResult {
    int komi, games, black_wins;
} BeliefResult;

/* A weight of places: its logs at some places, which rise with their number, and straight lines in between. */
typedef struct BeliefFactor {
    double sign; /* -1: the places are those of minus the fair komi */
    double place[BELIEF_FACTORS], log_weight[BELIEF_FACTORS];
} BeliefFactor;

/* What is known of a position beside its games. All in points of komi. */
typedef struct BeliefPrior {
    double location, scale;     /* scale INFINITY: all places are alike */
    Interval bounds;            /* the fair komi certainly lies in here; where both ends are equal it is exact */
    const BeliefFactor *factor; /* weighs the places, too; NULL: nothing does; not owned */
} BeliefPrior;

/* below[i] is the probability that the fair komi is below start + i * step. An exact one has the step 0. */
typedef struct KomiBelief {
    double start, step;
    float below[BELIEF_PLACES + 1];
} KomiBelief;

/* The log of the probability of these games if the fair komi is at a place. */
double komi_log_likelihood(double place, const BeliefResult *results, int count, BeliefCurve curve);

/* The belief after these games. Returns the log of the evidence: of the probability of the results, up to a term that
 * is the same for all curves. */
double komi_belief(KomiBelief *belief, const BeliefResult *results, int count, BeliefCurve curve,
                   const BeliefPrior *prior);

/* The probability that the fair komi is below a place. */
double komi_belief_below(const KomiBelief *belief, double place);

/* The place below which the share q (0 to 1) lies; its 95% interval; its mean. */
double komi_belief_quantile(const KomiBelief *belief, double q);
Interval komi_belief_interval(const KomiBelief *belief);
double komi_belief_mean(const KomiBelief *belief);

#endif
