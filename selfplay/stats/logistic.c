/* See logistic.h. */
#include "selfplay/stats/logistic.h"

#include <math.h>

/* Fisher's information about (intercept, slope). x is measured from `centre`. */
typedef struct Information {
    double aa, ab, bb;
} Information;

/* The probabilities of a win and of a loss at logit t, each computed without cancellation. */
static double logistic(double t) {
    return 1 / (1 + exp(-t));
}

static double log_logistic(double t) {
    return t > 0 ? -log1p(exp(-t)) : t - log1p(exp(t));
}

static Information information(const Trial *trials, int count, double centre, double a, double b) {
    Information info = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        const double x = trials[i].x - centre, t = a + b * x;
        const double weight = trials[i].games * logistic(t) * logistic(-t);
        info.aa += weight;
        info.ab += weight * x;
        info.bb += weight * x * x;
    }
    return info;
}

static double determinant(Information info) {
    return info.aa * info.bb - info.ab * info.ab;
}

static double penalised_likelihood(const Trial *trials, int count, double centre, double a, double b) {
    const double det = determinant(information(trials, count, centre, a, b));
    if (!(det > 0))
        return -INFINITY;
    double sum = log(det) / 2;
    for (int i = 0; i < count; i++) {
        const double t = a + b * (trials[i].x - centre);
        sum += trials[i].wins * log_logistic(t) + (trials[i].games - trials[i].wins) * log_logistic(-t);
    }
    return sum;
}

/* The Newton step on the modified score U*(j) = sum (wins - games p + h (1/2 - p)) x^j. h is the leverage of a
 * place. */
static void firth_step(const Trial *trials, int count, double centre, double a, double b, double step[2]) {
    const Information info = information(trials, count, centre, a, b);
    const double det = determinant(info);
    double score_a = 0, score_b = 0;
    for (int i = 0; i < count; i++) {
        const double x = trials[i].x - centre, p = logistic(a + b * x);
        const double weight = trials[i].games * p * (1 - p);
        const double leverage = weight * (info.bb - 2 * x * info.ab + x * x * info.aa) / det;
        const double residual = trials[i].wins - trials[i].games * p + leverage * (0.5 - p);
        score_a += residual;
        score_b += residual * x;
    }
    step[0] = (info.bb * score_a - info.ab * score_b) / det;
    step[1] = (info.aa * score_b - info.ab * score_a) / det;
}

/* The mean of x weighted by games. `*spread` becomes its standard deviation. */
static double mean_place(const Trial *trials, int count, double *spread) {
    double games = 0, sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        games += trials[i].games;
        sum += trials[i].games * trials[i].x;
    }
    const double mean = games > 0 ? sum / games : 0;
    for (int i = 0; i < count; i++)
        squares += trials[i].games * (trials[i].x - mean) * (trials[i].x - mean);
    *spread = games > 0 ? sqrt(squares / games) : 0;
    return mean;
}

LogisticFit firth_fit(const Trial *trials, int count) {
    double spread;
    const double centre = mean_place(trials, count, &spread);
    LogisticFit fit = {0, 0, false};
    if (!(spread > 0))
        return fit;
    double a = 0, b = 0, best = penalised_likelihood(trials, count, centre, a, b);
    for (int round = 0; round < 200 && !fit.converged; round++) {
        double step[2];
        firth_step(trials, count, centre, a, b, step);
        const double size = fabs(step[0]) + fabs(step[1]) * spread;
        double share = size > 5 ? 5 / size : 1; /* far from the maximum the quadratic model is unreliable */
        double value = penalised_likelihood(trials, count, centre, a + share * step[0], b + share * step[1]);
        for (int halving = 0; halving < 40 && !(value >= best); halving++) {
            share /= 2;
            value = penalised_likelihood(trials, count, centre, a + share * step[0], b + share * step[1]);
        }
        fit.converged = size < 1e-9 || !(value >= best);
        if (value >= best) {
            a += share * step[0];
            b += share * step[1];
            best = value;
        }
    }
    fit.intercept = a - b * centre;
    fit.slope = b;
    return fit;
}
