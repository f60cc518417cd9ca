/* What the records beside a result say that the result does not: how long the games were, how they ended, how they
 * began. */
#ifndef STIGMERGY_TOOLS_REPORT_GAMES_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_GAMES_INTERNAL_H

#include "tools/report/source_internal.h"

#include <stdio.h>

typedef struct ReportGames {
    int count, capacity; /* games; none where there is no record file */
    int *lengths;        /* actions of each */
    int *margins;        /* games with points: Black's margin on the board, in points, komi and button left out */
    int first[HEXHEX_MAX_CELLS], first_won[HEXHEX_MAX_CELLS]; /* games that began on a cell, and those won by who did */
} ReportGames;

/* Reads the records beside the source's result: those whose ids begin with `group` and a dash, all where it is NULL.
 * Every game is replayed by the rules and must belong to the run. A result without records is fine. False with
 * source->failed. To be freed in any case. */
bool report_games_read(ReportSource *source, const Game *game, const char *group, ReportGames *games);
void report_games_free(ReportGames *games);

/* Histograms of length and, where the game has points, of the margin. Nothing without games. */
void report_games_write(FILE *out, const Game *game, const ReportGames *games);

#endif
