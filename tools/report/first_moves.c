/* See first_moves_internal.h. */
#include "tools/report/first_moves_internal.h"

#include "tools/report/board_internal.h"
#include "tools/report/html.h"

#include <math.h>
#include <stdlib.h>

/* ---- Reading ---- */

static void read_curves(ReportSource *source, const cJSON *json, ReportFirstMove *first) {
    static const char *const names[] = {"even", "odd_with_button"};
    for (int odd = 0; odd < 2; odd++) {
        const cJSON *curve = source_optional(source, json, names[odd]);
        first->has_curve[odd] = curve && source_int(source, curve, "games", 0, 1000000000) > 0;
        if (first->has_curve[odd])
            first->curve[odd] = source_curve(source, curve);
    }
}

/* Where all curves are brackets, they are one together, if they overlap. */
static void join_brackets(ReportFirstMove *first) {
    KomiEstimate both;
    const int from = !first->has_curve[0], to = first->has_curve[1];
    if (from <= to && komi_brackets_join(first->curve[from], first->curve[to], &both)) {
        first->fair_komi.ci95 = both.ci95;
        first->fair_komi.bracket = true;
    }
}

static ReportFirstMove read_one(ReportSource *source, const cJSON *json) {
    const bool is_of_book = source_optional(source, json, "games_through");
    ReportFirstMove first = {.move = source_text(source, json, "move"),
                             .moves = source_texts(source, json, "moves"),
                             .games = source_int(source, json, is_of_book ? "games_through" : "games", 0, 1000000000),
                             .fair_komi = source_fair_komi(source, json),
                             .probability = source_number(source, json, "probability", 0, 1)};
    if (!is_of_book)
        read_curves(source, json, &first);
    join_brackets(&first);
    return first;
}

/* The best first move stays the first. The others: by their chance as the table shows it, then by fair komi. */
static int compare_moves(const void *left, const void *right) {
    const ReportFirstMove *a = left, *b = right;
    const double more = round(1e3 * b->probability) - round(1e3 * a->probability);
    const double higher = b->fair_komi.estimate - a->fair_komi.estimate, by = fabs(more) > 0.5 ? more : higher;
    return (by > 0) - (by < 0);
}

void report_first_moves_read(ReportSource *source, const cJSON *array, ReportFirstMoves *first) {
    first->list = source_list(source, "first_moves", array, sizeof *first->list);
    for (const cJSON *item = array ? array->child : NULL; item && !source->failed; item = item->next)
        first->list[first->count++] = read_one(source, item);
    if (first->count > 2)
        qsort(first->list + 1, (size_t)first->count - 1, sizeof *first->list, compare_moves);
}

void report_first_moves_free(ReportFirstMoves *first) {
    free(first->list);
    *first = (ReportFirstMoves){0};
}

/* ---- Writing ---- */

/* Puts a first move on its cells. The best ones are dark; what is ten points worse is light. */
static void put_move(const Hexhex *board, const ReportFirstMove *first, const ReportFirstMove *best,
                     ReportCell *cells) {
    char value[HTML_KOMI_TEXT];
    for (const cJSON *move = first->moves->child; move; move = move->next) {
        const int at = hexhex_named(board, move->valuestring);
        if (at < 0) /* take-button */
            continue;
        ReportCell *cell = &cells[at];
        cell->known = true;
        cell->tint = fmax(-1, 1 - (best->fair_komi.estimate - first->fair_komi.estimate) / 5);
        cell->marked = first == best;
        report_cell_fair_komi(cell, first->fair_komi);
        html_fair_komi_text(value, first->fair_komi);
        snprintf(cell->title, sizeof cell->title, "%.12s: %s, best with %.0f%%", move->valuestring, value,
                 100 * first->probability);
    }
}

void report_first_moves_board(FILE *out, const Hexhex *board, const ReportFirstMoves *first, const char *what) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    char caption[120];
    for (int i = 0; i < first->count; i++)
        put_move(board, &first->list[i], &first->list[0], cells);
    snprintf(caption, sizeof caption, "Fair komi after each first move (%s)", what);
    report_board(out, board, cells, NULL, caption,
                 "The board with the fair komi after each first move; the best ones have a thick border. The table "
                 "below has the numbers.");
}

void report_first_moves_table(FILE *out, const ReportFirstMoves *first, const char *what) {
    char caption[120];
    snprintf(caption, sizeof caption, "Classes of symmetric first moves (%s)", what);
    html_table(out, caption, "First|Cells|Games|Fair komi after it|The best");
    for (int i = 0; i < first->count; i++) {
        const ReportFirstMove *one = &first->list[i];
        fputs(i == 0 ? "<tr class=\"chosen\">" : "<tr>", out);
        html_element(out, "th", NULL, one->move);
        html_cells(out, one->moves);
        fprintf(out, "<td>%d</td>", one->games);
        html_fair_komi(out, one->fair_komi);
        fprintf(out, "<td>%.1f%%</td></tr>\n", 100 * one->probability);
    }
    html_table_end(out);
}
