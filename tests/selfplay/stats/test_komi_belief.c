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
        {NULL, 0, {1, 0.01}, {2, 2, {-50, 50}, NULL}},     {one, 1, {1, 0.01}, {-3, 2, {-50, 50}, NULL}},
        {step, 2, {0.25, 0.01}, {-3, 2, {-50, 50}, NULL}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-50, 50}, NULL}},
        {even, 1, {0.25, 0.001}, {0, 9, {-50, 50}, NULL}}, {mixed, 3, {1.5, 0.04}, {3, 2, {-0.5, 1}, NULL}},
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
    const BeliefPrior known = {0, 2, {4.5, 4.5}, NULL};
    komi_belief(&exact, step, 2, (BeliefCurve){1, 0.01}, &known);
    for (double q = 0; q <= 1; q += 0.25)
        assert_true(komi_belief_quantile(&exact, q) == 4.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_posteriors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
