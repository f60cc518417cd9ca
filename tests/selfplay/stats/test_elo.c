/* Elo from pairs, the sequential test and Bradley-Terry ratings: known values, and how often intervals and verdicts are
 * right for simulated players. */
#include "engine/base/rng.h"
#include "selfplay/stats/bradley_terry.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.8g, expected %.8g", value, expected);
}

/* ---- Elo ---- */

static void scores_and_elo(void **unused) {
    (void)unused;
    assert_near(elo_from_score(0.75), 190.8485, 1e-4);
    assert_near(elo_to_score(elo_from_score(0.3)), 0.3, 1e-12);
    assert_near(elo_score((PairCounts){{1, 2, 3}}), 4.0 / 6, 1e-12);
    assert_near(elo_score((PairCounts){{0}}), 0.5, 0);
    assert_near(elo_from_score(1), ELO_LIMIT, 0);
    assert_near(elo_from_score(0), -ELO_LIMIT, 0);
}

/* Quantiles (97.5%) of Student's t, from tables. */
static const double t5 = 2.570582, t10 = 2.228139;

/* The reference values come from a brute-force search for the highest likelihood under the constraint, with the limit
 * of Student's t for 40, 14 and 12 degrees of freedom. */
static void intervals_are_those_of_the_likelihood(void **unused) {
    (void)unused;
    static const struct {
        PairCounts pairs;
        double elo[3], normalized[3]; /* estimate, low, high */
    } cases[] = {
        {{{10, 80, 30}}, {58.45, 22.27, 96.03}, {74.07, 27.86, 119.68}},
        {{{1, 16, 13}}, {147.19, 60.10, 245.70}, {177.45, 67.16, 292.43}},
        {{{0, 8, 12}}, {240.82, 125.42, 392.28}, {300.89, 136.52, 508.42}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const EloEstimate elo = elo_of_pairs(cases[i].pairs), normalized = elo_normalized(cases[i].pairs);
        assert_near(elo.estimate, cases[i].elo[0], 0.02);
        assert_near(elo.ci95.low, cases[i].elo[1], 0.02);
        assert_near(elo.ci95.high, cases[i].elo[2], 0.02);
        assert_near(normalized.estimate, cases[i].normalized[0], 0.02);
        assert_near(normalized.ci95.low, cases[i].normalized[1], 0.02);
        assert_near(normalized.ci95.high, cases[i].normalized[2], 0.02);
    }
}

static void intervals_of_extreme_results(void **unused) {
    (void)unused;
    EloEstimate elo = elo_of_pairs((PairCounts){{0}});
    assert_true(elo.estimate == 0 && elo.ci95.low == -ELO_LIMIT && elo.ci95.high == ELO_LIMIT);
    /* All pairs won: the score is at least exp(-t^2 / 2n). */
    elo = elo_of_pairs((PairCounts){{0, 0, 10}});
    assert_true(elo.estimate == ELO_LIMIT && elo.ci95.high == ELO_LIMIT);
    assert_near(elo.ci95.low, elo_from_score(exp(-t10 * t10 / 20)), 0.05);
    elo = elo_of_pairs((PairCounts){{10, 0, 0}});
    assert_true(elo.estimate == -ELO_LIMIT && elo.ci95.low == -ELO_LIMIT);
    assert_near(elo.ci95.high, -elo_from_score(exp(-t10 * t10 / 20)), 0.05);
    /* All pairs split: even, but not with certainty. */
    elo = elo_of_pairs((PairCounts){{0, 10, 0}});
    assert_true(elo.estimate == 0);
    assert_near(elo.ci95.high, 400 * log10((2 - exp(-t5 * t5 / 20)) / exp(-t5 * t5 / 20)), 0.3);
    assert_near(elo.ci95.low, -elo.ci95.high, 1e-6);
    elo = elo_normalized((PairCounts){{0, 10, 0}});
    assert_true(elo.estimate == 0 && elo.ci95.low < 0 && elo.ci95.high > 0);
    elo = elo_normalized((PairCounts){{0, 0, 10}});
    assert_true(elo.estimate == ELO_LIMIT && elo.ci95.low > 0 && elo.ci95.low < ELO_LIMIT);
    const EloEstimate lost = elo_normalized((PairCounts){{10, 0, 0}});
    assert_true(lost.estimate == -ELO_LIMIT);
    assert_near(lost.ci95.high, -elo.ci95.low, 1e-6);
}

/* The score of a pair in half points: two games with probabilities p + bias and p - bias, because openings favour a
 * colour. */
static int simulate_pair(Rng *rng, double p, double bias) {
    return (rng_unit(rng) < p + bias) + (rng_unit(rng) < p - bias);
}

static void intervals_cover_the_truth(void **unused) {
    (void)unused;
    static const struct {
        double score, bias;
        int pairs;
    } cases[] = {{0.5, 0, 20}, {0.5, 0.3, 100}, {0.65, 0.2, 60}, {0.85, 0.1, 100}, {0.9, 0, 30}};
    enum { RUNS = 1000 };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            Rng rng = rng_seed(rng_split(i, (uint64_t)run));
            PairCounts pairs = {{0}};
            for (int pair = 0; pair < cases[i].pairs; pair++)
                pairs.count[simulate_pair(&rng, cases[i].score, cases[i].bias)] += 1;
            const Interval interval = elo_of_pairs(pairs).ci95;
            const double truth = elo_from_score(cases[i].score);
            covered += interval.low <= truth && truth <= interval.high;
        }
        if (covered < 0.93 * RUNS || covered > 0.985 * RUNS)
            fail_msg("case %zu: %d of %d intervals hold the truth", i, covered, RUNS);
    }
}

