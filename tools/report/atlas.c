/* The atlas: what all fair-komi runs of a page say of the boards. Each board has a main result, by its strongest
 * players; the others stand beside it, as checks by other players. See komi_internal.h. */
#include "selfplay/io/file.h"
#include "selfplay/runs/komi/convergence.h"
#include "tools/report/chart_internal.h"
#include "tools/report/html.h"
#include "tools/report/komi_internal.h"

#include <math.h>
#include <string.h>

enum { EFFORTS_MAX = 24, DESCRIPTION = 160 };

/* All results, the main one of each board before the others of that board. */
typedef struct Atlas {
    const void *const *reports; /* by board size */
    int count;
} Atlas;

static const KomiReport *atlas_get(const Atlas *atlas, int i) {
    return atlas->reports[i];
}

static int board_size(const KomiReport *report) {
    return report->game->board.size;
}

/* Beyond what convergence asks for, more games make no result stronger. */
static int capped_games(const KomiRung *rung) {
    return rung->games < CONVERGENCE_GAMES ? rung->games : CONVERGENCE_GAMES;
}

/* The highest rung with enough games, or else with the most: while a run plays, its last ones have few or none. */
static const KomiRung *top_rung(const KomiReport *report) {
    const KomiRung *top = report_komi_last(report);
    for (int i = report->count - 2; i >= 0; i--)
        if (capped_games(&report->rungs[i]) > capped_games(top))
            top = &report->rungs[i];
    return top;
}

static bool has_both_parities(const KomiReport *report) {
    const KomiRung *top = top_rung(report);
    return top->curve[0].games > 0 && top->curve[1].games > 0;
}

/* ---- The main result of a board ---- */

static bool is_settled(const KomiReport *report) {
    return report->has_exact || (report->convergence && !strcmp(report->convergence, "converged"));
}

/* Orders versions of the program; 0 where the document does not say. */
static double version_number(const KomiReport *report) {
    int major, minor, patch;
    if (!report->version || sscanf(report->version, "%4d.%4d.%4d", &major, &minor, &patch) != 3)
        return 0;
    return (major * 1e4 + minor) * 1e4 + patch;
}

enum { RANKS = 7 };

/* Enough games before few, forced first moves before free play, networks before playouts, even and odd komi before one
 * of them; then the higher effort, the newer version, whose network is stronger, and what has converged before what has
 * not. */
static void rank(const KomiReport *report, double ranks[RANKS]) {
    const KomiRung *top = top_rung(report);
    const double values[RANKS] = {capped_games(top),         report->first.count > 0, report->network != NULL,
                                  has_both_parities(report), top->simulations,        version_number(report),
                                  is_settled(report)};
    memcpy(ranks, values, sizeof values);
}

static bool is_stronger(const KomiReport *a, const KomiReport *b) {
    double of_a[RANKS], of_b[RANKS];
    rank(a, of_a);
    rank(b, of_b);
    for (int i = 0; i < RANKS; i++)
        if (of_a[i] < of_b[i] || of_a[i] > of_b[i])
            return of_a[i] > of_b[i];
    return false;
}

/* Unequal players are only a check. */
static bool is_main(const Atlas *atlas, int i) {
    const KomiReport *report = atlas_get(atlas, i);
    if (report->upgrade)
        return false;
    for (int k = 0; k < atlas->count; k++) {
        const KomiReport *other = atlas_get(atlas, k);
        if (board_size(other) != board_size(report) || k == i || other->upgrade)
            continue;
        if (is_stronger(other, report) || (k < i && !is_stronger(report, other)))
            return false;
    }
    return true;
}

/* ---- Words ---- */

/* The last komi at which Black wins with perfect play, and the first at which White does. */
static Interval exact_pair(const KomiReport *report) {
    Interval pair = {-HEXHEX_MAX_CELLS, HEXHEX_MAX_CELLS};
    for (int komi = -HEXHEX_MAX_CELLS; komi <= HEXHEX_MAX_CELLS; komi++) {
        const bool black = komi < report->exact[komi % 2 != 0];
        if (black)
            pair.low = komi;
        else
            pair.high = fmin(pair.high, komi);
    }
    return pair;
}

