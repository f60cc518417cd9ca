#include "tests/support/komi_simulation.h"

#include "selfplay/stats/allocation.h"
#include "selfplay/stats/design_effect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double MARGIN_SCALE_MIN = 2; /* in points: margins are spread even where the result is certain */

/* The curve of these players at even or odd komi. */
static CurveShape shape_of(const Players *players, bool odd) {
    return (CurveShape){.scale = odd && players->odd_scale > 0 ? players->odd_scale : players->scale,
                        .lapse_low = players->lapse / 2 + players->lapse_low,
                        .lapse_high = players->lapse / 2 + players->lapse_high};
}

/* A number from the normal distribution (nearly). */
static double stray(uint64_t seed, int komi) {
    Rng rng = rng_seed(rng_split(seed, (uint64_t)(komi + GAME_KOMI_LIMIT)));
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rng_unit(&rng);
    return sum;
}

double players_win_rate(const Players *players, int komi) {
    const bool odd = komi % 2 != 0;
    const double rate = shape_win_rate(shape_of(players, odd), (odd ? players->odd : players->even) - komi);
    if (!(players->uneven > 0))
        return rate;
    return 1 / (1 + (1 - rate) / rate * exp(-players->uneven * stray(players->seed, komi)));
}

Tournament tournament_start(EstimateConfig config) {
    Tournament tournament = {.config = config, .count = config.komi_max - config.komi_min + 1};
    tournament.lines = calloc(KOMI_VALUES, sizeof *tournament.lines);
    if (tournament.count > KOMI_VALUES || !tournament.lines)
        abort();
    for (int i = 0; i < tournament.count; i++)
        tournament.data[i].komi = config.komi_min + i;
    return tournament;
}

void tournament_free(Tournament *tournament) {
    free(tournament->lines);
}

/* Adds a game to a line; -1 begins a new one. Returns the number of the line. */
static int add_to_line(Lines *lines, int line, bool won) {
    if (line < 0) {
        if (lines->count == LINES_MAX)
            abort();
        line = lines->count++;
        lines->won[line] = won;
    }
    lines->games[line]++;
    return line;
}

/* The result of the next game, and the line that it follows. */
static bool play_line(Lines *lines, const Players *players, double rate, int games, Rng *rng) {
    if (!(players->repeats > 0) && players->kind != REPEATS_WITHOUT_CHANCE)
        return rng_unit(rng) < rate; /* no need to know the lines */
    const bool repeats = rng_unit(rng) < players->repeats;
    if (players->kind == REPEATS_WITHOUT_CHANCE && repeats && games > 0) {
        int line = 0, left = (int)rng_below(rng, (uint32_t)games); /* of a game that was played before */
        while (left >= lines->games[line])
            left -= lines->games[line++];
        add_to_line(lines, line, lines->won[line]);
        return lines->won[line];
    }
    const bool won = rng_unit(rng) < rate;
    const bool popular = repeats && (players->kind == REPEATS_BY_CHANCE || (players->kind == REPEATS_OF_BLACK && won));
    if (!popular)
        add_to_line(lines, -1, won);
    else
        lines->popular[won] = 1 + add_to_line(lines, lines->popular[won] - 1, won);
    return won;
}

static void play_game(KomiData *at, Lines *lines, const Players *players, Rng *rng) {
    const bool odd = at->komi % 2 != 0;
    const double u = fmax(rng_unit(rng), 1e-12), spread = fmax(shape_of(players, odd).scale, MARGIN_SCALE_MIN);
    const double margin = (odd ? players->odd : players->even) + spread * log(u / (1 - u)) + players->margin_bias;
    at->black_wins += play_line(lines, players, players_win_rate(players, at->komi), (int)at->games, rng);
    at->games++;
    at->margin_games++;
    at->board_margin_sum += margin;
    at->board_margin_squares += margin * margin;
}

static double design_effect(const Lines *lines) {
    ClusterSizes sizes = {0};
    for (int i = 0; i < lines->count; i++)
        cluster_add(&sizes, lines->games[i]);
    return cluster_design_effect(&sizes);
}

/* Plays games[K - komi_min] games at each komi K. */
static void play_games(Tournament *tournament, const Players *players, const int *games, Rng *rng) {
    for (int i = 0; i < tournament->count; i++) {
        for (int n = 0; n < games[i]; n++)
            play_game(&tournament->data[i], &tournament->lines[i], players, rng);
        if (players->kind == REPEATS_WITHOUT_CHANCE)
            tournament->data[i].design_effect = design_effect(&tournament->lines[i]);
    }
}

void tournament_adaptive(Tournament *tournament, const Players *players, int rounds, int batch, Rng *rng) {
    for (int round = 0; round < rounds; round++) {
        int games[KOMI_VALUES];
        Error error;
        if (!allocate_games(tournament->data, tournament->count, &tournament->config, batch, games, &error)) {
            fprintf(stderr, "%s\n", error.text);
            abort();
        }
        play_games(tournament, players, games, rng);
    }
}

void tournament_run(Tournament *tournament, const Players *players, int total, Rng *rng) {
    for (int played = 0, batch; played < total; played += batch) {
        batch = played / 2 > 32 ? played / 2 : 32;
        batch = batch < total - played ? batch : total - played;
        tournament_adaptive(tournament, players, 1, batch, rng);
    }
}

void tournament_grid(Tournament *tournament, const Players *players, int low, int high, int total, Rng *rng) {
    const int values = high - low + 1;
    int games[KOMI_VALUES] = {0};
    for (int i = 0; i < values; i++)
        games[low + i - tournament->config.komi_min] = total * (i + 1) / values - total * i / values;
    play_games(tournament, players, games, rng);
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
