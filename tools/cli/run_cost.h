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

#endif
