/* First placements in a report: what `stigmergy openings` has found, see selfplay/runs/openings/result.c for the
 * document. */
#include "tools/report/board_internal.h"
#include "tools/report/games_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <limits.h>
#include <stdlib.h>

/* A class of symmetric first moves. */
typedef struct FirstMove {
    const char *move;   /* the first move of the class */
    const cJSON *moves; /* all of them, checked */
    int games;
    bool has_rate; /* games were played */
    double rate;   /* of the first player */
    Interval ci95;
    double probability;       /* of being the fairest */
    const char *exact_winner; /* "B", "W"; NULL if it is not known */
} FirstMove;

typedef struct OpeningsReport {
    const Game *game;
    int games, komi;
    FirstMove *first_moves;
    int count;
    int fairest;              /* -1: none yet */
    const char *exact_winner; /* from the empty board: "B", "W"; NULL if it is not known */
    char effort[EFFORT_TEXT_MAX];
    ReportGames played;
} OpeningsReport;

/* ---- Reading ---- */

static FirstMove read_first_move(ReportSource *source, const cJSON *json) {
    FirstMove first = {.move = source_text(source, json, "move"),
                       .moves = source_texts(source, json, "moves"),
                       .games = source_int(source, json, "games", 0, 1000000000)};
    first.has_rate = source_optional(source, json, "win_rate") != NULL;
    first.rate = first.has_rate ? source_number(source, json, "win_rate", 0, 1) : 0.5;
    first.ci95 = source_interval(source, json, "ci95");
    first.probability = source_number(source, json, "fairest_probability", 0, 1);
    first.exact_winner = source_optional_text(source, json, "exact_winner");
    return first;
}

static void clear(void *object) {
    OpeningsReport *report = object;
    report_games_free(&report->played);
    free(report->first_moves);
}

static void read_first_moves(ReportSource *source, OpeningsReport *report) {
    const cJSON *list = source_array(source, source->json, "openings");
    const cJSON *fairest = source_optional(source, source->json, "fairest");
    const char *move = fairest ? source_text(source, fairest, "move") : NULL;
    report->fairest = -1;
    report->first_moves = source_list(source, "openings", list, sizeof *report->first_moves);
    for (const cJSON *item = list ? list->child : NULL; item && !source->failed; item = item->next) {
        report->first_moves[report->count] = read_first_move(source, item);
        if (move && !strcmp(move, report->first_moves[report->count].move))
            report->fairest = report->count;
        report->count++;
    }
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    OpeningsReport *report = object;
    report->game = game;
    report->games = source_int(source, source->json, "games", 0, 1000000000);
    if (game->has_points)
        report->komi = source_int(source, source->json, "komi", -HEXHEX_MAX_CELLS, HEXHEX_MAX_CELLS);
    effort_text(source_effort(source, source_object(source, source->json, "player")), report->effort);
    const cJSON *exact = source_optional(source, source->json, "exact");
    report->exact_winner = exact ? source_text(source, exact, "winner") : NULL;
    read_first_moves(source, report);
    report_games_read(source, game, NULL, INT_MAX, &report->played);
}

/* ---- Writing ---- */

static void write_line(FILE *out, const void *object) {
    const OpeningsReport *report = object;
    html_element(out, "td", "text", report->effort);
    if (report->game->has_points)
        fprintf(out, "<td>%d</td>", report->komi);
    else
        fputs("<td></td>", out);
    fprintf(out, "<td>%d</td>", report->games);
    if (report->fairest < 0) {
        fputs("<td></td><td></td><td></td>", out);
        return;
    }
    const FirstMove *fairest = &report->first_moves[report->fairest];
    html_element(out, "td", NULL, fairest->move);
    html_rate(out, fairest->rate, fairest->ci95);
    fprintf(out, "<td>%.0f%%</td>", 100 * fairest->probability);
}

