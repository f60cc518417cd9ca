/* A session of a command that plays a run (selfplay/runs/run.h). It opens or continues the run, plays it or the share
 * of a shard, shows the progress, and writes the documents. In the end it prints the answer or, if it was stopped, the
 * command that continues the run. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_SESSION_H
#define STIGMERGY_TOOLS_CLI_RUN_SESSION_H

#include "tools/cli/run_line.h"
#include "tools/cli/run_options.h"

typedef struct RunCommand {
    const RunKind *kind;
    const RunOptions *options;
    RunLine line;
    bool (*print_answer)(const Run *run, Error *error);
    /* Writes further files of a finished run; NULL: there are none. */
    bool (*write_more)(const RunOptions *options, const Run *run, Error *error);
    const char *more;      /* what it writes, for the last line: ", the SGF is in b.sgf"; NULL: nothing */
    const Player *players; /* whose games --dry-run measures, see run_cost_print; NULL: it is no option */
    int player_count;
    bool ends_early; /* perhaps before its number of games, for which --dry-run then says "at most" */
} RunCommand;

/* Plays, or says with --dry-run what that would cost; argv is the command line. Returns the exit status. */
int run_session(RunCommand *command, int argc, char **argv);

#endif
