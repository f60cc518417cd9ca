/* Opening books in a report: the fair komi of the board, what each first move is worth, and the best line, see
 * selfplay/runs/book/result_internal.h for the document. */
#include "tools/report/board_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <math.h>
#include <stdlib.h>

/* A class of symmetric first moves. */
typedef struct FirstMove {
    const char *move;
    const cJSON *moves; /* all of them, checked */
    int games;
    double fair_komi;
    Interval ci95;
    double probability; /* of being the best */
} FirstMove;

/* The book of a parity. */
typedef struct BookPart {
    const char *parity, *line;
    int games, different, positions;
    double fair_komi;
    Interval ci95;
    int black_up_to, white_from;
    FirstMove *first_moves; /* the best first */
    int count;
} BookPart;

enum { PARTS = 2 };

typedef struct BookReport {
    const Game *game;
    BookPart parts[PARTS];
    int count;
    char effort[32];
} BookReport;

/* ---- Reading ---- */

static FirstMove read_first_move(ReportSource *source, const cJSON *json) {
    FirstMove first = {.move = source_text(source, json, "move"),
                       .moves = source_array(source, json, "moves"),
                       .games = source_int(source, json, "games", 0, 1000000000),
                       .fair_komi = source_number(source, json, "fair_komi", -1000, 1000),
                       .ci95 = source_interval(source, json, "ci95"),
                       .probability = source_number(source, json, "probability", 0, 1)};
    for (const cJSON *item = first.moves ? first.moves->child : NULL; item; item = item->next)
        if (!cJSON_IsString(item))
            source_fail(source, "moves", "moves as strings");
    return first;
}

static void read_part(ReportSource *source, const cJSON *json, BookPart *part) {
    const cJSON *list = source_array(source, json, "first_moves");
    part->parity = source_text(source, json, "parity");
    part->line = source_text(source, json, "line");
    part->games = source_int(source, json, "games", 0, 1000000000);
    part->different = source_int(source, json, "different_games", 0, 1000000000);
    part->positions = source_int(source, json, "positions", 1, 1000000000);
    part->fair_komi = source_number(source, json, "fair_komi", -1000, 1000);
    part->ci95 = source_interval(source, json, "ci95");
    part->black_up_to = source_int(source, json, "black_wins_up_to", -1000, 1000);
    part->white_from = source_int(source, json, "white_wins_from", -1000, 1000);
    part->first_moves = calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *part->first_moves);
    if (!part->first_moves)
        source_fail(source, "first_moves", "fewer of them: out of memory");
    for (const cJSON *item = list ? list->child : NULL; item && !source->failed; item = item->next)
        part->first_moves[part->count++] = read_first_move(source, item);
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    BookReport *report = object;
    const cJSON *books = source_array(source, source->json, "books");
    report->game = game;
    source_effort(source, source_object(source, source->json, "player"), report->effort);
    if (cJSON_GetArraySize(books) < 1 || cJSON_GetArraySize(books) > PARTS)
        source_fail(source, "books", "one or two of them");
    for (const cJSON *item = books ? books->child : NULL; item && !source->failed; item = item->next)
        read_part(source, item, &report->parts[report->count++]);
}

static void clear(void *object) {
    BookReport *report = object;
    for (int i = 0; i < PARTS; i++)
        free(report->parts[i].first_moves);
}

/* ---- Writing ---- */

static const char *komi_of(const BookPart *part) {
    return !strcmp(part->parity, "odd") ? "odd, with the button" : "even";
}

static void write_bracket(FILE *out, const BookPart *part) {
    fprintf(out, "<td>%d to %d</td>", part->black_up_to, part->white_from);
}

