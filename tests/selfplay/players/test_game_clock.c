/* Tests of the clock: it sets the times that the protocol says, and no game played by its budgets is lost on time. */
#include "selfplay/players/game_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void set_canadian(GameClock *clock, double main_time, double period, int stones) {
    game_clock_set(clock, &(GameTimes){.main_time = main_time, .period = period, .period_stones = stones});
}

static void test_settings(void **unused) {
    (void)unused;
    GameClock clock = {0};
    assert_false(clock.running);
    game_clock_left(&clock, BLACK, 60, 0);
    assert_true(clock.running);
    game_clock_restart(&clock); /* no times were set for the next game */
    assert_false(clock.running);
    set_canadian(&clock, 0, 1, 0);
    assert_false(clock.running); /* byo-yomi time without stones: no limits */
    set_canadian(&clock, 100, 0, 0);
    assert_true(clock.running);
    game_clock_spend(&clock, WHITE, 30);
    assert_true(clock.left[BLACK] == 100 && clock.left[WHITE] == 70);
    game_clock_restart(&clock);
    assert_true(clock.left[WHITE] == 100);
    game_clock_left(&clock, BLACK, 12, 3);
    assert_true(clock.left[BLACK] == 12 && clock.stones_left[BLACK] == 3);
}

static void test_budgets(void **unused) {
    (void)unused;
    GameClock clock = {0};
    set_canadian(&clock, 100, 0, 0);
    const double early = game_clock_budget(&clock, BLACK, 0, 50), late = game_clock_budget(&clock, BLACK, 0, 10);
    assert_true(early > 1 && early < 2);
    assert_true(late > 5 && late < 10);
    assert_true(game_clock_budget(&clock, BLACK, 0, 0) < 20); /* the estimate is not trusted */
    game_clock_left(&clock, BLACK, 6, 2);
    assert_true(game_clock_budget(&clock, BLACK, 0, 50) > 2 && game_clock_budget(&clock, BLACK, 0, 50) < 3);
    game_clock_left(&clock, BLACK, -1, 0);
    const double none = game_clock_budget(&clock, BLACK, 0, 50);
    assert_true(none > 0 && none < 0.01);
}

/* Unused time is kept in the main time, and in a period for the moves that are left of it. */
static void test_saving(void **unused) {
    (void)unused;
    GameClock clock = {0};
    assert_false(game_clock_saves(&clock, BLACK));
    set_canadian(&clock, 0, 1, 1); /* a second a move */
    assert_false(game_clock_saves(&clock, BLACK));
    game_clock_spend(&clock, BLACK, 0.5);
    assert_false(game_clock_saves(&clock, BLACK));
    set_canadian(&clock, 10, 1, 2);
    assert_true(game_clock_saves(&clock, BLACK));
    game_clock_spend(&clock, BLACK, 10.5); /* byo-yomi begins */
    assert_true(game_clock_saves(&clock, BLACK) && game_clock_saves(&clock, WHITE));
    game_clock_spend(&clock, BLACK, 0.1);
    assert_false(game_clock_saves(&clock, BLACK));
}

static void assert_shows(const GameClock *clock, double seconds, int periods) {
    assert_true(clock->left[BLACK] > seconds - 1e-9 && clock->left[BLACK] < seconds + 1e-9);
    assert_int_equal(clock->periods_left[BLACK], periods);
}

/* A move that takes longer than a period uses it up; the one in which it ends is whole again for the next move. */
static void test_periods(void **unused) {
    (void)unused;
    GameClock clock = {0};
    game_clock_set(&clock, &(GameTimes){.main_time = 60, .period = 10, .period_stones = 1, .periods = 4});
    game_clock_spend(&clock, BLACK, 55);
    assert_shows(&clock, 5, 0);
    assert_true(game_clock_saves(&clock, BLACK));
    game_clock_spend(&clock, BLACK, 18); /* 13 seconds beyond the main time */
    assert_shows(&clock, 10, 3);
    assert_false(game_clock_saves(&clock, BLACK));
    assert_true(game_clock_budget(&clock, BLACK, 0, 50) > 8 && game_clock_budget(&clock, BLACK, 0, 50) < 10);
    game_clock_spend(&clock, BLACK, 9);
    assert_shows(&clock, 10, 3);
    game_clock_spend(&clock, BLACK, 25);
    assert_shows(&clock, 10, 1);
    game_clock_spend(&clock, BLACK, 9.5);
    assert_shows(&clock, 10, 1);
    game_clock_left(&clock, BLACK, 7, 2);
    assert_shows(&clock, 7, 2);
    assert_int_equal(clock.stones_left[BLACK], 1);
    game_clock_left(&clock, BLACK, 30, 0);
    assert_shows(&clock, 30, 0);
    assert_int_equal(clock.stones_left[BLACK], 0);
    game_clock_restart(&clock);
    assert_shows(&clock, 60, 0);
}

/* Each move adds to the time; no move may take what comes only after it. */
static void test_increment(void **unused) {
    (void)unused;
    GameClock clock = {0};
    game_clock_set(&clock, &(GameTimes){.main_time = 5, .increment = 10});
    assert_true(game_clock_saves(&clock, BLACK));
    const double first = game_clock_budget(&clock, BLACK, 0, 50);
    assert_true(first > 4 && first < 5);
    game_clock_spend(&clock, BLACK, first);
    assert_shows(&clock, 15 - first, 0);
    assert_true(clock.left[WHITE] == 5);
    game_clock_set(&clock, &(GameTimes){.main_time = 500, .increment = 10});
    assert_true(game_clock_budget(&clock, BLACK, 0, 50) > 17 && game_clock_budget(&clock, BLACK, 0, 50) < 20);
    game_clock_set(&clock, &(GameTimes){.main_time = 20, .increment = 2});
    for (int move = 0; move < 500; move++) {
        const double used = game_clock_budget(&clock, BLACK, 0, 10) + 0.005;
        assert_true(used < clock.left[BLACK]);
        game_clock_spend(&clock, BLACK, used);
    }
}

