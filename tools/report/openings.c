/* First placements in a report: what `stigmergy openings` has found, see selfplay/runs/openings/result.h for the
 * document. */
#include "tools/report/board.h"
#include "tools/report/games.h"
#include "tools/report/html.h"
#include "tools/report/kind.h"

#include <math.h>
#include <stdlib.h>

/* A class of symmetric first moves. */
typedef struct Opening {
    const char *move;   /* the first of them */
    const cJSON *moves; /* all, checked */
    int games;
    bool has_rate; /* else nothing was played */
    double rate;   /* of the first player */
    Interval ci95;
    double probability;       /* of being the fairest */
    const char *exact_winner; /* "B", "W"; NULL where it is not known */
} Opening;

typedef struct OpeningsReport {
    Game *game;
    int games, komi;
    Opening *openings;
    int count;
    int fairest; /* -1: none yet */
    char effort[32];
    ReportGames played;
} OpeningsReport;

/* ---- Reading ---- */

/* The cell that a move names, -1 where it is none (take-button). */
static int cell_of(const Game *game, const char *move) {
    const char *end = move;
    const int cell = hexhex_parse(&game->board, move, &end);
    return *end ? -1 : cell;
}

static Opening read_opening(ReportSource *source, const cJSON *json) {
    Opening opening = {.move = source_text(source, json, "move"),
                       .moves = source_array(source, json, "moves"),
                       .games = source_int(source, json, "games", 0, 1000000000)};
    for (const cJSON *item = opening.moves ? opening.moves->child : NULL; item; item = item->next)
        if (!cJSON_IsString(item))
            source_fail(source, "moves", "moves as strings");
    opening.has_rate = source_optional(source, json, "win_rate") != NULL;
    opening.rate = opening.has_rate ? source_number(source, json, "win_rate", 0, 1) : 0.5;
    opening.ci95 = source_interval(source, json, "ci95");
    opening.probability = source_number(source, json, "fairest_probability", 0, 1);
    if (source_optional(source, json, "exact_winner"))
        opening.exact_winner = source_text(source, json, "exact_winner");
    return opening;
}

static void destroy(void *object) {
    OpeningsReport *report = object;
    if (!report)
        return;
    report_games_free(&report->played);
    free(report->openings);
    game_free(report->game);
    free(report);
}

static void read_openings(ReportSource *source, OpeningsReport *report) {
    const cJSON *list = source_array(source, source->json, "openings");
    const cJSON *fairest = source_optional(source, source->json, "fairest");
    const char *move = fairest ? source_text(source, fairest, "move") : NULL;
    report->fairest = -1;
    report->openings = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *report->openings);
    if (!report->openings)
        source_fail(source, "openings", "fewer of them: out of memory");
    for (const cJSON *item = list ? list->child : NULL; item && !source->failed; item = item->next) {
        report->openings[report->count] = read_opening(source, item);
        if (move && !strcmp(move, report->openings[report->count].move))
            report->fairest = report->count;
        report->count++;
    }
}

static void *read_document(ReportSource *source) {
    OpeningsReport *report = calloc(1, sizeof *report);
    if (!report)
        source_fail(source, "game", "enough memory");
    else
        report->game = source_game(source);
    if (source->failed) {
        destroy(report);
        return NULL;
    }
    report->games = source_int(source, source->json, "games", 0, 1000000000);
    if (report->game->has_points)
        report->komi = source_int(source, source->json, "komi", -HEXHEX_MAX_CELLS, HEXHEX_MAX_CELLS);
    source_effort(source, source_object(source, source->json, "player"), report->effort);
    read_openings(source, report);
    if (!source->failed && report_games_read(source, report->game, NULL, &report->played))
        return report;
    destroy(report);
    return NULL;
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
    const Opening *fairest = &report->openings[report->fairest];
    html_element(out, "td", NULL, fairest->move);
    html_rate(out, fairest->rate, fairest->ci95);
    fprintf(out, "<td>%.0f%%</td>", 100 * fairest->probability);
}

static void draw_board(FILE *out, const OpeningsReport *report) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    for (int i = 0; i < report->count; i++) {
        const Opening *opening = &report->openings[i];
        for (const cJSON *move = opening->moves->child; move; move = move->next) {
            const int at = cell_of(report->game, move->valuestring);
            if (at < 0 || !opening->has_rate)
                continue;
            ReportCell *cell = &cells[at];
            cell->known = true;
            cell->tint = 2 * opening->rate - 1;
            cell->marked = i == report->fairest;
            snprintf(cell->text, sizeof cell->text, "%.0f", 100 * opening->rate);
            snprintf(cell->title, sizeof cell->title, "%.12s: %.0f%% (%.0f to %.0f), %d games", move->valuestring,
                     100 * opening->rate, 100 * opening->ci95.low, 100 * opening->ci95.high, opening->games);
        }
    }
    report_board(out, &report->game->board, cells, "Per cent of the games that the one who began there won",
                 "The board with the win rate of each first placement; the fairest ones have a thick border. The table "
                 "below has the numbers.");
}

static void write_table(FILE *out, const OpeningsReport *report) {
    html_table(out, "Classes of symmetric first placements",
               "First|Cells|Games|Won by the first player|The fairest|~Theory");
    for (int i = 0; i < report->count; i++) {
        const Opening *opening = &report->openings[i];
        fputs(i == report->fairest ? "<tr class=\"chosen\">" : "<tr>", out);
        html_element(out, "th", NULL, opening->move);
        fprintf(out, "<td>%d</td><td>%d</td>", cJSON_GetArraySize(opening->moves), opening->games);
        if (opening->has_rate)
            html_rate(out, opening->rate, opening->ci95);
        else
            fputs("<td></td>", out);
        fprintf(out, "<td>%.1f%%</td>", 100 * opening->probability);
        html_element(out, "td", "text",
                     !opening->exact_winner                ? ""
                     : !strcmp(opening->exact_winner, "B") ? "Black wins"
                                                           : "White wins");
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

static void write_section(FILE *out, const void *object) {
    const OpeningsReport *report = object;
    fputs("<div class=\"facts\">\n", out);
    if (report->fairest >= 0) {
        const Opening *fairest = &report->openings[report->fairest];
        fputs("<p>", out);
        html_element(out, "b", NULL, fairest->move);
        fprintf(out,
                " is the fairest first placement: it wins %.0f%% (%.0f to %.0f), and no other is nearer to one half "
                "with a probability of %.0f%%</p>\n",
                100 * fairest->rate, 100 * fairest->ci95.low, 100 * fairest->ci95.high, 100 * fairest->probability);
    }
    fprintf(out, "<p><b>%d</b> games, by players of ", report->games);
    html_text(out, report->effort);
    fputs(" a move</p>\n</div>\n<div class=\"figures\">\n", out);
    draw_board(out, report);
    report_games_write(out, report->game, &report->played);
    fputs("</div>\n", out);
    write_table(out, report);
}

const ReportKind report_openings = {
    .schema = "stigmergy-openings",
    .title = "First placements",
    .heading = "First placements",
    .columns = "Board|~Strength|Komi|Games|Fairest|It wins|Probability",
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .destroy = destroy,
};
