/* When a ladder has converged, and what is said if it has not. */
#include "selfplay/runs/komi/convergence.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RUNGS = 5, TOP = 1024 /* the highest effort */ };

/* A rung of this effort: its estimate, the half width of its interval, and one best first move. */
static RungValue rung(double effort, double estimate, double half_width) {
    return (RungValue){.effort = effort,
                       .fair = {.by_model = estimate, .by_model_ci95 = {estimate - half_width, estimate + half_width}},
                       .best = 2,
                       .games = 200};
}

/* Rungs of 4, 16, ... simulations. Those below the last three change much. */
static void make(RungValue rungs[RUNGS], const double last[3], double half_width) {
    for (int i = 0; i < RUNGS; i++)
        rungs[i] = rung(pow(4, i + 1), i < RUNGS - 3 ? 9 - i : last[i - (RUNGS - 3)], half_width);
}

static const double near[3] = {4, 4.2, 4.1};

static void small_drifts_and_one_first_move_converge(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    const RungValue other = rung(TOP, 4, 0.3);
    make(rungs, near, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).status, CONVERGENCE_REACHED);
    const Convergence exact = rungs_converge(rungs, RUNGS, NULL, true);
    assert_int_equal(exact.status, CONVERGENCE_EXACT);
    assert_true(fabs(exact.drift.estimate - 0.1) < 1e-9); /* which is shown, too */
    const Drift drift = rung_drift(&rungs[2], &rungs[3]);
    assert_true(fabs(drift.estimate - 0.2) < 1e-9 && fabs(drift.ci95.high - 0.2 - 0.3 * sqrt(2)) < 1e-9);
    rungs[2].best = 1; /* of the third highest rung nothing is asked */
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).status, CONVERGENCE_REACHED);
}

static unsigned reasons(const RungValue *rungs, int count) {
    const RungValue other = rung(TOP, 4, 0.3);
    return rungs_converge(rungs, count, &other, false).reasons;
}

static void each_condition_is_needed(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, near, 0.3);
    assert_int_equal(reasons(rungs + 1, RUNGS - 1), REASON_FEW_RUNGS);
    rungs[0].effort = 4.01; /* the next one has 16 */
    assert_int_equal(reasons(rungs, RUNGS), REASON_FEW_RUNGS);
    make(rungs, near, 0.6);
    assert_int_equal(reasons(rungs, RUNGS), REASON_DRIFT | REASON_FAMILIES);
    make(rungs, (double[]){4.6, 4.2, 4.1}, 0.3); /* 0.4 +- 0.42 */
    assert_int_equal(reasons(rungs, RUNGS), REASON_DRIFT);
    make(rungs, (double[]){4.1, 4.2, 4.6}, 0.3); /* the other step; the other family is near the highest rung */
    const RungValue middle = rung(TOP, 4.4, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, &middle, false).reasons, REASON_DRIFT);
    for (int few = RUNGS - 3; few < RUNGS; few++) {
        make(rungs, near, 0.3);
        rungs[few].games = 199;
        assert_int_equal(reasons(rungs, RUNGS), REASON_FEW_GAMES);
    }
    make(rungs, near, 0.3);
    rungs[4].best = 0;
    assert_int_equal(reasons(rungs, RUNGS), REASON_FIRST_MOVE);
    for (int i = 0; i < RUNGS; i++)
        rungs[i].best = -1;
    const RungValue other = rung(TOP, 4, 0.3);
    const Convergence last = rungs_converge(rungs, RUNGS, &other, false);
    assert_true(last.reasons == REASON_FREE_PLAY && last.status == CONVERGENCE_MISSING && last.bound == BOUND_NONE);
}

