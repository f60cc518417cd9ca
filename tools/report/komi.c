/* Fair-komi runs in a report: what `stigmergy komi` has found, see selfplay/runs/komi/result.c for the document. Here:
 * reading it and its text; komi_charts.c has the pictures, komi_command.c the command that plays a run again. */
#include "tools/report/komi_internal.h"

#include "selfplay/runs/komi/convergence.h"
#include "selfplay/stats/estimate.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* ---- Reading ---- */

static KomiRow read_row(ReportSource *source, const cJSON *json) {
    const int cells = HEXHEX_MAX_CELLS;
    KomiRow row = {.komi = source_int(source, json, "komi", -cells, cells)};
    row.games = source_number(source, json, "games", 1, 1e9);
    row.lines = source_number(source, json, "distinct_games", 0, row.games);
    /* Up to version 0.9 each different game counted once. */
    row.effective = source_optional(source, json, "effective_games")
                        ? source_number(source, json, "effective_games", 0, row.games)
                        : row.lines;
    row.black_wins = source_number(source, json, "black_wins", 0, row.games);
    row.rate = source_number(source, json, "win_rate", 0, 1);
    row.ci95 = source_interval(source, json, "ci95");
    row.mean_margin = source_number(source, json, "mean_margin", -1e3, 1e3);
    row.mean_plies = source_number(source, json, "mean_plies", 0, 1e6);
    return row;
}

static void read_fit(ReportSource *source, const cJSON *fit, KomiCurve *curve) {
    curve->fit = source_number(source, fit, "p", 0, 1);
    if (!source_optional(source, fit, "deviance"))
        return;
    const double deviance = source_number(source, fit, "deviance", 0, 1e9);
    const double expected = source_number(source, fit, "expected_deviance", 0, 1e9);
    if (curve->fit < ESTIMATE_FIT_REFUSED && expected > 0 && deviance > expected)
        curve->dispersion = deviance / expected;
}

/* A curve's part of the model; documents up to version 0.9 have one slope and one lapse for both. */
static void read_model(ReportSource *source, const cJSON *model, const char *name, KomiCurve *curve) {
    const cJSON *own = source_optional(source, model, name);
    curve->fit = -1;
    curve->dispersion = 1;
    curve->shape.scale = 1 / source_number(source, own ? own : model, "slope", 1e-6, 1e6);
    if (!own) {
        curve->shape.lapse_low = curve->shape.lapse_high = source_number(source, model, "lapse", 0, 0.9) / 2;
        return;
    }
    curve->shape.lapse_low = source_number(source, own, "lapse_low", 0, 0.45);
    curve->shape.lapse_high = source_number(source, own, "lapse_high", 0, 0.45);
    read_fit(source, source_object(source, own, "fit"), curve);
}

static KomiCurve read_curve(ReportSource *source, const cJSON *fair, const char *name) {
    const cJSON *json = source_object(source, fair, name);
    const cJSON *check = source_object(source, source_object(source, fair, "checks"), name);
    KomiCurve curve = {.fair_komi = source_curve(source, json)};
    curve.games = source_number(source, json, "distinct_games", 0, 1e9);
    curve.firth = source_number(source, check, "firth", -1e3, 1e3);
    curve.isotonic = source_number(source, check, "isotonic", -1e3, 1e3);
    curve.firth_defined = source_bool(source, check, "firth_defined");
    curve.isotonic_defined = source_bool(source, check, "isotonic_defined");
    read_model(source, source_object(source, fair, "model"), name, &curve);
    return curve;
}

static void read_probabilities(ReportSource *source, const cJSON *fair, KomiRung *rung) {
    const cJSON *array = source_optional(source, fair, "komi_probabilities");
    if (array && !cJSON_IsArray(array))
        source_fail(source, "komi_probabilities", "an array");
    for (const cJSON *item = array ? array->child : NULL; item && rung->fairest_count < FAIREST_MAX; item = item->next)
        rung->fairest[rung->fairest_count++] =
            (KomiProbability){source_int(source, item, "komi", -HEXHEX_MAX_CELLS, HEXHEX_MAX_CELLS),
                              source_number(source, item, "probability", 0, 1)};
}

