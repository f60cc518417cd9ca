/* A study beside the tests, not run by ctest: how often do the 95% intervals of the fair komi contain the truth, for
 * players that repeat games, differ in slope between even and odd komi, are steps, or have lapses?
 *
 * study_coverage [RUNS [GAMES]] simulates RUNS runs (default 200) of GAMES games (default 400) for each kind of player,
 * with the rounds of a real run, and prints for each:
 *   - the coverage of the intervals of even komi, odd komi and both together, and their mean width in points;
 *   - brackets: the share of the curves that are shown as a bracket; pairs: of the runs where "Black wins up to, White
 *     from" is given, the share where it is true;
 *   - fairest: how often the most probable komi values, which have 95% together, contain the fairest one; and the mean
 *     probability of that one;
 *   - refused: the share of the curves with a goodness of fit below 0.05.
 * The fair komi is drawn anew for each run, from -2 to 8 points, the odd one up to 0.5 points from it.
 *
 * study_coverage clusters [RUNS [GAMES]] compares ways to deal with games that repeat others, each of which gives an
 * interval of the even komi: all games as independent; each different game once; the design effect; and a bootstrap
 * over the clusters of equal games (100 samples, percentiles). */
#include "tests/support/komi_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case {
    const char *name;
    Players players;
} Case;

static const Case cases[] = {
    {"smooth, scale 0.5", {.scale = 0.5}},
    {"smooth, scale 1", {.scale = 1, .lapse = 0.02}},
    {"smooth, scale 2", {.scale = 2, .lapse = 0.02}},
    {"smooth, scale 4", {.scale = 4}},
    {"by chance, 20% repeats", {.scale = 1.5, .repeats = 0.2, .kind = REPEATS_BY_CHANCE}},
    {"by chance, 100% repeats", {.scale = 1.5, .repeats = 1, .kind = REPEATS_BY_CHANCE}},
    {"by chance, 20% of Black's wins", {.scale = 1.5, .repeats = 0.2, .kind = REPEATS_OF_BLACK}},
    {"by chance, 40% of Black's wins", {.scale = 1.5, .repeats = 0.4, .kind = REPEATS_OF_BLACK}},
    {"by chance, 70% of Black's wins", {.scale = 1.5, .repeats = 0.7, .kind = REPEATS_OF_BLACK}},
    {"by chance, 100% of Black's wins", {.scale = 1.5, .repeats = 1, .kind = REPEATS_OF_BLACK}},
    {"no chance, 50% repeats", {.scale = 1.5, .repeats = 0.5, .kind = REPEATS_WITHOUT_CHANCE}},
    {"no chance, 90% repeats", {.scale = 1.5, .repeats = 0.9, .kind = REPEATS_WITHOUT_CHANCE}},
    {"no chance, 100% repeats", {.scale = 1.5, .repeats = 1, .kind = REPEATS_WITHOUT_CHANCE}},
    {"scales 0.5 and 1.5", {.scale = 0.5, .odd_scale = 1.5}},
    {"scales 3 and 1", {.scale = 3, .odd_scale = 1}},
    {"scales 1 and 4", {.scale = 1, .odd_scale = 4}},
    {"steps", {.scale = 0.01}},
    {"steps, lapses 0.04, 0", {.scale = 0.01, .lapse_low = 0.04}},
    {"steps, lapses 0.03, 0.1", {.scale = 0.01, .lapse_low = 0.03, .lapse_high = 0.1}},
    {"even a step, odd scale 1", {.scale = 0.01, .odd_scale = 1}},
    {"scale 0.2", {.scale = 0.2}},
    {"scale 1.5, uneven 0.4", {.scale = 1.5, .uneven = 0.4}},
    {"scale 1.5, uneven 0.8", {.scale = 1.5, .uneven = 0.8}},
    {"scale 1, lapses 0.1, 0", {.scale = 1, .lapse_low = 0.1}},
    {"scale 1, lapses 0.02, 0.06", {.scale = 1, .lapse_low = 0.02, .lapse_high = 0.06}},
    {"scale 2, lapses 0, 0.1", {.scale = 2, .lapse_high = 0.1}},
};
enum { CASES = sizeof cases / sizeof *cases, KOMI_REACH = 25 };

static bool covers(Interval interval, double truth) {
    return interval.low <= truth && truth <= interval.high;
}

