/* A board as SVG, with a figure and a tint on every cell that has them. */
#ifndef STIGMERGY_TOOLS_REPORT_BOARD_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_BOARD_INTERNAL_H

#include "engine/board/hexhex.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ReportCell {
    double tint;    /* 1: all Black's .. 0: neither's .. -1: all White's */
    bool known;     /* has a tint and a text */
    bool marked;    /* stands out: a thick border */
    char text[12];  /* on the cell: "54", "+5" */
    char title[96]; /* when it is pointed at */
} ReportCell;

/* Draws cells[0 .. board->cells-1] as a figure with its caption; `description` is for who does not see it. */
void report_board(FILE *out, const Hexhex *board, const ReportCell *cells, const char *caption,
                  const char *description);

#endif
