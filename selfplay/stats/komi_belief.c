/* See komi_belief.h. */
#include "selfplay/stats/komi_belief.h"

#include <math.h>

static const double SCALE_MIN = 0.05, SCALE_MAX = 20;
static const double LAPSE[] = {0.001, 0.01, 0.04};
enum { LAPSES = sizeof LAPSE / sizeof LAPSE[0], SCALES = BELIEF_CURVES / LAPSES };

static const double NEGLIGIBLE = 12;  /* places whose log weight is this much below the largest are left out */
static const double WORTHWHILE = 0.6; /* a finer look must shrink the range to this part */

/* ---- A belief ---- */

static double log_weight(double place, const BeliefResult *results, int count, BeliefCurve curve,
                         const BeliefPrior *prior) {
    const double distance = (place - prior->location) / prior->scale;
    double sum = -2 * log1p(distance * distance / 3);
    for (int i = 0; i < count; i++) {
        const double win = curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((results[i].komi - place) / curve.scale));
        if (results[i].black_wins > 0)
            sum += results[i].black_wins * log(win);
        if (results[i].games > results[i].black_wins)
            sum += (results[i].games - results[i].black_wins) * log(1 - win);
    }
    return sum;
}

/* Weighs the middles of the places of a range. Returns the largest log weight. */
static double look(double *weight, Interval range, const BeliefResult *results, int count, BeliefCurve curve,
                   const BeliefPrior *prior) {
    const double step = (range.high - range.low) / BELIEF_PLACES;
    double most = -INFINITY;
    curve.scale = fmax(curve.scale, step / 2); /* so that a steep curve is not missed between two places */
    for (int i = 0; i < BELIEF_PLACES; i++) {
        weight[i] = log_weight(range.low + (i + 0.5) * step, results, count, curve, prior);
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

/* ---- Curves ---- */

BeliefCurve belief_curve_candidate(int number) {
    const double part = (double)(number % SCALES) / (SCALES - 1);
    return (BeliefCurve){SCALE_MIN * pow(SCALE_MAX / SCALE_MIN, part), LAPSE[number / SCALES]};
}

BeliefCurve belief_curve_mean(const double evidence[BELIEF_CURVES]) {
    double most = evidence[0], sum = 0, log_scale = 0, lapse = 0;
    for (int i = 1; i < BELIEF_CURVES; i++)
        most = fmax(most, evidence[i]);
    for (int i = 0; i < BELIEF_CURVES; i++) {
        const BeliefCurve curve = belief_curve_candidate(i);
        const double weight = exp(evidence[i] - most);
        sum += weight;
        log_scale += weight * log(curve.scale);
        lapse += weight * curve.lapse;
    }
    return (BeliefCurve){exp(log_scale / sum), lapse / sum};
}

/* ---- The prior of a move ---- */

/* The distribution function of Student's t with 3 degrees of freedom. */
static double student_below(double t) {
    const double pi = 3.14159265358979323846, x = t / sqrt(3);
    return 0.5 + (x / (1 + x * x) + atan(x)) / pi;
}

double belief_best_of(int count) {
    const double wanted = pow(0.5, 1.0 / count);
    double low = 0, high = 1000;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (student_below(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
