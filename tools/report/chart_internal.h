/* Plots as SVG, in a page without script: axes, curves, points with error bars, bars.
 *
 * A chart is begun, drawn into in units of the data, and ended. What lies outside the axes is cut off. Colours are
 * classes of the style sheet (report.css): a kind such as "even" names one. */
#ifndef STIGMERGY_TOOLS_REPORT_CHART_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_CHART_INTERNAL_H

#include "selfplay/stats/interval.h"

#include <stdbool.h>
#include <stdio.h>

/* An axis: the range of the data that it shows, and what stands beside it. */
typedef struct ChartAxis {
    double low, high;
    const char *label;
    bool percent;             /* 0 .. 1 is written as 0% .. 100% */
    bool whole;               /* there is nothing between whole numbers */
    const char *const *names; /* names of the places 0, 1, 2, ... instead of numbers, or NULL; escaped when written */
} ChartAxis;

typedef struct Chart {
    FILE *out;
    ChartAxis x, y;
} Chart;

/* Begins a figure with its caption; `description` says in words what it shows, for who does not see it. */
void chart_begin(Chart *chart, const char *caption, const char *description);

/* Ends it; entries of the legend as "kind:text|kind:text", NULL for none. */
void chart_end(Chart *chart, const char *legend);

/* A curve through points[0..count-1]; with `area` the space below it is filled. */
void chart_curve(Chart *chart, const char *kind, const double *x, const double *y, int count, bool area);

/* A point with the error bar `y_range`, larger with `weight` (0 to 1). The title appears when it is pointed at. */
void chart_point(Chart *chart, const char *kind, double x, double y, Interval y_range, double weight,
                 const char *title);

/* A bar from 0 to y over a range of x. */
void chart_bar(Chart *chart, const char *kind, Interval x, double y, const char *title);

/* A shaded range of x over the whole height; a line at one x, or at one y. */
void chart_band(Chart *chart, const char *kind, Interval x);
void chart_rule_x(Chart *chart, const char *kind, double x);
void chart_rule_y(Chart *chart, const char *kind, double y);

/* A small picture of its own, for the cell of a table: an estimate with its interval on the line of `range`, with a
 * tick at zero. */
void chart_whisker(FILE *out, double estimate, Interval interval, Interval range);

#endif
