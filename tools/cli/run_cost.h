/* What a run would cost here: --dry-run of the commands that play runs. Short games measure it. Games that are in the
 * records of --out are not to be played again. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_COST_H
#define STIGMERGY_TOOLS_CLI_RUN_COST_H

#include "selfplay/runs/run.h"
#include "tools/cli/run_options.h"

/* Prints what the games cost that are left to play (run_left) in this run, which is planned. False with an error. */
typedef bool RunCostPrint(const RunOptions *options, const Run *run, const void *user, Error *error);

/* Reads the run of --out, if there is one, and prints what it costs, or that nothing is left to play. Refuses what a
 * session would refuse, because of what is there. Returns the exit status; `name` begins messages. */
int run_cost_say(const RunOptions *options, const RunKind *kind, RunCostPrint *print, const void *user,
                 const char *name);

/* Players, each against itself, in the games of the group with its number; one player: in those of all groups. */
typedef struct RunCostPlayers {
    const Player *players;
    int count;
    bool ends_early; /* the run may need fewer games than are left to play */
} RunCostPlayers;

/* A RunCostPrint of RunCostPlayers. Plays games of the last of them for about two seconds, as many side by side as the
 * run would, and with fewer simulations where its own games would take longer. Prints what the games of each of the
 * players would cost, in proportion to their simulations, and what all of them together would cost; "at most" if it may
 * end early. */
bool run_cost_print(const RunOptions *options, const Run *run, const void *players, Error *error);

/* ---- For commands whose games are between several players ---- */

/* A game of a player against itself, on average. */
typedef struct RunCostGame {
    double moves, searches; /* full ones, which cost as much as all of the game's */
    double rate;            /* simulations a second, in each of the games side by side, where nothing else runs */
    double slowdown;        /* how many times as long it took here, beside other programs */
} RunCostGame;

/* Measures a player as above. False with an error. */
bool run_cost_measure(const RunOptions *options, const Player *player, RunCostGame *game, Error *error);

/* Prints the sum of what games take, on free processors, and beside what slows them down now. `at_most` is "" or begins
 * with these words. */
void run_cost_print_sum(const char *at_most, double seconds, double slowdown);

/* The seconds of such a game with the limits of this player. */
double run_cost_seconds(const RunCostGame *game, const Player *player);

#endif
