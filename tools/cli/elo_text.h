/* Elo differences and ratings as text, on the terminal and in a report. */
#ifndef STIGMERGY_TOOLS_CLI_ELO_TEXT_H
#define STIGMERGY_TOOLS_CLI_ELO_TEXT_H

#include "selfplay/stats/interval.h"

enum { ELO_TEXT_MAX = 48 };

/* "+12", never "-0"; at ELO_LIMIT, where it is no measured number, "won all" or "lost all". */
void elo_text(double elo, char out[ELO_TEXT_MAX]);

/* "+3, +21"; with an end at ELO_LIMIT, which bounds nothing, "above +3", "below +21" or "no bound". */
void elo_text_interval(Interval ci95, char out[ELO_TEXT_MAX]);

#endif