static void read_fair(ReportSource *source, const cJSON *fair, KomiRung *rung) {
    const int cells = HEXHEX_MAX_CELLS;
    rung->curve[0] = read_curve(source, fair, "even");
    rung->curve[1] = read_curve(source, fair, "odd_with_button");
    rung->fair_komi = source_together(source, fair);
    const cJSON *gap = source_optional(source, fair, "gap");
    rung->gap_known = gap != NULL;
    if (gap) {
        rung->gap = source_number(source, gap, "estimate", -1e3, 1e3);
        rung->gap_ci95 = source_interval(source, gap, "ci95");
    }
    rung->recommended = source_int(source, fair, "recommended", -cells, cells);
    rung->win_rate = source_number(source, fair, "win_rate_at_recommended", 0, 1);
    rung->win_rate_ci95 = source_interval(source, fair, "ci95");
    read_probabilities(source, fair, rung);
}

/* `player` has the effort: the rung itself, or the player of a document without a ladder. */
static void read_rung(ReportSource *source, const cJSON *json, const cJSON *player, KomiRung *rung) {
    const cJSON *points = source_array(source, json, "points");
    const Effort effort = source_effort(source, player);
    rung->simulations = (double)effort.simulations;
    effort_text(effort, rung->effort);
    effort_name(effort, rung->group);
    rung->games = source_int(source, json, "games", 0, 1000000000);
    read_fair(source, source_object(source, json, "fair_komi"), rung);
    rung->rows = source_list(source, "points", points, sizeof *rung->rows);
    for (const cJSON *item = points ? points->child : NULL; item && !source->failed; item = item->next)
        rung->rows[rung->count++] = read_row(source, item);
}

static void clear(void *object) {
    KomiReport *report = object;
    for (int i = 0; i < report->count; i++)
        free(report->rungs[i].rows);
    report_games_free(&report->games);
    report_first_moves_free(&report->first);
    free(report->rungs);
}

static void read_rungs(ReportSource *source, KomiReport *report) {
    const cJSON *ladder = source_optional(source, source->json, "ladder");
    const int count = ladder ? cJSON_GetArraySize(ladder) : 1;
    if (!cJSON_IsArray(ladder) && ladder)
        source_fail(source, "ladder", "an array");
    if (count == 0)
        source_fail(source, "ladder", "a few rungs");
    report->rungs = source_list(source, "ladder", ladder, sizeof *report->rungs);
    const cJSON *item = ladder ? ladder->child : source->json;
    for (; report->count < count && !source->failed; item = item->next, report->count++)
        read_rung(source, item, ladder ? item : source_object(source, item, "player"), &report->rungs[report->count]);
}

static void read_second(ReportSource *source, const cJSON *json, KomiSecond *second) {
    const char *network = source_text(source, source_object(source, json, "player"), "network");
    second->source = source_text(source, json, "source");
    second->has_network = network && strcmp(network, "none") != 0;
    second->agrees = source_bool(source, json, "agrees");
    second->fair_komi = source_together(source, source_object(source, json, "fair_komi"));
}

static void read_convergence(ReportSource *source, KomiReport *report) {
    const cJSON *convergence = source_optional(source, source->json, "convergence");
    if (!convergence)
        return;
    report->convergence = source_text(source, convergence, "status");
    report->reasons = source_array(source, convergence, "reasons");
    report->bound = source_optional_text(source, convergence, "bound");
    const cJSON *second = source_optional(source, convergence, "second_family");
    if (second)
        read_second(source, second, &report->second);
}

static void read_players(ReportSource *source, KomiReport *report) {
    const cJSON *json = source->json, *player = source_object(source, json, "player");
    report->network = source_optional_text(source, player, "network");
    if (report->network && !strcmp(report->network, "none"))
        report->network = NULL;
    report->network_hash = source_optional_text(source, player, "network_hash");
    const cJSON *settings = source_optional(source, json, "settings");
    report->player = source_optional_text(source, player, "name");
    report->description = source_optional(source, settings, "player");
    report->first_round = source_optional(source, settings, "first_round");
    report->seed = source_optional_text(source, json, "seed");
    report->parity = source_optional_text(source, settings, "parity");
    report->komi_range = source_optional(source, settings, "komi_range");
    report->upgrade = source_optional_text(source, settings, "upgrade");
    report->version = source_optional_text(source, settings, "engine");
    if (!report->version)
        report->version = source_optional_text(source, source_optional(source, json, "program"), "version");
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    KomiReport *report = object;
    report->game = game;
    report->path = source->path;
    report->order = source->order;
    read_rungs(source, report);
    report->duplicate_share = source_number(source, source->json, "duplicate_share", 0, 1);
    report->without_chance =
        source_optional(source, source->json, "by_chance") && !source_bool(source, source->json, "by_chance");
    const cJSON *exact = source_optional(source, source->json, "exact");
    report->has_exact = exact != NULL;
    if (exact) {
        report->exact[0] = source_number(source, exact, "even", -1e3, 1e3);
        report->exact[1] = source_number(source, exact, "odd_with_button", -1e3, 1e3);
    }
    const cJSON *bounds = source_optional(source, source->json, "proved_bounds");
    report->has_bounds = bounds != NULL;
    if (bounds) {
        report->bounds.low = source_number(source, bounds, "lower", -1e3, 1e3);
        report->bounds.high = source_number(source, bounds, "upper", -1e3, 1e3);
    }
    if (source_optional(source, source->json, "first_moves"))
        report_first_moves_read(source, source_array(source, source->json, "first_moves"), &report->first);
    const cJSON *drift = source_optional(source, source->json, "drift");
    report->has_drift = drift != NULL;
    if (drift) {
        report->drift = source_number(source, drift, "estimate", -1e3, 1e3);
        report->drift_ci95 = source_interval(source, drift, "ci95");
    }
    read_convergence(source, report);
    read_players(source, report);
    if (!source->failed)
        report_games_read(source, game, report_komi_last(report)->group, INT_MAX, &report->games);
}

