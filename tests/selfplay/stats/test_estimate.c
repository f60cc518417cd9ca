/* The estimation of the fair komi: the checks against examples computed by hand, the posterior against an independent
 * computation, and over simulated tournaments the coverage of the intervals and the saving by the allocation. */
#include "selfplay/stats/allocation.h"
#include "selfplay/stats/design_effect.h"
#include "selfplay/stats/estimate.h"
#include "selfplay/stats/estimate_internal.h"
#include "selfplay/stats/fairest.h"
#include "selfplay/stats/isotonic.h"
#include "selfplay/stats/logistic.h"
#include "selfplay/stats/posterior.h"
#include "tests/support/komi_simulation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_near(value, expected, tolerance)                                                                        \
    assert_float_equal((float)((value) - (expected)), 0.0f, (float)(tolerance))

static FairKomi estimate(const KomiData *data, int count, EstimateConfig config) {
    FairKomi result;
    Error error;
    assert_true(estimate_fair_komi(data, count, &config, &result, &error));
    return result;
}

static void assert_finite_interval(double value, Interval interval) {
    assert_true(isfinite(value) && isfinite(interval.low) && isfinite(interval.high));
    assert_true(interval.low <= value && value <= interval.high);
}

/* What must be true for every result. */
static void assert_sound(const FairKomi *fair, const EstimateConfig *config) {
    assert_finite_interval(fair->even.estimate, fair->even.ci95);
    assert_finite_interval(fair->odd.estimate, fair->odd.ci95);
    assert_finite_interval(fair->combined, fair->combined_ci95);
    assert_finite_interval(fair->win_rate, fair->win_rate_ci95);
    assert_true(isfinite(fair->even.firth) && isfinite(fair->even.isotonic));
    assert_true(isfinite(fair->odd.firth) && isfinite(fair->odd.isotonic));
    assert_true(isfinite(fair->even.shape.scale) && isfinite(fair->odd.shape.scale) && isfinite(fair->margin));
    assert_true(fair->even.fit.p >= 0 && fair->even.fit.p <= 1 && fair->probability_count > 0);
    assert_true(isfinite(fair->disagreement) && isfinite(fair->margin_error));
    assert_true(fair->recommended >= config->komi_min && fair->recommended <= config->komi_max);
    assert_true(fair->win_rate_ci95.low >= 0 && fair->win_rate_ci95.high <= 1);
}

static void test_komi_estimate_text(void **state) {
    (void)state;
    char text[KOMI_ESTIMATE_TEXT];
    komi_estimate_text((KomiEstimate){-5.254, {-1000, 6}, false}, text);
    assert_string_equal(text, "-5.25 [-1000.00, 6.00]");
    komi_estimate_text(komi_bracket((Interval){-4, 6}), text);
    assert_string_equal(text, "(-4, 6)");
}

static void test_brackets_join(void **state) {
    (void)state;
    const KomiEstimate even = komi_bracket((Interval){4, 8}), odd = komi_bracket((Interval){3, 5});
    const KomiEstimate known = {4.5, {4, 5}, false}, above = komi_bracket((Interval){8, 10});
    KomiEstimate both = known;
    assert_true(even.bracket && even.estimate == 6);
    assert_false(komi_brackets_join(even, known, &both));
    assert_false(komi_brackets_join(known, odd, &both));
    assert_false(komi_brackets_join(even, above, &both)); /* no more than an end is shared */
    assert_true(!both.bracket && both.estimate == 4.5);
    assert_true(komi_brackets_join(even, odd, &both));
    assert_true(both.bracket && both.estimate == 4.5 && both.ci95.low == 4 && both.ci95.high == 5);
    assert_true(komi_brackets_join(odd, odd, &both));
    assert_true(both.bracket && both.estimate == 4 && both.ci95.low == 3 && both.ci95.high == 5);
}