static void write_line(FILE *out, const void *object) {
    const BookReport *report = object;
    for (int i = 0; i < report->count; i++) {
        const BookPart *part = &report->parts[i];
        if (i > 0)
            fputs("</tr><tr><td></td>", out);
        html_element(out, "td", "text", report->effort);
        html_element(out, "td", "text", komi_of(part));
        fprintf(out, "<td>%d</td>", part->games);
        html_estimate(out, part->fair_komi, part->ci95, 1);
        write_bracket(out, part);
        html_element(out, "td", "text", part->count ? part->first_moves[0].move : "");
        if (part->count)
            fprintf(out, "<td>%.0f%%</td>", 100 * part->first_moves[0].probability);
        else
            fputs("<td></td>", out);
    }
}

/* Puts a first move on its cells. The best ones are dark; what is ten points worse is light. */
static void put_move(const BookReport *report, const BookPart *part, const FirstMove *first, ReportCell *cells) {
    for (const cJSON *move = first->moves->child; move; move = move->next) {
        const char *end = move->valuestring;
        const int at = hexhex_parse(&report->game->board, move->valuestring, &end);
        if (at < 0 || *end) /* take-button */
            continue;
        ReportCell *cell = &cells[at];
        cell->known = true;
        cell->tint = fmax(-1, 1 - (part->first_moves[0].fair_komi - first->fair_komi) / 5);
        cell->marked = first == part->first_moves;
        snprintf(cell->text, sizeof cell->text, "%.1f", first->fair_komi);
        snprintf(cell->title, sizeof cell->title, "%.12s: %.1f (%.1f to %.1f), best with %.0f%%", move->valuestring,
                 first->fair_komi, first->ci95.low, first->ci95.high, 100 * first->probability);
    }
}

static void draw_board(FILE *out, const BookReport *report, const BookPart *part) {
    ReportCell cells[HEXHEX_MAX_CELLS] = {0};
    char caption[80];
    for (int i = 0; i < part->count; i++)
        put_move(report, part, &part->first_moves[i], cells);
    snprintf(caption, sizeof caption, "Fair komi after each first move (komi: %s)", komi_of(part));
    report_board(out, &report->game->board, cells, caption,
                 "The board with the fair komi after each first move; the best ones have a thick border. The table "
                 "below has the numbers.");
}

static void write_part(FILE *out, const BookReport *report, const BookPart *part) {
    char caption[80];
    fprintf(
        out,
        "<p><b>%.1f</b> (%.1f to %.1f) is the fair komi (%s). Black wins up to komi %d, White from %d. %d games, %d "
        "of them different, and %d positions. The best line: <b>",
        part->fair_komi, part->ci95.low, part->ci95.high, komi_of(part), part->black_up_to, part->white_from,
        part->games, part->different, part->positions);
    html_text(out, *part->line ? part->line : "none yet");
    fputs("</b></p>\n<div class=\"figures\">\n", out);
    draw_board(out, report, part);
    fputs("</div>\n", out);
    snprintf(caption, sizeof caption, "Classes of symmetric first moves (komi: %s)", komi_of(part));
    html_table(out, caption, "First|Cells|Games|Fair komi after it|The best");
    for (int i = 0; i < part->count; i++) {
        const FirstMove *first = &part->first_moves[i];
        fputs(i == 0 ? "<tr class=\"chosen\">" : "<tr>", out);
        html_element(out, "th", NULL, first->move);
        fprintf(out, "<td>%d</td><td>%d</td>", cJSON_GetArraySize(first->moves), first->games);
        html_estimate(out, first->fair_komi, first->ci95, 1);
        fprintf(out, "<td>%.1f%%</td></tr>\n", 100 * first->probability);
    }
    html_table_end(out);
}

static void write_section(FILE *out, const void *object) {
    const BookReport *report = object;
    for (int i = 0; i < report->count; i++)
        write_part(out, report, &report->parts[i]);
}

const ReportKind report_book = {
    .schema = "stigmergy-book",
    .title = "Opening books",
    .heading = "Opening book",
    .columns = "Board|~Strength|~Komi|Games|Fair komi|Black wins to, White from|~Best first move|Probability",
    .object_size = sizeof(BookReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .clear = clear,
};