/* Without main time the first move is in a period already, and each move of 30 seconds gets as much. */
static void test_periods_alone(void **unused) {
    (void)unused;
    GameClock clock;
    set_canadian(&clock, 0, 30, 1);
    for (int move = 0; move < 3; move++) {
        assert_true(game_clock_budget(&clock, BLACK, 0, 20) > 25);
        game_clock_spend(&clock, BLACK, 27);
        assert_shows(&clock, 30, 0);
    }
    game_clock_set(&clock, &(GameTimes){.period = 10, .period_stones = 1, .periods = 3});
    assert_shows(&clock, 10, 3);
    game_clock_spend(&clock, BLACK, 12);
    assert_shows(&clock, 10, 2);
}

/* A referee's clock of Canadian byo-yomi: the move in which the main time ends is the first one of its period or, if
 * `lenient`, not yet one. Without main time the period begins before the first move. */
typedef struct Referee {
    double main_time, period, left;
    int stones, stones_left;
    bool lenient, lost;
} Referee;

static void referee_move(Referee *referee, double seconds) {
    referee->left -= seconds;
    if (referee->stones_left == 0) {
        if (referee->left >= 0)
            return;
        referee->left += referee->period;
        referee->stones_left = referee->stones;
        if (referee->lenient)
            seconds = 0;
        else
            referee->stones_left--;
    } else {
        referee->stones_left--;
    }
    referee->lost |= referee->left < 0;
    if (referee->stones_left == 0 && referee->stones > 0) {
        referee->left = referee->period;
        referee->stones_left = referee->stones;
    }
}

/* Plays by the budgets, each move 5 ms late, with an estimate of moves that is always less than half of them. */
static bool survives(double main_time, double period, int stones, int moves, bool lenient) {
    GameClock clock = {0};
    set_canadian(&clock, main_time, period, stones);
    Referee referee = {
        .main_time = main_time, .period = period, .left = main_time, .stones = stones, .lenient = lenient};
    if (main_time == 0) {
        referee.left = period;
        referee.stones_left = stones;
    }
    for (int move = 0; move < moves; move++) {
        const double used = game_clock_budget(&clock, BLACK, 0, (moves - move) * 0.4) + 0.005;
        game_clock_spend(&clock, BLACK, used);
        referee_move(&referee, used);
    }
    return !referee.lost;
}

static void test_no_loss_on_time(void **unused) {
    (void)unused;
    static const double times[] = {0, 1, 5, 10, 60, 600, 7200}, periods[] = {0, 2, 10, 30, 300};
    static const int stones[] = {1, 5, 25}, moves[] = {10, 40, 150};
    for (size_t t = 0; t < sizeof times / sizeof times[0]; t++)
        for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++)
            for (size_t s = 0; s < sizeof stones / sizeof stones[0]; s++)
                for (size_t m = 0; m < sizeof moves / sizeof moves[0]; m++) {
                    if (periods[p] == 0 && times[t] < 5)
                        continue; /* too little for this number of moves */
                    const int count = periods[p] > 0 ? stones[s] : 0;
                    assert_true(survives(times[t], periods[p], count, moves[m], false));
                    assert_true(survives(times[t], periods[p], count, moves[m], true));
                }
}

/* The actions of one turn together take what one turn may take, in each kind of clock. */
static void test_turns_of_several_actions(void **unused) {
    (void)unused;
    static const struct {
        GameTimes times;
        double left;
        int stones;
        double least, most; /* that a turn of six actions takes */
    } cases[] = {
        {{.main_time = 100, .period = 1, .period_stones = 1}, 0.1, 0, 0.8, 1.1},
        {{.main_time = 100, .period = 30, .period_stones = 1}, 60, 0, 35, 90},
        {{.main_time = 100, .period = 1, .period_stones = 1, .periods = 3}, 0.1, 0, 0.8, 1.1},
        {{.main_time = 100, .period = 1, .period_stones = 1, .periods = 3}, 1, 2, 0.8, 1},
        {{.main_time = 100, .period = 10, .period_stones = 5}, 0.1, 0, 1.5, 2.1},
        {{.main_time = 100, .period = 10, .period_stones = 5}, 10, 5, 6, 10},
        {{.main_time = 100, .increment = 10}, 100, 0, 25, 90},
        {{.main_time = 100, .increment = 10}, 5, 0, 4, 5},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        GameClock clock;
        double spent = 0;
        game_clock_set(&clock, &cases[c].times);
        game_clock_left(&clock, BLACK, cases[c].left, cases[c].stones);
        for (int action = 0; action < 6; action++)
            spent += game_clock_budget(&clock, BLACK, spent, 12);
        assert_true(spent > cases[c].least && spent < cases[c].most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings),        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_saving),          cmocka_unit_test(test_periods),
        cmocka_unit_test(test_periods_alone),   cmocka_unit_test(test_increment),
        cmocka_unit_test(test_no_loss_on_time), cmocka_unit_test(test_turns_of_several_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
