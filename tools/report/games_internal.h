/* What a report reads from the records beside a result: how long the games were, how they ended, how they began. */
#ifndef STIGMERGY_TOOLS_REPORT_GAMES_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_GAMES_INTERNAL_H

#include "tools/report/source.h"

#include <stdio.h>

typedef struct ReportGames {
    int count, capacity;         /* games; none if there is no record file */
    int wanted;                  /* games that the result has */
    int *lengths;                /* the number of actions of each */
    int ended;                   /* games that were played to their end, in a game with points */
    int *margins;                /* Black's margin on the board in points of each of these, without komi and button */
    int first[HEXHEX_MAX_CELLS]; /* games that began on a cell */
    int first_won[HEXHEX_MAX_CELLS]; /* those of them that the player who began has won */
} ReportGames;

/* Reads the records beside the source's result: those whose ids begin with `group` and a dash, or all if it is NULL,
 * and whose number is below `end`. Every game is replayed by the rules and must belong to the run. A result without
 * records is fine. Errors are kept by the source. To be freed in any case. */
void report_games_read(ReportSource *source, const Game *game, const char *group, int end, ReportGames *games);
void report_games_free(ReportGames *games);

/* Histograms of the lengths and of the margins, if there are any. Nothing without games. Where the records have other
 * games than the result, the captions say how many. */
void report_games_write(FILE *out, const ReportGames *games);

#endif
