/* See estimate.h: an estimate from draws. */
#include "selfplay/stats/estimate_internal.h"

#include "selfplay/stats/middle.h"

#include <math.h>

enum { DRAWS = POSTERIOR_DRAWS_MAX };

/* The share of sorted values that is below x. */
static double share_below(const double *sorted, double x) {
    int below = 0;
    while (below < DRAWS && sorted[below] < x)
        below++;
    return (double)below / DRAWS;
}

/* Makes a bracket wide enough for sorted values, by steps from komi to komi. Nothing is beyond where the fair komi can
 * be. */
static void widen(CurveEstimate *curve, const double *sorted, const EstimateConfig *config) {
    Interval *bracket = &curve->ci95;
    for (;;) {
        const double below = bracket->low > config->location_min ? share_below(sorted, bracket->low) : 0;
        const double above = bracket->high < config->location_max ? 1 - share_below(sorted, bracket->high) : 0;
        if (below + above <= 1 - ESTIMATE_BRACKET_BELIEF)
            break;
        if (below > above)
            bracket->low -= ESTIMATE_NEIGHBOURS;
        else
            bracket->high += ESTIMATE_NEIGHBOURS;
    }
    curve->estimate = (bracket->low + bracket->high) / 2;
}

/* A drawn value: uniform over a place of the grid, of which the first and the last reach half a step too far. */
static double possible(double value, const EstimateConfig *config) {
    return fmin(fmax(value, config->location_min), config->location_max);
}

static void replace_curve(CurveEstimate *curve, bool odd, const PosteriorDraw *draws, const EstimateConfig *config) {
    double values[DRAWS];
    Interval ci95;
    for (int n = 0; n < DRAWS; n++)
        values[n] = possible(draws[n].location[odd], config);
    const double median = middle_of(values, DRAWS, &ci95);
    curve->bracket_used &= curve->ci95.high - curve->ci95.low <= ESTIMATE_NEIGHBOURS;
    if (curve->bracket_used) {
        widen(curve, values, config);
    } else {
        curve->estimate = median;
        curve->ci95 = ci95;
    }
}

/* The komi whose mean chance is nearest to one half, of those that may be the fairest. */
static void recommend(FairKomi *result, const PosteriorDraw *draws) {
    double rates[DRAWS], distance = INFINITY;
    for (int i = 0; i < result->probability_count; i++) {
        const int komi = result->probabilities[i].komi;
        const double next = fabs(estimate_rates_at(komi, draws, rates) - 0.5);
        if (next < distance - 1e-9) {
            distance = next;
            result->recommended = komi;
        }
    }
    result->win_rate = estimate_rates_at(result->recommended, draws, rates);
    middle_of(rates, DRAWS, &result->win_rate_ci95);
}

void estimate_replace(FairKomi *result, const PosteriorDraw *draws, const EstimateConfig *config) {
    const bool even = result->even.games > 0, odd = result->odd.games > 0;
    double values[DRAWS];
    replace_curve(&result->even, false, draws, config);
    replace_curve(&result->odd, true, draws, config);
    for (int n = 0; n < DRAWS; n++) {
        const double *location = draws[n].location;
        values[n] = possible(even == odd ? (location[0] + location[1]) / 2 : location[odd], config);
    }
    result->combined = middle_of(values, DRAWS, &result->combined_ci95);
    estimate_combine_brackets(result);
    estimate_find_pair(result);
    const EstimateConfig range = estimate_fairest_range(result, draws, config);
    result->probability_count = fairest_komi(draws, DRAWS, &range, result->probabilities);
    recommend(result, draws);
    estimate_compare_checks(result);
}
