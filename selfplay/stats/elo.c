/* See elo.h.
 *
 * Let w be the share of pairs that are decided (score 0 or 1), and d the mean score minus 1/2. Then the three
 * probabilities are w/2 - d, 1 - w and w/2 + d, and the variance of a pair's score is w/4 - d^2. A given mean fixes d.
 * A given t-value s of pairs fixes d = s/2 sqrt(w / (1 + s^2)). So one unknown is left: w. The log-likelihood is
 * concave in w (for the t-value, in the square root of w), so its maximum is where the derivative changes sign. */
#include "selfplay/stats/elo.h"

#include <math.h>

enum { BISECTIONS = 60 };
static const double FEWEST_DECIDED = 5; /* with fewer the share of decided pairs limits the difference anyway */
static const double NORMAL_95 = 1.959963984540054; /* 97.5% quantile of the normal distribution */

typedef enum Quantity { MEAN_SCORE, T_VALUE } Quantity;

double elo_score(PairCounts pairs) {
    const double n = pairs_total(pairs);
    return n > 0 ? (0.5 * pairs.count[1] + pairs.count[2]) / n : 0.5;
}

double elo_to_score(double elo) {
    return 1 / (1 + pow(10, -elo / 400));
}

static double limited(double elo) {
    return elo < -ELO_LIMIT ? -ELO_LIMIT : elo > ELO_LIMIT ? ELO_LIMIT : elo;
}

double elo_from_score(double score) {
    if (score <= 0 || score >= 1)
        return score <= 0 ? -ELO_LIMIT : ELO_LIMIT;
    return limited(400 * log10(score / (1 - score)));
}

/* Normalized Elo uses the deviation of one game. It is sqrt(2) times the deviation of the mean of two games. */
static double normalized_to_t(double elo) {
    return elo * (log(10) / 800) * sqrt(2);
}

static double t_to_normalized(double t) {
    return limited(t / sqrt(2) * (800 / log(10)));
}

/* ---- The profile likelihood ---- */

static double log_term(double count, double chance) {
    return count > 0 ? count * log(chance) : 0;
}

static double log_likelihood(PairCounts pairs, double lost, double split, double won) {
    return log_term(pairs.count[0], lost) + log_term(pairs.count[1], split) + log_term(pairs.count[2], won);
}

/* The derivative of the log-likelihood: with respect to w for a given d, or to u = sqrt(w) for d = c u. */
static double slope_by_w(PairCounts pairs, double d, double w) {
    return 0.5 * pairs.count[0] / (0.5 * w - d) - pairs.count[1] / (1 - w) + 0.5 * pairs.count[2] / (0.5 * w + d);
}

static double slope_by_u(PairCounts pairs, double c, double u) {
    return pairs.count[0] * (1 / u + 0.5 / (0.5 * u - c)) - pairs.count[1] * 2 * u / (1 - u * u) +
           pairs.count[2] * (1 / u + 0.5 / (0.5 * u + c));
}

/* The highest log-likelihood of the counts among all distributions with this value of the quantity. */
static double profile(PairCounts pairs, Quantity quantity, double value) {
    const bool mean = quantity == MEAN_SCORE;
    const double d = mean ? value - 0.5 : 0.5 * value / sqrt(1 + value * value);
    double low = 2 * fabs(d), high = 1; /* of w, or of u: all probabilities are at least 0 */
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if ((mean ? slope_by_w(pairs, d, middle) : slope_by_u(pairs, d, middle)) > 0)
            low = middle;
        else
            high = middle;
    }
    const double x = 0.5 * (low + high), w = mean ? x : x * x, shift = mean ? d : d * x;
    return log_likelihood(pairs, 0.5 * w - shift, 1 - w, 0.5 * w + shift);
}

/* ---- Estimates ---- */

double elo_limit_95(double decided) {
    const double degrees = fmax(decided, FEWEST_DECIDED), z = NORMAL_95, z2 = z * z;
    return z + z * (z2 + 1) / (4 * degrees) + z * ((5 * z2 + 16) * z2 + 3) / (96 * degrees * degrees) +
           z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * degrees * degrees * degrees);
}

static bool refused(PairCounts pairs, Quantity quantity, double value) {
    const double n = pairs_total(pairs), decided = pairs.count[0] + pairs.count[2];
    const double limit = elo_limit_95(decided);
    const double best = log_likelihood(pairs, pairs.count[0] / n, pairs.count[1] / n, pairs.count[2] / n);
    return 2 * (best - profile(pairs, quantity, value)) > limit * limit;
}

/* The end of the interval between the estimate and `limit`. It is `limit` itself if the test does not reject
 * `limit`. */
static double interval_end(PairCounts pairs, Quantity quantity, double estimate, double limit) {
    if (!refused(pairs, quantity, limit))
        return limit;
    double inside = estimate, outside = limit;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (inside + outside);
        if (refused(pairs, quantity, middle))
            outside = middle;
        else
            inside = middle;
    }
    return 0.5 * (inside + outside);
}

EloEstimate elo_of_pairs(PairCounts pairs) {
    EloEstimate elo = {.ci95 = {-ELO_LIMIT, ELO_LIMIT}};
    if (pairs_total(pairs) == 0)
        return elo;
    const double score = elo_score(pairs), least = elo_to_score(-ELO_LIMIT);
    const double inside = score < least ? least : score > 1 - least ? 1 - least : score;
    elo.estimate = elo_from_score(score);
    elo.ci95.low = elo_from_score(interval_end(pairs, MEAN_SCORE, inside, least));
    elo.ci95.high = elo_from_score(interval_end(pairs, MEAN_SCORE, inside, 1 - least));
    return elo;
}

EloEstimate elo_normalized(PairCounts pairs) {
    EloEstimate elo = {.ci95 = {-ELO_LIMIT, ELO_LIMIT}};
    const double n = pairs_total(pairs), limit = normalized_to_t(ELO_LIMIT);
    if (n == 0)
        return elo;
    const double d = elo_score(pairs) - 0.5;
    const double variance = 0.25 * (pairs.count[0] + pairs.count[2]) / n - d * d;
    if (d != 0)
        elo.estimate = variance > 0 ? t_to_normalized(d / sqrt(variance)) : d < 0 ? -ELO_LIMIT : ELO_LIMIT;
    const double inside = normalized_to_t(elo.estimate);
    elo.ci95.low = t_to_normalized(interval_end(pairs, T_VALUE, inside, -limit));
    elo.ci95.high = t_to_normalized(interval_end(pairs, T_VALUE, inside, limit));
    return elo;
}

/* ---- The test ---- */

double sprt_lower_bound(void) {
    return log(SPRT_BETA / (1 - SPRT_ALPHA));
}

double sprt_upper_bound(void) {
    return log((1 - SPRT_BETA) / SPRT_ALPHA);
}

Sprt sprt_start(double elo0, double elo1) {
    return (Sprt){.elo0 = elo0, .elo1 = elo1};
}

void sprt_add(Sprt *sprt, int halves) {
    if (sprt->verdict != SPRT_RUNNING)
        return;
    sprt->pairs.count[halves] += 1;
    sprt->llr = profile(sprt->pairs, T_VALUE, normalized_to_t(sprt->elo1)) -
                profile(sprt->pairs, T_VALUE, normalized_to_t(sprt->elo0));
    if (sprt->llr >= sprt_upper_bound())
        sprt->verdict = SPRT_H1;
    else if (sprt->llr <= sprt_lower_bound())
        sprt->verdict = SPRT_H0;
}
