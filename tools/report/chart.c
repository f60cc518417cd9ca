/* See chart_internal.h. */
#include "tools/report/chart_internal.h"

#include "tools/report/html.h"

#include <math.h>
#include <string.h>

/* The size of the picture, and the margins around its frame, in the picture's own units. */
enum { WIDTH = 640, HEIGHT = 330, LEFT = 70, RIGHT = 14, TOP = 14, BOTTOM = 48, TICKS_MAX = 9 };

static double place_x(const Chart *chart, double x) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - chart->x.low) / (chart->x.high - chart->x.low);
}

static double place_y(const Chart *chart, double y) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - chart->y.low) / (chart->y.high - chart->y.low);
}

/* ---- Axes ---- */

/* A step of 1, 2 or 5 times a power of ten that makes few ticks. */
static double tick_step(const ChartAxis *axis) {
    const double span = axis->high - axis->low;
    double step = pow(10, floor(log10(span / TICKS_MAX)));
    static const double factors[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
    for (int i = 0; span / step > TICKS_MAX; i = (i + 1) % 3)
        step *= factors[i];
    return (axis->names || axis->whole) && step < 1 ? 1 : step;
}

static void write_tick(const Chart *chart, const ChartAxis *axis, double value, double step) {
    char text[24];
    const double unit = axis->percent ? 0.01 : 1;
    /* As many as the step has: neighbours differ. */
    const int decimals = (int)fmax(0, -floor(log10(step / unit) + 1e-9));
    if (axis->names)
        snprintf(text, sizeof text, "%s", axis->names[(int)value]);
    else
        snprintf(text, sizeof text, "%.*f%s", decimals, value == 0 ? 0 : value / unit, axis->percent ? "%" : "");
    html_text(chart->out, text);
}

static void draw_axis(const Chart *chart, const ChartAxis *axis, bool upright) {
    const double step = tick_step(axis), first = ceil(axis->low / step - 1e-9);
    for (int i = 0; (first + i) * step <= axis->high + 1e-9; i++) {
        const double value = (first + i) * step;
        if (upright) {
            const double y = place_y(chart, value);
            fprintf(chart->out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, WIDTH - RIGHT);
            fprintf(chart->out, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">", LEFT - 8, y + 4);
        } else {
            const double x = place_x(chart, value);
            fprintf(chart->out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, HEIGHT - BOTTOM);
            fprintf(chart->out, "<text class=\"tick middle\" x=\"%.1f\" y=\"%d\">", x, HEIGHT - BOTTOM + 18);
        }
        write_tick(chart, axis, value, step);
        fputs("</text>\n", chart->out);
    }
}

static void draw_labels(const Chart *chart) {
    fprintf(chart->out, "<text class=\"label middle\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
    html_text(chart->out, chart->x.label);
    fprintf(chart->out, "</text><text class=\"label middle\" transform=\"translate(16 %d)rotate(-90)\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    html_text(chart->out, chart->y.label);
    fputs("</text>\n", chart->out);
}

/* ---- The figure ---- */

void chart_begin(Chart *chart, const char *caption, const char *description) {
    fputs("<figure><figcaption>", chart->out);
    html_text(chart->out, caption);
    fprintf(chart->out, "</figcaption>\n<svg role=\"img\" viewBox=\"0 0 %d %d\">", WIDTH, HEIGHT);
    html_element(chart->out, "title", NULL, caption);
    html_element(chart->out, "desc", NULL, description);
    fputc('\n', chart->out);
    draw_axis(chart, &chart->x, false);
    draw_axis(chart, &chart->y, true);
    draw_labels(chart);
    /* A nested picture cuts off what lies outside the frame. */
    fprintf(chart->out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n", LEFT, TOP,
            WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
}

void chart_end(Chart *chart, const char *legend) {
    fprintf(chart->out, "</svg><path class=\"frame\" d=\"M%d %dV%dH%d\"/></svg>\n", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
    if (legend) {
        fputs("<p class=\"legend\">", chart->out);
        for (const char *at = legend; *at;) {
            const size_t style = strcspn(at, ":"), text = strcspn(at + style, "|");
            fprintf(chart->out, "<span><i class=\"key %.*s\"></i>%.*s</span> ", (int)style, at, (int)text - 1,
                    at + style + 1);
            at += style + text + (at[style + text] == '|');
        }
        fputs("</p>\n", chart->out);
    }
    fputs("</figure>\n", chart->out);
}

/* ---- What is drawn into it ---- */

static void write_title(const Chart *chart, const char *title) {
    html_element(chart->out, "title", NULL, title);
}

void chart_curve(Chart *chart, const char *style, const double *x, const double *y, int count, bool area) {
    fprintf(chart->out, "<path class=\"curve %s%s\" d=\"", area ? "area " : "", style);
    if (area && count > 0)
        fprintf(chart->out, "M%.1f %.1f", place_x(chart, x[0]), place_y(chart, 0));
    for (int i = 0; i < count; i++)
        fprintf(chart->out, "%c%.1f %.1f", i || area ? 'L' : 'M', place_x(chart, x[i]), place_y(chart, y[i]));
    if (area && count > 0)
        fprintf(chart->out, "V%.1fZ", place_y(chart, 0));
    fputs("\"/>\n", chart->out);
}

static void draw_mark(const Chart *chart, const char *style, double x, double y, double radius, const char *title) {
    fprintf(chart->out, "<circle class=\"mark %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">", style, x, y, radius);
    write_title(chart, title);
    fputs("</circle>\n", chart->out);
}

/* Where an error bar goes on beyond the frame, at its upper or its lower end. */
static void draw_arrow(const Chart *chart, const char *style, double x, bool up) {
    const int tip = up ? TOP + 1 : HEIGHT - BOTTOM - 1, feather = up ? tip + 6 : tip - 6;
    fprintf(chart->out, "<path class=\"error arrow %s\" d=\"M%.1f %dL%.1f %dL%.1f %d\"/>\n", style, x - 4, feather, x,
            tip, x + 4, feather);
}

void chart_point(Chart *chart, const char *style, double x, double y, Interval y_range, double weight,
                 const char *title) {
    const double at = place_x(chart, x);
    fprintf(chart->out, "<path class=\"error %s\" opacity=\"%.2f\" d=\"M%.1f %.1fV%.1f\"/>", style,
            0.3 + 0.6 * sqrt(weight), at, place_y(chart, y_range.low), place_y(chart, y_range.high));
    if (y_range.high > chart->y.high)
        draw_arrow(chart, style, at, true);
    if (y_range.low < chart->y.low)
        draw_arrow(chart, style, at, false);
    draw_mark(chart, style, at, place_y(chart, y), 2.5 + 4 * sqrt(weight), title);
}

void chart_bar(Chart *chart, const char *style, Interval x, double y, const char *title) {
    const double left = place_x(chart, x.low) + 0.5, right = place_x(chart, x.high) - 0.5, top = place_y(chart, y);
    fprintf(chart->out, "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">", style, left,
            top, fmax(right - left, 0.5), place_y(chart, 0) - top);
    write_title(chart, title);
    fputs("</rect>\n", chart->out);
}

void chart_band(Chart *chart, const char *style, Interval x) {
    const double left = place_x(chart, x.low);
    fprintf(chart->out, "<rect class=\"band %s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n", style, left,
            TOP, fmax(place_x(chart, x.high) - left, 0), HEIGHT - TOP - BOTTOM);
}

void chart_rule_x(Chart *chart, const char *style, double x) {
    fprintf(chart->out, "<path class=\"rule %s\" d=\"M%.1f %dV%d\"/>\n", style, place_x(chart, x), TOP,
            HEIGHT - BOTTOM);
}

void chart_rule_y(Chart *chart, const char *style, double y) {
    fprintf(chart->out, "<path class=\"rule %s\" d=\"M%d %.1fH%d\"/>\n", style, LEFT, place_y(chart, y), WIDTH - RIGHT);
}

void chart_whisker(FILE *out, double estimate, Interval interval, Interval range) {
    enum { LENGTH = 160, THICKNESS = 18 };
    const double scale = (LENGTH - 12) / fmax(range.high - range.low, 1e-9), zero = 6 - scale * range.low;
    const double low = fmax(interval.low, range.low), high = fmin(interval.high, range.high);
    fprintf(out, "<svg class=\"whisker\" aria-hidden=\"true\" viewBox=\"0 0 %d %d\">", LENGTH, THICKNESS);
    if (range.low <= 0 && range.high >= 0)
        fprintf(out, "<path class=\"grid\" d=\"M%.1f 0V%d\"/>", zero, THICKNESS);
    fprintf(out, "<path class=\"error both\" d=\"M%.1f %dH%.1f\"/>", zero + scale * low, THICKNESS / 2,
            zero + scale * high);
    fprintf(out, "<circle class=\"mark both\" cx=\"%.1f\" cy=\"%d\" r=\"4\"/></svg>", zero + scale * estimate,
            THICKNESS / 2);
}
