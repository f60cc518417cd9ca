/* Lines that name a fair komi, on standard output, as komi_answer.h and book_answer.h print them. */
#ifndef STIGMERGY_TOOLS_CLI_FAIR_KOMI_LINE_H
#define STIGMERGY_TOOLS_CLI_FAIR_KOMI_LINE_H

#include "selfplay/stats/interval.h"

/* Begins a line with a name and a fair komi, without a line feed. A bracket has no decimals, and nothing is known of
 * where the fair komi is in it. */
void fair_komi_line_begin(const char *name, double estimate, Interval ci95, bool bracket);

/* A bracket of both parities together, as the rest of such a line. */
void fair_komi_line_end_pair(Interval pair);

/* A line: by how much the fair even komi is above the fair odd one. */
void fair_komi_line_gap(double gap, Interval ci95);

#endif
