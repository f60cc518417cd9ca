/* See komi_belief.h. */
#include "selfplay/stats/komi_belief.h"

#include <math.h>

static const double NEGLIGIBLE = 12;  /* places whose log weight is this much below the largest are left out */
static const double WORTHWHILE = 0.6; /* a finer look must shrink the range to this part */

double komi_log_likelihood(double place, const BeliefResult *results, int count, BeliefCurve curve) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double win = curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((results[i].komi - place) / curve.scale));
        if (results[i].black_wins > 0)
            sum += results[i].black_wins * log(win);
        if (results[i].games > results[i].black_wins)
            sum += (results[i].games - results[i].black_wins) * log(1 - win);
    }
    return sum;
}

static double log_factor(const BeliefFactor *factor, double place) {
    const double at = factor->sign * place;
    int low = 0, high = BELIEF_FACTORS - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (factor->place[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    const double part = (at - factor->place[low]) / (factor->place[high] - factor->place[low]);
    return factor->log_weight[low] + fmax(0, fmin(1, part)) * (factor->log_weight[high] - factor->log_weight[low]);
}

static double log_prior(double place, const BeliefPrior *prior) {
    const double distance = (place - prior->location) / prior->scale;
    return -2 * log1p(distance * distance / 3) + (prior->factor ? log_factor(prior->factor, place) : 0);
}

/* Weighs the middles of the places of a range. Returns the largest log weight. */
static double look(double *weight, Interval range, const BeliefResult *results, int count, BeliefCurve curve,
                   const BeliefPrior *prior) {
    const double step = (range.high - range.low) / BELIEF_PLACES;
    double most = -INFINITY;
    curve.scale = fmax(curve.scale, step / 2); /* so that a steep curve is not missed between two places */
    for (int i = 0; i < BELIEF_PLACES; i++) {
        const double place = range.low + (i + 0.5) * step;
        weight[i] = log_prior(place, prior) + komi_log_likelihood(place, results, count, curve);
        most = fmax(most, weight[i]);
    }
    return most;
}

/* The part of a range that matters, with one place added at each end. */
static Interval narrow(const double *weight, double most, Interval range) {
    const double step = (range.high - range.low) / BELIEF_PLACES;
    int first = BELIEF_PLACES, last = 0;
    for (int i = 0; i < BELIEF_PLACES; i++)
        if (weight[i] > most - NEGLIGIBLE) {
            first = i < first ? i : first;
            last = i;
        }
    return (Interval){fmax(range.low, range.low + (first - 1) * step), fmin(range.high, range.low + (last + 2) * step)};
}

double komi_belief(KomiBelief *belief, const BeliefResult *results, int count, BeliefCurve curve,
                   const BeliefPrior *prior) {
    double weight[BELIEF_PLACES], most, sum = 0;
    Interval range = prior->bounds, mass = range;
    do {
        range = mass;
        most = look(weight, range, results, count, curve, prior);
        mass = narrow(weight, most, range);
    } while (mass.high - mass.low < WORTHWHILE * (range.high - range.low));
    *belief = (KomiBelief){.start = range.low, .step = (range.high - range.low) / BELIEF_PLACES};
    for (int i = 0; i < BELIEF_PLACES; i++)
        sum += weight[i] = exp(weight[i] - most);
    double running = 0;
    for (int i = 0; i < BELIEF_PLACES; i++) {
        belief->below[i] = (float)(running / sum);
        running += weight[i];
    }
    belief->below[BELIEF_PLACES] = 1;
    return belief->step > 0 ? most + log(sum * belief->step) : most;
}

double komi_belief_below(const KomiBelief *belief, double place) {
    if (belief->step <= 0)
        return place > belief->start;
    const double at = fmax(0, fmin(BELIEF_PLACES, (place - belief->start) / belief->step));
    const int low = at < BELIEF_PLACES ? (int)at : BELIEF_PLACES - 1;
    return belief->below[low] + (at - low) * (belief->below[low + 1] - belief->below[low]);
}

double komi_belief_quantile(const KomiBelief *belief, double q) {
    int low = 0, high = BELIEF_PLACES; /* below[low] <= q, and q <= below[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (belief->below[middle] <= q)
            low = middle;
        else
            high = middle;
    }
    const double mass = belief->below[high] - belief->below[low];
    const double part = mass > 0 ? (q - belief->below[low]) / mass : 0.5;
    return belief->start + belief->step * (low + fmin(1, part));
}

Interval komi_belief_interval(const KomiBelief *belief) {
    return (Interval){komi_belief_quantile(belief, 0.025), komi_belief_quantile(belief, 0.975)};
}

double komi_belief_mean(const KomiBelief *belief) {
    double sum = 0;
    for (int i = 0; i < BELIEF_PLACES; i++)
        sum += (belief->below[i + 1] - belief->below[i]) * (i + 0.5);
    return belief->start + belief->step * sum;
}
