/* See book_panels_internal.h. */
#include "tools/report/book_panels_internal.h"

#include "tools/report/board_internal.h"
#include "tools/report/html.h"

#include <math.h>

enum { ROWS_SHOWN = 12 };

/* ---- The board of a position ---- */

/* The cell of a move of the position; -1: it is on none. */
static int cell_of(const Game *game, const BookPosition *position, const char *move) {
    Action turn[GAME_TURN_MAX];
    Error error;
    int at = -1;
    if (game->rules->parse(game, position->state, move, turn, &error) == 1)
        (void)game->rules->action_kind(game, turn[0], &at);
    return at;
}

/* A move of the position on its cell: how much worse it is than the best one gives the tint. */
static void put_move(const Game *game, const BookPosition *position, const char *move, const BookPosition *child,
                     const BookPosition *best, const char *id, ReportCell *cells) {
    const int at = cell_of(game, position, move);
    if (at < 0)
        return;
    const bool black = game->rules->to_move(position->state) == BLACK;
    char value[HTML_KOMI_TEXT];
    const double shade = fmax(0, 1 - fabs(best->fair_komi.estimate - child->fair_komi.estimate) / 5);
    ReportCell *cell = &cells[at];
    cell->known = true;
    cell->tint = cell->stone ? 0 : black ? shade : -shade;
    cell->marked = child == best;
    report_cell_fair_komi(cell, child->fair_komi);
    html_fair_komi_text(value, child->fair_komi);
    snprintf(cell->title, sizeof cell->title, "%.12s: %s, %d games", move, value, child->games);
    if (child->children)
        snprintf(cell->link, sizeof cell->link, "%.32s-%d", id, child->number);
}

static void write_board(FILE *out, const Game *game, const BookPositions *positions, const BookPosition *position,
                        const char *id) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    char base[48];
    report_board_stones(game, position->state, cells);
    const BookPosition *best = NULL;
    for (const cJSON *child = position->children->child; child; child = child->next) {
        const BookPosition *to = &positions->list[book_positions_child(positions, child)];
        best = best ? best : to;
        put_move(game, position, json_get(child, "move")->valuestring, to, best, id, cells);
    }
    snprintf(base, sizeof base, "%.32s-board", id);
    report_board(
        out, &game->board, cells, base, "The fair komi after each move",
        "The position, with the fair komi after each move that the book has tried; the table has the numbers.");
}

/* ---- The panel of a position ---- */

static void write_links(FILE *out, const BookPositions *positions, const BookPosition *position, const char *id) {
    if (position->parent < 0)
        return;
    const int number = positions->list[position->parent].number;
    fprintf(out, "<p><a href=\"#%s-%d\">Start</a> · <a href=\"#%s-%d\">Back</a></p>\n", id, positions->list[0].number,
            id, number);
}

static void write_head(FILE *out, const Game *game, const BookPosition *position) {
    const char *mover = game->rules->to_move(position->state) == BLACK ? "Black" : "White";
    fputs("<p><b>", out);
    html_text(out, *position->line ? position->line : "The empty board");
    fprintf(out, "</b>, %s to move: fair komi ", mover);
    html_fair_komi_bold(out, position->fair_komi);
    if (position->exact)
        fputs(" (proved)", out);
    else
        html_fair_komi_range(out, position->fair_komi);
    fputs("</p>\n", out);
}

static void write_row(FILE *out, const BookPositions *positions, const cJSON *child, const char *id) {
    const BookPosition *to = &positions->list[book_positions_child(positions, child)];
    const char *move = json_get(child, "move")->valuestring;
    fputs("<tr><th scope=\"row\">", out);
    if (to->children) {
        fprintf(out, "<a href=\"#%s-%d\">", id, to->number);
        html_text(out, move);
        fputs("</a>", out);
    } else {
        html_text(out, move);
    }
    fputs("</th>", out);
    html_fair_komi(out, to->fair_komi);
    fprintf(out, "<td>%d</td><td>%.0f%%</td></tr>\n", to->games, 100 * json_get(child, "probability")->valuedouble);
}

/* The best moves, and those that have no cell, as the board shows the others. */
static void write_table(FILE *out, const Game *game, const BookPositions *positions, const BookPosition *position,
                        const char *id) {
    int number = 0, rows = 0;
    html_table(out, "Moves, the best first", "Move|Fair komi after it|Games through it|The best");
    for (const cJSON *child = position->children->child; child; child = child->next, number++)
        if (number < ROWS_SHOWN || cell_of(game, position, json_get(child, "move")->valuestring) < 0) {
            write_row(out, positions, child, id);
            rows++;
        }
    html_table_end(out);
    if (number > rows)
        fprintf(out, "<p>And %d more moves, on the board.</p>\n", number - rows);
}

void report_book_panels_write(FILE *out, const Game *game, const BookPositions *positions, const char *id) {
    char base[48];
    snprintf(base, sizeof base, "%.32s-board", id);
    report_board_base(out, &game->board, base);
    fputs("<div class=\"book\">\n", out);
    for (int i = 0; i < positions->count; i++) {
        const BookPosition *position = &positions->list[i];
        if (!position->children || !position->children->child)
            continue;
        fprintf(out, "<article id=\"%s-%d\">\n", id, position->number);
        write_head(out, game, position);
        write_links(out, positions, position, id);
        fputs("<div class=\"figures\">\n", out);
        write_board(out, game, positions, position, id);
        fputs("<div>\n", out);
        write_table(out, game, positions, position, id);
        fputs("</div></div>\n</article>\n", out);
    }
    fputs("</div>\n", out);
}
