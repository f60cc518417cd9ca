/* A session of a command that plays a run (selfplay/runs/run.h). It opens or continues the run, plays it or the share
 * of a shard, shows the progress, and writes the documents. In the end it prints the answer or, if it was stopped, the
 * command that continues the run. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_SESSION_H
#define STIGMERGY_TOOLS_CLI_RUN_SESSION_H

#include "selfplay/runs/run.h"
#include "tools/cli/run_options.h"

/* ---- The line of progress ---- */

/* Shows on standard error where a run stands: on a terminal one line that is updated, otherwise a line from time to
 * time. */
typedef struct RunLine {
    /* What is known so far, for the end of the line (", fair komi 3.12"); `group` is the one that is played, or 0 if
     * all are played side by side. May be NULL. */
    void (*describe)(const Run *run, int group, char *text, size_t size);
    bool failures; /* report every game that a player loses by a failure */
    /* Its own, zero-initialized: */
    double shown_at, described_until;
    char known[160];
} RunLine;

void run_line_show(RunLine *line, const RunProgress *now);

/* Whether it is time for a line of progress again, after that of *shown_at, which then becomes now: five times a second
 * on a terminal, otherwise every ten seconds. */
bool run_line_due(double *shown_at);

/* Clears the line on a terminal. */
void run_line_clear(void);

/* ---- The session ---- */

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
} RunCommand;

/* Plays, or says with --dry-run what that would cost; argv is the command line. Returns the exit status. */
int run_session(RunCommand *command, int argc, char **argv);

#endif
