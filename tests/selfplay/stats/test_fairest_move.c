/* Which first move is the fairest: the chances of each to be it, and how games are shared out. */
#include "selfplay/stats/fairest_move.h"
#include "tests/support/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double sum_of(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static void probabilities_are_those_of_the_posteriors(void **unused) {
    (void)unused;
    double p[4];
    Error error;
    /* Likeness: without games, with the same games, and with the colours changed. */
    const FairestMoveData alike[] = {{0, 0}, {0, 0}, {0, 0}};
    assert_true(fairest_move_probabilities(alike, 3, p, &error));
    for (int i = 0; i < 3; i++)
        assert_true(near(p[i], 1.0 / 3, 1e-12));
    const FairestMoveData mirrored[] = {{40, 30}, {40, 10}, {40, 30}};
    assert_true(fairest_move_probabilities(mirrored, 3, p, &error));
    for (int i = 0; i < 3; i++)
        assert_true(near(p[i], 1.0 / 3, 1e-9));
    /* One game, won: the rate has density 2x, so the distance d from one half has 2 (1/2 + d) + 2 (1/2 - d) = 2, as
     * without a game. */
    const FairestMoveData one_game[] = {{1, 1}, {0, 0}};
    assert_true(fairest_move_probabilities(one_game, 2, p, &error));
    assert_true(near(p[0], 0.5, 1e-9));
    /* Two games, one each: density 6 x (1 - x), so that of d is 3 - 12 d^2; it is nearer than a uniform one with
     * probability 1 - E[2d] = 1 - 3/8. */
    const FairestMoveData two_games[] = {{2, 1}, {0, 0}};
    assert_true(fairest_move_probabilities(two_games, 2, p, &error));
    assert_true(near(p[0], 0.625, 1e-4));
    /* Many games leave no doubt, and none of the numbers is lost on the way. */
    const FairestMoveData many[] = {{100000, 50100}, {100000, 20000}, {1, 0}, {1000000, 999999}};
    assert_true(fairest_move_probabilities(many, 4, p, &error));
    assert_true(p[0] > 0.99 && p[1] < 1e-6 && p[3] < 1e-6);
    assert_true(near(sum_of(p, 4), 1, 1e-12));
    const FairestMoveData single = {7, 7};
    assert_true(fairest_move_probabilities(&single, 1, p, &error));
    assert_true(near(p[0], 1, 1e-12));
}

static void games_go_to_the_likely_ones(void **unused) {
    (void)unused;
    int games[4];
    const double even[] = {0.25, 0.25, 0.25, 0.25};
    fairest_move_allocate(even, 4, 100, games);
    for (int i = 0; i < 4; i++)
        assert_in_range(games[i], 24, 26);
    /* Top two: of two moves that alone come into question each gets half, however sure it is which one. */
    const double sure[] = {0.9, 0.1, 0, 0};
    fairest_move_allocate(sure, 4, 1000, games);
    assert_in_range(games[0], 449, 451);
    assert_in_range(games[1], 449, 451);
    assert_in_range(games[2], 49, 51);
    const double certain[] = {0, 1, 0, 0};
    fairest_move_allocate(certain, 4, 1000, games);
    assert_in_range(games[1], 849, 851);
    for (int batch = 0; batch < 50; batch++) {
        fairest_move_allocate(sure, 4, batch, games);
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            assert_true(games[i] >= 0);
            sum += games[i];
        }
        assert_int_equal(sum, batch);
    }
}

/* Chances that are known: the run finds the fairest, and spends most of its games on it and the next. */
static void the_fairest_is_found(void **unused) {
    (void)unused;
    static const int percent[] = {80, 70, 56, 51, 40, 20};
    FairestMoveData data[6] = {{0}};
    double p[6];
    int games[6], spent = 0;
    uint64_t state = 1;
    Error error;
    for (int round = 0; round < 60; round++) {
        assert_true(fairest_move_probabilities(data, 6, p, &error));
        fairest_move_allocate(p, 6, 100, games);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < games[i]; k++) {
                state = state * 6364136223846793005ull + 1442695040888963407ull;
                data[i].games++;
                data[i].wins += (int)((state >> 33) % 100) < percent[i];
                spent++;
            }
    }
    assert_int_equal(spent, 6000);
    assert_true(fairest_move_probabilities(data, 6, p, &error));
    assert_true(p[3] > 0.9);
    assert_true(data[2].games + data[3].games > 6000 / 2);
    for (int i = 0; i < 6; i++)
        assert_true(data[i].games >= 6000 / 5 / 6 - 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_are_those_of_the_posteriors),
        cmocka_unit_test(games_go_to_the_likely_ones),
        cmocka_unit_test(the_fairest_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
