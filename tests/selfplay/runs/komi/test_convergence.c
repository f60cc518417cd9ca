/* When a ladder has converged, and what is said if it has not. */
#include "selfplay/runs/komi/convergence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RUNGS = 3 };

/* Rungs of 4, 16 and 64 simulations with these estimates and half widths of the intervals, and one best first move. */
static void make(RungValue rungs[RUNGS], const double *estimate, double half_width) {
    for (int i = 0; i < RUNGS; i++)
        rungs[i] = (RungValue){
            .effort = pow(4, i + 1),
            .fair = {.combined = estimate[i], .combined_ci95 = {estimate[i] - half_width, estimate[i] + half_width}},
            .best = 2,
            .games = 200};
}

static void small_drifts_and_one_first_move_converge(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, (double[]){4, 4.2, 4.1}, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, false).status, CONVERGENCE_REACHED);
    assert_int_equal(rungs_converge(rungs, RUNGS, true).status, CONVERGENCE_EXACT);
    const Drift drift = rung_drift(&rungs[0], &rungs[1]);
    assert_true(fabs(drift.estimate - 0.2) < 1e-9 && fabs(drift.ci95.high - 0.2 - 0.3 * sqrt(2)) < 1e-9);
    rungs[0].best = 1; /* of the third highest rung nothing is asked */
    assert_int_equal(rungs_converge(rungs, RUNGS, false).status, CONVERGENCE_REACHED);
}

static void each_condition_is_needed(void **unused) {
    (void)unused;
    static const double near[] = {4, 4.2, 4.1};
    RungValue rungs[RUNGS];
    make(rungs, near, 0.3);
    assert_int_equal(rungs_converge(rungs + 1, 2, false).reasons, REASON_FEW_RUNGS);
    rungs[0].effort = 5;
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_FEW_RUNGS);
    make(rungs, near, 0.6);
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_DRIFT);
    make(rungs, near, 0.3);
    rungs[0].games = 199;
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_FEW_GAMES);
    make(rungs, near, 0.3);
    rungs[2].best = 0;
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_FIRST_MOVE);
    for (int i = 0; i < RUNGS; i++)
        rungs[i].best = -1;
    const Convergence last = rungs_converge(rungs, RUNGS, false);
    assert_true(last.reasons == REASON_FREE_PLAY && last.status == CONVERGENCE_MISSING && last.bound == BOUND_NONE);
}

static void a_steady_drift_is_a_bound(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, (double[]){3, 3.6, 4.2}, 0.3);
    const Convergence rising = rungs_converge(rungs, RUNGS, false);
    assert_true(rising.reasons == REASON_DRIFT && rising.bound == BOUND_AT_LEAST);
    assert_true(fabs(rising.drift.estimate - 1.2) < 1e-9);
    make(rungs, (double[]){4.2, 3.6, 3}, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, false).bound, BOUND_AT_MOST);
}

static void the_same_bracket_is_no_drift(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, (double[]){5, 5, 5}, 1);
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_DRIFT);
    for (int i = 0; i < RUNGS; i++) {
        rungs[i].fair.pair_known = true;
        rungs[i].fair.black_wins_up_to = 4;
        rungs[i].fair.white_wins_from = 6;
    }
    assert_int_equal(rungs_converge(rungs, RUNGS, false).status, CONVERGENCE_REACHED);
    rungs[1].fair.white_wins_from = 5;
    assert_int_equal(rungs_converge(rungs, RUNGS, false).reasons, REASON_DRIFT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_drifts_and_one_first_move_converge),
        cmocka_unit_test(each_condition_is_needed),
        cmocka_unit_test(a_steady_drift_is_a_bound),
        cmocka_unit_test(the_same_bracket_is_no_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
