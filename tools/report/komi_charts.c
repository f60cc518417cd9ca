/* The pictures of a fair-komi run. See komi_internal.h. */
#include "selfplay/stats/estimate.h"
#include "selfplay/stats/posterior.h"
#include "tools/report/board_internal.h"
#include "tools/report/chart_internal.h"
#include "tools/report/html.h"
#include "tools/report/komi_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_POINTS = 161, RUNGS_SHOWN = 12 };

static const char *const styles[] = {"even", "odd", "both"};
static const char *const line_names[] = {"even komi", "odd komi with the button", "their midpoint"};

const KomiRung *report_komi_last(const KomiReport *report) {
    return &report->rungs[report->count - 1];
}

KomiEstimate report_komi_crossing(const KomiReport *report, int odd) {
    const ReportFirstMove *best = report->first.list;
    return report->first.count > 0 && best->has_curve[odd] ? best->curve[odd]
                                                           : report_komi_last(report)->curve[odd].fair_komi;
}

const char *report_komi_parities(const KomiRung *rung) {
    const bool even = rung->curve[0].games > 0, odd = rung->curve[1].games > 0;
    return even == odd ? "even and odd komi together" : even ? "even komi" : "odd komi";
}

/* The legend of a chart: the parities in it, and the rest. */
static void write_legend(bool even, bool odd, const char *rest, char out[160]) {
    snprintf(out, 160, "%s%s%s", even ? "even:even komi|" : "", odd ? "odd:odd komi, with the button|" : "", rest);
}

/* The same with the parities that were played. */
static void make_legend(const KomiRung *rung, const char *rest, char out[160]) {
    write_legend(rung->curve[0].games > 0, rung->curve[1].games > 0, rest, out);
}

/* ---- Black's chance over komi ---- */

/* The games of the chart: where first moves are forced, the rung has more. */
static double count_games(const KomiRung *rung) {
    double games = 0;
    for (int i = 0; i < rung->count; i++)
        games += rung->rows[i].games;
    return games;
}

static double count_outside(const KomiRung *rung, Interval range) {
    double games = 0;
    for (int i = 0; i < rung->count; i++)
        if (rung->rows[i].komi < range.low || rung->rows[i].komi > range.high)
            games += rung->rows[i].games;
    return games;
}

/* The middle of where the curves that were played cross one half; without games the rung's guess. */
static double find_middle(const KomiReport *report) {
    const KomiRung *rung = report_komi_last(report);
    double sum = 0;
    int count = 0;
    for (int odd = 0; odd < 2; odd++)
        if (rung->curve[odd].games > 0) {
            sum += report_komi_crossing(report, odd).estimate;
            count++;
        }
    return count > 0 ? sum / count : rung->fair_komi.estimate;
}

/* The komi values worth looking at: where the curves fall and where nearly all games were played. */
static Interval find_range(const KomiReport *report) {
    const KomiRung *rung = report_komi_last(report);
    const double few = 0.05 * count_games(rung), middle = find_middle(report);
    double reach = fmax(5, 4 * fmax(rung->curve[0].shape.scale, rung->curve[1].shape.scale) + 3);
    Interval range;
    do {
        range = (Interval){middle - reach, middle + reach};
        reach += 1;
    } while (reach < HEXHEX_MAX_CELLS && count_outside(rung, range) > few);
    if (rung->count > 0) {
        range.low = fmax(range.low, rung->rows[0].komi);
        range.high = fmin(range.high, rung->rows[rung->count - 1].komi);
    }
    return (Interval){floor(fmin(range.low, rung->fair_komi.ci95.low)) - 0.6,
                      ceil(fmax(range.high, rung->fair_komi.ci95.high)) + 0.6};
}

