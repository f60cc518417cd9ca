/* See board_internal.h. Cells are pointy-topped hexagons of radius 1, rows horizontal. */
#include "tools/report/board_internal.h"

#include "tools/report/html.h"

#include <math.h>
#include <string.h>

static const double half_width = 0.8660254, row_height = 1.5; /* half the square root of 3 */

static void draw_hexagon(FILE *out, double x, double y, double radius, const char *attributes) {
    const double wide = half_width * radius, tall = radius / 2;
    fprintf(out, "<path %s d=\"M%.2f %.2fL%.2f %.2fV%.2fL%.2f %.2fL%.2f %.2fV%.2fZ\"/>", attributes, x, y - radius,
            x + wide, y - tall, y + tall, x, y + radius, x - wide, y + tall, y - tall);
}

void report_cell_fair_komi(ReportCell *cell, KomiEstimate known) {
    if (known.bracket)
        snprintf(cell->text, sizeof cell->text, "%g, %g", known.ci95.low, known.ci95.high);
    else
        snprintf(cell->text, sizeof cell->text, "%.1f", html_tenth(known.estimate));
}

void report_board_stones(const Game *game, const GameState *state, ReportCell *cells) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++)
        cells[c].stone = stones[c];
}

static double place_x(const Hexhex *board, int at) {
    return 2 * half_width * (board->q[at] + 0.5 * board->r[at]);
}

static void draw_empty(FILE *out, const Hexhex *board, int at) {
    draw_hexagon(out, place_x(board, at), row_height * board->r[at], 0.97, "class=\"cell\"");
}

/* What lies on an empty cell. */
static void draw_cell(FILE *out, const Hexhex *board, int at, const ReportCell *cell) {
    const double x = place_x(board, at), y = row_height * board->r[at];
    if (cell->link[0])
        fprintf(out, "<a href=\"#%s\">", cell->link);
    fputs("<g>", out);
    if (cell->known)
        html_element(out, "title", NULL, cell->title);
    if (cell->stone)
        fprintf(out, "<circle class=\"stone %s-cell\" cx=\"%.2f\" cy=\"%.2f\" r=\".7\"/>",
                cell->stone == 1 ? "black" : "white", x, y);
    if (cell->known && fabs(cell->tint) >= 0.005) {
        char attributes[64];
        snprintf(attributes, sizeof attributes, "class=\"%s\" opacity=\"%.2f\"",
                 cell->tint > 0 ? "black-cell" : "white-cell", fmin(1, fabs(cell->tint)));
        draw_hexagon(out, x, y, 0.97, attributes);
    }
    if (cell->marked)
        draw_hexagon(out, x, y, 0.88, "class=\"marked\"");
    if (cell->known) {
        fprintf(out, "<text class=\"cell-text%s%s\" x=\"%.2f\" y=\"%.2f\">",
                cell->tint > 0.55 || cell->stone == 1    ? " on-black"
                : cell->tint < -0.55 || cell->stone == 2 ? " on-white"
                                                         : "",
                strlen(cell->text) > 4 ? " long" : "", x, y + 0.2);
        html_text(out, cell->text);
        fputs("</text>", out);
    }
    fputs(cell->link[0] ? "</g></a>\n" : "</g>\n", out);
}

/* The letter of each row, and the number of each column along the top, as the rules name cells. */
static void draw_names(FILE *out, const Hexhex *board) {
    const int last = board->size - 1;
    for (int c = 0; c < board->cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        hexhex_name(board, c, name);
        if (strcmp(name + 1, "1"))
            continue;
        const double x = 2 * half_width * (board->q[c] + 0.5 * board->r[c]), y = row_height * board->r[c];
        fprintf(out, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">%c</text>", x - 1.35, y + 0.2, *name);
    }
    for (int column = 0; column <= last; column++)
        fprintf(out, "<text class=\"name\" x=\"%.2f\" y=\"%.2f\">%d</text>",
                2 * half_width * (column - 0.5 * last) + 0.5, -row_height * last - 0.95, column + 1);
}

static void draw_empty_board(FILE *out, const Hexhex *board) {
    draw_names(out, board);
    for (int c = 0; c < board->cells; c++)
        draw_empty(out, board, c);
}

void report_board_base(FILE *out, const Hexhex *board, const char *base) {
    fprintf(out, "<svg class=\"base\" aria-hidden=\"true\"><defs><g id=\"%s\">", base);
    draw_empty_board(out, board);
    fputs("</g></defs></svg>\n", out);
}

void report_board(FILE *out, const Hexhex *board, const ReportCell *cells, const char *base, const char *caption,
                  const char *description) {
    const double width = 2 * half_width * (2 * board->size - 1) + 2.4, height = row_height * (2 * board->size - 2) + 4;
    fputs("<figure class=\"board\"><figcaption>", out);
    html_text(out, caption);
    fprintf(out, "</figcaption>\n<svg role=\"img\" viewBox=\"%.2f %.2f %.2f %.2f\">", -width / 2 - 0.4,
            -height / 2 - 0.4, width, height + 0.4);
    html_element(out, "title", NULL, caption);
    html_element(out, "desc", NULL, description);
    if (base)
        fprintf(out, "<use href=\"#%s\"/>\n", base);
    else
        draw_empty_board(out, board);
    for (int c = 0; c < board->cells; c++)
        if (cells[c].known || cells[c].stone)
            draw_cell(out, board, c, &cells[c]);
    fputs("</svg></figure>\n", out);
}
