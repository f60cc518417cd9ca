/* What is believed of the fair komi of a position: posteriors against brute force, priors of moves, and the curve that
 * the games of all positions teach. */
#include "selfplay/stats/komi_belief.h"
#include "tests/support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The share of the posterior below a place and the log of its integral, by brute force on a fine grid. */
static double brute_below(const BeliefResult *results, int count, BeliefCurve curve, const BeliefPrior *prior,
                          double place, double *log_integral) {
    double below = 0, all = 0;
    const double step = 0.005;
    for (double x = prior->bounds.low + step / 2; x < prior->bounds.high; x += step) {
        const double d = (x - prior->location) / prior->scale;
        double weight = 1 / ((1 + d * d / 3) * (1 + d * d / 3));
        for (int i = 0; i < count; i++) {
            const double win = curve.lapse / 2 + (1 - curve.lapse) / (1 + exp((results[i].komi - x) / curve.scale));
            weight *= pow(win, results[i].black_wins) * pow(1 - win, results[i].games - results[i].black_wins);
        }
        all += weight;
        below += x < place ? weight : 0;
    }
    *log_integral = log(all * step);
    return below / all;
}

static void beliefs_are_posteriors(void **unused) {
    (void)unused;
    static const BeliefResult one[] = {{4, 1, 1}}, step[] = {{4, 20, 20}, {6, 20, 0}},
                              mixed[] = {{-2, 10, 8}, {0, 20, 11}, {2, 5, 0}}, even[] = {{4, 40, 20}};
    static const struct {
        const BeliefResult *results;
        int count;
        BeliefCurve curve;
        BeliefPrior prior;
    } cases[] = {
        {NULL, 0, {1, 0.01}, {2, 2, {-50, 50}}},     {one, 1, {1, 0.01}, {-3, 2, {-50, 50}}},
        {step, 2, {0.25, 0.01}, {-3, 2, {-50, 50}}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-50, 50}}},
        {even, 1, {0.25, 0.001}, {0, 9, {-50, 50}}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-0.5, 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        KomiBelief belief;
        double expected;
        const double evidence = komi_belief(&belief, cases[i].results, cases[i].count, cases[i].curve, &cases[i].prior);
        for (double q = 0.025; q < 1; q += 0.19) {
            const double below = brute_below(cases[i].results, cases[i].count, cases[i].curve, &cases[i].prior,
                                             komi_belief_quantile(&belief, q), &expected);
            if (!near(below, q, 0.012))
                fail_msg("case %zu: %g of the posterior is below the quantile of %g", i, below, q);
        }
        assert_true(near(evidence, expected, 0.03));
        double mean = 0; /* of the quantiles */
        for (int k = 0; k < 1000; k++)
            mean += komi_belief_quantile(&belief, (k + 0.5) / 1000) / 1000;
        assert_true(near(komi_belief_mean(&belief), mean, 0.1 * belief.step));
    }
    KomiBelief exact;
    const BeliefPrior known = {0, 2, {4.5, 4.5}};
    komi_belief(&exact, step, 2, (BeliefCurve){1, 0.01}, &known);
    for (double q = 0; q <= 1; q += 0.25)
        assert_true(komi_belief_quantile(&exact, q) == 4.5);
}

/* The median of the best of n draws: brute force by the share of all n that are below. */
static void priors_of_moves_are_calibrated(void **unused) {
    (void)unused;
    assert_true(near(belief_best_of(1), 0, 1e-6));
    /* The 0.98282 quantile of Student's t with 3 degrees of freedom. */
    assert_true(near(belief_best_of(40), 3.71, 0.02));
    for (int n = 2; n < 100; n++)
        assert_true(belief_best_of(n) > belief_best_of(n - 1));
}

static void curves_are_learnt(void **unused) {
    (void)unused;
    double evidence[BELIEF_CURVES] = {0};
    const BeliefCurve before = belief_curve_mean(evidence);
    assert_true(near(before.scale, 1, 1e-9));
    for (int steep = 0; steep < 2; steep++) { /* 30 positions at different places */
        for (int k = 0; k < BELIEF_CURVES; k++) {
            evidence[k] = 0;
            for (int i = 0; i < 30; i++) {
                const BeliefResult step[] = {{i, 10, 10}, {i + 2, 10, 0}},
                                   flat[] = {{i - 4, 10, 9}, {i, 10, 6}, {i + 4, 10, 2}};
                const BeliefPrior prior = {i, 4, {-50, 90}};
                KomiBelief unneeded;
                evidence[k] +=
                    komi_belief(&unneeded, steep ? step : flat, steep ? 2 : 3, belief_curve_candidate(k), &prior);
            }
        }
        const BeliefCurve curve = belief_curve_mean(evidence);
        assert_true(steep ? curve.scale < 0.45 && curve.lapse < 0.01 : near(curve.scale, 2.3, 0.4));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_posteriors),
        cmocka_unit_test(priors_of_moves_are_calibrated),
        cmocka_unit_test(curves_are_learnt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
