/* How often the interval of a board's fair komi contains the truth, if it is the maximum over several first moves:
 * simulated players, games shared out as a run does.
 *
 *     study_arms [BOARDS [GAMES [KIND]]]        KIND: only this line of the table, from 1
 *
 * Each board has first moves whose locations are drawn: some are the best, the others lose something (the gap, and an
 * exponential number with the mean "loss"). The table says, for even komi, for odd komi and for both together: how
 * often the central 95% contain the truth, how often they lie below it, their mean width, how much the median is too
 * high on average. Then: how often a best move is the one that was found, the mean probability that they were given,
 * and the share of games that they got. `naive` is the largest of the separate estimates: by how much it is too high.
 */
#include "engine/base/rng.h"
#include "tests/support/arms_simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Sums {
    double inside[SIMULATED_NUMBERS], below[SIMULATED_NUMBERS], width[SIMULATED_NUMBERS], error[SIMULATED_NUMBERS];
    double found, probability, share, naive;
} Sums;

static void stop(const Error *error) {
    fprintf(stderr, "study_arms: %s\n", error->text);
    exit(1);
}

static double largest_alone(const SimulatedRun *run) {
    double largest = -INFINITY;
    Error error;
    for (int a = 0; a < run->arm_count; a++) {
        FairKomi alone;
        if (!estimate_fair_komi(run->arms[a].data, run->arms[a].count, &run->config, &alone, &error))
            stop(&error);
        if (run->arms[a].legal[0])
            largest = fmax(largest, alone.even.estimate);
    }
    return largest;
}

static void look(const SimulatedBoard *board, const SimulatedRun *run, Sums *sums) {
    Error error;
    ArmsEstimate estimate;
    double truth[SIMULATED_NUMBERS];
    if (!arms_estimate(run->arms, run->arm_count, &run->config, &estimate, &error))
        stop(&error);
    const FairKomi *fair = &estimate.board;
    const double median[SIMULATED_NUMBERS] = {fair->even.estimate, fair->odd.estimate, fair->combined};
    const Interval ci95[SIMULATED_NUMBERS] = {fair->even.ci95, fair->odd.ci95, fair->combined_ci95};
    simulated_truth(board, truth);
    for (int i = 0; i < SIMULATED_NUMBERS; i++) {
        sums->inside[i] += truth[i] >= ci95[i].low && truth[i] <= ci95[i].high;
        sums->below[i] += truth[i] > ci95[i].high;
        sums->width[i] += ci95[i].high - ci95[i].low;
        sums->error[i] += median[i] - truth[i];
    }
    for (int a = 0; a < board->best; a++)
        sums->probability += estimate.arms[a].share;
    sums->found += estimate.best < board->best;
    sums->share += simulated_run_share(run, board);
    sums->naive += largest_alone(run) - truth[0];
    arms_free(&estimate);
}

/* By the fits of hexhex-6. */
static SimulatedBoard like_hexhex_7(int best, double fair, double odd, double gap, double loss, double scale) {
    return (SimulatedBoard){.size = 7,
                            .arms = 17,
                            .button = true,
                            .best = best,
                            .fair = fair,
                            .odd = odd,
                            .gap = gap,
                            .loss = loss,
                            .scale = scale,
                            .lapse = 0.04};
}

static SimulatedBoard guessed(SimulatedBoard board, double error, double blind) {
    board.guess_error = error;
    board.blind = blind;
    return board;
}

/* 30 classes of first moves and the button. */
static SimulatedBoard like_hexhex_10(double guess_error) {
    SimulatedBoard board = like_hexhex_7(1, 10, 0.5, 0.5, 4, 5);
    board.size = 10;
    board.arms = 31;
    return guessed(board, guess_error, 0);
}

