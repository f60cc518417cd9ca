/* What is believed of the moves of a position: against brute force over all values of three moves, and what it is for:
 * lucky moves are held to the games of their parent, and many games of a move win over these. */
#include "selfplay/stats/best_move.h"
#include "tests/support/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const MoveModel MODEL = {{1, 0.01}, 1.5, 0.6};
static const Interval BOARD = {-40, 40};

/* What is believed of a position by games of which Black won half, all at one komi. */
static KomiBelief position_at(int komi, int games) {
    const BeliefResult result = {komi, games, games / 2};
    const BeliefPrior prior = {.location = komi, .scale = 3, .bounds = BOARD};
    KomiBelief belief;
    komi_belief(&belief, &result, 1, MODEL.curve, &prior);
    return belief;
}

static double student(double distance) {
    return 1 / ((1 + distance * distance / 3) * (1 + distance * distance / 3));
}

/* ---- Against brute force ---- */

enum { GRID = 201, MOVES = 3 };

static double place_of(double k) {
    return -36 + 0.3 * k;
}

/* What is believed of each of three moves at all places of the side to move, by all combinations. */
static void enumerate(const double alone[MOVES][GRID], const double weight[GRID], double out[MOVES][GRID]) {
    for (int a = 0; a < GRID; a++)
        for (int b = 0; b < GRID; b++)
            for (int c = 0; c < GRID; c++) {
                const int best = a > b ? (a > c ? a : c) : (b > c ? b : c);
                const double chance = alone[0][a] * alone[1][b] * alone[2][c] * weight[best];
                out[0][a] += chance;
                out[1][b] += chance;
                out[2][c] += chance;
            }
}

static double quantile_on_grid(const double weight[GRID], double q) {
    double sum = 0, running = 0;
    for (int i = 0; i < GRID; i++)
        sum += weight[i];
    for (int i = 0; i < GRID; i++) {
        if (running + weight[i] >= q * sum)
            return place_of(i + (q * sum - running) / weight[i] - 0.5);
        running += weight[i];
    }
    return place_of(GRID);
}

/* The games of the moves, as the side to move sees them: at `komi`, of which it won `wins`. */
static void check_moves(bool large, const BeliefResult games[MOVES]) {
    static double alone[MOVES][GRID], weight[GRID], expected[MOVES][GRID];
    const double sign = large ? 1 : -1;
    const KomiBelief position = position_at((int)(sign * 6), 24);
    BestMove best;
    best_move_begin(&best, &position, MOVES, large, 40, &MODEL);
    BeliefResult results[MOVES];
    MoveGames moves[MOVES];
    for (int i = 0; i < MOVES; i++) {
        results[i] = (BeliefResult){(int)(sign * games[i].komi), games[i].games,
                                    large ? games[i].black_wins : games[i].games - games[i].black_wins};
        moves[i] = (MoveGames){&results[i], 1, BOARD};
        best_move_add(&best, &moves[i]);
    }
    const double centre = sign * komi_belief_mean(&position) - MODEL.spread * best_move_gap(MOVES);
    for (int k = 0; k < GRID; k++) {
        const double place = place_of(k);
        weight[k] = 0;
        for (int i = 0; i < 200; i++)
            weight[k] += student((place - sign * komi_belief_quantile(&position, (i + 0.5) / 200)) / MODEL.error);
        for (int i = 0; i < MOVES; i++) {
            alone[i][k] = student((place - centre) / MODEL.spread) *
                          exp(komi_log_likelihood(sign * place, &results[i], 1, MODEL.curve));
            expected[i][k] = 0;
        }
    }
    enumerate(alone, weight, expected);
    for (int i = 0; i < MOVES; i++) {
        KomiBelief belief;
        best_move_belief(&best, &moves[i], &belief);
        for (double q = 0.1; q < 1; q += 0.2) {
            const double place = sign * komi_belief_quantile(&belief, large ? q : 1 - q);
            if (!near(place, quantile_on_grid(expected[i], q), 0.15))
                fail_msg("move %d, q %g: %g, by enumeration %g", i, q, place, quantile_on_grid(expected[i], q));
        }
    }
}

