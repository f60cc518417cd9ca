/* Simulated players with a known fair komi, for the tests of the estimates and for the studies of them. */
#ifndef STIGMERGY_TESTS_SUPPORT_KOMI_SIMULATION_H
#define STIGMERGY_TESTS_SUPPORT_KOMI_SIMULATION_H

#include "engine/base/rng.h"
#include "selfplay/stats/estimate.h"

/* How the games of a simulated player repeat each other. */
typedef enum Repeats {
    REPEATS_BY_CHANCE,     /* each game is a draw; a share of them follows the one popular line of its winner */
    REPEATS_OF_BLACK,      /* the same, but only Black's wins have a popular line */
    REPEATS_WITHOUT_CHANCE /* with the chance `repeats` a game repeats an earlier one of its komi, result and all */
} Repeats;

typedef struct Players {
    double even, odd;   /* the fair komi, without and with the button */
    double scale;       /* of the win rate's logistic, in points */
    double lapse;       /* share of the games that a coin decides */
    double margin_bias; /* mean margin minus fair komi, in points */
    double odd_scale;   /* the scale at odd komi; 0: the same */
    double lapse_low;   /* share of the games which White's points should win that Black does, besides `lapse` */
    double lapse_high;  /* the other way round */
    double uneven;      /* how much the win rate of each komi strays from the curve: a standard deviation in logits */
    uint64_t seed;      /* of these strays */
    double repeats;     /* 0 to 1 */
    Repeats kind;
} Players;

enum { KOMI_VALUES = 128, LINES_MAX = 1024 };

/* The different games at one komi. */
typedef struct Lines {
    int count, games[LINES_MAX];
    bool won[LINES_MAX]; /* by Black */
    int popular[2];      /* 1 + number of the popular line of White's and of Black's wins; 0: not played yet */
} Lines;

/* The results at each komi of a range: data[K - komi_min], lines[K - komi_min]. */
typedef struct Tournament {
    EstimateConfig config;
    int count;
    KomiData data[KOMI_VALUES];
    Lines *lines; /* owned */
} Tournament;

/* Black's true chance at a komi. */
double players_win_rate(const Players *players, int komi);

/* An empty tournament over the komi values of `config` (fewer than KOMI_VALUES). */
Tournament tournament_start(EstimateConfig config);
void tournament_free(Tournament *tournament);

/* Plays `rounds` rounds of `batch` games each, allocated by allocate_games. */
void tournament_adaptive(Tournament *tournament, const Players *players, int rounds, int batch, Rng *rng);

/* Plays `total` games in rounds as a run does: 32 games, then half as many as all before, at least 32. */
void tournament_run(Tournament *tournament, const Players *players, int total, Rng *rng);

/* Plays `total` games, spread as evenly as possible over low..high. */
void tournament_grid(Tournament *tournament, const Players *players, int low, int high, int total, Rng *rng);

/* The estimate. Ends the program if there is none. */
FairKomi tournament_estimate(const Tournament *tournament);

#endif