static void draw_rows(Chart *chart, const KomiRung *rung) {
    double most = 1;
    for (int i = 0; i < rung->count; i++)
        most = fmax(most, rung->rows[i].games);
    for (int i = 0; i < rung->count; i++) {
        const KomiRow *row = &rung->rows[i];
        char title[120];
        if (row->komi < chart->x.low || row->komi > chart->x.high)
            continue;
        snprintf(title, sizeof title, "Komi %d: Black won %.0f of %.0f games, %.0f%%", row->komi, row->black_wins,
                 row->games, 100 * row->rate);
        chart_point(chart, styles[row->komi % 2 != 0], row->komi, row->rate, row->ci95, row->games / most, title);
    }
}

/* The model's curve, and where the checks cross one half. */
static void draw_curve(Chart *chart, const KomiReport *report, int odd) {
    const KomiCurve *curve = &report_komi_last(report)->curve[odd];
    const double crossing = report_komi_crossing(report, odd).estimate;
    const double step = (chart->x.high - chart->x.low) / (CURVE_POINTS - 1);
    double x[CURVE_POINTS], y[CURVE_POINTS];
    if (curve->games <= 0)
        return;
    for (int i = 0; i < CURVE_POINTS; i++) {
        x[i] = chart->x.low + i * step;
        y[i] = shape_win_rate(curve->shape, crossing - x[i]);
    }
    chart_curve(chart, styles[odd], x, y, CURVE_POINTS, false);
    const double checks[ESTIMATE_CHECKS] = {curve->firth, curve->isotonic};
    const bool defined[ESTIMATE_CHECKS] = {curve->firth_defined, curve->isotonic_defined};
    for (int i = 0; i < ESTIMATE_CHECKS; i++) {
        char title[96];
        snprintf(title, sizeof title, "Check of %s komi, %s: %.1f", styles[odd], estimate_check_names[i], checks[i]);
        if (defined[i])
            chart_point(chart, odd ? "check odd" : "check even", checks[i], 0.5, (Interval){0.5, 0.5}, 0, title);
    }
}

static void describe_crossing(KomiEstimate known, char text[40]) {
    if (known.bracket)
        snprintf(text, 40, "between %g and %g", known.ci95.low, known.ci95.high);
    else
        snprintf(text, 40, "at %.1f", html_tenth(known.estimate));
}

static void describe_rates(const KomiReport *report, char text[400]) {
    const KomiRung *rung = report_komi_last(report);
    char crossing[40];
    int length = snprintf(text, 400,
                          "Win rates with 95%% intervals for every komi, larger points for more games, and the fitted "
                          "curves. They cross one half");
    for (int odd = 0; odd < 2; odd++) {
        if (rung->curve[odd].games <= 0)
            continue;
        describe_crossing(report_komi_crossing(report, odd), crossing);
        length += snprintf(text + length, (size_t)(400 - length), " %s for %s,", crossing, line_names[odd]);
    }
    snprintf(text + length, (size_t)(400 - length), " and the 95%% interval of %s, %.1f to %.1f%s, is shaded.",
             report_komi_parities(rung), html_tenth(rung->fair_komi.ci95.low), html_tenth(rung->fair_komi.ci95.high),
             report->first.count > 0 ? ", that of the board" : "");
}

void report_komi_rates(FILE *out, const KomiReport *report) {
    const KomiRung *rung = report_komi_last(report);
    const Interval range = find_range(report);
    const double outside = count_outside(rung, range);
    char description[400], legend[160], label[96] = "komi, points for White";
    if (outside > 0)
        snprintf(label, sizeof label, "komi, points for White (%.0f of %.0f games lie further out)", outside,
                 count_games(rung));
    Chart chart = {.out = out,
                   .x = {.low = range.low, .high = range.high, .label = label, .whole = true},
                   .y = {.low = -0.03, .high = 1.03, .label = "games won by Black", .percent = true}};
    describe_rates(report, description);
    chart_begin(&chart, "Black's chance over komi", description);
    chart_band(&chart, "both", rung->fair_komi.ci95);
    chart_rule_y(&chart, "half", 0.5);
    draw_curve(&chart, report, 0);
    draw_curve(&chart, report, 1);
    draw_rows(&chart, rung);
    make_legend(rung,
                report->first.count > 0 ? "check:checks: Firth, isotonic|both:fair komi of the board, 95%"
                                        : "check:checks: Firth, isotonic|both:fair komi, 95%",
                legend);
    chart_end(&chart, legend);
}

