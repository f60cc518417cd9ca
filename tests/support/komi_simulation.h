/* Simulated players with a known fair komi, for the tests of the estimates and for tests/studies/study_allocation.c. */
#ifndef STIGMERGY_TESTS_SUPPORT_KOMI_SIMULATION_H
#define STIGMERGY_TESTS_SUPPORT_KOMI_SIMULATION_H

#include "engine/base/rng.h"
#include "selfplay/stats/estimate.h"

typedef struct Players {
    double even, odd;   /* the fair komi, without and with the button */
    double scale;       /* of the win rate's logistic, in points */
    double lapse;       /* share of the games that a coin decides */
    double margin_bias; /* mean margin minus fair komi, in points */
} Players;

enum { KOMI_VALUES = 128 };

/* The results at each komi of a range: data[K - komi_min]. */
typedef struct Tournament {
    EstimateConfig config;
    int count;
    KomiData data[KOMI_VALUES];
} Tournament;

/* An empty tournament over the komi values of `config` (fewer than KOMI_VALUES). */
Tournament tournament_start(EstimateConfig config);

/* Plays games[K - komi_min] games at each komi K. */
void tournament_play(Tournament *tournament, const Players *players, const int *games, Rng *rng);

/* Plays `rounds` rounds of `batch` games each, allocated by allocate_games. */
void tournament_adaptive(Tournament *tournament, const Players *players, int rounds, int batch, Rng *rng);

/* Plays `total` games, spread as evenly as possible over low..high. */
void tournament_grid(Tournament *tournament, const Players *players, int low, int high, int total, Rng *rng);

/* The estimate. Ends the program if there is none. */
FairKomi tournament_estimate(const Tournament *tournament);

#endif
