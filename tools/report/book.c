/* Opening books in a report: the fair komi of the board, what each first move is worth, the best line, and all
 * positions to click through (book_panels.c), see selfplay/runs/book/result_internal.h for the document. */
#include "tools/report/book_panels_internal.h"
#include "tools/report/first_moves_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <ctype.h>

/* The book of a parity. */
typedef struct BookPart {
    const char *parity, *line;
    int games, different, positions;
    double fair_komi;
    Interval ci95;
    int black_up_to, white_from;
    ReportFirstMoves first;
    BookPositions tree; /* empty if the document has none */
} BookPart;

enum { PARTS = 2 };

typedef struct BookReport {
    const Game *game;
    BookPart parts[PARTS];
    int count;
    char effort[32];
    char id[24]; /* begins the names of its panels */
} BookReport;

/* ---- Reading ---- */

static void read_part(ReportSource *source, const Game *game, const cJSON *json, BookPart *part) {
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
    report_first_moves_read(source, list, &part->first);
    if (source_optional(source, json, "nodes"))
        book_positions_read(source, game, source_array(source, json, "nodes"), !strcmp(part->parity, "odd"),
                            &part->tree);
}

/* The letters and digits of the run's name. */
static void make_id(const char *run, char id[24]) {
    int length = snprintf(id, 24, "book-");
    for (; *run && length < 23; run++)
        if (isalnum((unsigned char)*run))
            id[length++] = *run;
    id[length] = '\0';
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    BookReport *report = object;
    const cJSON *books = source_array(source, source->json, "books");
    report->game = game;
    source_effort(source, source_object(source, source->json, "player"), report->effort);
    make_id(source_text(source, source->json, "run"), report->id);
    if (cJSON_GetArraySize(books) < 1 || cJSON_GetArraySize(books) > PARTS)
        source_fail(source, "books", "one or two of them");
    for (const cJSON *item = books ? books->child : NULL; item && !source->failed; item = item->next)
        read_part(source, game, item, &report->parts[report->count++]);
}

static void clear(void *object) {
    BookReport *report = object;
    for (int i = 0; i < PARTS; i++) {
        report_first_moves_free(&report->parts[i].first);
        book_positions_free(&report->parts[i].tree);
    }
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
        html_element(out, "td", "text", part->first.count ? part->first.list[0].move : "");
        if (part->first.count)
            fprintf(out, "<td>%.0f%%</td>", 100 * part->first.list[0].probability);
        else
            fputs("<td></td>", out);
    }
}

static void write_tree(FILE *out, const BookReport *report, const BookPart *part) {
    char id[40];
    snprintf(id, sizeof id, "%s-%s", report->id, strcmp(part->parity, "odd") ? "even" : "odd");
    html_format(out, "h3", NULL, "The book, komi: %s", komi_of(part));
    fputs(
        "<p>Click a move to see what follows it. A position may be shown rotated or reflected, for the book keeps each "
        "once.</p>\n",
        out);
    report_book_panels_write(out, report->game, &part->tree, id);
}

static void write_part(FILE *out, const BookReport *report, const BookPart *part) {
    char what[40];
    snprintf(what, sizeof what, "komi: %s", komi_of(part));
    fprintf(
        out,
        "<p><b>%.1f</b> (%.1f to %.1f) is the fair komi (%s). Black wins up to komi %d, White from %d. %d games, %d "
        "of them different, and %d positions. The best line: <b>",
        part->fair_komi, part->ci95.low, part->ci95.high, komi_of(part), part->black_up_to, part->white_from,
        part->games, part->different, part->positions);
    html_text(out, *part->line ? part->line : "none yet");
    fputs("</b></p>\n<div class=\"figures\">\n", out);
    report_first_moves_board(out, &report->game->board, &part->first, what);
    fputs("</div>\n", out);
    report_first_moves_table(out, &part->first, what);
    if (part->tree.count > 0)
        write_tree(out, report, part);
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
