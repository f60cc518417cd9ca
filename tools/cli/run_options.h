/* What the subcommands that play runs have in common on the command line. Their settings come from the defaults, a
 * configuration file and the options, in this order (selfplay/runs/config.h). */
#ifndef STIGMERGY_TOOLS_CLI_RUN_OPTIONS_H
#define STIGMERGY_TOOLS_CLI_RUN_OPTIONS_H

#include "selfplay/runs/config.h"
#include "tools/cli/options.h"

/* What the command line says about a run. The struct of a command's values begins with it, and `config` points to the
 * settings in that struct. The whole struct is copied byte by byte, so nothing in it owns memory. */
typedef struct RunOptions {
    Options common;
    RunConfig *config;
    const char *config_path, *out; /* NULL: not given */
    bool dry_run;                  /* needs no `out` */
    ShardSpec shard;               /* settled by run_options_finish */
} RunOptions;

/* A command's own function, which decides which of its values count: it calls run_options_settle, takes over the
 * options that only this command has (run_options_effort ...), and calls run_options_finish at the end. False with an
 * error. */
typedef bool RunOptionsSettle(RunOptions *options, Error *error);

/* Reads an option that commands share. At ARGP_KEY_INIT the common options are set to the values of the configuration,
 * so that only what is given overrides them. */
error_t run_options_parse(int key, char *arg, struct argp_state *state, RunOptions *options);

/* Parses twice: the first time to find the configuration file, the second to override what it says. `options` begin the
 * `size` bytes of a subcommand's values, with the defaults. Then calls `settle`. TOOL_DONE, or the exit
 * status after an error, which it has reported. */
int run_options_read(const struct argp *argp, int argc, char **argv, RunOptions *options, size_t size,
                     RunOptionsSettle *settle);

/* Takes over what the common options say about the game, the seed and the player (NULL if there are several players).
 * Without a number of threads, it becomes the number of processors. */
bool run_options_settle(RunOptions *options, Player *player, Error *error);

/* Takes over the effort of a move, where it is given: simulations or a time. False with an error where both are. */
bool run_options_effort(const Options *common, Effort *effort, Error *error);

/* Whether a run can be written to `path`: not to standard output ("-"), a device or a FIFO, for its records lie beside
 * its document. False with an error. */
bool run_options_check_out(const char *path, Error *error);

/* Finds out which shard this is, checks the settings, which settles the player in them (NULL if there are several), and
 * checks that there is an output file, which replaces nothing that the run reads. False with an error. */
bool run_options_finish(RunOptions *options, const Player *player, Error *error);

/* For a finished struct. Whether an output of an option replaces nothing of the settings, the common player's
 * description, and the network of the player (NULL: of none), see output.h; and whether the files of --out do so, and
 * replace nothing of the player's own description with this name (NULL: it has none). False with an error. */
bool run_options_spare(const RunOptions *options, const char *option, const char *path, const Player *player,
                       Error *error);
bool run_options_spare_player(const RunOptions *options, const char *name, const Player *player, Error *error);

#endif
