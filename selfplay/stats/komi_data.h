/* The input of an estimate of the fair komi: the games played at each komi, and what is known beforehand. */
#ifndef STIGMERGY_SELFPLAY_STATS_KOMI_DATA_H
#define STIGMERGY_SELFPLAY_STATS_KOMI_DATA_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The results at one komi. All games count, also games that equal another one. If games depend on each other, that
 * belongs in design_effect (design_effect.h). */
typedef struct KomiData {
    int komi;                    /* points for White; odd: played with the button */
    double games;                /* >= 0; fractions are allowed */
    double black_wins;           /* 0 .. games */
    double design_effect;        /* how many games say as much as one independent game, 1 or more; 0 means 1 */
    double margin_games;         /* games whose margin is known; 0: none, and the two sums are 0 */
    double board_margin_sum;     /* sum of board margins: Black's minus White's score, komi and button left out */
    double board_margin_squares; /* sum of their squares */
} KomiData;

/* How many games a number of games is worth. */
static inline double komi_data_effective(const KomiData *data, double games) {
    return data->design_effect > 1 ? games / data->design_effect : games;
}

/* What is known and allowed beforehand. Everything is in points of komi. */
typedef struct EstimateConfig {
    int komi_min, komi_max;            /* komi values that may be played or recommended */
    bool even, odd;                    /* parities that may be played or recommended; at least one */
    double location_min, location_max; /* the fair komi certainly lies between these */
    double prior_location;             /* the guess before the first game */
    double prior_scale; /* uncertainty of that guess: the scale of a Student-t prior with 3 degrees of freedom */
} EstimateConfig;

/* The lowest and the highest komi of a parity that may be played. False if there is none; both then mean nothing. */
static inline bool estimate_config_range(const EstimateConfig *config, bool odd, int *lowest, int *highest) {
    *lowest = config->komi_min + (komi_has_button(config->komi_min) != odd);
    *highest = config->komi_max - (komi_has_button(config->komi_max) != odd);
    return (odd ? config->odd : config->even) && *lowest <= *highest;
}

/* Whether there is a komi of a parity that may be played. */
static inline bool estimate_config_plays(const EstimateConfig *config, bool odd) {
    int lowest, highest;
    return estimate_config_range(config, odd, &lowest, &highest);
}

#ifdef __cplusplus
}
#endif

#endif
