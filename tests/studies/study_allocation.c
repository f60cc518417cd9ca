/* A study beside the tests, not run by ctest. How many games does the adaptive allocation need compared with an even
 * grid over 8 points on both sides of the truth, for the same width of the combined interval? How often do the
 * intervals contain the truth?
 *
 * study_allocation [RUNS [GAMES [ROUNDS]]] prints a table. For each truth, scale and lapse it has the mean width after
 * GAMES adaptive games in ROUNDS rounds, the games that the grid needs for that width (interpolated), the ratio of the
 * two, and the coverage of the intervals of the adaptive runs. */
#include "tests/support/komi_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Score {
    double width;                         /* mean width of the combined interval */
    double even, odd, combined, win_rate; /* coverage */
} Score;

static bool covers(Interval interval, double truth) {
    return interval.low <= truth && truth <= interval.high;
}

static void add_run(Score *score, const Tournament *tournament, const Players *players, int runs) {
    const FairKomi fair = tournament_estimate(tournament);
    score->width += (fair.combined_ci95.high - fair.combined_ci95.low) / runs;
    score->even += (double)covers(fair.even.ci95, players->even) / runs;
    score->odd += (double)covers(fair.odd.ci95, players->odd) / runs;
    score->combined += (double)covers(fair.combined_ci95, (players->even + players->odd) / 2) / runs;
    score->win_rate += (double)covers(fair.win_rate_ci95, players_win_rate(players, fair.recommended)) / runs;
}

static Score adaptive(const Players *players, int runs, int games, int rounds) {
    Score score = {0};
    EstimateConfig config = estimate_config(5);
    config.komi_min = -30;
    config.komi_max = 30;
    for (int run = 0; run < runs; run++) {
        Rng rng = rng_seed(rng_split(1, (uint64_t)run));
        Tournament tournament = tournament_start(config);
        tournament_adaptive(&tournament, players, rounds, games / rounds, &rng);
        add_run(&score, &tournament, players, runs);
        tournament_free(&tournament);
    }
    return score;
}

static Score grid(const Players *players, int runs, int games) {
    Score score = {0};
    EstimateConfig config = estimate_config(5);
    config.komi_min = -30;
    config.komi_max = 30;
    const int centre = (int)floor((players->even + players->odd) / 2 + 0.5);
    for (int run = 0; run < runs; run++) {
        Rng rng = rng_seed(rng_split(2, (uint64_t)run));
        Tournament tournament = tournament_start(config);
        tournament_grid(&tournament, players, centre - 8, centre + 8, games, &rng);
        add_run(&score, &tournament, players, runs);
        tournament_free(&tournament);
    }
    return score;
}

/* The number of games that the grid needs for a width, interpolated between growing numbers of games. */
static double grid_games(const Players *players, int runs, int games, double width) {
    double before = 0, before_width = INFINITY;
    for (double factor = 0.8; factor < 20; factor *= 1.25) {
        const double now = floor(games * factor), now_width = grid(players, runs, (int)now).width;
        if (now_width <= width)
            return isinf(before_width)
                       ? now
                       : before * pow(now / before, log(width / before_width) / log(now_width / before_width));
        before = now;
        before_width = now_width;
    }
    return INFINITY;
}

int main(int argc, char **argv) {
    const int runs = argc > 1 ? atoi(argv[1]) : 200, games = argc > 2 ? atoi(argv[2]) : 400;
    const int rounds = argc > 3 ? atoi(argv[3]) : 10;
    const double truths[][2] = {{2.3, 2.9}, {-6.0, -5.2}, {10.4, 10.0}};
    printf("%d runs of %d games in %d rounds; prior 2\n", runs, games, rounds);
    printf("  even    odd scale lapse | width  grid games  ratio | coverage: even   odd  combined  win rate\n");
    for (int truth = 0; truth < 3; truth++)
        for (double scale = 0.5; scale <= 4; scale *= 2)
            for (double lapse = 0; lapse <= 0.02; lapse += 0.02) {
                const Players players = {.even = truths[truth][0],
                                         .odd = truths[truth][1],
                                         .scale = scale,
                                         .lapse = lapse,
                                         .margin_bias = 0.5};
                const Score score = adaptive(&players, runs, games, rounds);
                const double needed = grid_games(&players, runs, games, score.width);
                printf("%6.1f %6.1f %5.1f %5.2f | %5.3f %11.0f %6.2f |           %5.3f %5.3f %9.3f %9.3f\n",
                       players.even, players.odd, scale, lapse, score.width, needed, games / needed, score.even,
                       score.odd, score.combined, score.win_rate);
                fflush(stdout);
            }
    return 0;
}
