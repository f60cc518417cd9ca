/* Writing the HTML of a report. Text from documents is escaped. Tables and numbers look the same everywhere. Constant
 * markup is written by the callers themselves. */
#ifndef STIGMERGY_TOOLS_REPORT_HTML_H
#define STIGMERGY_TOOLS_REPORT_HTML_H

#include "tools/report/source.h"

#include <stdio.h>

/* Any text: &, <, > and quotes are escaped, control characters become spaces. What is not UTF-8, as a character that
 * was cut, is left out. */
void html_text(FILE *out, const char *text);

/* An element with a text: <tag class="style">text</tag>. `style` is a constant class of the style sheet, NULL for none.
 */
void html_element(FILE *out, const char *tag, const char *style, const char *text);

/* The same with printf's format. The result is escaped as a whole and cut after 255 bytes. */
void html_format(FILE *out, const char *tag, const char *style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A link to a file inside the page (a "data:" address), which browsers save under its name. */
void html_download(FILE *out, const char *name, const char *type, const char *text);

/* Begins a table, to be closed by html_table_end. The names of the columns are separated by |. The first column and
 * those whose names begin with ~ have text, the others numbers. */
void html_table(FILE *out, const char *caption, const char *names);
void html_table_end(FILE *out);

/* A large number in words: 1234, 56 thousand, 12.4 million. */
void html_count(FILE *out, double count);

/* The share of games that repeat others: ", 3% of them repeat others". Nothing if it is 0. */
void html_duplicates(FILE *out, double share);

/* A value rounded to a tenth, or to a whole number, as the page shows it: never -0. */
double html_tenth(double value);
double html_whole(double value);

/* A cell with an Elo rating: +12 [+3, +21], or in words where it is no measured number (elo_text.h). The one that all
 * others start from has no interval; what is unknown leaves the cell empty. */
void html_rating(FILE *out, ReportRating rating);

/* A cell with a fair komi: 3.4 [2.9, 3.9], or of a bracket, of which nothing but its ends is known: (4, 6). */
void html_fair_komi(FILE *out, KomiEstimate known);

/* The same as text: "3.4 (2.9 to 3.9)", or "(4, 6)". */
enum { HTML_KOMI_TEXT = 48 };
void html_fair_komi_text(char text[HTML_KOMI_TEXT], KomiEstimate known);

/* The same in a paragraph, in two parts: bold "3.4" or "(4, 6)", and " (2.9 to 3.9)" or nothing. */
void html_fair_komi_bold(FILE *out, KomiEstimate known);
void html_fair_komi_range(FILE *out, KomiEstimate known);

/* A paragraph: what perfect play is worth to Black, for even komi and for odd komi with the button, and whether games
 * contradict that. */
void html_perfect_play(FILE *out, const double exact[2], bool misleading);

/* A cell with the number of these moves, a checked array; empty where they are on no cell of the board. */
void html_cells(FILE *out, const cJSON *moves);

/* A cell with a rate and its interval in per cent: 51% [44, 58]. */
void html_rate(FILE *out, double rate, Interval interval);

#endif