/* The end of the interval from which the estimate moves away. */
static double cautious_bound(const KomiReport *report) {
    const Interval ci95 = top_rung(report)->fair_komi.ci95;
    return strcmp(report->bound, bound_words[BOUND_AT_MOST]) ? ci95.low : ci95.high;
}

static void describe_convergence(const KomiReport *report, bool leads, char text[DESCRIPTION]) {
    if (report->upgrade)
        snprintf(text, DESCRIPTION, "check: %s has more effort", !strcmp(report->upgrade, "white") ? "White" : "Black");
    else if (report->has_exact && !leads)
        snprintf(text, DESCRIPTION, "check: another run");
    else if (report->has_exact)
        snprintf(text, DESCRIPTION, "exact");
    else if (!report->convergence)
        snprintf(text, DESCRIPTION, "not checked for convergence");
    else if (!report->bound)
        snprintf(text, DESCRIPTION, "%.40s", report->convergence);
    else
        snprintf(text, DESCRIPTION, "%.40s, %.20s %.1f", report->convergence, report->bound, cautious_bound(report));
}

static void describe_status(const KomiReport *report, bool leads, char text[DESCRIPTION]) {
    describe_convergence(report, leads, text);
    const size_t length = strlen(text);
    if (top_rung(report)->games > 0 && !has_both_parities(report) && !(report->has_exact && leads))
        snprintf(text + length, DESCRIPTION - length, ", %s only", report_komi_parities(top_rung(report)));
}

/* A network by its name and hash. What playouts are is a matter of the version. */
static void describe_players(const KomiReport *report, char text[DESCRIPTION]) {
    const char *effort = top_rung(report)->effort;
    if (report->network && report->network_hash)
        snprintf(text, DESCRIPTION, "%.48s (%.8s), %s", report->network, report->network_hash, effort);
    else
        snprintf(text, DESCRIPTION, "%.48s, %s%s%.24s", report->network ? report->network : "playouts", effort,
                 report->version ? ", version " : "", report->version ? report->version : "");
}

/* ---- The charts ---- */

static void draw_result(Chart *chart, const Atlas *atlas, int i, double shift) {
    const KomiReport *report = atlas_get(atlas, i);
    const KomiRung *top = top_rung(report);
    const bool leads = is_main(atlas, i);
    char title[3 * DESCRIPTION], status[DESCRIPTION], players[DESCRIPTION], value[HTML_KOMI_TEXT];
    const char *style = !leads ? "other" : is_settled(report) ? "both" : "odd";
    describe_status(report, leads, status);
    describe_players(report, players);
    html_fair_komi_text(value, top->fair_komi);
    snprintf(title, sizeof title, "hexhex-%d: %s; %s; %s", board_size(report), value, status, players);
    if (top->games > 0)
        chart_point(chart, style, board_size(report) + shift, top->fair_komi.estimate, top->fair_komi.ci95,
                    leads ? 1 : 0.1, title);
    if (!leads || !report->has_exact)
        return;
    const Interval pair = exact_pair(report);
    snprintf(title, sizeof title, "hexhex-%d, perfect play: Black wins up to komi %g, White from %g",
             board_size(report), pair.low, pair.high);
    chart_point(chart, "proved", board_size(report) - 0.15, (pair.low + pair.high) / 2, pair, 0.3, title);
}

static void include(Interval *heights, Interval other) {
    *heights = (Interval){fmin(heights->low, other.low), fmax(heights->high, other.high)};
}

