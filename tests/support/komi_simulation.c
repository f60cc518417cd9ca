#include "tests/support/komi_simulation.h"

#include "selfplay/stats/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

Tournament tournament_start(EstimateConfig config) {
    Tournament tournament = {.config = config, .count = config.komi_max - config.komi_min + 1};
    if (tournament.count > KOMI_VALUES)
        abort();
    for (int i = 0; i < tournament.count; i++)
        tournament.data[i].komi = config.komi_min + i;
    return tournament;
}

/* Draws the board margin around the fair komi. Black wins if it exceeds the komi, except for lapses. */
static void play_game(KomiData *at, const Players *players, Rng *rng) {
    const double u = fmax(rng_unit(rng), 1e-12), location = at->komi % 2 ? players->odd : players->even;
    const double margin = location + players->scale * log(u / (1 - u));
    const bool lapse = rng_unit(rng) < players->lapse;
    const bool won = lapse ? rng_unit(rng) < 0.5 : margin > at->komi;
    at->games++;
    at->black_wins += won;
    at->margin_games++;
    at->margin_sum += margin + players->margin_bias;
    at->margin_squares += (margin + players->margin_bias) * (margin + players->margin_bias);
}

void tournament_play(Tournament *tournament, const Players *players, const int *games, Rng *rng) {
    for (int i = 0; i < tournament->count; i++)
        for (int n = 0; n < games[i]; n++)
            play_game(&tournament->data[i], players, rng);
}

void tournament_adaptive(Tournament *tournament, const Players *players, int rounds, int batch, Rng *rng) {
    for (int round = 0; round < rounds; round++) {
        int games[KOMI_VALUES];
        Error error;
        if (!allocate_games(tournament->data, tournament->count, &tournament->config, batch, games, &error)) {
            fprintf(stderr, "%s\n", error.text);
            abort();
        }
        tournament_play(tournament, players, games, rng);
    }
}

void tournament_grid(Tournament *tournament, const Players *players, int low, int high, int total, Rng *rng) {
    const int values = high - low + 1;
    int games[KOMI_VALUES] = {0};
    for (int i = 0; i < values; i++)
        games[low + i - tournament->config.komi_min] = total * (i + 1) / values - total * i / values;
    tournament_play(tournament, players, games, rng);
}

FairKomi tournament_estimate(const Tournament *tournament) {
    FairKomi result;
    Error error;
    if (!estimate_fair_komi(tournament->data, tournament->count, &tournament->config, &result, &error)) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return result;
}