static void beliefs_are_those_of_all_combinations(void **unused) {
    (void)unused;
    static const BeliefResult cases[][MOVES] = {{{6, 2, 2}, {6, 2, 1}, {6, 2, 0}},
                                                {{6, 4, 4}, {6, 4, 4}, {8, 3, 3}},
                                                {{6, 30, 12}, {4, 1, 1}, {10, 12, 9}},
                                                {{2, 8, 1}, {2, 8, 2}, {2, 8, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_moves(true, cases[i]);
        check_moves(false, cases[i]);
    }
}

/* Without a look at the others, what is believed of a move is Student's t and its games. */
static void alone_a_move_has_its_own_games(void **unused) {
    (void)unused;
    const KomiBelief position = position_at(6, 24);
    const BeliefResult result = {8, 5, 4};
    const MoveGames games = {&result, 1, {-40, 9}};
    for (int large = 0; large < 2; large++) {
        BestMove best;
        KomiBelief belief, expected;
        best_move_begin(&best, &position, 20, large, 40, &MODEL);
        best_move_alone(&best, &games, &belief);
        const double gap = MODEL.spread * best_move_gap(20);
        const BeliefPrior prior = {.location = komi_belief_mean(&position) + (large ? -gap : gap),
                                   .scale = MODEL.spread,
                                   .bounds = games.bounds};
        const double evidence = komi_belief(&expected, &result, 1, MODEL.curve, &prior);
        for (double q = 0.05; q < 1; q += 0.15)
            assert_true(near(komi_belief_quantile(&belief, q), komi_belief_quantile(&expected, q), 0.05));
        best_move_add(&best, &games);
        const double all = MODEL.spread * sqrt(3) * acos(-1) / 2; /* the integral of Student's t without its constant */
        assert_true(near(best_move_evidence(&best), evidence - log(all), 0.03));
    }
}

/* ---- What it is for ---- */

/* Of 60 moves with two games at the komi where the parent's 60 games are even, ten won both and 20 won one. */
static void lucky_moves_are_held_to_the_games_of_their_parent(void **unused) {
    (void)unused;
    enum { COUNT = 60, LUCKY = 10 };
    const KomiBelief position = position_at(6, 60);
    BeliefResult results[COUNT];
    double best_alone = 0, above = 0;
    MoveModel model = MODEL;
    BestMove best;
    model.spread = 0.6; /* such as these games teach */
    best_move_begin(&best, &position, COUNT, true, 40, &model);
    for (int i = 0; i < COUNT; i++) {
        results[i] = (BeliefResult){6, 2, i < LUCKY ? 2 : i < 3 * LUCKY};
        best_move_add(&best, &(MoveGames){&results[i], 1, BOARD});
    }
    for (int i = 0; i < COUNT; i++) {
        KomiBelief alone, belief;
        const MoveGames games = {&results[i], 1, BOARD};
        best_move_alone(&best, &games, &alone);
        best_move_belief(&best, &games, &belief);
        best_alone += 1 - komi_belief_below(&alone, 8);
        above += 1 - komi_belief_below(&belief, 8);
    }
    assert_true(best_alone > 1); /* by their games alone, more than one of them is two points better than the parent */
    if (above > 0.3)
        fail_msg("%g moves above, alone %g", above, best_alone);
}

static void many_games_of_a_move_win_over_those_of_its_parent(void **unused) {
    (void)unused;
    const KomiBelief position = position_at(6, 60);
    const BeliefResult better[] = {{10, 60, 55}, {12, 60, 30}}, other = {6, 2, 1};
    KomiBelief belief;
    BestMove best;
    const MoveGames games = {better, 2, BOARD};
    best_move_begin(&best, &position, 20, true, 40, &MODEL);
    best_move_add(&best, &games);
    for (int i = 1; i < 20; i++)
        best_move_add(&best, &(MoveGames){&other, 1, BOARD});
    best_move_belief(&best, &games, &belief);
    assert_true(near(komi_belief_quantile(&belief, 0.5), 12, 0.3));
}

/* A move that is proved to be better than the parent's games say frees the others of them. */
static void proved_moves_count(void **unused) {
    (void)unused;
    const KomiBelief position = position_at(6, 60);
    const BeliefResult won = {8, 2, 2};
    const MoveGames games = {&won, 1, BOARD}, proved = {NULL, 0, {12, 12}};
    double above[2];
    for (int with = 0; with < 2; with++) {
        KomiBelief belief;
        BestMove best;
        best_move_begin(&best, &position, 20, true, 40, &MODEL);
        best_move_add(&best, &games);
        if (with)
            best_move_add(&best, &proved);
        best_move_belief(&best, &games, &belief);
        above[with] = 1 - komi_belief_below(&belief, 9);
        best_move_belief(&best, &proved, &belief);
        assert_true(komi_belief_quantile(&belief, 0.3) == 12);
    }
    assert_true(above[1] > 2 * above[0]);
}

/* ---- Learning ---- */

/* The 0.98282 quantile of Student's t with 3 degrees of freedom is the median of the best of 40. */
static void gaps_are_medians_of_the_best(void **unused) {
    (void)unused;
    assert_true(near(best_move_gap(1), 0, 1e-6));
    assert_true(near(best_move_gap(40), 3.71, 0.02));
    for (int n = 2; n < 100; n++)
        assert_true(best_move_gap(n) > best_move_gap(n - 1));
}

/* The error is learnt from positions whose best move has many games: here it is worth `ahead` points more. */
static void errors_are_learnt(void **unused) {
    (void)unused;
    double learnt[2];
    for (int wide = 0; wide < 2; wide++) {
        double evidence[LADDER_STEPS] = {0};
        for (int step = 0; step < LADDER_STEPS; step++)
            for (int i = 0; i < 12; i++) {
                const int ahead = wide ? (i % 3) * 2 - 2 : 0; /* -2, 0, 2 */
                const BeliefResult good = {6 + ahead, 80, 40}, bad = {0, 20, 5};
                const KomiBelief position = position_at(6, 80);
                MoveModel model = MODEL;
                *move_model_parameter(&model, MOVE_MODEL_ERROR) =
                    ladder_candidate(move_model_ladder(MOVE_MODEL_ERROR), step);
                BestMove best;
                best_move_begin(&best, &position, 10, i % 2, 40, &model);
                const BeliefResult mirrored = {12 - good.komi, 80, 40}, other = {12, 20, 15};
                best_move_add(&best, &(MoveGames){i % 2 ? &good : &mirrored, 1, BOARD});
                for (int k = 1; k < 10; k++)
                    best_move_add(&best, &(MoveGames){i % 2 ? &bad : &other, 1, BOARD});
                evidence[step] += best_move_error_evidence(&best);
            }
        learnt[wide] = ladder_mean(move_model_ladder(MOVE_MODEL_ERROR), evidence);
    }
    if (learnt[0] > 0.3 || learnt[1] < 1 || learnt[1] > 6)
        fail_msg("errors %g and %g", learnt[0], learnt[1]);
}

static void ladders_have_means(void **unused) {
    (void)unused;
    for (int number = 0; number < MOVE_MODEL_PARAMETERS; number++) {
        const Ladder all = move_model_ladder(number);
        double flat[LADDER_STEPS] = {0}, sharp[LADDER_STEPS] = {0};
        MoveModel model = move_model_default();
        assert_true(near(ladder_mean(all, flat), sqrt(all.low * all.high), 1e-9));
        assert_true(near(*move_model_parameter(&model, number), sqrt(all.low * all.high), 1e-9));
        sharp[4] = 1000;
        const double value = ladder_candidate(all, 4);
        assert_true(near(ladder_mean(all, sharp), value, 1e-9));
        const Ladder finer = move_model_finer(number, value);
        assert_true(near(finer.low, ladder_candidate(all, 3), 1e-9) &&
                    near(finer.high, ladder_candidate(all, 5), 1e-9));
        assert_true(near(move_model_finer(number, all.low).low, all.low, 1e-12));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_those_of_all_combinations),
        cmocka_unit_test(alone_a_move_has_its_own_games),
        cmocka_unit_test(lucky_moves_are_held_to_the_games_of_their_parent),
        cmocka_unit_test(many_games_of_a_move_win_over_those_of_its_parent),
        cmocka_unit_test(proved_moves_count),
        cmocka_unit_test(gaps_are_medians_of_the_best),
        cmocka_unit_test(errors_are_learnt),
        cmocka_unit_test(ladders_have_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
