/* See arms_simulation.h. */
#include "tests/support/arms_simulation.h"

#include "engine/base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROUND = 32 };

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* Box and Muller (1958). */
static double normal(Rng *rng) {
    const double radius = sqrt(-2 * log(1 - rng_unit(rng)));
    return radius * cos(2 * 3.14159265358979323846 * rng_unit(rng));
}

static SimulatedRun begin(const SimulatedBoard *board, Rng *rng) {
    SimulatedRun run = {.config = estimate_config(board->size), .arm_count = board->arms};
    run.komi_count = run.config.komi_max - run.config.komi_min + 1;
    run.data = calloc((size_t)(board->arms * run.komi_count), sizeof *run.data);
    if (!run.data || board->arms > SIMULATED_ARMS_MAX)
        abort();
    for (int a = 0; a < board->arms; a++) {
        KomiData *own = run.data + a * run.komi_count;
        const double lost = board->gap - board->loss * log(1 - rng_unit(rng));
        run.location[a] = board->fair - (a < board->best ? 0 : lost);
        run.arms[a] =
            (Arm){.data = own, .count = run.komi_count, .legal = {!(board->button && a == board->arms - 1), true}};
        if (board->guess_error > 0)
            run.arms[a].guess =
                run.location[a] + board->guess_error * normal(rng) - (a < board->best ? board->blind : 0);
        for (int i = 0; i < run.komi_count; i++)
            own[i].komi = run.config.komi_min + i;
    }
    return run;
}

static void play(SimulatedRun *run, const SimulatedBoard *board, const int *games, Rng *rng) {
    const CurveShape shape = {.scale = board->scale, .lapse_low = board->lapse / 2, .lapse_high = board->lapse / 2};
    for (int i = 0; i < run->arm_count * run->komi_count; i++) {
        KomiData *at = &run->data[i];
        const double location = run->location[i / run->komi_count] + (komi_has_button(at->komi) ? board->odd : 0);
        const double rate = shape_win_rate(shape, location - at->komi);
        at->games += games[i];
        for (int k = 0; k < games[i]; k++)
            at->black_wins += rng_unit(rng) < rate;
    }
}

SimulatedRun simulated_run(const SimulatedBoard *board, int games, uint64_t seed) {
    Rng rng = rng_seed(seed);
    SimulatedRun run = begin(board, &rng);
    int *shares = calloc((size_t)(run.arm_count * run.komi_count), sizeof *shares);
    for (int played = 0, size; played < games; played += size) {
        Error error = {.text = ""};
        size = played == 0 ? larger(run.arm_count * ARMS_FIRST_GAMES, FIRST_ROUND) : larger(played / 2, FIRST_ROUND);
        size = size < games - played ? size : games - played;
        if (!shares || !arms_allocate(run.arms, run.arm_count, &run.config, size, shares, &error)) {
            fprintf(stderr, "a round of %d games: %s\n", size, error.text);
            abort();
        }
        play(&run, board, shares, &rng);
    }
    free(shares);
    return run;
}

void simulated_run_free(SimulatedRun *run) {
    free(run->data);
    *run = (SimulatedRun){0};
}

void simulated_truth(const SimulatedBoard *board, double truth[SIMULATED_NUMBERS]) {
    truth[0] = board->fair;
    truth[1] = board->fair + board->odd;
    truth[2] = board->fair + board->odd / 2;
}

double simulated_run_share(const SimulatedRun *run, const SimulatedBoard *board) {
    double best = 0, all = 0;
    for (int i = 0; i < run->arm_count * run->komi_count; i++) {
        all += run->data[i].games;
        best += i / run->komi_count < board->best ? run->data[i].games : 0;
    }
    return best / all;
}