/* The share of matches of equal players in which the interval does not hold 0, by exact sums over all outcomes. */
static double wrongly_decided(int pairs, double split) {
    double wrong = 0;
    for (int lost = 0; lost <= pairs; lost++)
        for (int won = 0; lost + won <= pairs; won++) {
            const double middle = pairs - lost - won, decided = lost + won;
            const Interval interval = elo_of_pairs((PairCounts){{lost, middle, won}}).ci95;
            const double logarithm = lgamma(pairs + 1) - lgamma(lost + 1) - lgamma(middle + 1) - lgamma(won + 1) +
                                     middle * log(split) + decided * log((1 - split) / 2);
            if (interval.low > 0 || interval.high < 0)
                wrong += exp(logarithm);
        }
    return wrong;
}

/* Where few pairs are decided, equal players seldom look unequal. */
static void few_decided_pairs_decide_nothing(void **unused) {
    (void)unused;
    static const struct {
        int pairs;
        double split;
    } cases[] = {{5, 0.5}, {10, 0.5}, {10, 0.7}, {20, 0.8}, {40, 0.9}, {80, 0.95}, {80, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(wrongly_decided(cases[i].pairs, cases[i].split) < 0.05);
    const Interval never_decided = elo_of_pairs((PairCounts){{0, 100, 0}}).ci95;
    assert_true(never_decided.low > -15 && never_decided.high < 15);
}

/* ---- The sequential test ---- */

/* Adds these numbers of pairs with each score. Ignores the verdict. */
static double llr_of(double elo0, double elo1, int lost, int split, int won) {
    Sprt sprt = sprt_start(elo0, elo1);
    const int counts[3] = {lost, split, won};
    for (int score = 0; score < 3; score++)
        for (int i = 0; i < counts[score]; i++) {
            sprt.verdict = SPRT_RUNNING;
            sprt_add(&sprt, score);
        }
    return sprt.llr;
}

static void likelihood_ratios(void **unused) {
    (void)unused;
    assert_near(sprt_upper_bound(), log(19), 1e-12);
    assert_near(sprt_lower_bound(), -log(19), 1e-12);
    /* From the same brute-force search. */
    assert_near(llr_of(0, 30, 10, 80, 30), 3.374514, 1e-5);
    assert_near(llr_of(0, 5, 100, 300, 140), 1.109703, 1e-5);
    assert_near(llr_of(0, 30, 0, 14, 20), 2.954772, 1e-5);
    assert_near(llr_of(-10, 10, 5, 0, 5), 0, 1e-9);
    assert_near(llr_of(0, 50, 0, 0, 3), 0.545547, 1e-5);
    assert_near(llr_of(0, 10, 400, 1000, 380), -2.70369, 1e-5);
}

/* Runs the test on simulated players. Returns the share of H1 verdicts, and the mean number of pairs. */
static double share_of_h1(double elo, double bias, double elo0, double elo1, int runs, double *pairs) {
    /* The probabilities of a game for which the normalized Elo of pairs is `elo`: t = d / sqrt(w/4 - d^2) of a pair's
     * score. */
    const double t = elo * log(10) / 800 * sqrt(2);
    const double variance = (0.25 - bias * bias) / 2; /* at p = 1/2; variance of the mean of two games */
    const double p = 0.5 + t * sqrt(variance);
    int accepted = 0;
    *pairs = 0;
    for (int run = 0; run < runs; run++) {
        Rng rng = rng_seed(rng_split(77, (uint64_t)run));
        Sprt sprt = sprt_start(elo0, elo1);
        while (sprt.verdict == SPRT_RUNNING) {
            sprt_add(&sprt, simulate_pair(&rng, p, bias));
            *pairs += 1.0 / runs;
        }
        accepted += sprt.verdict == SPRT_H1;
    }
    return (double)accepted / runs;
}

static void verdicts_are_right_as_often_as_promised(void **unused) {
    (void)unused;
    enum { RUNS = 300 };
    double pairs[3];
    /* At most 5% errors are promised. 300 runs measure that to within 2.5%. */
    for (double bias = 0; bias < 0.4; bias += 0.3) {
        assert_true(share_of_h1(0, bias, 0, 40, RUNS, &pairs[0]) < 0.085);
        assert_true(share_of_h1(40, bias, 0, 40, RUNS, &pairs[1]) > 0.915);
        const double middle = share_of_h1(20, bias, 0, 40, RUNS, &pairs[2]);
        assert_true(middle > 0.35 && middle < 0.65);
        /* Wald: about 2 log(19) 0.9 / (t1 - t0)^2 pairs at the ends, 1.6 times as many in the middle. */
        const double t = 40 * log(10) / 800 * sqrt(2), expected = 2 * log(19) * 0.9 / (t * t);
        assert_near(pairs[0] / expected, 1, 0.25);
        assert_near(pairs[1] / expected, 1, 0.25);
        assert_true(pairs[2] > 1.2 * pairs[0]);
    }
}

static void verdict_stands(void **unused) {
    (void)unused;
    Sprt sprt = sprt_start(0, 100);
    while (sprt.verdict == SPRT_RUNNING)
        sprt_add(&sprt, 2);
    assert_int_equal(sprt.verdict, SPRT_H1);
    const Sprt before = sprt;
    sprt_add(&sprt, 0);
    assert_true(sprt.llr == before.llr && sprt.pairs.count[0] == 0);
}

/* ---- Ratings ---- */

static void two_players_are_rated_by_their_score(void **unused) {
    (void)unused;
    const PairingCounts pairing = {0, 1, {{99.95, 200, 299.95}}};
    EloEstimate ratings[2];
    Error error;
    assert_true(bradley_terry(2, &pairing, 1, ratings, &error));
    /* With the added shares of a pair the score is exactly (200 / 2 + 300) / 600. */
    assert_near(ratings[0].estimate - ratings[1].estimate, elo_from_score(400.0 / 600), 1e-6);
    assert_near(ratings[0].estimate + ratings[1].estimate, 0, 1e-9);
    /* Many pairs: the interval is half as wide as that of the pairs, because it is against the mean of both players. */
    const Interval direct = elo_of_pairs(pairing.pairs).ci95, rated = ratings[0].ci95;
    assert_near((rated.high - rated.low) / (direct.high - direct.low), 0.5, 0.01);
}

static void extreme_and_unconnected_results(void **unused) {
    (void)unused;
    EloEstimate ratings[3];
    Error error = {.text = ""};
    const PairingCounts chain[] = {{0, 1, {{0, 0, 10}}}, {1, 2, {{0, 0, 10}}}};
    assert_true(bradley_terry(3, chain, 2, ratings, &error));
    assert_true(ratings[0].estimate > 300 && ratings[0].estimate < 1000);
    assert_near(ratings[1].estimate, 0, 1e-6);
    assert_near(ratings[2].estimate, -ratings[0].estimate, 1e-6);
    assert_true(ratings[0].ci95.low < ratings[0].estimate && ratings[0].ci95.high == ELO_LIMIT);
    assert_true(ratings[2].ci95.high > ratings[2].estimate && ratings[2].ci95.low == -ELO_LIMIT);
    assert_true(ratings[1].ci95.low > -ELO_LIMIT && ratings[1].ci95.high < ELO_LIMIT);
    assert_false(bradley_terry(3, chain, 1, ratings, &error));
    assert_non_null(strstr(error.text, "not met"));
    const PairingCounts empty[] = {{0, 1, {{0, 0, 10}}}, {1, 2, {{0}}}};
    assert_false(bradley_terry(3, empty, 2, ratings, &error));
    assert_true(bradley_terry(1, NULL, 0, ratings, &error));
    assert_false(bradley_terry(BRADLEY_TERRY_MAX + 1, NULL, 0, ratings, &error));
}

/* A long chain of players, each of whom beat the next one in all of its pairs. */
static void a_chain_of_sure_winners_is_rated(void **unused) {
    (void)unused;
    PairingCounts chain[BRADLEY_TERRY_MAX - 1];
    EloEstimate ratings[BRADLEY_TERRY_MAX];
    Error error;
    for (int i = 0; i < BRADLEY_TERRY_MAX - 1; i++)
        chain[i] = (PairingCounts){i, i + 1, {{0, 0, 10}}};
    assert_true(bradley_terry(BRADLEY_TERRY_MAX, chain, BRADLEY_TERRY_MAX - 1, ratings, &error));
    for (int i = 1; i < BRADLEY_TERRY_MAX; i++)
        assert_true(ratings[i].estimate < ratings[i - 1].estimate - 500);
}

enum { PLAYERS = 5 };

/* Round robins of players with these ratings, `pairs` for each two of them: the fit finds the ratings within a
 * tolerance, and
 * its intervals contain them. Where many results are certain, they are a little too wide. */
static void expect_coverage(const double truth[PLAYERS], int pairs, double tolerance, double least, double most) {
    enum { RUNS = 300 };
    int covered = 0;
    double mean[PLAYERS] = {0};
    for (int run = 0; run < RUNS; run++) {
        Rng rng = rng_seed(rng_split(5, (uint64_t)run));
        PairingCounts pairings[PLAYERS * (PLAYERS - 1) / 2];
        EloEstimate ratings[PLAYERS];
        Error error;
        int count = 0;
        for (int a = 0; a < PLAYERS; a++)
            for (int b = a + 1; b < PLAYERS; b++) {
                const double p = elo_to_score(truth[a] - truth[b]), bias = 0.4 * (p < 0.5 ? p : 1 - p);
                pairings[count] = (PairingCounts){a, b, {{0}}};
                for (int pair = 0; pair < pairs; pair++)
                    pairings[count].pairs.count[simulate_pair(&rng, p, bias)] += 1;
                count++;
            }
        assert_true(bradley_terry(PLAYERS, pairings, count, ratings, &error));
        for (int i = 0; i < PLAYERS; i++) {
            covered += ratings[i].ci95.low <= truth[i] && truth[i] <= ratings[i].ci95.high;
            mean[i] += ratings[i].estimate / RUNS;
        }
    }
    for (int i = 0; i < PLAYERS; i++)
        assert_near(mean[i], truth[i], tolerance);
    if (covered < least * RUNS * PLAYERS || covered > most * RUNS * PLAYERS)
        fail_msg("%d of %d intervals hold the truth", covered, RUNS * PLAYERS);
}

static void ratings_cover_the_truth(void **unused) {
    (void)unused;
    static const double near[] = {-250, -50, 0, 90, 210}, far[] = {-800, -400, 0, 400, 800};
    expect_coverage(near, 60, 5, 0.93, 0.97);
    expect_coverage(near, 10, 5, 0.93, 0.97);
    expect_coverage(far, 40, 15, 0.94, 0.98);
    expect_coverage(far, 10, 30, 0.94, 0.99);
}

/* A player who wins some pairs against two others, and splits the rest with them: its interval holds its rating also
 * where few pairs were decided. Its rating is that of very many such pairs. */
static double coverage_with_splits(double wins, int pairs) {
    enum { RUNS = 1000, MANY = 1000000 };
    EloEstimate truth[3], ratings[3];
    Error error;
    const PairCounts of_many = {{0, MANY * (1 - wins), MANY * wins}}, even = {{MANY / 4, MANY / 2, MANY / 4}};
    assert_true(bradley_terry(3, (PairingCounts[]){{0, 1, of_many}, {0, 2, of_many}, {1, 2, even}}, 3, truth, &error));
    int covered = 0;
    for (int run = 0; run < RUNS; run++) {
        Rng rng = rng_seed(rng_split(7, (uint64_t)run));
        PairingCounts pairings[] = {{0, 1, {{0}}}, {0, 2, {{0}}}, {1, 2, {{0}}}};
        for (int pair = 0; pair < pairs; pair++) {
            pairings[0].pairs.count[rng_unit(&rng) < wins ? 2 : 1] += 1;
            pairings[1].pairs.count[rng_unit(&rng) < wins ? 2 : 1] += 1;
            pairings[2].pairs.count[simulate_pair(&rng, 0.5, 0)] += 1;
        }
        assert_true(bradley_terry(3, pairings, 3, ratings, &error));
        covered += ratings[0].ci95.low <= truth[0].estimate && truth[0].estimate <= ratings[0].ci95.high;
    }
    return (double)covered / RUNS;
}

static void few_decided_pairs_rate_nobody(void **unused) {
    (void)unused;
    static const double wins[] = {0.05, 0.1, 0.2, 0.3};
    static const int pairs[] = {2, 5, 10, 20, 50};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            assert_true(coverage_with_splits(wins[i], pairs[k]) > 0.94);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_elo),
        cmocka_unit_test(intervals_are_those_of_the_likelihood),
        cmocka_unit_test(intervals_of_extreme_results),
        cmocka_unit_test(intervals_cover_the_truth),
        cmocka_unit_test(few_decided_pairs_decide_nothing),
        cmocka_unit_test(likelihood_ratios),
        cmocka_unit_test(verdicts_are_right_as_often_as_promised),
        cmocka_unit_test(verdict_stands),
        cmocka_unit_test(two_players_are_rated_by_their_score),
        cmocka_unit_test(extreme_and_unconnected_results),
        cmocka_unit_test(a_chain_of_sure_winners_is_rated),
        cmocka_unit_test(ratings_cover_the_truth),
        cmocka_unit_test(few_decided_pairs_rate_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