static void another_family_must_say_the_same(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, near, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, NULL, false).reasons, REASON_ALONE);
    const RungValue wrong = rung(TOP, 4.5, 0.3), vague = rung(TOP, 4.1, 0.9), right = rung(TOP, 4.3, 0.4);
    assert_int_equal(rungs_converge(rungs, RUNGS, &wrong, false).reasons, REASON_FAMILIES);
    assert_int_equal(rungs_converge(rungs, RUNGS, &vague, false).reasons, REASON_FAMILIES);
    assert_int_equal(rungs_converge(rungs, RUNGS, &right, false).status, CONVERGENCE_REACHED);
    RungValue weak = right, few = right;
    weak.effort = TOP - 1;
    few.games = 199;
    assert_int_equal(rungs_converge(rungs, RUNGS, &weak, false).reasons, REASON_WEAK_FAMILY);
    assert_int_equal(rungs_converge(rungs, RUNGS, &few, false).reasons, REASON_WEAK_FAMILY);
}

static void a_steady_drift_is_a_bound(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    const RungValue other = rung(TOP, 4.2, 0.3);
    make(rungs, (double[]){3, 3.6, 4.2}, 0.3);
    const Convergence rising = rungs_converge(rungs, RUNGS, &other, false);
    assert_true(rising.reasons == REASON_DRIFT && rising.bound == BOUND_AT_LEAST);
    assert_true(fabs(rising.drift.estimate - 1.2) < 1e-9);
    make(rungs, (double[]){4.2, 3.6, 3}, 0.3);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).bound, BOUND_AT_MOST);
    make(rungs, (double[]){4, 4.2, 4.4}, 0.2); /* it rises, but not by much */
    const Convergence little = rungs_converge(rungs, RUNGS, NULL, false);
    assert_true(little.drift.ci95.low > 0 && little.reasons == REASON_ALONE && little.bound == BOUND_NONE);
    make(rungs, (double[]){4.4, 4.2, 4}, 0.2);
    const Convergence falling = rungs_converge(rungs, RUNGS, NULL, false);
    assert_true(falling.drift.ci95.high < 0 && falling.reasons == REASON_ALONE && falling.bound == BOUND_NONE);
    make(rungs, (double[]){4, 4.2, 4.4}, 0.2);
    const Convergence two = rungs_converge(rungs + RUNGS - 2, 2, &other, false); /* one drift */
    assert_true(two.status == CONVERGENCE_MISSING && fabs(two.drift.estimate - 0.2) < 1e-9);
}

/* With three rungs there are two steps already: the drift is over both, and both must be small. */
static void three_rungs_have_two_steps(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    const RungValue other = rung(TOP, 4.2, 0.3);
    make(rungs, (double[]){3, 4.1, 4.2}, 0.3);
    const Convergence found = rungs_converge(rungs + RUNGS - 3, 3, &other, false);
    assert_int_equal(found.reasons, REASON_FEW_RUNGS | REASON_DRIFT);
    assert_true(fabs(found.drift.estimate - 1.2) < 1e-9 && found.bound == BOUND_AT_LEAST);
}

/* Both steps count; and where the second one takes most of the first one back, nobody knows which way it goes. */
static void a_drift_to_and_fro_is_no_bound(void **unused) {
    (void)unused;
    static const double ways[][3] = {{4, 4.4, 4.2}, {4.4, 4, 4.2}};
    for (int i = 0; i < 2; i++) {
        RungValue rungs[RUNGS];
        const RungValue other = rung(TOP, 4.2, 0.3);
        make(rungs, ways[i], 0.3);
        const Convergence found = rungs_converge(rungs, RUNGS, &other, false);
        assert_true(found.reasons == REASON_DRIFT && found.bound == BOUND_NONE);
    }
}

static void know_pair(RungValue *value, int black_wins_up_to, int white_wins_from) {
    value->fair.pair_known = true;
    value->fair.black_wins_up_to = black_wins_up_to;
    value->fair.white_wins_from = white_wins_from;
}