/* ---- The posterior ---- */

/* The weight of a place, from which what alternates between neighbours is taken. */
static double smooth_weight(const PosteriorLine *line, int i) {
    const double before = i > 0 ? line->weight[i - 1] : 0, after = i + 1 < line->places ? line->weight[i + 1] : 0;
    return (before + 2 * line->weight[i] + after) / 4;
}

/* A line of weights as a density over its places; returns the highest. The places of the midpoint are, in turn, those
 * where both curves are an even or an odd number of steps apart. In a coarse grid these have different sums: a comb. */
static double make_density(const PosteriorLine *line, bool midpoint, double *x, double *y) {
    double sum = 0, highest = 0;
    for (int i = 0; i < line->places; i++)
        sum += line->weight[i];
    for (int i = 0; i < line->places; i++) {
        x[i] = line->start + i * line->step;
        y[i] = (midpoint ? smooth_weight(line, i) : line->weight[i]) / (sum * line->step);
        highest = fmax(highest, y[i]);
    }
    return highest;
}

/* The curves that were played; last, where both were, their midpoint. Returns how many. */
static int choose_lines(const Posterior *posterior, const KomiRung *rung, PosteriorLine lines[3], int parity[3]) {
    int count = 0;
    for (int odd = 0; odd < 2; odd++)
        if (rung->curve[odd].games > 0) {
            posterior_curve(posterior, odd, &lines[count]);
            parity[count++] = odd;
        }
    if (count == 2) {
        posterior_middle(posterior, &lines[count]);
        parity[count++] = 2;
    }
    return count;
}

/* The interval is that of the line. That of the rung is another one where the margins count, too, or brackets do, and
 * of forced first moves it is that of the board. */
static void draw_posterior(FILE *out, const Posterior *posterior, const KomiRung *rung, bool forced) {
    double x[3][2 * POSTERIOR_PLACES], y[3][2 * POSTERIOR_PLACES];
    PosteriorLine lines[3];
    int parity[3];
    const int count = choose_lines(posterior, rung, lines, parity);
    double low = INFINITY, high = -INFINITY, highest = 0;
    if (count == 0)
        return;
    char description[200] = "Posterior densities of the fair komi from the wins alone, with their medians:";
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(description);
        snprintf(description + length, sizeof description - length, "%s %.1f for %s", i > 0 ? "," : "",
                 html_tenth(line_quantile(&lines[i], 0.5)), line_names[parity[i]]);
        highest = fmax(highest, make_density(&lines[i], parity[i] == 2, x[i], y[i]));
        low = fmin(low, line_quantile(&lines[i], 0.002));
        high = fmax(high, line_quantile(&lines[i], 0.998));
    }
    Chart chart = {.out = out,
                   .x = {.low = low - 0.3, .high = high + 0.3, .label = "fair komi, points"},
                   .y = {.low = 0, .high = 1.05 * highest, .label = "density"}};
    char legend[160];
    make_legend(rung, count == 3 ? "both:their midpoint; 95% interval shaded" : "both:95% interval", legend);
    chart_begin(&chart,
                forced ? "Posterior of the fair komi, from the games after the best first move alone"
                       : "Posterior of the fair komi, from the wins alone",
                description);
    const PosteriorLine *last = &lines[count - 1];
    const Interval own = {line_quantile(last, 0.025), line_quantile(last, 0.975)};
    chart_band(&chart, "both", own);
    for (int i = count - 1; i >= 0; i--)
        chart_curve(&chart, styles[parity[i]], x[i], y[i], lines[i].places, true);
    chart_end(&chart, legend);
}

/* As estimate.c has it in the end. */
static double find_design_effect(const KomiRung *rung, const KomiRow *row) {
    return row->games / fmax(row->effective, 1) * rung->curve[row->komi % 2 != 0].dispersion;
}