/* Sets the truth of a run, and plays it. */
static Tournament play(const Case *at, int run, int games, Players *players, Rng *rng) {
    *rng = rng_seed(rng_split(rng_split(5, (uint64_t)(at - cases)), (uint64_t)run));
    EstimateConfig config = estimate_config(5);
    config.komi_min = -KOMI_REACH;
    config.komi_max = KOMI_REACH;
    *players = at->players;
    players->even = -2 + 10 * rng_unit(rng);
    players->odd = players->even - 0.5 + rng_unit(rng);
    players->seed = (uint64_t)run;
    players->margin_bias = 2 * rng_unit(rng) - 1;
    Tournament tournament = tournament_start(config);
    tournament_run(&tournament, players, games, rng);
    return tournament;
}

/* ---- Kinds of players ---- */

typedef struct Score {
    double even, odd, combined, width, combined_width, brackets, pairs, pairs_right, fairest, fairest_mean, refused;
} Score;

/* The true win rates next to one half: how far the fairest komi is from it. */
static double fairest_distance(const Players *players) {
    double best = 1;
    for (int komi = -KOMI_REACH; komi <= KOMI_REACH; komi++)
        best = fmin(best, fabs(players_win_rate(players, komi) - 0.5));
    return best;
}

static bool is_fairest(const Players *players, int komi) {
    return fabs(players_win_rate(players, komi) - 0.5) < fairest_distance(players) + 1e-3; /* steps have ties */
}

static void add_fairest(Score *score, const FairKomi *fair, const Players *players) {
    double taken = 0;
    bool found = false, used[FAIREST_MAX] = {false};
    while (taken < 0.95) {
        int best = -1;
        for (int i = 0; i < fair->probability_count; i++)
            if (!used[i] && (best < 0 || fair->probabilities[i].probability > fair->probabilities[best].probability))
                best = i;
        if (best < 0)
            break;
        used[best] = true;
        taken += fair->probabilities[best].probability;
        found |= is_fairest(players, fair->probabilities[best].komi);
    }
    score->fairest += found;
    for (int i = 0; i < fair->probability_count; i++)
        if (is_fairest(players, fair->probabilities[i].komi))
            score->fairest_mean += fair->probabilities[i].probability;
}

static void add_run(Score *score, const FairKomi *fair, const Players *players) {
    score->even += covers(fair->even.ci95, players->even);
    score->odd += covers(fair->odd.ci95, players->odd);
    score->combined += covers(fair->combined_ci95, (players->even + players->odd) / 2);
    score->width += (fair->even.ci95.high - fair->even.ci95.low + fair->odd.ci95.high - fair->odd.ci95.low) / 2;
    score->combined_width += fair->combined_ci95.high - fair->combined_ci95.low;
    score->brackets += (fair->even.bracket_used + fair->odd.bracket_used) / 2.0;
    score->pairs += fair->pair_known;
    score->pairs_right += fair->pair_known && players_win_rate(players, fair->black_wins_up_to) > 0.5 &&
                          players_win_rate(players, fair->white_wins_from) < 0.5;
    score->refused += ((fair->even.fit.p < 0.05) + (fair->odd.fit.p < 0.05)) / 2.0;
    add_fairest(score, fair, players);
}

static void study_kinds(int runs, int games) {
    printf("%d runs of %d games\n", runs, games);
    printf("%-32s coverage: even   odd  both | width: one  both | brackets  pairs right | fairest  mean | refused\n",
           "");
    for (int c = 0; c < CASES; c++) {
        Score score = {0};
        for (int run = 0; run < runs; run++) {
            Players players;
            Rng rng;
            Tournament tournament = play(&cases[c], run, games, &players, &rng);
            const FairKomi fair = tournament_estimate(&tournament);
            add_run(&score, &fair, &players);
            tournament_free(&tournament);
        }
        const double n = runs;
        printf("%-32s          %5.3f %5.3f %5.3f | %10.2f %5.2f | %8.2f %6.2f %5.3f | %7.3f %5.2f | %7.3f\n",
               cases[c].name, score.even / n, score.odd / n, score.combined / n, score.width / n,
               score.combined_width / n, score.brackets / n, score.pairs / n,
               score.pairs > 0 ? score.pairs_right / score.pairs : NAN, score.fairest / n, score.fairest_mean / n,
               score.refused / n);
        fflush(stdout);
    }
}

