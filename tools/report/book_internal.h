/* The positions of an opening book as a part of a report to click through, without scripts: a panel for each expanded
 * position, of which the page shows the one that was clicked (":target" in report.css). */
#ifndef STIGMERGY_TOOLS_REPORT_BOOK_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_BOOK_INTERNAL_H

#include "selfplay/stats/interval.h"
#include "tools/report/source_internal.h"

#include <stdio.h>

typedef struct BookPosition {
    int number;
    const char *line; /* the moves that lead there */
    GameState *state;
    int games;
    double fair_komi;
    Interval ci95;
    bool exact;
    const cJSON *children; /* an array, the best move first; NULL: the book ends here */
    int parent;            /* an index, by which it is first reached; -1 for the start */
} BookPosition;

typedef struct BookPositions {
    BookPosition *list; /* the start first */
    int count;
} BookPositions;

/* Reads the `nodes` of a book and checks their moves. `komi` is one of the book's parity. To be freed in any case. */
void report_book_positions_read(ReportSource *source, const Game *game, const cJSON *nodes, int komi,
                                BookPositions *positions);
void report_book_positions_free(BookPositions *positions);

/* The panels. `id` begins the name of each and differs between the books of a page. */
void report_book_positions_write(FILE *out, const Game *game, const BookPositions *positions, const char *id);

#endif