static void chart_boards(FILE *out, const Atlas *atlas) {
    Interval heights = {INFINITY, -INFINITY};
    for (int i = 0; i < atlas->count; i++) {
        const KomiReport *report = atlas_get(atlas, i);
        if (top_rung(report)->games > 0)
            include(&heights, top_rung(report)->fair_komi.ci95);
        if (report->has_exact)
            include(&heights, exact_pair(report));
    }
    if (heights.low > heights.high) /* no games yet */
        return;
    const double low = board_size(atlas_get(atlas, 0)), high = board_size(atlas_get(atlas, atlas->count - 1));
    Chart chart = {.out = out,
                   .x = {.low = low - 0.6, .high = high + 0.6, .label = "cells on a side of the board", .whole = true},
                   .y = {.low = heights.low - 0.5, .high = heights.high + 0.5, .label = "fair komi, points"}};
    chart_begin(&chart, "Fair komi over board size",
                "The fair komi of each board by its strongest players, with the 95% interval; smaller points are other "
                "players.");
    for (int i = 0, others = 0; i < atlas->count; i++) {
        others = i > 0 && board_size(atlas_get(atlas, i)) == board_size(atlas_get(atlas, i - 1)) ? others : 0;
        const bool leads = is_main(atlas, i);
        others += !leads;
        draw_result(&chart, atlas, i, leads ? 0 : 0.08 + 0.07 * others);
    }
    chart_end(&chart, "both:exact or converged|odd:not converged|other:other players|proved:perfect play");
}

/* All efforts of the main results, ascending and each once; returns how many. */
static int collect_efforts(const Atlas *atlas, double efforts[EFFORTS_MAX]) {
    int count = 0;
    for (int i = 0; i < atlas->count; i++) {
        const KomiReport *report = atlas_get(atlas, i);
        for (int r = 0; r < report->count && is_main(atlas, i); r++) {
            const double effort = report->rungs[r].simulations;
            int at = 0;
            while (at < count && efforts[at] < effort)
                at++;
            if (effort <= 0 || count == EFFORTS_MAX || (at < count && efforts[at] <= effort))
                continue;
            memmove(efforts + at + 1, efforts + at, (size_t)(count - at) * sizeof *efforts);
            efforts[at] = effort;
            count++;
        }
    }
    return count;
}

static int find_effort(const double *efforts, int count, double effort) {
    for (int i = 0; i < count; i++)
        if (fabs(efforts[i] - effort) < 0.5)
            return i;
    return -1;
}

/* The rungs of a board as a curve, moved sideways so that boards do not hide each other. */
static void draw_ladder(Chart *chart, const KomiReport *report, const double *efforts, int count, double shift) {
    double x[EFFORTS_MAX], y[EFFORTS_MAX];
    char style[16], title[DESCRIPTION], value[HTML_KOMI_TEXT];
    int points = 0;
    snprintf(style, sizeof style, "size-%d", board_size(report));
    for (int r = 0; r < report->count && points < EFFORTS_MAX; r++) {
        const KomiRung *rung = &report->rungs[r];
        const int at = find_effort(efforts, count, rung->simulations);
        if (at < 0 || rung->games == 0)
            continue;
        html_fair_komi_text(value, rung->fair_komi);
        snprintf(title, sizeof title, "hexhex-%d, %s: %s", board_size(report), rung->effort, value);
        chart_point(chart, style, at + shift, rung->fair_komi.estimate, rung->fair_komi.ci95, 0.4, title);
        x[points] = at + shift;
        y[points++] = rung->fair_komi.estimate;
    }
    chart_curve(chart, style, x, y, points, false);
}

static Interval find_heights(const Atlas *atlas) {
    Interval heights = {INFINITY, -INFINITY};
    for (int i = 0; i < atlas->count; i++) {
        const KomiReport *report = atlas_get(atlas, i);
        for (int r = 0; r < report->count && is_main(atlas, i); r++) {
            const double value = report->rungs[r].fair_komi.estimate;
            if (report->rungs[r].games > 0)
                include(&heights, (Interval){value, value});
        }
    }
    return (Interval){heights.low - 2, heights.high + 2};
}

