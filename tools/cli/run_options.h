/* What the subcommands that play runs have in common on the command line. Their settings come from the defaults, a
 * configuration file and the options, in this order (selfplay/runs/config.h). */
#ifndef STIGMERGY_TOOLS_CLI_RUN_OPTIONS_H
#define STIGMERGY_TOOLS_CLI_RUN_OPTIONS_H

#include "selfplay/runs/config.h"
#include "tools/cli/options.h"

/* For ARGP_KEY_INIT: the common options start from the configuration's values, so that only what is given overrides
 * them. */
void run_options_init(struct argp_state *state, Options *common, const RunConfig *config);

/* Parses twice: the first time to find the configuration file, the second to override what it says. `options` are the
 * `size` bytes of a subcommand's values, with the defaults, and hold *config and *config_path. False when an error has
 * been reported. */
bool run_options_read(const struct argp *argp, int argc, char **argv, void *options, size_t size, RunConfig *config,
                      const char *const *config_path);

/* Takes over what the common options say of the game, the seed and the player, who is NULL where there are several.
 * Where no number of threads is given it becomes that of the processors. */
bool run_options_settle(Options *common, RunConfig *config, Player *player, Error *error);

#endif
