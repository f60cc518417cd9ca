/* Writing the HTML of a report: text from documents is escaped, whatever it holds; a table, a fact, a heading look
 * alike everywhere. Markup that is constant is written by the callers as it is. */
#ifndef STIGMERGY_TOOLS_REPORT_HTML_H
#define STIGMERGY_TOOLS_REPORT_HTML_H

#include "selfplay/stats/interval.h"

#include <stdio.h>

/* Text that may hold anything: &, <, > and quotes are escaped, control characters become blanks. */
void html_text(FILE *out, const char *text);

/* An element with text in it: <tag class="kind">text</tag>; `kind` is constant, NULL for none. */
void html_element(FILE *out, const char *tag, const char *kind, const char *text);

/* The same from a format; what comes out is escaped as a whole and at most 255 bytes. */
void html_format(FILE *out, const char *tag, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The header of a table of its own, with the names of the columns separated by |; closed by html_table_end. The first
 * column and those whose names begin with ~ are text, the others numbers. */
void html_table(FILE *out, const char *caption, const char *names);
void html_table_end(FILE *out);

/* A number of which nobody wants to count the digits: 1234, 56 thousand, 12.4 million. */
void html_count(FILE *out, double count);

/* Says how many games repeat others, where some do: ", 3% of them repeat others". */
void html_duplicates(FILE *out, double share);

/* A cell with an estimate and its interval: 3.4 [2.9, 3.9], with so many decimals. */
void html_estimate(FILE *out, double estimate, Interval interval, int decimals);

/* A cell with a rate and its interval in per cent: 51% [44, 58]. */
void html_rate(FILE *out, double rate, Interval interval);

#endif
