/* What the commands that play for hours have in common: how they are stopped, how they print the command that
 * continues, and how they end. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_TOOL_H
#define STIGMERGY_TOOLS_CLI_RUN_TOOL_H

#include "engine/base/stop_flag.h"
#include "selfplay/runs/run.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* From now on SIGINT and SIGTERM set run_tool_stop(), as far as they are caught (signals_catch). A second signal kills
 * the program. */
void run_tool_catch_signals(void);

/* Whether the command shall stop. */
const StopFlag *run_tool_stop(void);

/* Reports what was unusual in the record file of a run, if anything (selfplay/record/record_file.h). `name` is the name
 * of the command. */
void run_tool_opened(const char *name, const char *path, bool torn, int repeated, int64_t played);

/* Prints a word of a command, quoted where a shell would read it otherwise. */
void run_tool_print_word(FILE *out, const char *word);

/* The command line, quoted for a shell where that is needed, to be freed by the caller. argv[0] is the name of the
 * command in messages. NULL with an error without memory. */
char *run_tool_command(int argc, char **argv, Error *error);

/* Reports that the run was stopped, with the command that continues it. Returns the exit status. */
int run_tool_stopped(int argc, char **argv);

/* Closes and frees the run of a command that ends with `status`; NULL: there is none. Returns the status, or that of a
 * failure where all went well before. `name` is the name of the command. */
int run_tool_end(Run *run, int status, const char *name);

#endif