static void chart_efforts(FILE *out, const Atlas *atlas) {
    double efforts[EFFORTS_MAX];
    char numbers[EFFORTS_MAX][24], legend[512] = "";
    const char *names[EFFORTS_MAX];
    const int count = collect_efforts(atlas, efforts);
    for (int i = 0; i < count; i++) {
        snprintf(numbers[i], sizeof numbers[i], "%.0f", efforts[i]);
        names[i] = numbers[i];
    }
    if (count < 2)
        return;
    const Interval heights = find_heights(atlas);
    if (heights.low > heights.high)
        return;
    Chart chart = {.out = out,
                   .x = {.low = -0.5, .high = count - 0.5, .label = "simulations a move", .names = names},
                   .y = {.low = heights.low, .high = heights.high, .label = "fair komi, points"}};
    chart_begin(
        &chart, "Fair komi over the strength of the players",
        "For each board the estimate by players of more and more simulations a move. An arrow at the frame means "
        "that an interval goes on beyond it.");
    for (int i = 0, boards = 0; i < atlas->count; i++) {
        const KomiReport *report = atlas_get(atlas, i);
        if (!is_main(atlas, i))
            continue;
        draw_ladder(&chart, report, efforts, count, 0.05 * (boards++ - 4));
        snprintf(legend + strlen(legend), sizeof legend - strlen(legend), "%ssize-%d:hexhex-%d", *legend ? "|" : "",
                 board_size(report), board_size(report));
    }
    chart_end(&chart, legend);
}

/* ---- The table ---- */

void report_komi_cell(FILE *out, const KomiRung *rung) {
    if (rung->games == 0)
        fputs("<td></td>", out);
    else
        html_fair_komi(out, rung->fair_komi);
}

bool report_komi_is_fair(const KomiReport *report, const KomiRung *rung) {
    return !report->has_exact && !report->upgrade && rung->games > 0 &&
           komi_is_fair(rung->win_rate, rung->win_rate_ci95);
}

void report_komi_play_with(FILE *out, const KomiReport *report, const KomiRung *rung) {
    if (rung->games == 0 || report->upgrade)
        fputs("<td></td>", out);
    else if (report_komi_is_fair(report, rung))
        html_format(out, "td", NULL, "%d%s", rung->recommended, rung->recommended % 2 ? " + button" : "");
    else
        fputs("<td>none</td>", out);
}

void report_komi_bounds(FILE *out, const char *tag, const KomiReport *report) {
    if (!report->has_bounds)
        html_element(out, tag, NULL, "");
    else if (report->bounds.high < report->game->board.cells)
        html_format(out, tag, NULL, "%+g to %+g", report->bounds.low, report->bounds.high);
    else
        html_format(out, tag, NULL, "at least %+g", report->bounds.low);
}

/* By how many points Black wins with perfect play, without komi and button. */
static void write_proved(FILE *out, const KomiReport *report) {
    if (report->has_exact)
        html_format(out, "td", NULL, "%+g", report->exact[0]);
    else
        report_komi_bounds(out, "td", report);
}

/* Begins a row with a link to the document's section: the board, or of the other results of a board the file. */
static void begin_row(FILE *out, const KomiReport *report, bool leads, bool alone) {
    const char *file = file_name_of(report->path);
    fprintf(out, "%s<a href=\"#result-%d\">",
            leads ? "<tr class=\"chosen\"><th scope=\"row\">" : "<tr><td class=\"text\">", report->order + 1);
    if (leads)
        fprintf(out, "hexhex-%d", board_size(report));
    if (leads && !alone)
        html_format(out, "span", "file", " (%s)", file);
    if (!leads)
        html_element(out, "span", "file", file);
    fprintf(out, "</a></%s>", leads ? "th" : "td");
}

static void write_row(FILE *out, const Atlas *atlas, int i, bool alone) {
    const KomiReport *report = atlas_get(atlas, i);
    const KomiRung *top = top_rung(report);
    const bool leads = is_main(atlas, i), has_first = report->first.count > 0 && top == report_komi_last(report);
    char status[DESCRIPTION], players[DESCRIPTION];
    describe_status(report, leads, status);
    describe_players(report, players);
    begin_row(out, report, leads, alone);
    if (report->has_exact && leads)
        html_fair_komi(out, komi_bracket(exact_pair(report)));
    else
        report_komi_cell(out, top);
    report_komi_play_with(out, report, top);
    html_element(out, "td", "text", status);
    html_element(out, "td", "text", has_first ? report->first.list[0].move : "");
    write_proved(out, report);
    html_element(out, "td", "text", players);
    fprintf(out, "<td>%d</td></tr>\n", top->games);
}