/* ---- Text ---- */

static void write_estimate(FILE *out, const KomiCurve *curve) {
    if (curve->games > 0)
        html_fair_komi(out, curve->fair_komi);
    else
        fputs("<td></td>", out);
}

static const char *stronger_side(const KomiReport *report) {
    return strcmp(report->upgrade, "white") ? "Black" : "White";
}

static void write_effort(FILE *out, const KomiReport *report, const KomiRung *rung) {
    if (report->upgrade)
        html_format(out, "td", "text", "%s, %s four times the effort", rung->effort, stronger_side(report));
    else
        html_element(out, "td", "text", rung->effort);
}

static void write_line(FILE *out, const void *object) {
    const KomiReport *report = object;
    for (int i = 0; i < report->count; i++) {
        const KomiRung *rung = &report->rungs[i];
        if (i > 0)
            fputs("</tr>\n<tr><th></th>", out);
        write_effort(out, report, rung);
        fprintf(out, "<td>%d</td>", rung->games);
        write_estimate(out, &rung->curve[0]);
        write_estimate(out, &rung->curve[1]);
        report_komi_cell(out, rung);
        report_komi_play_with(out, report, rung);
        if (report_komi_is_fair(report, rung))
            html_rate(out, rung->win_rate, rung->win_rate_ci95);
        else
            fputs("<td>–</td>", out);
        if (report->has_exact)
            fprintf(out, "<td>%+g, button %+g</td>", report->exact[0], report->exact[1]);
        else
            report_komi_bounds(out, "td", report);
    }
}

static void write_curves(FILE *out, const KomiRung *rung) {
    static const char *const names[] = {"even", "odd, with button"};
    html_table(out, "The curves of the model",
               "Komi|Slope a point|Black wins at high komi|White wins at low komi|Goodness of fit");
    for (int i = 0; i < 2; i++) {
        const KomiCurve *curve = &rung->curve[i];
        if (curve->games <= 0)
            continue;
        fprintf(out, "<tr><th scope=\"row\">%s</th><td>%.2f</td><td>%.1f%%</td><td>%.1f%%</td>", names[i],
                1 / curve->shape.scale, 100 * curve->shape.lapse_low, 100 * curve->shape.lapse_high);
        if (curve->fit >= 0)
            fprintf(out, "<td>p = %.3f</td></tr>\n", curve->fit);
        else
            fputs("<td></td></tr>\n", out);
    }
    html_table_end(out);
}

static void write_rows(FILE *out, const KomiRung *rung) {
    fputs("<details><summary>Numbers by komi</summary>\n", out);
    html_table(out, rung->effort, "Komi|Games|Different|Black wins|Rate|Mean margin|Mean length");
    for (int i = 0; i < rung->count; i++) {
        const KomiRow *row = &rung->rows[i];
        fprintf(out, "<tr><th scope=\"row\">%d%s</th><td>%.0f</td><td>%.0f</td><td>%.0f</td>", row->komi,
                row->komi % 2 ? " <small>button</small>" : "", row->games, row->lines, row->black_wins);
        html_rate(out, row->rate, row->ci95);
        fprintf(out, "<td>%+.1f</td><td>%.1f</td></tr>\n", html_tenth(row->mean_margin), row->mean_plies);
    }
    html_table_end(out);
    write_curves(out, rung);
    fputs("</details>\n", out);
}

