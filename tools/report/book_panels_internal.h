/* The positions of an opening book as a part of a report to click through, without scripts: a panel for each expanded
 * position, of which the page shows the one that was clicked (":target" in report.css). */
#ifndef STIGMERGY_TOOLS_REPORT_BOOK_PANELS_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_BOOK_PANELS_INTERNAL_H

#include "tools/report/book_positions.h"

#include <stdio.h>

/* The panels. `id` begins the name of each and differs between the books of a page. */
void report_book_panels_write(FILE *out, const Game *game, const BookPositions *positions, const char *id);

#endif