/* Newcombe (1998), Statistics in Medicine 17, table I, method 3. */
static void test_wilson_published(void **state) {
    (void)state;
    const double published[][4] = {
        {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const Interval interval = wilson_interval(published[i][0], published[i][1]);
        assert_near(interval.low, published[i][2], 5.1e-5);
        assert_near(interval.high, published[i][3], 5.1e-5);
    }
    assert_near(wilson_interval(20, 20).low, 1 - 0.1611, 5.1e-5);
    assert_near(wilson_interval(0, 0).low, 0, 0);
    assert_near(wilson_interval(0, 0).high, 1, 0);
}

/* With two places the model is saturated, so Firth's fit adds half a game to each of the four counts. */
static void test_firth_two_places(void **state) {
    (void)state;
    const Trial mixed[] = {{0, 10, 7}, {2, 6, 1}}, separated[] = {{0, 10, 10}, {2, 10, 0}};
    LogisticFit fit = firth_fit(mixed, 2);
    assert_true(fit.converged);
    assert_near(fit.intercept, log(7.5 / 3.5), 1e-6);
    assert_near(fit.intercept + 2 * fit.slope, log(1.5 / 5.5), 1e-6);
    fit = firth_fit(separated, 2);
    assert_true(fit.converged);
    assert_near(fit.intercept, log(21), 1e-6);
    assert_near(fit.slope, -log(21), 1e-6);
}

/* Four places, compared with a direct search for the maximum of the penalised likelihood (computed in another
 * language). */
static void test_firth_four_places(void **state) {
    (void)state;
    const Trial trials[] = {{-2, 10, 9}, {0, 10, 6}, {2, 10, 1}, {6, 3, 1}};
    const LogisticFit fit = firth_fit(trials, 4);
    assert_true(fit.converged);
    assert_near(fit.intercept, 0.2939910, 1e-5);
    assert_near(fit.slope, -0.5321445, 1e-5);
    assert_false(firth_fit(trials, 1).converged);
    assert_false(firth_fit(trials, 0).converged);
}

static void test_isotonic_by_hand(void **state) {
    (void)state;
    bool crosses;
    Trial trials[] = {{0, 10, 9}, {2, 10, 5}, {4, 30, 18}, {6, 10, 1}};
    assert_int_equal(isotonic_pool(trials, 4), 3); /* 5/10 < 18/30: one block of 23/40 at 3.5 */
    assert_near(trials[1].x, 3.5, 1e-9);
    assert_near(trials[1].wins / trials[1].games, 0.575, 1e-9);
    assert_near(isotonic_half(trials, 3, &crosses), 3.5 + 2.5 * 0.075 / 0.475, 1e-6);
    assert_true(crosses);
    Trial equal[] = {{0, 4, 4}, {2, 4, 4}, {4, 4, 2}, {6, 4, 2}, {8, 4, 0}, {12, 4, 0}};
    assert_int_equal(isotonic_pool(equal, 6), 5); /* equal rates merge, but those of 1 and 0 */
    assert_near(isotonic_half(equal, 5, &crosses), 5, 1e-9);
    assert_near(equal[3].x, 8, 1e-9);
    Trial wins[] = {{0, 4, 4}, {2, 4, 3}};
    assert_near(isotonic_half(wins, isotonic_pool(wins, 2), &crosses), 2, 1e-9);
    assert_false(crosses);
    Trial losses[] = {{0, 4, 1}, {2, 4, 0}};
    assert_near(isotonic_half(losses, isotonic_pool(losses, 2), &crosses), 0, 1e-9);
    assert_false(crosses);
}

static const KomiData EXAMPLE[] = {
    {.komi = -2, .games = 20, .black_wins = 18}, {.komi = 0, .games = 20, .black_wins = 15},
    {.komi = 2, .games = 20, .black_wins = 11},  {.komi = 4, .games = 20, .black_wins = 5},
    {.komi = 1, .games = 20, .black_wins = 12},  {.komi = 3, .games = 20, .black_wins = 9},
    {.komi = 5, .games = 20, .black_wins = 4}};
enum { EXAMPLES = sizeof EXAMPLE / sizeof *EXAMPLE };

/* Compared with a brute-force sum over both locations, 73 scales and all lapses of each curve (computed in another
 * language). */
static void test_posterior_against_brute_force(void **state) {
    (void)state;
    const FairKomi fair = estimate(EXAMPLE, EXAMPLES, estimate_config(5));
    const double expected[3][3] = {{1.2129, 2.1979, 3.4005}, {0.4431, 2.1091, 3.3632}, {1.0744, 2.1503, 3.1601}};
    const double found[3][3] = {{fair.even.ci95.low, fair.even.estimate, fair.even.ci95.high},
                                {fair.odd.ci95.low, fair.odd.estimate, fair.odd.ci95.high},
                                {fair.combined_ci95.low, fair.combined, fair.combined_ci95.high}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(found[i][j], expected[i][j], 0.02);
    assert_near(fair.even.shape.scale, 1.9577, 0.003);
    assert_near(fair.odd.shape.scale, 2.7210, 0.006);
    assert_near(fair.even.shape.lapse_low, 0.02373, 0.00003);
    assert_near(fair.even.shape.lapse_high, 0.02295, 0.00003);
    const double fairest[][2] = {{1, 0.183}, {2, 0.532}, {3, 0.253}, {4, 0.019}};
    double sum = 0;
    for (int i = 0; i < fair.probability_count; i++) {
        sum += fair.probabilities[i].probability;
        for (int j = 0; j < 4; j++)
            if (fair.probabilities[i].komi == (int)fairest[j][0])
                assert_near(fair.probabilities[i].probability, fairest[j][1], 0.03);
    }
    assert_true(sum > 0.96 && sum < 1.0001);
}

/* One curve nearly a step, the other one wide: the grid gets narrower while its step stays, and yet the scales are
 * looked for where the mass is. Compared with a brute-force sum as above. */
static void test_posterior_of_unlike_curves(void **state) {
    (void)state;
    static const double games[][3] = {{1, 6440, 6311}, {5, 2690, 2636}, {7, 3370, 3303}, {9, 690, 676},
                                      {12, 7090, 150}, {14, 600, 12},   {16, 4850, 97},  {17, 5240, 105},
                                      {19, 6000, 120}, {20, 3830, 77},  {21, 4920, 98}};
    enum { KOMI = sizeof games / sizeof *games };
    KomiData data[KOMI] = {0};
    for (int i = 0; i < KOMI; i++)
        data[i] = (KomiData){.komi = (int)games[i][0], .games = games[i][1], .black_wins = games[i][2]};
    static Posterior posterior;
    PosteriorLine odd;
    Error error;
    const EstimateConfig config = estimate_config(9);
    assert_true(posterior_compute(&posterior, false, data, KOMI, &config, &error));
    posterior_curve(&posterior, true, &odd);
    assert_near(line_quantile(&odd, 0.025), 12.248, 0.1);
    assert_near(line_quantile(&odd, 0.5), 12.522, 0.1);
    for (double q = 0.05; q < 1; q += 0.15)
        assert_near(line_share_below(&odd, line_quantile(&odd, q)), q, 1e-6);
    assert_near(posterior_shape(&posterior, true).scale, 1.065, 0.1);
    assert_near(posterior_shape(&posterior, false).scale, 3.988, 0.1);
}

/* Very many games of unlike lapses: the coarse passes, which know few lapses, look for the curves beside their place,
 * and few scales are left. The posterior finds its way to the truth. */
static void test_posterior_of_very_many_games(void **state) {
    (void)state;
    const double truth = 4.95, games = 25000;
    KomiData data[6], mirrored[6];
    for (int i = 0; i < 6; i++) {
        const double wins = floor(games * shape_win_rate((CurveShape){1, 0.12, 0.001}, truth - (2 + i)));
        data[i] = (KomiData){.komi = 2 + i, .games = games, .black_wins = wins};
        mirrored[i] = (KomiData){.komi = -2 - i, .games = games, .black_wins = games - wins};
    }
    const EstimateConfig config = estimate_config(5);
    const FairKomi found = estimate(data, 6, config), other = estimate(mirrored, 6, config);
    for (int odd = 0; odd < 2; odd++) {
        const CurveEstimate *curve = odd ? &found.odd : &found.even, *turned = odd ? &other.odd : &other.even;
        assert_near(curve->estimate, truth, 0.01);
        assert_near(turned->estimate, -truth, 0.01);
        assert_true(interval_contains(curve->ci95, truth) && curve->ci95.high - curve->ci95.low < 0.1);
        assert_near(curve->shape.scale, 1, 0.02);
        assert_near(curve->shape.lapse_low, 0.12, 0.005);
        assert_near(curve->shape.lapse_high, 0.001, 0.005);
    }
}

/* If colours and the sign of komi are exchanged, every number is mirrored. */
static void test_mirror(void **state) {
    (void)state;
    EstimateConfig config = estimate_config(5);
    config.prior_location = 0;
    KomiData mirrored[EXAMPLES];
    for (int i = 0; i < EXAMPLES; i++)
        mirrored[i] = (KomiData){.komi = -EXAMPLE[EXAMPLES - 1 - i].komi,
                                 .games = 20,
                                 .black_wins = 20 - EXAMPLE[EXAMPLES - 1 - i].black_wins};
    const FairKomi one = estimate(EXAMPLE, EXAMPLES, config), other = estimate(mirrored, EXAMPLES, config);
    assert_near(one.even.estimate, -other.even.estimate, 1e-6);
    assert_near(one.odd.ci95.low, -other.odd.ci95.high, 1e-6);
    assert_near(one.combined_ci95.high, -other.combined_ci95.low, 1e-6);
    assert_near(one.odd.firth, -other.odd.firth, 1e-6);
    assert_near(one.even.isotonic, -other.even.isotonic, 1e-6);
    assert_near(one.win_rate, 1 - other.win_rate, 1e-6);
    assert_int_equal(one.recommended, -other.recommended);
}

static void test_recovers_parameters(void **state) {
    (void)state;
    const Players players = {.even = 4.4, .odd = 5.3, .scale = 1.5, .lapse = 0.02, .margin_bias = 0.5};
    Rng rng = rng_seed(7);
    Tournament tournament = tournament_start(estimate_config(4));
    tournament_adaptive(&tournament, &players, 10, 2000, &rng);
    const FairKomi fair = tournament_estimate(&tournament);
    tournament_free(&tournament);
    assert_near(fair.even.estimate, 4.4, 0.1);
    assert_near(fair.odd.estimate, 5.3, 0.1);
    assert_near(fair.combined, 4.85, 0.07);
    assert_near(fair.even.shape.scale, 1.5, 0.15);
    assert_near(fair.odd.shape.scale, 1.5, 0.15);
    assert_near(fair.even.shape.lapse_low, 0.01, 0.01);
    assert_near(fair.even.shape.lapse_high, 0.01, 0.01);
    assert_true(fair.even.fit.p > 0.05 && fair.odd.fit.p > 0.05);
    assert_near(fair.margin, 5.35, 0.15);
    assert_true(fair.recommended == 4 || fair.recommended == 5);
    assert_true(fair.win_rate_ci95.high - fair.win_rate_ci95.low < 0.04);
    assert_true(fair.combined_ci95.high - fair.combined_ci95.low < 0.12);
    assert_near(fair.even.firth, 4.4, 0.15);
    assert_near(fair.odd.isotonic, 5.3, 0.4);
    assert_true(fair.disagreement > 0 && fair.disagreement < 0.5);
}

/* ---- Coverage ---- */

/* A kind of player, and how often the intervals of its curves contained the truth. */
typedef struct Kind {
    const char *name;
    Players players;
    int hits;
} Kind;

/* A run of 200 games over 12 points around a truth that is drawn. */
static FairKomi simulate(const Kind *kind, Players *players, Rng *rng) {
    EstimateConfig config = estimate_config(5);
    config.komi_min = -25;
    config.komi_max = 25;
    *players = kind->players;
    players->even = -2 + 10 * rng_unit(rng);
    players->odd = players->even - 0.5 + rng_unit(rng);
    Tournament tournament = tournament_start(config);
    const int centre = (int)floor(players->even + 0.5);
    tournament_grid(&tournament, players, centre - 6, centre + 6, 200, rng);
    const FairKomi fair = tournament_estimate(&tournament);
    assert_sound(&fair, &config);
    tournament_free(&tournament);
    return fair;
}

/* A small sample of tests/studies/study_coverage.c. */
static void test_coverage(void **state) {
    (void)state;
    enum { RUNS = 20 };
    Kind kinds[] = {
        {"smooth", {.scale = 1, .lapse = 0.02}, 0},
        {"half of Black's wins repeat", {.scale = 1.5, .repeats = 0.5, .kind = REPEATS_OF_BLACK}, 0},
        {"no chance, 80% repeats", {.scale = 1.5, .repeats = 0.8, .kind = REPEATS_WITHOUT_CHANCE}, 0},
        {"no chance, all repeat", {.scale = 1.5, .repeats = 1, .kind = REPEATS_WITHOUT_CHANCE}, 0},
        {"slopes differ", {.scale = 2.5, .odd_scale = 0.8}, 0},
        {"a lapse on one side", {.scale = 1, .lapse_low = 0.1}, 0},
        {"steps", {.scale = 0.01, .lapse_high = 0.02}, 0},
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    int hits = 0;
    for (int k = 0; k < KINDS; k++) {
        Rng rng = rng_seed(rng_split(11, (uint64_t)k));
        for (int run = 0; run < RUNS; run++) {
            Players players;
            const FairKomi fair = simulate(&kinds[k], &players, &rng);
            kinds[k].hits +=
                interval_contains(fair.even.ci95, players.even) + interval_contains(fair.odd.ci95, players.odd);
        }
        print_message("  %s: %d of %d intervals\n", kinds[k].name, kinds[k].hits, 2 * RUNS);
        assert_true(kinds[k].hits >= 0.85 * 2 * RUNS);
        hits += kinds[k].hits;
    }
    assert_true(hits >= 0.92 * 2 * RUNS * KINDS && hits <= 0.995 * 2 * RUNS * KINDS);
}

/* ---- Games that equal others ---- */

/* 80 wins at komi 4 and 80 losses at komi 6 say where a player that draws its moves stands. Of one that plays the same
 * game again and again they are two games. */
static void test_equal_games(void **state) {
    (void)state;
    KomiData data[] = {{.komi = 4, .games = 80, .black_wins = 80}, {.komi = 6, .games = 80}};
    const EstimateConfig config = estimate_config(4);
    const FairKomi drawn = estimate(data, 2, config);
    assert_true(drawn.pair_known && drawn.black_wins_up_to == 4 && drawn.white_wins_from == 6);
    assert_near(drawn.even.estimate, 5, 0);
    data[0].design_effect = data[1].design_effect = 80;
    const FairKomi still = estimate(data, 2, config);
    assert_near(still.even.games, 160, 0);
    assert_near(still.even.effective_games, 2, 1e-9);
    assert_true(still.even.separated && still.even.ci95.low <= 0 && still.even.ci95.high >= 10);
    const KomiData two[] = {{.komi = 4, .games = 1, .black_wins = 1}, {.komi = 6, .games = 1}};
    assert_near(still.even.ci95.high, estimate(two, 2, config).even.ci95.high, 0);
}

static void test_design_effect(void **state) {
    (void)state;
    ClusterSizes none = {0}, different = {0}, mixed = {0};
    assert_near(cluster_design_effect(&none), 1, 0);
    for (int i = 0; i < 7; i++)
        cluster_add(&different, 1);
    assert_near(cluster_design_effect(&different), 1, 0);
    cluster_add(&mixed, 6);
    cluster_add(&mixed, 2);
    cluster_add(&mixed, 2);
    assert_near(cluster_design_effect(&mixed), 4.4, 1e-12); /* (36 + 4 + 4) / 10 */
}

/* ---- Shapes ---- */

/* Each parity has its own slope where the games ask for it, and borrows the other's where it has few games. */
static void test_slopes_are_pooled(void **state) {
    (void)state;
    KomiData data[14];
    int count = 0;
    for (int komi = -4; komi <= 8; komi++) {
        const double rate = shape_win_rate((CurveShape){.scale = komi % 2 ? 0.6 : 3}, 2.0 - komi);
        data[count++] = (KomiData){.komi = komi, .games = 60, .black_wins = floor(60 * rate + 0.5)};
    }
    FairKomi fair = estimate(data, count, estimate_config(4));
    assert_true(fair.even.shape.scale > 2 && fair.even.shape.scale < 4);
    assert_true(fair.odd.shape.scale > 0.3 && fair.odd.shape.scale < 1);
    const double with_even = fair.odd.shape.scale;
    for (int i = 0; i < count; i++)
        if (data[i].komi % 2) { /* now two games at each odd komi */
            data[i].black_wins = data[i].komi < 2 ? 2 : data[i].komi > 4 ? 0 : 1;
            data[i].games = 2;
        }
    fair = estimate(data, count, estimate_config(4));
    assert_true(fair.odd.shape.scale > with_even);
}

static void test_lapses_differ(void **state) {
    (void)state;
    KomiData data[20];
    const CurveShape truth = {.scale = 1, .lapse_low = 0.1, .lapse_high = 0.002};
    int count = 0;
    for (int komi = -8; komi <= 11; komi++)
        data[count++] = (KomiData){.komi = komi, .games = 200, .black_wins = 200 * shape_win_rate(truth, 1.5 - komi)};
    const FairKomi fair = estimate(data, count, estimate_config(4));
    assert_near(fair.even.estimate, 1.5, 0.1);
    assert_near(fair.even.shape.lapse_low, 0.1, 0.03);
    assert_near(fair.even.shape.lapse_high, 0.002, 0.008);
    assert_near(shape_win_rate(truth, 0), 0.5, 1e-12); /* the location is where the curve crosses one half */
}

/* Win rates that rise with komi fit no curve of the model. */
static void test_bad_fit_is_seen(void **state) {
    (void)state;
    KomiData data[] = {{.komi = 0, .games = 40, .black_wins = 30},
                       {.komi = 2, .games = 40, .black_wins = 8},
                       {.komi = 4, .games = 40, .black_wins = 31},
                       {.komi = 6, .games = 40, .black_wins = 9}};
    FairKomi fair = estimate(data, 4, estimate_config(4));
    assert_true(fair.even.fit.p < 0.01 && fair.even.fit.komi_values == 4 && fair.even.fit.deviance > 20);
    assert_near(fair.odd.fit.p, 1, 0);
    const double width = fair.even.ci95.high - fair.even.ci95.low;
    assert_near(fair.even.games, 160, 0);
    assert_true(fair.even.effective_games < 40); /* they count less, and the interval is wide */
    assert_true(width > 2);
    for (int i = 0; i < 4; i++)
        data[i].design_effect = 20; /* as two games each they may be chance */
    fair = estimate(data, 4, estimate_config(4));
    assert_true(fair.even.fit.p > 0.05);
}

/* ---- Allocation ---- */

/* The mean width of the combined interval over 25 tournaments: adaptive, or over the grid truth - 8 .. truth + 8. */
static double mean_width(const Players *players, int games, bool adaptive) {
    double width = 0;
    const int runs = 25, centre = (int)floor((players->even + players->odd) / 2 + 0.5);
    EstimateConfig config = estimate_config(5);
    config.komi_min = -25;
    config.komi_max = 25;
    for (int run = 0; run < runs; run++) {
        Rng rng = rng_seed(rng_split(13, (uint64_t)run));
        Tournament tournament = tournament_start(config);
        if (adaptive)
            tournament_adaptive(&tournament, players, games / 40, 40, &rng);
        else
            tournament_grid(&tournament, players, centre - 8, centre + 8, games, &rng);
        const FairKomi fair = tournament_estimate(&tournament);
        tournament_free(&tournament);
        width += (fair.combined_ci95.high - fair.combined_ci95.low) / runs;
    }
    return width;
}

/* The grid wastes games where the outcome is known, and wastes more if the curve is steep. For a scale of 2 points, no
 * allocation can need less than 0.48 of the grid's games. */
static void test_adaptive_needs_fewer_games(void **state) {
    (void)state;
    const double cases[][2] = {{1, 0.40}, {2, 0.62}};
    for (int i = 0; i < 2; i++) {
        const Players players = {.even = -3.2, .odd = -2.6, .scale = cases[i][0], .lapse = 0.02, .margin_bias = 0.5};
        const double adaptive = mean_width(&players, 800, true);
        const double even_grid = mean_width(&players, (int)(800 / cases[i][1]), false);
        print_message("  scale %.0f: 800 adaptive games %.3f points wide, %d grid games %.3f\n", cases[i][0], adaptive,
                      (int)(800 / cases[i][1]), even_grid);
        assert_true(adaptive <= even_grid);
    }
}

/* ---- Steps ---- */

static void assert_bracket(const CurveEstimate *curve, double low, double high) {
    assert_true(curve->bracket_used);
    assert_near(curve->ci95.low, low, 0);
    assert_near(curve->ci95.high, high, 0);
    assert_near(curve->estimate, (low + high) / 2, 0);
}

static void test_separated(void **state) {
    (void)state;
    EstimateConfig config = estimate_config(2);
    KomiData data[15];
    int count = 0;
    for (int komi = -7; komi <= 7; komi++)
        data[count++] = (KomiData){.komi = komi, .games = 30, .black_wins = komi <= 2 ? 30 : 0};
    FairKomi fair = estimate(data, count, config);
    assert_sound(&fair, &config);
    assert_true(fair.even.separated && fair.odd.separated);
    assert_bracket(&fair.even, 2, 4);
    assert_bracket(&fair.odd, 1, 3);
    assert_near(fair.combined_ci95.low, 1.5, 0);
    assert_near(fair.combined_ci95.high, 3.5, 0);
    assert_true(fair.pair_known && fair.black_wins_up_to == 2 && fair.white_wins_from == 3);
    assert_int_equal(fair.probability_count, 2); /* one of the two is the fairest */
    assert_int_equal(fair.probabilities[0].komi, 2);
    data[10].black_wins = 15; /* komi 3 is open: odd komi is no longer separated */
    fair = estimate(data, count, config);
    assert_false(fair.odd.separated || fair.odd.bracket_used || fair.pair_known);
    assert_true(fair.even.bracket_used);
    assert_int_equal(fair.recommended, 3);
    assert_sound(&fair, &config);
}

/* Both curves are nearly steps, and Black's chance is 84% at 4, 100% at 5 and 0% at 6: 4 is the fairest, with games at
 * odd komi and without. The same at the other end. */
static void test_fairest_beside_the_pair(void **state) {
    (void)state;
    KomiData data[] = {{.komi = 4, .games = 100, .black_wins = 84},
                       {.komi = 2, .games = 40, .black_wins = 35},
                       {.komi = 6, .games = 60},
                       {.komi = 3, .games = 40, .black_wins = 40},
                       {.komi = 5, .games = 100, .black_wins = 100},
                       {.komi = 7, .games = 60}};
    for (int count = 3; count <= 6; count += 3) {
        EstimateConfig config = estimate_config(4);
        config.odd = count > 3;
        const FairKomi fair = estimate(data, count, config);
        assert_bracket(&fair.even, 4, 6);
        assert_true(count == 3 || (fair.pair_known && fair.black_wins_up_to == 5 && fair.white_wins_from == 6));
        assert_int_equal(fair.recommended, 4);
        assert_true(fair.win_rate > 0.75 && fair.win_rate < 0.9);
    }
    for (int i = 0; i < 6; i++) { /* White instead of Black */
        data[i].komi = -data[i].komi;
        data[i].black_wins = data[i].games - data[i].black_wins;
    }
    const EstimateConfig config = estimate_config(4);
    const FairKomi fair = estimate(data, 6, config);
    assert_true(fair.pair_known && fair.black_wins_up_to == -6 && fair.white_wins_from == -5);
    assert_int_equal(fair.recommended, -4);
}

/* A step with an upset is known no better than a separated one. */
static void test_near_step(void **state) {
    (void)state;
    const KomiData data[] = {{.komi = -4, .games = 10, .black_wins = 9},
                             {.komi = 3, .games = 90, .black_wins = 90},
                             {.komi = 4, .games = 103, .black_wins = 99},
                             {.komi = 5, .games = 90, .black_wins = 1},
                             {.komi = 6, .games = 82}};
    const EstimateConfig config = estimate_config(3);
    const FairKomi fair = estimate(data, 5, config);
    assert_sound(&fair, &config);
    assert_true(!fair.even.separated && !fair.odd.separated);
    assert_bracket(&fair.even, 4, 6);
    assert_bracket(&fair.odd, 3, 5);
    assert_true(fair.pair_known && fair.black_wins_up_to == 4 && fair.white_wins_from == 5);
}

/* Two games are separated by chance: their bracket is not trusted, and a wider one takes its place. */
static void test_separated_by_few(void **state) {
    (void)state;
    const KomiData data[] = {{.komi = 0, .games = 1, .black_wins = 1}, {.komi = 2, .games = 1}};
    const EstimateConfig config = estimate_config(5);
    const FairKomi fair = estimate(data, 2, config);
    assert_sound(&fair, &config);
    assert_true(fair.even.separated && fair.even.bracket_used);
    assert_true(fair.even.ci95.low < 0 && fair.even.ci95.high > 2);
    assert_near(fmod(fair.even.ci95.low, 2), 0, 0);
}

/* No komi above 7 can be won on hexhex-2, so wins alone at the highest even komi are a bracket. */
static void test_edge_of_the_board(void **state) {
    (void)state;
    const KomiData data[] = {{.komi = 4, .games = 40, .black_wins = 40}, {.komi = 6, .games = 40, .black_wins = 40}};
    const EstimateConfig config = estimate_config(2);
    const FairKomi fair = estimate(data, 2, config);
    assert_sound(&fair, &config);
    assert_true(fair.even.one_sided);
    assert_bracket(&fair.even, 6, 8);
    assert_true(fair.pair_known && fair.black_wins_up_to == 6 && fair.white_wins_from == 8);
    EstimateConfig even = config; /* nobody is told to play komi that the board does not have */
    even.odd = false;
    for (int loss = 0; loss < 2; loss++) {
        KomiData last[] = {{.komi = 4, .games = 40, .black_wins = 40}, {.komi = 6, .games = 40, .black_wins = 40}};
        for (int i = 0; i < 2 && loss; i++)
            last[i] = (KomiData){.komi = -last[i].komi, .games = 40};
        const FairKomi end = estimate(last, 2, even);
        assert_bracket(&end.even, loss ? -8 : 6, loss ? -6 : 8);
        assert_int_equal(end.recommended, loss ? -6 : 6);
        assert_int_equal(end.probability_count, 1);
        assert_int_equal(end.probabilities[0].komi, end.recommended);
    }
}

/* And every even komi below -7 is won there: a bracket that is widened ends at -8. */
static void test_bracket_stays_possible(void **state) {
    (void)state;
    const KomiData data[] = {{.komi = -6, .games = 5}, {.komi = -5, .games = 1}};
    EstimateConfig config = estimate_config(2);
    config.komi_min = -7;
    config.komi_max = -5;
    FairKomi fair = estimate(data, 2, config);
    assert_sound(&fair, &config);
    assert_bracket(&fair.even, -8, -4);
    const KomiData mirrored[] = {{.komi = 6, .games = 5, .black_wins = 5}, {.komi = 5, .games = 1, .black_wins = 1}};
    config.komi_min = 5;
    config.komi_max = 7;
    config.prior_location = -2;
    fair = estimate(mirrored, 2, config);
    assert_sound(&fair, &config);
    assert_bracket(&fair.even, 4, 8);
}

static void test_degenerate(void **state) {
    (void)state;
    const EstimateConfig config = estimate_config(4);
    FairKomi fair = estimate(NULL, 0, config); /* the prior */
    assert_sound(&fair, &config);
    assert_near(fair.combined, 2, 0.1);
    assert_true(fair.even.ci95.high - fair.even.ci95.low > 30);
    KomiData one = {.komi = 6, .games = 40, .black_wins = 40};
    fair = estimate(&one, 1, config); /* all wins at one komi */
    assert_sound(&fair, &config);
    assert_true(fair.even.one_sided && fair.even.estimate > 6 && fair.even.ci95.high > 15);
    assert_true(fair.odd.games <= 0 && fair.odd.estimate > 5);
    one.black_wins = 0;
    fair = estimate(&one, 1, config);
    assert_sound(&fair, &config);
    assert_true(fair.even.one_sided && fair.even.estimate < 6 && fair.even.ci95.low < -5);
    one.black_wins = 20;
    fair = estimate(&one, 1, config); /* an even chance at one komi */
    assert_sound(&fair, &config);
    assert_false(fair.even.one_sided);
    assert_near(fair.even.estimate, 6, 0.3);
    assert_near(fair.combined, fair.even.estimate, 1e-9); /* the odd curve was not played */
    assert_near(fair.odd.estimate, 6, 0.5);               /* it follows the even one */
    assert_int_equal(fair.recommended, 6);
    const KomiData rising[] = {{.komi = 0, .games = 9}, {.komi = 2, .games = 9, .black_wins = 9}};
    fair = estimate(rising, 2, config); /* no curve that falls can say this */
    assert_sound(&fair, &config);
    assert_false(fair.even.firth_defined);
}

static void test_repeated_komi_is_one(void **state) {
    (void)state;
    const KomiData parts[] = {{.komi = 4, .games = 5, .black_wins = 1},
                              {.komi = 0, .games = 9, .black_wins = 7},
                              {.komi = 4, .games = 7, .black_wins = 3}};
    const KomiData whole[] = {{.komi = 0, .games = 9, .black_wins = 7}, {.komi = 4, .games = 12, .black_wins = 4}};
    const FairKomi one = estimate(parts, 3, estimate_config(5)), other = estimate(whole, 2, estimate_config(5));
    assert_near(one.even.estimate, other.even.estimate, 1e-9);
    assert_near(one.even.firth, other.even.firth, 1e-9);
    assert_near(one.even.isotonic, other.even.isotonic, 1e-9);
}

static void test_margins_are_cautious(void **state) {
    (void)state;
    KomiData data[EXAMPLES];
    const FairKomi without = estimate(EXAMPLE, EXAMPLES, estimate_config(5));
    const double shifts[] = {1, 10};
    for (int s = 0; s < 2; s++) {
        const double margin = without.combined + shifts[s];
        memcpy(data, EXAMPLE, sizeof data);
        for (int i = 0; i < EXAMPLES; i++) {
            data[i].margin_games = 20;
            data[i].board_margin_sum = 20 * margin;
            data[i].board_margin_squares = 20 * (margin * margin + 4);
        }
        const FairKomi with = estimate(data, EXAMPLES, estimate_config(5));
        assert_near(with.margin, margin, 1e-9);
        assert_true(with.margin_error >= 1);
        assert_true(with.combined > without.combined + 0.01 && with.combined < without.combined + 0.3);
        assert_near(with.even.estimate, without.even.estimate, 1e-12);
    }
    assert_true(without.margin_games <= 0);
}

/* Few margins say nothing. Those of games far from an even chance count little, equal games as one, and the error of
 * all is what chance and the bias of the margins leave. */
static void test_margins_by_hand(void **state) {
    (void)state;
    const double margin = 5, variance = 100, near_games = 100;
    KomiData data[] = {{.komi = 2, .games = 400, .black_wins = 380},
                       {.komi = 6, .games = 400, .black_wins = 20},
                       {.komi = 4, .games = near_games, .black_wins = near_games / 2},
                       {.komi = -20, .games = 400, .black_wins = 400}};
    KomiData *near = &data[2], *far = &data[3];
    near->margin_games = near_games;
    near->board_margin_sum = near_games * margin;
    near->board_margin_squares = near_games * (margin * margin + variance);
    far->margin_games = 400; /* where White has given up, margins are far higher */
    far->board_margin_sum = 400 * 30;
    far->board_margin_squares = 400 * 30 * 30;
    FairKomi fair = estimate(data, 4, estimate_config(5));
    assert_near(fair.margin, margin, 0.01);
    assert_near(fair.margin_games, near_games, 1);
    assert_near(fair.margin_error, sqrt(0.0625 * variance + variance / near_games), 0.05);
    far->margin_games = far->board_margin_sum = far->board_margin_squares = 0;
    near->design_effect = 10; /* as ten games */
    fair = estimate(data, 4, estimate_config(5));
    assert_near(fair.margin_games, 10, 0.1);
    assert_near(fair.margin_error, sqrt(0.0625 * variance + variance / 10), 0.05);
    near->design_effect = 20; /* as five */
    fair = estimate(data, 4, estimate_config(5));
    assert_near(fair.margin_games, 0, 0);
    assert_near(fair.margin, fair.combined, 1e-9);
}

/* The games of one curve fit no curve: its interval gets wider, and the other one's stays. */
static void test_misfit_of_one_curve(void **state) {
    (void)state;
    KomiData data[] = {{.komi = 0, .games = 40, .black_wins = 30}, {.komi = 2, .games = 40, .black_wins = 8},
                       {.komi = 4, .games = 40, .black_wins = 31}, {.komi = 6, .games = 40, .black_wins = 9},
                       {.komi = 1, .games = 40, .black_wins = 32}, {.komi = 3, .games = 40, .black_wins = 20},
                       {.komi = 5, .games = 40, .black_wins = 8}};
    const FairKomi fair = estimate(data, 7, estimate_config(4));
    assert_true(fair.even.fit.p < ESTIMATE_FIT_REFUSED && fair.odd.fit.p > ESTIMATE_FIT_REFUSED);
    assert_true(fair.even.effective_games < 80);
    assert_near(fair.odd.effective_games, 120, 1e-9);
}

/* The komi to play with is the whole number of the allowed ones whose chance is nearest to one half. That is not always
 * the one that is nearest to the fair komi, where the lapses differ. */
static void test_recommended_komi(void **state) {
    (void)state;
    static const struct {
        double place, lapse_low;
        bool even, odd;
        int recommended;
    } cases[] = {{-3.4, 0, true, false, -2}, {-3.4, 0, false, true, -3},  {-3.4, 0, true, true, -3},
                 {0.3, 0, true, false, 0},   {0.3, 0, false, true, 1},    {0.7, 0, true, true, 1},
                 {1.7, 0, true, true, 2},    {4.6, 0, false, true, 5},    {5.3, 0, true, false, 6},
                 {4.9, 0, true, false, 4},   {5.04, 0.12, true, false, 6}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const CurveShape truth = {.scale = 1, .lapse_low = cases[n].lapse_low};
        EstimateConfig config = estimate_config(4);
        config.even = cases[n].even;
        config.odd = cases[n].odd;
        config.komi_min = -3;
        KomiData data[25];
        int count = 0;
        for (int komi = -12; komi <= 12; komi++)
            if (komi % 2 ? config.odd : config.even)
                data[count++] = (KomiData){
                    .komi = komi, .games = 1000, .black_wins = 1000 * shape_win_rate(truth, cases[n].place - komi)};
        const FairKomi fair = estimate(data, count, config);
        assert_int_equal(fair.recommended, cases[n].recommended);
        assert_near(fair.win_rate, shape_win_rate(truth, cases[n].place - fair.recommended), 0.05);
    }
}

/* On a large board the chance may fall over more than a hundred points. */
static void test_wide_curves(void **state) {
    (void)state;
    KomiData data[21];
    for (int i = 0; i < 21; i++) {
        const int komi = 20 * i - 200;
        data[i] = (KomiData){.komi = komi,
                             .games = 500,
                             .black_wins = floor(500 * shape_win_rate((CurveShape){.scale = 40}, 10.0 - komi))};
    }
    const FairKomi fair = estimate(data, 21, estimate_config(10));
    assert_near(fair.even.shape.scale, 40, 10);
    assert_near(fair.even.estimate, 10, 3);
}

/* A curve with a slow fall between two komi values is no step, however wide its interval is; nor is a steep one whose
 * place is known. */
static void test_what_is_no_step(void **state) {
    (void)state;
    const KomiData slow[] = {{.komi = 0, .games = 40, .black_wins = 28}, {.komi = 6, .games = 40, .black_wins = 12}};
    FairKomi fair = estimate(slow, 2, estimate_config(4));
    assert_true(!fair.even.bracket_used && fair.even.shape.scale > 2);
    const KomiData steep[] = {{.komi = -6, .games = 300, .black_wins = 300},
                              {.komi = 0, .games = 300, .black_wins = 270},
                              {.komi = 6, .games = 300, .black_wins = 15},
                              {.komi = 12, .games = 300}};
    fair = estimate(steep, 4, estimate_config(4));
    assert_false(fair.even.bracket_used);
}

/* Brackets of both parities that share no komi give no pair; each end of the combined interval is the mean of theirs.
 * What the model says stays beside it. */
static void test_brackets_that_disagree(void **state) {
    (void)state;
    const KomiData data[] = {{.komi = 0, .games = 300, .black_wins = 300},
                             {.komi = 2, .games = 300},
                             {.komi = 5, .games = 300, .black_wins = 300},
                             {.komi = 7, .games = 300}};
    const EstimateConfig config = estimate_config(4);
    const FairKomi fair = estimate(data, 4, config);
    assert_bracket(&fair.even, 0, 2);
    assert_bracket(&fair.odd, 5, 7);
    assert_false(fair.pair_known);
    assert_near(fair.combined_ci95.low, 2.5, 0);
    assert_near(fair.combined_ci95.high, 4.5, 0);
    assert_true(fair.by_model_ci95.low > 1 && fair.by_model_ci95.high < 6);
    assert_true(fair.by_model > fair.by_model_ci95.low && fair.by_model < fair.by_model_ci95.high);
    assert_sound(&fair, &config);
    /* One bracket, and one curve that is known well: its interval is halved with the bracket. */
    const KomiData one[] = {{.komi = 4, .games = 300, .black_wins = 300},
                            {.komi = 6, .games = 300},
                            {.komi = 3, .games = 300, .black_wins = 285},
                            {.komi = 5, .games = 300, .black_wins = 150},
                            {.komi = 7, .games = 300, .black_wins = 15}};
    const FairKomi half = estimate(one, 5, config);
    assert_bracket(&half.even, 4, 6);
    assert_false(half.odd.bracket_used);
    assert_near(half.combined_ci95.low, (4 + half.odd.ci95.low) / 2, 1e-9);
    assert_near(half.combined_ci95.high, (6 + half.odd.ci95.high) / 2, 1e-9);
}

/* A check that contradicts a curve is named; one that is not defined says nothing. */
static void test_checks_that_disagree(void **state) {
    (void)state;
    CurveEstimate odd = {.estimate = 3, .ci95 = {2, 4}, .firth = 3.5, .isotonic = 9, .firth_defined = true};
    FairKomi fair = {.even = {.estimate = 1}, .odd = odd, .disagreement = 99};
    estimate_compare_checks(&fair);
    assert_true(fair.checks_agree);
    assert_near(fair.disagreement, 0.5, 1e-9);
    fair.odd.isotonic_defined = true;
    estimate_compare_checks(&fair);
    assert_false(fair.checks_agree);
    assert_near(fair.disagreement, 6, 1e-9);
}

static void test_bad_input(void **state) {
    (void)state;
    Error error = {.text = ""};
    FairKomi fair;
    int games[1];
    EstimateConfig config = estimate_config(3);
    const KomiData bad[] = {{.komi = 0, .games = 3, .black_wins = 4},
                            {.komi = 0, .games = -1},
                            {.komi = 0, .games = NAN},
                            {.komi = 0, .games = 1, .margin_games = 1, .board_margin_sum = INFINITY},
                            {.komi = 20000, .games = 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = '\0';
        assert_false(estimate_fair_komi(&bad[i], 1, &config, &fair, &error));
        assert_true(strstr(error.text, "komi") != NULL);
    }
    config.komi_min = config.komi_max = 3;
    config.odd = false;
    assert_false(allocate_games(NULL, 0, &config, 4, games, &error));
    config.odd = true;
    assert_false(allocate_games(NULL, 0, &config, -1, games, &error));
    assert_true(allocate_games(NULL, 0, &config, 9, games, &error));
    assert_int_equal(games[0], 9);
    assert_true(estimate_fair_komi(NULL, 0, &config, &fair, &error));
    assert_int_equal(fair.recommended, 3);
    config.even = config.odd = false;
    assert_false(estimate_fair_komi(NULL, 0, &config, &fair, &error));
}

/* The fairest komi is the one with Black's chance nearest to one half, of those that are all unfair the nearest one. */
static void test_fairest_by_hand(void **state) {
    (void)state;
    static const struct {
        double location[2], scale[2]; /* even, odd */
        bool even, odd;
        int fairest;
    } cases[] = {
        {{4.2, 9}, {1, 1}, true, true, 4},       {{4.2, 3}, {1, 1}, true, true, 3},
        {{4.2, 3}, {1, 1}, true, false, 4},      {{4, 3.4}, {1, 1}, false, true, 3},
        {{-9, -9}, {2, 2}, true, true, -5},      {{9, 9}, {2, 2}, true, true, 6},
        {{4.9, 3.4}, {0.1, 0.1}, true, true, 3}, {{4.4, 4}, {0.1, 0.43}, true, true, 4},
    };
    EstimateConfig config = estimate_config(3);
    KomiProbability found[FAIREST_MAX];
    config.komi_min = -5;
    config.komi_max = 6;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const PosteriorDraw draw = {.location = {cases[i].location[0], cases[i].location[1]},
                                    .shape = {{.scale = cases[i].scale[0]}, {.scale = cases[i].scale[1]}}};
        config.even = cases[i].even;
        config.odd = cases[i].odd;
        assert_int_equal(fairest_komi(&draw, 1, &config, found), 1);
        assert_int_equal(found[0].komi, cases[i].fairest);
    }
    /* What is the fairest in one draw of a hundred is named, in one of two hundred not. */
    PosteriorDraw draws[200];
    for (int i = 0; i < 200; i++)
        draws[i] = (PosteriorDraw){.location = {i ? 4 : 2, 9}, .shape = {{.scale = 1}, {.scale = 1}}};
    assert_int_equal(fairest_komi(draws, 100, &config, found), 2);
    assert_true(found[0].komi == 2 && found[1].komi == 4);
    assert_near(found[0].probability, 0.01, 1e-9);
    assert_int_equal(fairest_komi(draws, 200, &config, found), 1);
    assert_int_equal(found[0].komi, 4);
}

static void assert_total(const int *games, const EstimateConfig *config, int batch) {
    int sum = 0;
    for (int i = 0; i <= config->komi_max - config->komi_min; i++) {
        const bool odd = (config->komi_min + i) % 2 != 0;
        assert_true(games[i] >= 0);
        assert_true(games[i] == 0 || (odd ? config->odd : config->even));
        sum += games[i];
    }
    assert_int_equal(sum, batch);
}

static void test_allocation_totals(void **state) {
    (void)state;
    Error error;
    Rng rng = rng_seed(17);
    for (int trial = 0; trial < 300; trial++) {
        EstimateConfig config = estimate_config(5);
        config.komi_min = -20 + (int)rng_below(&rng, 20);
        config.komi_max = config.komi_min + 1 + (int)rng_below(&rng, 30);
        config.even = rng_below(&rng, 4) != 0;
        config.odd = !config.even || rng_below(&rng, 4) != 0;
        KomiData data[5];
        const int count = (int)rng_below(&rng, 6), batch = (int)rng_below(&rng, 100);
        for (int i = 0; i < count; i++) {
            data[i] = (KomiData){.komi = -10 + (int)rng_below(&rng, 21), .games = rng_below(&rng, 50)};
            data[i].black_wins = floor(data[i].games * rng_unit(&rng));
        }
        int games[64], again[64], reversed[64];
        memset(games, 0xee, sizeof games);
        assert_true(allocate_games(data, count, &config, batch, games, &error));
        assert_total(games, &config, batch);
        assert_true(allocate_games(data, count, &config, batch, again, &error));
        for (int i = 0; i < count / 2; i++) {
            const KomiData kept = data[i];
            data[i] = data[count - 1 - i];
            data[count - 1 - i] = kept;
        }
        assert_true(allocate_games(data, count, &config, batch, reversed, &error));
        const size_t used = sizeof *games * (size_t)(config.komi_max - config.komi_min + 1);
        assert_memory_equal(games, again, used);
        assert_memory_equal(games, reversed, used);
    }
}

/* The first round covers the width of the prior with both parities. A later round stays near the estimate. */
static void test_allocation_closes_in(void **state) {
    (void)state;
    Error error;
    EstimateConfig config = estimate_config(5);
    config.komi_min = -30;
    config.komi_max = 30;
    int games[61], even = 0, far = 0, near = 0;
    assert_true(allocate_games(NULL, 0, &config, 40, games, &error));
    for (int i = 0; i < 61; i++) {
        even += i % 2 ? 0 : games[i];
        far += abs(i - 30 - 2) > 8 ? games[i] : 0;
        assert_true(games[i] <= 4);
    }
    assert_int_equal(even, 20);
    assert_true(far >= 8);
    const KomiData data[] = {{.komi = 8, .games = 200, .black_wins = 190},
                             {.komi = 10, .games = 200, .black_wins = 100},
                             {.komi = 12, .games = 200, .black_wins = 9}};
    assert_true(allocate_games(data, 3, &config, 40, games, &error));
    even = 0;
    for (int i = 0; i < 61; i++) {
        even += i % 2 ? 0 : games[i];
        near += abs(i - 30 - 10) <= 3 ? games[i] : 0;
    }
    assert_int_equal(even, 10); /* the odd curve needs more games to catch up */
    assert_true(near >= 38);
    assert_true(games[40] >= 6);
}

static int even_games(EstimateConfig config, double even, double odd, int batch) {
    const KomiData data[] = {
        {.komi = 2, .games = even / 2}, {.komi = -1, .games = odd}, {.komi = 4, .games = even - even / 2}};
    return allocation_even_games(data, 3, &config, batch);
}

/* Even komi gets what makes both totals the same, but from a quarter to three quarters. */
static void test_even_games_by_hand(void **state) {
    (void)state;
    EstimateConfig config = estimate_config(5);
    assert_int_equal(even_games(config, 10, 4, 20), 7); /* 17 each */
    assert_int_equal(even_games(config, 4, 10, 20), 13);
    assert_int_equal(even_games(config, 10, 4, 21), 8);
    assert_int_equal(even_games(config, 30, 4, 20), 5);
    assert_int_equal(even_games(config, 4, 30, 20), 15);
    for (int komi = 3; komi <= 4; komi++) { /* a range of one komi has one parity */
        int games[1];
        Error error;
        config.komi_min = config.komi_max = komi;
        assert_int_equal(even_games(config, 10, 4, 20), komi % 2 ? 0 : 20);
        assert_true(allocate_games(NULL, 0, &config, 20, games, &error));
        assert_int_equal(games[0], 20);
    }
}

/* The games of a parity are where its own curve is, and as far apart as that is flat. Before any game, their mean is
 * what the prior guesses. */
static void test_each_curve_has_its_games(void **state) {
    (void)state;
    Error error;
    EstimateConfig config = estimate_config(5);
    config.komi_min = -30;
    config.komi_max = 30;
    int games[61];
    double mean[2] = {0};
    assert_true(allocate_games(NULL, 0, &config, 2000, games, &error));
    for (int i = 0; i < 61; i++)
        mean[i % 2] += games[i] * (i - 30) / 1000.0;
    assert_true(fabs(mean[0] - 2) < 0.5 && fabs(mean[1] - 2) < 0.5);
    const KomiData data[] = {
        {.komi = 4, .games = 200, .black_wins = 190},  {.komi = 6, .games = 200, .black_wins = 100},
        {.komi = 8, .games = 200, .black_wins = 9},    {.komi = 7, .games = 200, .black_wins = 140},
        {.komi = 11, .games = 200, .black_wins = 100}, {.komi = 15, .games = 200, .black_wins = 60}};
    assert_true(allocate_games(data, 6, &config, 2000, games, &error));
    int near = 0, far = 0;
    mean[0] = mean[1] = 0;
    for (int i = 0; i < 61; i++) {
        mean[i % 2] += games[i] * (i - 30) / 1000.0;
        near += i % 2 == 0 && abs(i - 30 - 6) <= 2 ? games[i] : 0;
        far += i % 2 && abs(i - 30 - 11) >= 6 ? games[i] : 0;
    }
    assert_true(fabs(mean[0] - 6) < 0.1 && fabs(mean[1] - 11) < 0.5);
    assert_true(near > 950 && far > 150);
}

/* Nobody says that no komi is fair as long as the games allow an even chance. */
static void test_few_games_refuse_no_komi(void **state) {
    (void)state;
    assert_true(komi_is_fair(0.6, (Interval){0.55, 0.65}));
    assert_true(komi_is_fair(0.19, (Interval){0, 0.83}));
    assert_false(komi_is_fair(0.19, (Interval){0.1, 0.3}));
    assert_false(komi_is_fair(0.8, (Interval){0.7, 0.9}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few_games_refuse_no_komi),
        cmocka_unit_test(test_wilson_published),
        cmocka_unit_test(test_komi_estimate_text),
        cmocka_unit_test(test_brackets_join),
        cmocka_unit_test(test_firth_two_places),
        cmocka_unit_test(test_firth_four_places),
        cmocka_unit_test(test_isotonic_by_hand),
        cmocka_unit_test(test_posterior_against_brute_force),
        cmocka_unit_test(test_posterior_of_unlike_curves),
        cmocka_unit_test(test_posterior_of_very_many_games),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_recovers_parameters),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_equal_games),
        cmocka_unit_test(test_design_effect),
        cmocka_unit_test(test_slopes_are_pooled),
        cmocka_unit_test(test_lapses_differ),
        cmocka_unit_test(test_bad_fit_is_seen),
        cmocka_unit_test(test_adaptive_needs_fewer_games),
        cmocka_unit_test(test_separated),
        cmocka_unit_test(test_near_step),
        cmocka_unit_test(test_fairest_beside_the_pair),
        cmocka_unit_test(test_separated_by_few),
        cmocka_unit_test(test_edge_of_the_board),
        cmocka_unit_test(test_bracket_stays_possible),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_repeated_komi_is_one),
        cmocka_unit_test(test_margins_are_cautious),
        cmocka_unit_test(test_margins_by_hand),
        cmocka_unit_test(test_misfit_of_one_curve),
        cmocka_unit_test(test_recommended_komi),
        cmocka_unit_test(test_wide_curves),
        cmocka_unit_test(test_what_is_no_step),
        cmocka_unit_test(test_brackets_that_disagree),
        cmocka_unit_test(test_checks_that_disagree),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_fairest_by_hand),
        cmocka_unit_test(test_allocation_totals),
        cmocka_unit_test(test_allocation_closes_in),
        cmocka_unit_test(test_even_games_by_hand),
        cmocka_unit_test(test_each_curve_has_its_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