int main(int argc, char **argv) {
    const SimulatedBoard boards[] = {
        {.size = 4, .arms = 5, .best = 1, .fair = 5, .odd = 0.5, .loss = 3, .scale = 1, .lapse = 0.01},
        {.size = 4, .arms = 10, .best = 1, .fair = 5, .odd = -0.5, .loss = 1, .scale = 1, .lapse = 0.01},
        {.size = 4, .arms = 20, .best = 1, .fair = 5, .odd = 0.5, .loss = 2, .scale = 2, .lapse = 0.05},
        {.size = 4, .arms = 10, .best = 1, .fair = 5, .odd = -0.5, .loss = 3, .scale = 3, .lapse = 0.02},
        {.size = 4, .arms = 10, .best = 1, .fair = 5, .odd = 0.5, .loss = 3, .scale = 0.3, .lapse = 0.02},
        {.size = 4, .arms = 10, .best = 1, .fair = 5, .odd = 0.5, .loss = 4, .scale = 0.05, .lapse = 0.02},
        {.size = 4, .arms = 5, .best = 5, .fair = 5, .odd = 0.5, .scale = 1, .lapse = 0.01},
        {.size = 4, .arms = 10, .best = 10, .fair = 5, .odd = 0.5, .scale = 1, .lapse = 0.01},
        like_hexhex_7(1, 7, -0.5, 2, 3, 2.7),
        like_hexhex_7(2, 7, -0.5, 2, 3, 2.7),
        like_hexhex_7(1, 7, 0.5, 4, 3, 2.7),
        like_hexhex_7(1, 7, 0.5, 3, 0, 2.7),
        like_hexhex_7(1, 7, -0.5, 2, 3, 4),
        like_hexhex_7(1, 10, -0.5, 4, 4, 4),
        guessed(like_hexhex_7(1, 7, -0.5, 2, 3, 2.7), 0.5, 0),
        guessed(like_hexhex_7(1, 7, -0.5, 2, 3, 2.7), 1, 0),
        guessed(like_hexhex_7(1, 7, -0.5, 2, 3, 2.7), 2, 0),
        guessed(like_hexhex_7(1, 7, -0.5, 2, 3, 2.7), 10, 0),
        guessed(like_hexhex_7(1, 7, -0.5, 2, 3, 2.7), 1, 3),
        guessed(like_hexhex_7(1, 7, 0.5, 3, 0, 2.7), 1, 0),
        guessed(like_hexhex_7(2, 7, -0.5, 0.5, 3, 2.7), 1, 0),
        like_hexhex_10(0),
        like_hexhex_10(1),
    };
    const int runs = argc > 1 ? atoi(argv[1]) : 100, games = argc > 2 ? atoi(argv[2]) : 400;
    const size_t only = argc > 3 ? (size_t)atoi(argv[3]) : 0;
    puts("arms best gap loss scale guess blind   even: inside below  width  error     odd: inside below  width  error  "
         "  both: "
         "inside "
         "below  width  error    found  prob. games  naive");
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        const SimulatedBoard *board = &boards[i];
        Sums sums = {.found = 0};
        if (only > 0 && only != i + 1)
            continue;
        for (int n = 0; n < runs; n++) {
            SimulatedRun run = simulated_run(board, games, rng_split(7, (uint64_t)n));
            look(board, &run, &sums);
            simulated_run_free(&run);
        }
        printf("%4d %4d %3.0f %4.0f %5.2f %5.1f %5.1f", board->arms, board->best, board->gap, board->loss, board->scale,
               board->guess_error, board->blind);
        for (int k = 0; k < SIMULATED_NUMBERS; k++)
            printf("         %5.1f%% %4.0f%% %6.2f %+6.2f", 100 * sums.inside[k] / runs, 100 * sums.below[k] / runs,
                   sums.width[k] / runs, sums.error[k] / runs);
        printf("    %4.0f%% %5.2f %5.2f %+6.2f\n", 100 * sums.found / runs, sums.probability / runs, sums.share / runs,
               sums.naive / runs);
        fflush(stdout);
    }
    return 0;
}
