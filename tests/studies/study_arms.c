/* How often the interval of a board's fair komi contains the truth, if it is the maximum over several first moves:
 * simulated players, games shared out as a run does.
 *
 *     study_arms [BOARDS [GAMES [KIND]]]        KIND: only this line of the table, from 1
 *
 * Each board has first moves whose locations are drawn: one is the best, at 5, the others lose something. "loss" is
 * the mean of these losses (exponential); 0: all are equally good. The table says, for even komi, for odd komi and for
 * both together: how often the central 95% contain the truth, their mean width, how much the median is too high on
 * average. Then: how often the best move is the one that was found, the mean probability that it was given, and the
 * share of games that it got. `naive` is the largest of the separate estimates: by how much it is too high. */
#include "engine/base/rng.h"
#include "selfplay/stats/arms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARMS_MAX = 20, SIZE = 4, KOMI = 2 * 37 + 1, FIRST_ROUND = 32, NUMBERS = 3 };

typedef struct Board {
    int arms;
    double scale, lapse, loss;
    double odd; /* location at odd komi minus that at even komi */
} Board;

typedef struct Sums {
    double inside[NUMBERS], width[NUMBERS], error[NUMBERS], found, probability, share, naive;
} Sums;

typedef struct Players {
    const Board *board;
    double location[ARMS_MAX];
    KomiData data[ARMS_MAX][KOMI];
    Arm arms[ARMS_MAX];
} Players;

static void begin(Players *players, const Board *board, const EstimateConfig *config, Rng *rng) {
    *players = (Players){.board = board};
    for (int a = 0; a < board->arms; a++) {
        players->location[a] = 5 - (a == 0 ? 0 : -board->loss * log(1 - rng_unit(rng)));
        players->arms[a] = (Arm){.data = players->data[a], .count = KOMI, .legal = {true, true}};
        for (int i = 0; i < KOMI; i++)
            players->data[a][i].komi = config->komi_min + i;
    }
}

static void play(Players *players, const int *games, Rng *rng) {
    const Board *board = players->board;
    for (int a = 0; a < board->arms; a++)
        for (int i = 0; i < KOMI; i++) {
            KomiData *at = &players->data[a][i];
            const double location = players->location[a] + (komi_has_button(at->komi) ? board->odd : 0);
            const double chance =
                board->lapse / 2 + (1 - board->lapse) / (1 + exp((at->komi - location) / board->scale));
            for (int k = 0; k < games[a * KOMI + i]; k++) {
                at->games++;
                at->black_wins += rng_unit(rng) < chance;
            }
        }
}

static void look(const Players *players, const EstimateConfig *config, int total, Sums *sums) {
    Error error;
    ArmsEstimate estimate;
    const int count = players->board->arms;
    if (!arms_estimate(players->arms, count, config, &estimate, &error))
        exit(1);
    const FairKomi *fair = &estimate.board;
    const double truth[NUMBERS] = {5, 5 + players->board->odd, 5 + players->board->odd / 2};
    const double median[NUMBERS] = {fair->even.estimate, fair->odd.estimate, fair->combined};
    const Interval ci95[NUMBERS] = {fair->even.ci95, fair->odd.ci95, fair->combined_ci95};
    for (int i = 0; i < NUMBERS; i++) {
        sums->inside[i] += truth[i] >= ci95[i].low && truth[i] <= ci95[i].high;
        sums->width[i] += ci95[i].high - ci95[i].low;
        sums->error[i] += median[i] - truth[i];
    }
    double largest = -INFINITY, games = 0;
    for (int a = 0; a < count; a++) {
        FairKomi alone;
        if (!estimate_fair_komi(players->data[a], KOMI, config, &alone, &error))
            exit(1);
        largest = fmax(largest, alone.even.estimate);
    }
    for (int i = 0; i < KOMI; i++)
        games += players->data[0][i].games;
    sums->naive += largest - truth[0];
    sums->found += estimate.best == 0;
    sums->probability += estimate.arms[0].share;
    sums->share += games / total;
    arms_free(&estimate);
}

static void run(const Board *board, int total, uint64_t seed, Sums *sums) {
    static Players players;
    static int games[ARMS_MAX * KOMI];
    const EstimateConfig config = estimate_config(SIZE);
    Rng rng = rng_seed(seed);
    Error error;
    begin(&players, board, &config, &rng);
    for (int played = 0; played < total;) {
        const int first = board->arms * ARMS_FIRST_GAMES > FIRST_ROUND ? board->arms * ARMS_FIRST_GAMES : FIRST_ROUND;
        int size = played == 0 ? first : played / 2 > FIRST_ROUND ? played / 2 : FIRST_ROUND;
        size = size < total - played ? size : total - played;
        if (!arms_allocate(players.arms, board->arms, &config, size, games, &error))
            exit(1);
        play(&players, games, &rng);
        played += size;
    }
    look(&players, &config, total, sums);
}

int main(int argc, char **argv) {
    static const Board boards[] = {{5, 1, 0.01, 3, 0.5},   {10, 1, 0.01, 1, -0.5},  {20, 2, 0.05, 2, 0.5},
                                   {10, 3, 0.02, 3, -0.5}, {10, 0.3, 0.02, 3, 0.5}, {10, 0.05, 0.02, 4, 0.5},
                                   {5, 1, 0.01, 0, 0.5},   {10, 1, 0.01, 0, 0.5}};
    const int runs = argc > 1 ? atoi(argv[1]) : 100, total = argc > 2 ? atoi(argv[2]) : 400;
    const size_t only = argc > 3 ? (size_t)atoi(argv[3]) : 0;
    puts("arms scale lapse  loss      even: inside  width  error     odd: inside  width  error    both: inside  width  "
         "error    found  prob. games  naive");
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
        Sums sums = {.found = 0};
        if (only > 0 && only != i + 1)
            continue;
        for (int n = 0; n < runs; n++)
            run(&boards[i], total, rng_split(7, (uint64_t)n), &sums);
        printf("%4d %5.2f %5.2f %5.1f", boards[i].arms, boards[i].scale, boards[i].lapse, boards[i].loss);
        for (int k = 0; k < NUMBERS; k++)
            printf("          %5.1f%% %6.2f %+6.2f", 100 * sums.inside[k] / runs, sums.width[k] / runs,
                   sums.error[k] / runs);
        printf("    %4.0f%% %5.2f %5.2f %+6.2f\n", 100 * sums.found / runs, sums.probability / runs, sums.share / runs,
               sums.naive / runs);
        fflush(stdout);
    }
    return 0;
}