static void draw_board(FILE *out, const OpeningsReport *report) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    for (int i = 0; i < report->count; i++) {
        const FirstMove *first = &report->first_moves[i];
        for (const cJSON *move = first->moves->child; move; move = move->next) {
            const int at = hexhex_named(&report->game->board, move->valuestring);
            if (at < 0 || !first->has_rate)
                continue;
            ReportCell *cell = &cells[at];
            cell->known = true;
            cell->tint = 2 * first->rate - 1;
            cell->marked = i == report->fairest;
            snprintf(cell->text, sizeof cell->text, "%.0f", 100 * first->rate);
            snprintf(cell->title, sizeof cell->title, "%.12s: %.0f%% (%.0f to %.0f), %d games", move->valuestring,
                     100 * first->rate, 100 * first->ci95.low, 100 * first->ci95.high, first->games);
        }
    }
    report_board(out, &report->game->board, cells, NULL, "Per cent of the games that the one who began there won",
                 "The board with the win rate of each first move; the fairest ones have a thick border. The table "
                 "below has the numbers.");
}

static const char *winner_name(const char *winner) {
    return !strcmp(winner, "B") ? "Black" : "White";
}

static void write_table(FILE *out, const OpeningsReport *report) {
    html_table(out, "Classes of symmetric first moves",
               "First|Cells|Games|Won by the first player|The fairest|~Theory");
    for (int i = 0; i < report->count; i++) {
        const FirstMove *first = &report->first_moves[i];
        fputs(i == report->fairest ? "<tr class=\"chosen\">" : "<tr>", out);
        html_element(out, "th", NULL, first->move);
        html_cells(out, first->moves);
        fprintf(out, "<td>%d</td>", first->games);
        if (first->has_rate)
            html_rate(out, first->rate, first->ci95);
        else
            fputs("<td></td>", out);
        fprintf(out, "<td>%.1f%%</td>", 100 * first->probability);
        html_format(out, "td", "text", "%s%s", first->exact_winner ? winner_name(first->exact_winner) : "",
                    first->exact_winner ? " wins" : "");
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

static bool any_fair(const OpeningsReport *report) {
    for (int i = 0; i < report->count; i++)
        if (interval_contains(report->first_moves[i].ci95, 0.5))
            return true;
    return false;
}

static void write_fairest(FILE *out, const OpeningsReport *report) {
    const FirstMove *fairest = &report->first_moves[report->fairest];
    fputs("<p>", out);
    html_element(out, "b", NULL, fairest->move);
    fprintf(out,
            " is the fairest first move: it wins %.0f%% (%.0f to %.0f), and no other is nearer to one half with a "
            "probability of %.1f%%",
            100 * fairest->rate, 100 * fairest->ci95.low, 100 * fairest->ci95.high, 100 * fairest->probability);
    fputs(any_fair(report) ? "</p>\n" : ". But no first move is fair: none of the intervals contains 50%</p>\n", out);
}

static void write_facts(FILE *out, const OpeningsReport *report) {
    fputs("<div class=\"facts\">\n", out);
    if (report->fairest >= 0)
        write_fairest(out, report);
    if (report->exact_winner)
        fprintf(out, "<p><b>%s</b> wins under best play from the empty board: proved</p>\n",
                winner_name(report->exact_winner));
    fprintf(out, "<p><b>%d</b> game%s, by players of ", report->games, report->games == 1 ? "" : "s");
    html_text(out, report->effort);
    fputs(" a move", out);
    if (report->game->has_points)
        fprintf(out, ", at komi %d", report->komi);
    fputs("</p>\n</div>\n", out);
}

static void write_section(FILE *out, const void *object) {
    const OpeningsReport *report = object;
    write_facts(out, report);
    fputs("<div class=\"figures\">\n", out);
    draw_board(out, report);
    report_games_write(out, &report->played);
    fputs("</div>\n", out);
    write_table(out, report);
}

const ReportKind report_openings = {
    .schema = "stigmergy-openings",
    .title = "First placements",
    .heading = "First placements",
    .estimated = true,
    .columns = "Board|~Strength|Komi|Games|Fairest|It wins|Probability",
    .pie = GAME_PIE_OFF, /* a swap would hide what a first move is worth */
    .object_size = sizeof(OpeningsReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .clear = clear,
};
