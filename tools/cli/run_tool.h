/* What the subcommands that play for hours have in common: how they are stopped, and how they say what to type to go
 * on. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_TOOL_H
#define STIGMERGY_TOOLS_CLI_RUN_TOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on SIGINT and SIGTERM set this flag; a second one of them kills. */
const atomic_bool *run_tool_catch_signals(void);

/* Says what was found in the file of a run's games, where there is something to say (selfplay/record/record_file.h);
 * `name` is that of the subcommand. */
void run_tool_opened(const char *name, const char *path, bool torn, int repeated, int64_t played);

/* The command line, quoted for a shell where that is needed; argv[0] is the subcommand's name in messages. */
void run_tool_command(int argc, char **argv, char *out, size_t size);

/* Says that the run was stopped, and the command that goes on with it; returns the exit status. */
int run_tool_stopped(int argc, char **argv);

#endif
