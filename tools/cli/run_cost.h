/* What a run of self-play games would cost here: measured by a few short games. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_COST_H
#define STIGMERGY_TOOLS_CLI_RUN_COST_H

#include "selfplay/players/player.h"
#include "tools/cli/run_options.h"

/* Plays games of the last of these players against itself for about two seconds, as many side by side as the run would,
 * and with fewer simulations where its own games would take longer. Prints what the games of each of the players would
 * cost, in proportion to their simulations, and what all of them together would cost. False with an error. */
bool run_cost_print(const RunOptions *options, const Player *players, int count, Error *error);

#endif
