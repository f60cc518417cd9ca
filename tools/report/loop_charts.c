/* The pictures of a training loop. See loop_internal.h. */
#include "tools/report/chart_internal.h"
#include "tools/report/html.h"
#include "tools/report/loop_internal.h"

#include <math.h>
#include <stdlib.h>

static const char *const table_styles[LOOP_TABLES_MAX] = {"odd", "both", "exact"};

/* Generations on the x axis, which is one wide at least. */
static ChartAxis generation_axis(const LoopReport *report) {
    return (ChartAxis){.low = -0.5, .high = report->count - 0.5, .label = "generation", .whole = true};
}

/* Room above and below what is shown. */
static ChartAxis with_room(Interval range, const char *label, bool percent) {
    const double room = 0.06 * fmax(range.high - range.low, 1e-3);
    return (ChartAxis){.low = range.low - room, .high = range.high + room, .label = label, .percent = percent};
}

/* ---- Elo ---- */

/* Widens a range to a rating and its interval, which may be without end. */
static void widen(Interval *range, const ReportRating *rating) {
    if (!rating->known)
        return;
    range->low = fmin(range->low, fmax(rating->ci95.low, rating->estimate - 200));
    range->high = fmax(range->high, fmin(rating->ci95.high, rating->estimate + 200));
}

static Interval elo_range(const LoopReport *report) {
    Interval range = {-10, 10};
    for (int i = 0; i < report->count; i++) {
        widen(&range, &report->generations[i].gate);
        for (int k = 0; k < report->table_count; k++)
            widen(&range, &report->tables[k].ratings[i]);
    }
    return range;
}

/* The gates added up: a step from each network that took over to the next, and a point for every candidate. */
static void draw_gates(Chart *chart, const LoopReport *report, double *x, double *y) {
    int count = 0;
    for (int i = 0; i < report->count; i++)
        if (report->generations[i].promoted && report->generations[i].gate.known) {
            x[count] = i;
            y[count++] = report->generations[i].gate.estimate;
        }
    chart_curve(chart, "even", x, y, count, false);
    for (int i = 0; i < report->count; i++) {
        const LoopGeneration *generation = &report->generations[i];
        char title[120];
        snprintf(title, sizeof title, "Generation %d, which %s: %+.0f, 95%% interval %+.0f to %+.0f", i,
                 generation->promoted ? "took over" : "was not better", html_whole(generation->gate.estimate),
                 html_whole(generation->gate.ci95.low), html_whole(generation->gate.ci95.high));
        if (generation->gate.known)
            chart_point(chart, generation->promoted ? "even" : "refused", i, generation->gate.estimate,
                        generation->gate.ci95, 0.3, title);
    }
}

static void draw_table(Chart *chart, const LoopReport *report, int index, double *x, double *y) {
    const LoopTable *table = &report->tables[index];
    const double aside = 0.08 * (index + 1);
    int count = 0;
    for (int i = 0; i < report->count; i++)
        if (table->ratings[i].known) {
            x[count] = i + aside;
            y[count++] = table->ratings[i].estimate;
        }
    chart_curve(chart, table_styles[index], x, y, count, false);
    for (int i = 0; i < report->count; i++) {
        const ReportRating *rating = &table->ratings[i];
        char title[120];
        snprintf(title, sizeof title, "Generation %d, rated on hexhex-%d: %+.0f, 95%% interval %+.0f to %+.0f", i,
                 table->size, html_whole(rating->estimate), html_whole(rating->ci95.low),
                 html_whole(rating->ci95.high));
        if (rating->known)
            chart_point(chart, table_styles[index], i + aside, rating->estimate, rating->ci95, 0.3, title);
    }
}

static bool any_refused(const LoopReport *report) {
    for (int i = 0; i < report->count; i++)
        if (!report->generations[i].promoted)
            return true;
    return false;
}

const char *report_loop_zero(const LoopReport *report) {
    return report->from_network ? "the network that the loop began with" : "generation 0";
}

