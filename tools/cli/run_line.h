/* The line of progress: shows on standard error where a run stands. On a terminal it is one line that is updated,
 * otherwise a line from time to time. */
#ifndef STIGMERGY_TOOLS_CLI_RUN_LINE_H
#define STIGMERGY_TOOLS_CLI_RUN_LINE_H

#include "selfplay/runs/run.h"

typedef struct RunLine {
    /* What is known so far, for the end of the line (", fair komi 3.12"); `group` is the one that is played, or 0 if
     * all are played side by side. May be NULL. */
    void (*describe)(const Run *run, int group, char *text, size_t size);
    bool failures; /* report every game that a player loses by a failure */
    /* Its own, zero-initialized: */
    double shown_at, described_until;
    char known[160];
} RunLine;

/* Shows where the run is now, if it is time for it. */
void run_line_show(RunLine *line, const RunProgress *now);

/* Whether it is time for a line of progress again, after that of *shown_at, which then becomes now: five times a second
 * on a terminal, otherwise every ten seconds. */
bool run_line_due(double *shown_at);

/* Clears the line on a terminal. */
void run_line_clear(void);

#endif