static void the_same_pair_is_no_drift(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS], other = rung(TOP, 5, 1);
    make(rungs, (double[]){5, 5, 5}, 1);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).reasons, REASON_DRIFT | REASON_FAMILIES);
    for (int i = 0; i < RUNGS; i++)
        know_pair(&rungs[i], 4, 5);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).reasons, REASON_FAMILIES);
    know_pair(&other, 4, 5);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).status, CONVERGENCE_REACHED);
    know_pair(&rungs[3], 4, 6);
    assert_int_equal(rungs_converge(rungs, RUNGS, &other, false).reasons, REASON_DRIFT);
    assert_true(rung_drift(&rungs[3], &rungs[4]).ci95.high > 1); /* one end alone is not the same pair */
    know_pair(&rungs[3], 3, 5);
    assert_true(rung_drift(&rungs[3], &rungs[4]).ci95.high > 1);
    for (int unknown = 3; unknown <= 4; unknown++) { /* nor is one that is known on one rung alone */
        know_pair(&rungs[3], 4, 5);
        know_pair(&rungs[4], 4, 5);
        rungs[unknown].fair.pair_known = false;
        assert_true(rung_drift(&rungs[3], &rungs[4]).ci95.high > 1);
    }
}

/* Between 4 and 6 the step may have moved from one side of 5 to the other. */
static void a_wide_pair_may_hide_a_drift(void **unused) {
    (void)unused;
    RungValue rungs[RUNGS];
    make(rungs, near, 0.3);
    for (int i = 0; i < RUNGS; i++)
        know_pair(&rungs[i], 4, 6);
    const Drift drift = rung_drift(&rungs[3], &rungs[4]);
    assert_true(fabs(drift.ci95.low + 1) < 1e-9 && fabs(drift.ci95.high - 1) < 1e-9 && fabs(drift.estimate) < 1e-9);
    assert_int_equal(reasons(rungs, RUNGS), REASON_DRIFT);
}

static void the_limit_belongs_to_what_is_small(void **unused) {
    (void)unused;
    assert_true(drift_is_small(&(Drift){.ci95 = {-0.75, 0.75}}));
    assert_false(drift_is_small(&(Drift){.ci95 = {-0.76, 0.75}}));
    assert_false(drift_is_small(&(Drift){.ci95 = {-0.75, 0.76}}));
}

static const char *word_of(unsigned reason) {
    int i = 0;
    while (reason >> i != 1)
        i++;
    return reason_words[i];
}

/* The words have the order of the bits and of the enums. */
static void words_say_what_is_meant(void **unused) {
    (void)unused;
    assert_string_equal(convergence_words[CONVERGENCE_EXACT], "exact");
    assert_string_equal(convergence_words[CONVERGENCE_REACHED], "converged");
    assert_string_equal(convergence_words[CONVERGENCE_MISSING], "not converged");
    assert_string_equal(bound_words[BOUND_NONE], "");
    assert_string_equal(bound_words[BOUND_AT_LEAST], "at least");
    assert_string_equal(bound_words[BOUND_AT_MOST], "at most");
    static const struct {
        unsigned reason;
        const char *word;
    } cases[REASON_COUNT] = {{REASON_FEW_RUNGS, "fewer than five rungs"},
                             {REASON_DRIFT, "a drift that is not within"},
                             {REASON_FREE_PLAY, "the players chose"},
                             {REASON_FIRST_MOVE, "first move has changed"},
                             {REASON_FEW_GAMES, "fewer than 200 games on a rung"},
                             {REASON_ALONE, "no other family"},
                             {REASON_FAMILIES, "does not say the same"},
                             {REASON_WEAK_FAMILY, "less effort"}};
    for (int i = 0; i < REASON_COUNT; i++)
        assert_non_null(strstr(word_of(cases[i].reason), cases[i].word));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_drifts_and_one_first_move_converge),
        cmocka_unit_test(each_condition_is_needed),
        cmocka_unit_test(another_family_must_say_the_same),
        cmocka_unit_test(a_steady_drift_is_a_bound),
        cmocka_unit_test(three_rungs_have_two_steps),
        cmocka_unit_test(a_drift_to_and_fro_is_no_bound),
        cmocka_unit_test(the_same_pair_is_no_drift),
        cmocka_unit_test(a_wide_pair_may_hide_a_drift),
        cmocka_unit_test(the_limit_belongs_to_what_is_small),
        cmocka_unit_test(words_say_what_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
