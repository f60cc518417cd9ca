/* First moves in a report, each with a fair komi of its own: read from a document, drawn on a board, in a table. */
#ifndef STIGMERGY_TOOLS_REPORT_FIRST_MOVES_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_FIRST_MOVES_INTERNAL_H

#include "tools/report/source.h"

#include <stdio.h>

/* A class of symmetric first moves. */
typedef struct ReportFirstMove {
    const char *move;
    const cJSON *moves; /* all of them, checked */
    int games;          /* that began with it */
    KomiEstimate fair_komi;
    KomiEstimate curve[2]; /* of a komi run: from even komi, from odd komi with the button */
    bool has_curve[2];     /* there are such games */
    double probability;    /* of being the best */
} ReportFirstMove;

typedef struct ReportFirstMoves {
    ReportFirstMove *list; /* the best first */
    int count;
} ReportFirstMoves;

/* Reads an array of {move, moves, games, fair_komi, ci95, probability}, the best first; those of a book say whether
 * they are a `bracket`, those of a komi run have both curves. To be freed in any case. */
void report_first_moves_read(ReportSource *source, const cJSON *array, ReportFirstMoves *first);
void report_first_moves_free(ReportFirstMoves *first);

/* A board with the fair komi after each first move, the best one marked; and the numbers as a table. `what` ends the
 * captions: "komi: even". */
void report_first_moves_board(FILE *out, const Hexhex *board, const ReportFirstMoves *first, const char *what);
void report_first_moves_table(FILE *out, const ReportFirstMoves *first, const char *what);

#endif
