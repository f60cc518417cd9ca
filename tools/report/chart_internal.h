/* Plots as SVG, without script: axes, curves, points with error bars, bars.
 *
 * A chart is begun, drawn into in units of the data, and ended. What lies outside the axes is cut off. A `style` is a
 * class of the style sheet (report.css), which has the colours: "even", "odd". */
#ifndef STIGMERGY_TOOLS_REPORT_CHART_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_CHART_INTERNAL_H

#include "selfplay/stats/interval.h"

#include <stdbool.h>
#include <stdio.h>

/* An axis: its range in units of the data, and its labels. */
typedef struct ChartAxis {
    double low, high;
    const char *label;
    bool percent;             /* write 0 .. 1 as 0% .. 100% */
    bool whole;               /* ticks at whole numbers only */
    const char *const *names; /* names for 0, 1, 2, ... instead of the numbers, or NULL; escaped when written */
} ChartAxis;

typedef struct Chart {
    FILE *out;
    ChartAxis x, y;
} Chart;

/* Begins a figure with a caption. `description` says in words what it shows, for screen readers. */
void chart_begin(Chart *chart, const char *caption, const char *description);

/* Ends it. The legend has entries such as "style:text|style:text"; NULL for none. */
void chart_end(Chart *chart, const char *legend);

/* A curve through count points. `area` fills the space below it. */
void chart_curve(Chart *chart, const char *style, const double *x, const double *y, int count, bool area);

/* A point with the error bar `y_range`, which has an arrow where it leaves the frame; a larger `weight` (0 to 1) makes
 * a larger point. The title is shown while the mouse points at it. */
void chart_point(Chart *chart, const char *style, double x, double y, Interval y_range, double weight,
                 const char *title);

/* A bar from 0 to y over a range of x. */
void chart_bar(Chart *chart, const char *style, Interval x, double y, const char *title);

/* A shaded range of x over the whole height; a line at one x, or at one y. */
void chart_band(Chart *chart, const char *style, Interval x);
void chart_rule_x(Chart *chart, const char *style, double x);
void chart_rule_y(Chart *chart, const char *style, double y);

/* A small picture for a cell of a table: an estimate with its interval, on a line that shows `range`, with a tick at
 * zero. */
void chart_whisker(FILE *out, double estimate, Interval interval, Interval range);

#endif