/* What the picture shows, for those who do not see it. */
static void describe_elo(const LoopReport *report, char *text, size_t size) {
    const char *zero = report_loop_zero(report);
    if (report->best < 0)
        snprintf(text, size,
                 "The strength of each generation, above %s. None took over yet. The table below has the "
                 "numbers.",
                 zero);
    else
        snprintf(text, size,
                 "The strength of each generation, above %s. By the matches of the gates, added up, "
                 "generation %d stands at %+.0f. The table below has the numbers.",
                 zero, report->best, html_whole(report->generations[report->best].gate.estimate));
}

void report_loop_elo(FILE *out, const LoopReport *report) {
    char description[320], legend[320] = "even:by the gates, added up";
    double *x = calloc((size_t)report->count * 2, sizeof *x);
    if (!x)
        return; /* then the page lacks a picture; the table has the numbers */
    Chart chart = {.out = out, .x = generation_axis(report), .y = with_room(elo_range(report), "Elo", false)};
    describe_elo(report, description, sizeof description);
    chart_begin(&chart,
                report->from_network ? "Elo by generation, above the network that the loop began with"
                                     : "Elo by generation",
                description);
    chart_rule_y(&chart, "half", 0);
    draw_gates(&chart, report, x, x + report->count);
    if (any_refused(report))
        strcat(legend, "|refused:did not take over");
    for (int i = 0; i < report->table_count; i++) {
        const size_t used = strlen(legend);
        draw_table(&chart, report, i, x, x + report->count);
        snprintf(legend + used, sizeof legend - used, "|%s:all against all, hexhex-%d", table_styles[i],
                 report->tables[i].size);
    }
    chart_end(&chart, legend);
    free(x);
}

/* ---- Measures ---- */

static bool is_known(const LoopGeneration *generation, LoopMeasure measure, int size) {
    return generation->judged[size] && !isnan(generation->measures[size][measure]);
}

static bool size_known(const LoopReport *report, LoopMeasure measure, int size) {
    for (int i = 0; i < report->count; i++)
        if (is_known(&report->generations[i], measure, size))
            return true;
    return false;
}

static Interval measure_range(const LoopReport *report, LoopMeasure measure) {
    Interval range = {INFINITY, -INFINITY};
    for (int i = 0; i < report->count; i++)
        for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++)
            if (is_known(&report->generations[i], measure, size)) {
                range.low = fmin(range.low, report->generations[i].measures[size][measure]);
                range.high = fmax(range.high, report->generations[i].measures[size][measure]);
            }
    return range;
}

static void draw_size(Chart *chart, const LoopReport *report, LoopMeasure measure, int size, double *x, double *y) {
    char style[16], title[80];
    int count = 0;
    snprintf(style, sizeof style, "size-%d", size);
    for (int i = 0; i < report->count; i++)
        if (is_known(&report->generations[i], measure, size)) {
            x[count] = i;
            y[count++] = report->generations[i].measures[size][measure];
        }
    chart_curve(chart, style, x, y, count, false);
    for (int i = 0; i < count; i++) {
        snprintf(title, sizeof title, "Generation %.0f, hexhex-%d: %.3f", x[i], size, y[i]);
        chart_point(chart, style, x[i], y[i], (Interval){y[i], y[i]}, 0, title);
    }
}

void report_loop_measure(FILE *out, const LoopReport *report, LoopMeasure measure, const char *caption,
                         const char *label) {
    char description[240], legend[320] = "";
    const Interval range = measure_range(report, measure);
    double *x = calloc((size_t)report->count * 2, sizeof *x);
    if (x && range.low <= range.high) {
        Chart chart = {
            .out = out, .x = generation_axis(report), .y = with_room(range, label, measure == LOOP_BEST_MOVE)};
        snprintf(description, sizeof description,
                 "A curve for each board size, on games held back from training: between %.3f and %.3f.", range.low,
                 range.high);
        chart_begin(&chart, caption, description);
        for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
            const size_t used = strlen(legend);
            if (!size_known(report, measure, size))
                continue;
            draw_size(&chart, report, measure, size, x, x + report->count);
            snprintf(legend + used, sizeof legend - used, "%ssize-%d:hexhex-%d", used ? "|" : "", size, size);
        }
        chart_end(&chart, legend);
    }
    free(x);
}