void report_komi_posterior(FILE *out, const KomiReport *report) {
    const KomiRung *rung = report_komi_last(report);
    const EstimateConfig config = estimate_config(report->game->board.size);
    KomiData *data = calloc((size_t)rung->count + 1, sizeof *data);
    Posterior *posterior = malloc(sizeof *posterior);
    Error error = {.text = "out of memory"};
    for (int i = 0; data && i < rung->count; i++)
        data[i] = (KomiData){.komi = rung->rows[i].komi,
                             .games = rung->rows[i].games,
                             .black_wins = rung->rows[i].black_wins,
                             .design_effect = find_design_effect(rung, &rung->rows[i])};
    const bool has_memory = data && posterior,
               usable = has_memory && posterior_check(data, rung->count, &config, &error);
    if (usable && posterior_compute(posterior, false, data, rung->count, &config, &error))
        draw_posterior(out, posterior, rung, report->first.count > 0);
    else if (usable || !has_memory)
        html_element(out, "p", "note", error.text);
    free(posterior);
    free(data);
}

/* ---- The fairest komi ---- */

void report_komi_fairest(FILE *out, const KomiRung *rung) {
    enum { AROUND = 2 };
    if (rung->fairest_count == 0)
        return;
    const int low = rung->fairest[0].komi - AROUND, high = rung->fairest[rung->fairest_count - 1].komi + AROUND;
    bool shown[2] = {false}; /* a komi of a parity that was not played may be the fairest */
    double most = 0;
    for (int i = 0; i < rung->fairest_count; i++)
        most = fmax(most, rung->fairest[i].probability);
    Chart chart = {.out = out,
                   .x = {.low = low - 0.6, .high = high + 0.6, .label = "komi, points for White", .whole = true},
                   .y = {.low = 0, .high = fmin(1, 1.1 * most + 0.02), .label = "probability", .percent = true}};
    chart_begin(&chart, "Which whole komi is the fairest",
                "How likely each whole komi is to be the one at which Black's chance is nearest to one half.");
    for (int i = 0; i < rung->fairest_count; i++) {
        const KomiProbability *at = &rung->fairest[i];
        char title[80];
        snprintf(title, sizeof title, "Komi %d is the fairest with a chance of %.0f%%", at->komi,
                 100 * at->probability);
        shown[at->komi % 2 != 0] = true;
        chart_bar(&chart, styles[at->komi % 2 != 0], (Interval){at->komi - 0.4, at->komi + 0.4}, at->probability,
                  title);
    }
    char legend[160];
    write_legend(shown[0], shown[1], "", legend);
    chart_end(&chart, legend);
}

/* ---- The ladder ---- */

static Interval find_heights(const KomiReport *report, int first) {
    Interval range = report->rungs[first].fair_komi.ci95;
    for (int i = first; i < report->count; i++) {
        const KomiRung *rung = &report->rungs[i];
        for (int odd = 0; odd < 2; odd++)
            if (rung->curve[odd].games > 0) {
                range.low = fmin(range.low, rung->curve[odd].fair_komi.ci95.low);
                range.high = fmax(range.high, rung->curve[odd].fair_komi.ci95.high);
            }
    }
    for (int i = 0; i < 2 && report->has_exact; i++) {
        range.low = fmin(range.low, report->exact[i]);
        range.high = fmax(range.high, report->exact[i]);
    }
    return (Interval){range.low - 0.5, range.high + 0.5};
}

static void draw_rung(Chart *chart, const KomiRung *rung, double at) {
    char title[120];
    for (int odd = 0; odd < 2; odd++) {
        const KomiCurve *curve = &rung->curve[odd];
        char crossing[40];
        if (curve->games <= 0)
            continue;
        describe_crossing(curve->fair_komi, crossing);
        snprintf(title, sizeof title, "%s, %s komi: %s, 95%% interval %.1f to %.1f", rung->effort, styles[odd],
                 crossing, html_tenth(curve->fair_komi.ci95.low), html_tenth(curve->fair_komi.ci95.high));
        chart_point(chart, styles[odd], at + (odd ? 0.12 : -0.12), curve->fair_komi.estimate, curve->fair_komi.ci95,
                    0.2, title);
    }
    snprintf(title, sizeof title, "%s, together: %.1f, 95%% interval %.1f to %.1f", rung->effort,
             html_tenth(rung->fair_komi.estimate), html_tenth(rung->fair_komi.ci95.low),
             html_tenth(rung->fair_komi.ci95.high));
    chart_point(chart, "both", at, rung->fair_komi.estimate, rung->fair_komi.ci95, 1, title);
}

