/* What a run of self-play games would cost here: measured by one short game. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_COST_H
#define STIGMERGY_TOOLS_CLI_RUN_COST_H

#include "selfplay/players/player.h"
#include "tools/cli/run_options.h"

/* Measures for about two seconds. Prints what the games of each of these players against itself would cost, and what
 * all of them together would cost. False with an error. */
bool run_cost_print(const RunOptions *options, const Player *players, int count, Error *error);

#endif