/* Whether the komi that is nearest to even is the lowest or the highest that was played: others may be nearer. */
static bool ends_range(const KomiReport *report, const KomiRung *top) {
    const cJSON *low = cJSON_GetArrayItem(report->komi_range, 0), *high = cJSON_GetArrayItem(report->komi_range, 1);
    return cJSON_IsNumber(low) && cJSON_IsNumber(high) &&
           (top->recommended <= low->valueint || top->recommended >= high->valueint);
}

static void write_fair_komi(FILE *out, const KomiReport *report, const KomiRung *top) {
    fputs("<p>", out);
    if (top->games == 0) {
        html_format(out, "b", NULL, "No game");
        html_format(out, "span", NULL, " by players of %s a move has ended yet", top->effort);
        fputs("</p>\n", out);
        return;
    }
    const Interval ci95 = top->fair_komi.ci95;
    html_fair_komi_bold(out, top->fair_komi);
    if (top->fair_komi.bracket)
        fprintf(out, " fair komi: Black is ahead up to komi %g, White from komi %g, ", ci95.low, ci95.high);
    else
        fprintf(out, " fair komi, 95%% interval %.1f to %.1f, ", html_tenth(ci95.low), html_tenth(ci95.high));
    html_format(out, "span", NULL, "by players of %s a move", top->effort);
    if (report->upgrade)
        fprintf(out, ", <b>%s with four times the effort</b>: a check, no fair komi of equal players",
                stronger_side(report));
    fputs("</p>\n<p>", out);
    if (report->upgrade) {
        fprintf(out, "At %d%s,", top->recommended, top->recommended % 2 ? " with the button" : "");
    } else if (report_komi_is_fair(report, top)) {
        html_format(out, "b", NULL, "%d%s", top->recommended, top->recommended % 2 ? " + button" : "");
        fputs(" is the komi to play with:", out);
    } else {
        fprintf(out, "<b>No %s</b> is fair%s. At %d%s,",
                ends_range(report, top) ? "komi that was played" : "whole komi",
                report->has_exact ? " with perfect play" : "", top->recommended,
                top->recommended % 2 ? " with the button" : "");
    }
    fprintf(out, " Black wins %.0f%% (%.0f to %.0f) between these players</p>\n", 100 * top->win_rate,
            100 * top->win_rate_ci95.low, 100 * top->win_rate_ci95.high);
}

/* Whether the ladder has converged, and if not, why. Of a solved board write_perfect_play says more. */
static void write_convergence(FILE *out, const KomiReport *report) {
    if (!report->convergence || report->has_exact)
        return;
    fputs("<p>", out);
    html_element(out, "b", NULL, report->convergence);
    if (!strcmp(report->convergence, convergence_words[CONVERGENCE_REACHED]))
        fprintf(out, " %s", convergence_definition);
    for (const cJSON *reason = report->reasons->child; reason; reason = reason->next) {
        fputs(reason == report->reasons->child ? " " : "; ", out);
        html_text(out, cJSON_IsString(reason) ? reason->valuestring : "");
    }
    fputs("</p>\n", out);
}

static void write_second(FILE *out, const KomiSecond *second) {
    if (!second->source)
        return;
    fputs("<p>", out);
    html_fair_komi_bold(out, second->fair_komi);
    fprintf(out, " say players with%s", second->has_network ? " another network" : "out a network");
    html_fair_komi_range(out, second->fair_komi);
    fprintf(out, ", which %s; their result is ", second->agrees ? "agrees" : "does not show the same");
    html_text(out, second->source);
    fputs("</p>\n", out);
}

/* What the solver has proved, and whether these games agree with it. */
static void write_perfect_play(FILE *out, const KomiReport *report) {
    const KomiRung *top = report_komi_last(report);
    if (report->has_bounds) {
        fputs("<p>", out);
        report_komi_bounds(out, "b", report);
        fputs(" is perfect play worth to Black: the solver has proved no more</p>\n", out);
    }
    if (!report->has_exact)
        return;
    bool misleading = false;
    for (int odd = 0; odd < 2; odd++) {
        const KomiCurve *curve = &top->curve[odd];
        misleading |= curve->games > 0 && !interval_contains(curve->fair_komi.ci95, report->exact[odd]);
    }
    html_perfect_play(out, report->exact, misleading);
}

