/* What a run of openings is: the board, the player, and how far it goes. The game is played without the pie rule,
 * because a run asks what the first stone is worth to its player. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_CONFIG_H

#include "selfplay/runs/config.h"

typedef struct OpeningsConfig {
    RunConfig run;
    /* Part of the identity: */
    int64_t komi;  /* in games that have it */
    Player player; /* its limits a move are those of the run */
    Effort effort; /* of a move: simulations or a time */
    /* How far it goes: */
    double until_probability; /* ends where a first move is the fairest with this probability; 0: never */
} OpeningsConfig;

/* The defaults: Stigmergy at komi 0, 800 simulations, 400 games, rounds from 64 games. */
OpeningsConfig openings_config_default(int size);

extern const RunConfigKind openings_config_kind;

#endif