static bool is_answered(const Atlas *atlas, int from, int to) {
    for (int i = from; i < to; i++)
        if (is_main(atlas, i))
            return true;
    return false;
}

/* The board's main result first, then the others. */
static void write_board_rows(FILE *out, const Atlas *atlas, int from, int to) {
    if (!is_answered(atlas, from, to))
        fprintf(out,
                "<tr><th scope=\"row\">hexhex-%d</th><td></td><td></td><td class=\"text\">no run of equal players</td>"
                "<td colspan=\"4\"></td></tr>\n",
                board_size(atlas_get(atlas, from)));
    for (int leads = 1; leads >= 0; leads--)
        for (int i = from; i < to; i++)
            if (is_main(atlas, i) == leads)
                write_row(out, atlas, i, to - from == 1);
}

static void write_table(FILE *out, const Atlas *atlas) {
    html_table(out, "The boards", "Board|Fair komi|Play with|~Status|~First move|Proved lead|~Players|Games");
    for (int from = 0, to; from < atlas->count; from = to) {
        for (to = from + 1; to < atlas->count;)
            if (board_size(atlas_get(atlas, to)) == board_size(atlas_get(atlas, from)))
                to++;
            else
                break;
        write_board_rows(out, atlas, from, to);
    }
    html_table_end(out);
    fputs("<p>The marked rows are the answer for their board; the others are checks. [5.8, 6.3] is a 95% interval. (4, "
          "5) means that Black is ahead up to komi 4, White from komi 5. <i>Play with</i> is the whole komi at which "
          "these players' win rates are most even; weaker players, such as the levels of the program, may need another "
          "one. It is <i>none</i> where even the best one gives Black less than a quarter of the games or more than "
          "three, and on solved boards. The <i>first move</i> is Black's best one. The <i>proved lead</i> is Black's "
          "margin in points with perfect play, without komi and button, as far as the solver has proved it.</p>\n",
          out);
}

static void write_method(FILE *out) {
    fputs(
        "<details><summary>How these numbers were found, and what they mean</summary>\n"
        "<p>The <i>komi</i> is the number of points that White gets because Black moves first. With the fair komi "
        "equal players win equally often. The program played against itself at many values of komi. The fair komi is "
        "where Black's share of wins crosses one half. Even and odd komi are two games, because odd komi comes with a "
        "button worth half a point; the number is about the middle of both. Where the players chose the first move, "
        "score margins count, too, and may move it beyond both.</p>\n"
        "<p>Where the table names a first move, games were forced to begin with every first move, so none was "
        "overlooked. The fair komi of the board is that of Black's best one.</p>\n"
        "<p>The number in square brackets is a 95% interval: how much the estimate may differ because only that many "
        "games were played. It holds for players of that strength. A pair in round brackets, such as (4, 5), means: "
        "Black is ahead up to the first number, White from the second.</p>\n"
        "<p><b>Exact</b>: the solver has proved the result of perfect play, and the pair is that of perfect play. "
        "<b>Converged</b>: ",
        out);
    fprintf(out,
            "%s, and the best first move stayed the same. <b>Not converged</b>: stronger players may "
            "say something else; <i>at least</i> and <i>at most</i> say in which direction the estimate still "
            "moves.</p></details>\n",
            convergence_definition);
}

void report_komi_atlas(FILE *out, const void *const *reports, int count) {
    const Atlas atlas = {reports, count};
    if (count < 2)
        return;
    fputs("<section id=\"atlas\">\n<h2>The fair komi of the boards</h2>\n<div class=\"figures\">\n", out);
    chart_boards(out, &atlas);
    chart_efforts(out, &atlas);
    fputs("</div>\n", out);
    write_table(out, &atlas);
    write_method(out);
    fputs("</section>\n", out);
}
