/* Solved positions in a report: what `stigmergy solve --out` has found. */
#include "tools/report/board_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <math.h>
#include <stdlib.h>

enum { VALUE_TEXT = 40 };

/* A value with its bounds, as text: "+5", "-3 to +2", "B". */
typedef struct Value {
    bool proved;
    double lower, upper; /* points; 1 and -1 for Black and White in a game without them */
    char text[VALUE_TEXT];
} Value;

typedef struct SolveReport {
    const Game *game;
    bool button;
    const char *moves; /* that lead to the position */
    GameState *position;
    Value value;
    const char *best; /* NULL where none is known */
    double nodes, seconds;
    const cJSON *all_moves; /* checked; NULL where they were not asked for */
} SolveReport;

/* ---- Reading ---- */

static double read_bound(ReportSource *source, const Game *game, const cJSON *json, const char *key) {
    if (game->has_points)
        return source_number(source, json, key, -HEXHEX_MAX_CELLS, HEXHEX_MAX_CELLS);
    const char *winner = source_text(source, json, key);
    if (strcmp(winner, "B") && strcmp(winner, "W"))
        source_fail(source, key, "B or W");
    return *winner == 'B' ? 1 : -1;
}

static Value read_value(ReportSource *source, const Game *game, const cJSON *json) {
    Value value = {.proved = source_bool(source, json, "proved"),
                   .lower = read_bound(source, game, json, "lower"),
                   .upper = read_bound(source, game, json, "upper")};
    if (!game->has_points)
        snprintf(value.text, sizeof value.text, "%s", !value.proved ? "open" : value.lower > 0 ? "Black" : "White");
    else if (value.proved)
        snprintf(value.text, sizeof value.text, "%+g", value.lower);
    else
        snprintf(value.text, sizeof value.text, "%+g to %+g", value.lower, value.upper);
    return value;
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    SolveReport *report = object;
    report->game = game;
    const cJSON *json = source->json;
    report->button = game->has_points && source_bool(source, json, "button");
    report->moves = source_text(source, json, "moves");
    report->position = source_position(source, game, json, "moves", report->button ? 1 : 0);
    report->value = read_value(source, game, json);
    report->best = source_optional_text(source, json, "best");
    report->nodes = source_number(source, json, "nodes", 0, 1e18);
    report->seconds = source_number(source, json, "seconds", 0, 1e12);
    report->all_moves = source_optional(source, json, "all_moves");
    for (const cJSON *item = report->all_moves ? report->all_moves->child : NULL; item; item = item->next) {
        source_text(source, item, "move");
        read_value(source, game, item);
    }
}

static void clear(void *object) {
    SolveReport *report = object;
    free(report->position);
}

/* ---- Writing ---- */

static void write_line(FILE *out, const void *object) {
    const SolveReport *report = object;
    html_element(out, "td", "text", *report->moves ? report->moves : "the empty board");
    html_element(out, "td", NULL, report->button ? "yes" : "");
    html_element(out, "td", NULL, report->value.text);
    html_element(out, "td", NULL, report->best ? report->best : "");
    fputs("<td>", out);
    html_count(out, report->nodes);
    fprintf(out, "</td><td>%.1f</td>", report->seconds);
}

/* The value of every move on its cell. */
static void put_moves(const SolveReport *report, ReportCell *cells) {
    ReportSource none = {.path = ""};
    const Hexhex *board = &report->game->board;
    double most = 1;
    for (const cJSON *item = report->all_moves->child; item; item = item->next)
        most = fmax(most, fabs(read_value(&none, report->game, item).lower));
    for (const cJSON *item = report->all_moves->child; item; item = item->next) {
        const char *move = source_text(&none, item, "move"), *end = move;
        const int at = hexhex_parse(board, move, &end);
        const Value value = read_value(&none, report->game, item);
        if (at < 0)
            continue;
        ReportCell *cell = &cells[at];
        const double middle = (value.lower + value.upper) / 2;
        cell->known = true;
        cell->tint = value.proved && !cell->stone ? 0.7 * middle / most : 0;
        cell->marked = report->best && !strcmp(report->best, move);
        if (value.proved)
            snprintf(cell->text, sizeof cell->text, "%.9s",
                     report->game->has_points ? value.text
                     : middle > 0             ? "B"
                                              : "W");
        else
            snprintf(cell->text, sizeof cell->text, "?");
        snprintf(cell->title, sizeof cell->title, "%.40s: %s", move, value.text);
    }
}

/* The position with its stones, and with the moves where they are known. */
static void draw_position(FILE *out, const SolveReport *report) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    const char *caption = "The position", *description = "The board with the stones of the position.";
    report_board_stones(report->game, report->position, cells);
    if (report->all_moves) {
        put_moves(report, cells);
        caption = report->game->has_points ? "What each move is worth to Black" : "Who wins after each move";
        description = "The position with the exact value of each move; the best one has a thick border. A cell without "
                      "a value is no legal move.";
    }
    fputs("<div class=\"figures\">\n", out);
    report_board(out, &report->game->board, cells, NULL, caption, description);
    fputs("</div>\n", out);
}

/* Which position it is: "After b2 c1, Black to move". */
static void write_position(FILE *out, const SolveReport *report) {
    const GameRules *rules = report->game->rules;
    if (*report->moves) {
        fputs("<p>After ", out);
        html_element(out, "b", NULL, report->moves);
    } else {
        fputs("<p><b>The empty board</b>", out);
    }
    fprintf(out, ", %s</p>\n",
            rules->over(report->position)               ? "the game is over"
            : rules->to_move(report->position) == BLACK ? "Black to move"
                                                        : "White to move");
}

static void write_value(FILE *out, const SolveReport *report) {
    html_element(out, "b", NULL, report->value.text);
    if (!report->game->has_points) {
        fputs(report->value.proved ? " wins under best play: proved" : ": who wins under best play is not proved yet",
              out);
        return;
    }
    fputs(report->button ? " points for Black under best play, the half point of the button included, komi left out"
                         : " points for Black under best play, komi left out",
          out);
    fputs(report->value.proved ? ": proved" : ": bounds, not proved yet", out);
}

static void write_section(FILE *out, const void *object) {
    const SolveReport *report = object;
    fputs("<div class=\"facts\">\n", out);
    write_position(out, report);
    fputs("<p>", out);
    write_value(out, report);
    if (report->best) {
        fputs("; the best move is ", out);
        html_text(out, report->best);
    }
    fputs("</p>\n<p><b>", out);
    html_count(out, report->nodes);
    fprintf(out, "</b> positions in %.1f seconds</p>\n</div>\n", report->seconds);
    if (report->all_moves || *report->moves)
        draw_position(out, report);
}

const ReportKind report_solve = {
    .schema = "stigmergy-solve",
    .title = "Exact values",
    .heading = "Exact value",
    .columns = "Board|~Position|Button|Value|Best move|Nodes|Seconds",
    .object_size = sizeof(SolveReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .clear = clear,
};