/* ---- Ways to deal with clusters ---- */

enum { WAYS = 4, SAMPLES = 100 };

static Interval estimate_even(const Tournament *tournament, const KomiData *data) {
    FairKomi fair;
    Error error;
    if (!estimate_fair_komi(data, tournament->count, &tournament->config, &fair, &error))
        abort();
    return fair.even.ci95;
}

/* The crossing of the rough posterior from one bootstrap sample: as many clusters at each komi as there are. */
static double sample_crossing(const Tournament *tournament, Posterior *posterior, Rng *rng) {
    KomiData data[KOMI_VALUES];
    PosteriorLine line;
    Error error;
    for (int i = 0; i < tournament->count; i++) {
        const Lines *lines = &tournament->lines[i];
        data[i] = (KomiData){.komi = tournament->data[i].komi};
        for (int n = 0; n < lines->count; n++) {
            const uint32_t line_number = rng_below(rng, (uint32_t)lines->count);
            data[i].games += lines->games[line_number];
            data[i].black_wins += lines->won[line_number] ? lines->games[line_number] : 0;
        }
    }
    if (!posterior_compute(posterior, true, data, tournament->count, &tournament->config, &error))
        abort();
    posterior_curve(posterior, false, &line);
    return line_quantile(&line, 0.5);
}

static int ascending(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static Interval bootstrap(const Tournament *tournament, Rng *rng) {
    double crossing[SAMPLES];
    Posterior *posterior = malloc(sizeof *posterior);
    if (!posterior)
        abort();
    for (int n = 0; n < SAMPLES; n++)
        crossing[n] = sample_crossing(tournament, posterior, rng);
    free(posterior);
    qsort(crossing, SAMPLES, sizeof *crossing, ascending);
    return (Interval){crossing[2], crossing[SAMPLES - 3]};
}

static void estimate_ways(const Tournament *tournament, Rng *rng, Interval out[WAYS]) {
    KomiData data[KOMI_VALUES];
    for (int way = 0; way < WAYS - 1; way++) {
        memcpy(data, tournament->data, sizeof data);
        for (int i = 0; i < tournament->count; i++) {
            const Lines *lines = &tournament->lines[i];
            double squares = 0;
            data[i].design_effect = 0;
            for (int n = 0; n < lines->count; n++)
                squares += (double)lines->games[n] * lines->games[n];
            if (way == 1) {
                data[i].games = lines->count;
                data[i].black_wins = 0;
                for (int n = 0; n < lines->count; n++)
                    data[i].black_wins += lines->won[n];
            }
            if (way == 2 && data[i].games > 0)
                data[i].design_effect = squares / data[i].games;
        }
        out[way] = estimate_even(tournament, data);
    }
    out[WAYS - 1] = bootstrap(tournament, rng);
}

static void study_clusters(int runs, int games) {
    static const char *const ways[WAYS] = {"independent", "once", "effect", "bootstrap"};
    printf("%d runs of %d games; coverage and mean width of the interval of even komi\n%-32s", runs, games, "");
    for (int way = 0; way < WAYS; way++)
        printf(" %12s", ways[way]);
    putchar('\n');
    for (int c = 0; c < CASES; c++) {
        double hits[WAYS] = {0}, width[WAYS] = {0};
        if (!(cases[c].players.repeats > 0))
            continue;
        for (int run = 0; run < runs; run++) {
            Players players;
            Rng rng;
            Interval interval[WAYS];
            Tournament tournament = play(&cases[c], run, games, &players, &rng);
            estimate_ways(&tournament, &rng, interval);
            for (int way = 0; way < WAYS; way++) {
                hits[way] += covers(interval[way], players.even) / (double)runs;
                width[way] += (interval[way].high - interval[way].low) / runs;
            }
            tournament_free(&tournament);
        }
        printf("%-32s", cases[c].name);
        for (int way = 0; way < WAYS; way++)
            printf("  %5.3f %5.2f", hits[way], width[way]);
        putchar('\n');
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    const bool clusters = argc > 1 && !strcmp(argv[1], "clusters");
    const int first = clusters ? 2 : 1;
    const int runs = argc > first ? atoi(argv[first]) : 200, games = argc > first + 1 ? atoi(argv[first + 1]) : 400;
    if (clusters)
        study_clusters(runs, games);
    else
        study_kinds(runs, games);
    return 0;
}