/* Where games do not fit their curve, or where another way to estimate it leaves its interval. */
static void write_warnings(FILE *out, const KomiReport *report) {
    static const char *const names[] = {"even komi", "odd komi with the button"};
    for (int odd = 0; odd < 2; odd++) {
        const KomiCurve *curve = &report_komi_last(report)->curve[odd];
        const double checks[ESTIMATE_CHECKS] = {curve->firth, curve->isotonic};
        const bool defined[ESTIMATE_CHECKS] = {curve->firth_defined, curve->isotonic_defined};
        if (!(curve->games > 0))
            continue;
        if (curve->fit >= 0 && curve->fit < ESTIMATE_FIT_REFUSED)
            fprintf(
                out,
                "<p class=\"note\">The games at %s do not look like a smooth curve (goodness of fit: p = %.3f).</p>\n",
                names[odd], curve->fit);
        for (int i = 0; i < ESTIMATE_CHECKS; i++)
            if (defined[i] && !interval_contains(report_komi_crossing(report, odd).ci95, checks[i]))
                fprintf(out, "<p class=\"note\">Outside the interval of %s: %.1f, by %s.</p>\n", names[odd],
                        html_tenth(checks[i]), estimate_check_names[i]);
    }
}

static void write_facts(FILE *out, const KomiReport *report) {
    const KomiRung *top = report_komi_last(report);
    fputs("<div class=\"facts\">\n", out);
    write_fair_komi(out, report, top);
    if (report->first.count > 0) {
        fputs("<p>", out);
        html_element(out, "b", NULL, report->first.list[0].move);
        fprintf(
            out,
            " is Black's best first move with a probability of %.0f%%; the fair komi is that after the best one</p>\n",
            100 * report->first.list[0].probability);
    }
    fprintf(out, "<p><b>%d</b> games by these players", top->games);
    if (report->duplicate_share > 0)
        fprintf(out, ", %.0f of them different", top->games * (1 - report->duplicate_share));
    if (report->without_chance)
        fputs("; these players always play the same, so equal games count as one in the intervals", out);
    fputs("</p>\n", out);
    if (report->has_drift)
        fprintf(out, "<p><b>%s%.1f</b> drift between the two strongest rungs (%.1f to %.1f)</p>\n",
                html_tenth(report->drift) > 0 ? "+" : "", html_tenth(report->drift), html_tenth(report->drift_ci95.low),
                html_tenth(report->drift_ci95.high));
    if (top->gap_known)
        fprintf(
            out,
            "<p><b>%+.1f</b> from the fair odd komi to the fair even one (%.1f to %.1f); with perfect play they are "
            "half a point apart, and what is more than that is the players' error</p>\n",
            html_tenth(top->gap), html_tenth(top->gap_ci95.low), html_tenth(top->gap_ci95.high));
    write_convergence(out, report);
    write_second(out, &report->second);
    write_perfect_play(out, report);
    fputs("</div>\n", out);
    write_warnings(out, report);
    if (report->first.count == 0)
        fputs(
            "<p class=\"note\">The players chose the first move. If they overlook the best one, this is too low.</p>\n",
            out);
}

/* The first moves as a map; the charts after it are of the best one. */
static void write_first_moves(FILE *out, const KomiReport *report) {
    const char *parities = report_komi_parities(report_komi_last(report));
    if (report->first.count == 0)
        return;
    fputs("<div class=\"figures\">\n", out);
    report_first_moves_board(out, &report->game->board, &report->first, parities);
    fputs("</div>\n", out);
    report_first_moves_table(out, &report->first, parities);
    fputs("<p>The charts of win rates and of the posterior, and the numbers by komi, are of the games that begin with ",
          out);
    html_element(out, "b", NULL, report->first.list[0].move);
    fputs(".</p>\n", out);
}

static void write_section(FILE *out, const void *object) {
    const KomiReport *report = object;
    const KomiRung *top = report_komi_last(report);
    write_facts(out, report);
    write_first_moves(out, report);
    fputs("<div class=\"figures\">\n", out);
    report_komi_rates(out, report);
    report_komi_posterior(out, report);
    report_komi_fairest(out, top);
    report_komi_ladder(out, report);
    report_games_write(out, &report->games);
    report_komi_first_moves(out, report);
    fputs("</div>\n", out);
    write_rows(out, top);
    report_komi_command(out, report);
}

const ReportKind report_komi = {
    .schema = "stigmergy-komi",
    .title = "Fair komi",
    .heading = "Fair komi",
    .estimated = true,
    .columns = "Board|~Strength|Games|Even komi|Odd, with button|Together|Play with|Black wins there|Perfect play",
    .object_size = sizeof(KomiReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .write_overview = report_komi_atlas,
    .clear = clear,
};
