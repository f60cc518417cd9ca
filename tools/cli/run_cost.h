/* What a run of self-play games would cost here: measured by a few short games. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_COST_H
#define STIGMERGY_TOOLS_CLI_RUN_COST_H

#include "selfplay/runs/run.h"
#include "tools/cli/run_options.h"

/* Plays games of the last of these players against itself for about two seconds, as many side by side as the run would,
 * and with fewer simulations where its own games would take longer. Prints what the games of each of the players would
 * cost, in proportion to their simulations, and what all of them together would cost. These are the games of the group
 * with the player's number; those of all groups if there is one player. Games that are in the records of --out are not
 * to be played again, and where none are left that is all that is said. False with an error, also if what is there is
 * of another run. */
bool run_cost_print(const RunOptions *options, const RunKind *kind, const Player *players, int count, Error *error);

/* ---- For commands whose games are between several players ---- */

/* A game of a player against itself, on average. */
typedef struct RunCostGame {
    double moves, searches; /* full ones, which cost as much as all of the game's */
    double rate;            /* simulations a second, in each of the games side by side */
} RunCostGame;

/* Measures a player as above. False with an error. */
bool run_cost_measure(const RunOptions *options, const Player *player, RunCostGame *game, Error *error);

/* The seconds of such a game with the limits of this player. */
double run_cost_seconds(const RunCostGame *game, const Player *player);

/* Makes a run and reads the games that --out has; *begun: whether there are any. To be freed by run_free; NULL with an
 * error. */
Run *run_cost_open(const RunOptions *options, const RunKind *kind, bool *begun, Error *error);

/* How many games of a group are left to play in such a run. It may need no more than it has. */
int64_t run_cost_left(const Run *run, bool begun, int group);

#endif
