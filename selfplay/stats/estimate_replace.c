/* See estimate.h: an estimate from draws. */
#include "selfplay/stats/estimate_internal.h"

#include "selfplay/stats/middle.h"

#include <math.h>

/* The share of sorted values that is below x. */
static double share_below(const double *sorted, int count, double x) {
    int below = 0;
    while (below < count && sorted[below] < x)
        below++;
    return (double)below / count;
}

/* Makes a bracket wide enough for sorted values, by steps from komi to komi. */
static void widen(CurveEstimate *curve, const double *sorted, int count) {
    Interval *bracket = &curve->ci95;
    double below = share_below(sorted, count, bracket->low), above = 1 - share_below(sorted, count, bracket->high);
    while (below + above > 1 - ESTIMATE_BRACKET_BELIEF) {
        if (below > above)
            bracket->low -= ESTIMATE_NEIGHBOURS;
        else
            bracket->high += ESTIMATE_NEIGHBOURS;
        below = share_below(sorted, count, bracket->low);
        above = 1 - share_below(sorted, count, bracket->high);
    }
    curve->estimate = (bracket->low + bracket->high) / 2;
}

static void replace_curve(CurveEstimate *curve, bool odd, const PosteriorDraw *draws, int count) {
    double values[POSTERIOR_DRAWS_MAX];
    Interval ci95;
    for (int n = 0; n < count; n++)
        values[n] = draws[n].location[odd];
    const double median = middle_of(values, count, &ci95);
    curve->bracket_used &= curve->ci95.high - curve->ci95.low <= ESTIMATE_NEIGHBOURS;
    if (curve->bracket_used) {
        widen(curve, values, count);
    } else {
        curve->estimate = median;
        curve->ci95 = ci95;
    }
}

/* Black's chance at a komi: its mean, and the rate of each draw. */
static double rates_at(int komi, const PosteriorDraw *draws, int count, double *rates) {
    const bool odd = komi_has_button(komi);
    double sum = 0;
    for (int n = 0; n < count; n++)
        sum += rates[n] = shape_win_rate(draws[n].shape[odd], draws[n].location[odd] - komi);
    return sum / count;
}

/* The komi whose mean chance is nearest to one half, of those that may be the fairest. */
static void recommend(FairKomi *result, const PosteriorDraw *draws, int count) {
    double rates[POSTERIOR_DRAWS_MAX], distance = INFINITY;
    for (int i = 0; i < result->probability_count; i++) {
        const int komi = result->probabilities[i].komi;
        const double next = fabs(rates_at(komi, draws, count, rates) - 0.5);
        if (next < distance - 1e-9) {
            distance = next;
            result->recommended = komi;
        }
    }
    result->win_rate = rates_at(result->recommended, draws, count, rates);
    middle_of(rates, count, &result->win_rate_ci95);
}

void estimate_replace(FairKomi *result, const PosteriorDraw *draws, int count, const EstimateConfig *config) {
    const bool even = result->even.games > 0, odd = result->odd.games > 0;
    double values[POSTERIOR_DRAWS_MAX];
    replace_curve(&result->even, false, draws, count);
    replace_curve(&result->odd, true, draws, count);
    for (int n = 0; n < count; n++) {
        const double *location = draws[n].location;
        values[n] = even == odd ? (location[0] + location[1]) / 2 : location[odd];
    }
    result->combined = middle_of(values, count, &result->combined_ci95);
    estimate_combine_brackets(result);
    estimate_find_pair(result);
    const EstimateConfig range = estimate_fairest_range(result, config);
    result->probability_count = fairest_komi(draws, count, &range, result->probabilities);
    recommend(result, draws, count);
    estimate_compare_checks(result);
}