void report_komi_ladder(FILE *out, const KomiReport *report) {
    const int first = report->count > RUNGS_SHOWN ? report->count - RUNGS_SHOWN : 0, count = report->count - first;
    const char *names[RUNGS_SHOWN];
    char numbers[RUNGS_SHOWN][24];
    bool timed = false;
    double x[RUNGS_SHOWN], y[RUNGS_SHOWN];
    if (count < 2)
        return;
    for (int i = 0; i < count; i++) {
        const KomiRung *rung = &report->rungs[first + i];
        snprintf(numbers[i], sizeof numbers[i], "%.0f", rung->simulations);
        timed |= !(rung->simulations > 0);
        x[i] = i;
        y[i] = report->rungs[first + i].fair_komi.estimate;
    }
    for (int i = 0; i < count; i++)
        names[i] = timed ? report->rungs[first + i].effort : numbers[i];
    const char *label = timed ? "strength of the players, a move" : "simulations a move";
    const Interval heights = find_heights(report, first);
    Chart chart = {.out = out,
                   .x = {.low = -0.5, .high = count - 0.5, .label = label, .names = names},
                   .y = {.low = heights.low, .high = heights.high, .label = "fair komi, points"}};
    char description[200];
    snprintf(description, sizeof description, "The estimate by strength: from %.1f with %s to %.1f with %s.", y[0],
             report->rungs[first].effort, y[count - 1], report_komi_last(report)->effort);
    chart_begin(&chart, "The ladder: how the estimate moves with strength", description);
    chart_curve(&chart, "both", x, y, count, false);
    if (report->has_exact) {
        chart_rule_y(&chart, "exact", report->exact[0]);
        chart_rule_y(&chart, "exact", report->exact[1]);
    }
    for (int i = 0; i < count; i++)
        draw_rung(&chart, &report->rungs[first + i], i);
    char legend[160];
    make_legend(report_komi_last(report), report->has_exact ? "both:together|exact:perfect play" : "both:together",
                legend);
    chart_end(&chart, legend);
}

/* ---- How the games began ---- */

/* The share of the games that began on a cell or on one that a symmetry takes it to, if there are any. */
static void put_share(const Hexhex *board, const ReportGames *games, int c, int total, ReportCell *cell) {
    int played = 0, won = 0;
    bool seen[HEXHEX_MAX_CELLS] = {false};
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        const int image = board->symmetry[map][c];
        if (seen[image])
            continue;
        seen[image] = true;
        played += games->first[image];
        won += games->first_won[image];
    }
    if (played == 0)
        return;
    const double share = (double)played / total;
    char name[HEXHEX_NAME_SIZE];
    hexhex_name(board, c, name);
    cell->known = true;
    cell->tint = 0.85 * sqrt(share);
    snprintf(cell->text, sizeof cell->text, "%.*f", share < 0.01 ? 1 : 0, 100 * share);
    snprintf(cell->title, sizeof cell->title, "%s and its images: %d games, Black won %.0f%%", name, played,
             100.0 * won / played);
}

void report_komi_first_moves(FILE *out, const KomiReport *report) {
    const Hexhex *board = &report->game->board;
    const ReportGames *games = &report->games;
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    int total = 0;
    for (int c = 0; c < board->cells; c++)
        total += games->first[c];
    if (total == 0 || report->first.count > 0)
        return;
    for (int c = 0; c < board->cells; c++)
        put_share(board, games, c, total, &cells[c]);
    report_board(out, board, cells, NULL, "How the games began, in per cent (symmetric cells together)",
                 "The board with the share of games that began on each cell or one that is symmetric to it.");
}
