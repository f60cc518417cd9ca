/* Lines that name a fair komi, on standard output, as komi_answer.h and book_answer.h print them. */
#ifndef STIGMERGY_TOOLS_CLI_FAIR_KOMI_LINE_H
#define STIGMERGY_TOOLS_CLI_FAIR_KOMI_LINE_H

#include "selfplay/io/exact_value.h"
#include "selfplay/stats/komi_estimate.h"

/* Begins a line with a name and a fair komi, without a line feed. A bracket has no decimals, and nothing is known of
 * where the fair komi is in it. */
void fair_komi_line_begin(const char *name, KomiEstimate known);

/* A line: the fair komi of both parities together. */
void fair_komi_line_together(KomiEstimate known);

/* A line: by how much the fair even komi is above the fair odd one. */
void fair_komi_line_gap(double gap, Interval ci95);

/* Lines: what perfect play is worth, and whether the intervals of games of a parity leave it out. */
void fair_komi_line_perfect_play(const ExactValues *exact, bool even_left_out, bool odd_left_out);

#endif
