/* What a run of self-play games would cost here: measured by a short search and some playouts. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_COST_H
#define STIGMERGY_TOOLS_CLI_RUN_COST_H

#include "selfplay/players/player.h"

typedef struct RunCost {
    double actions;     /* of a game; that of a playout, so about */
    double simulations; /* a second, of one thread */
} RunCost;

/* Measures for half a second; false with an error. */
bool run_cost_measure(const GameOptions *options, const Player *player, RunCost *cost, Error *error);

/* Seconds of a game between two of these players on a thread of its own. */
double run_cost_game(const RunCost *cost, const Player *player);

#endif
