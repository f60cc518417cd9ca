/* A board as an SVG picture, with a number and a tint on some of its cells. */
#ifndef STIGMERGY_TOOLS_REPORT_BOARD_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_BOARD_INTERNAL_H

#include "engine/game/game.h"
#include "selfplay/stats/komi_estimate.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ReportCell {
    bool known;     /* has a tint and a text; else the cell is drawn empty */
    double tint;    /* 1: Black's .. 0: neutral .. -1: White's */
    bool marked;    /* has a thick border */
    char text[32];  /* on the cell: "54", "+5" */
    char title[96]; /* shown while the mouse points at the cell */
    int stone;      /* 1: a black stone on the cell, 2: a white one */
    char link[48];  /* where a click on the cell leads, an id of the page; "": nowhere */
} ReportCell;

/* Puts a fair komi on a cell: "5.3", or of a bracket its ends: "4, 6". */
void report_cell_fair_komi(ReportCell *cell, KomiEstimate known);

/* Puts the stones of a position on cells[0 .. board.cells-1]. */
void report_board_stones(const Game *game, const GameState *state, ReportCell *cells);

/* Draws an empty board, unseen, under a name: for a page that shows many positions of one board. */
void report_board_base(FILE *out, const Hexhex *board, const char *base);

/* Draws cells[0 .. board->cells-1] as a figure with a caption, on the board named `base`, or on one of its own if that
 * is NULL. Screen readers read `description`. */
void report_board(FILE *out, const Hexhex *board, const ReportCell *cells, const char *base, const char *caption,
                  const char *description);

#endif
