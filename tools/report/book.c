/* Opening books in a report: the fair komi of the board, what each first move is worth, the best line, and all
 * positions to click through (book_panels.c), see selfplay/runs/book/result_internal.h for the document. */
#include "selfplay/runs/komi/second.h"
#include "tools/report/book_panels_internal.h"
#include "tools/report/first_moves_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

/* The book of a parity. */
typedef struct BookPart {
    const char *parity, *line;
    int games, different, positions;
    KomiEstimate fair_komi;
    bool proved; /* by the solver, from the empty board */
    ReportFirstMoves first;
    BookPositions tree; /* empty if the document has none */
} BookPart;

enum { PARTS = 2 };

typedef struct BookReport {
    const Game *game;
    BookPart parts[PARTS];
    int count;
    bool has_both, has_gap; /* both parities together, and by how much even komi is above odd komi */
    KomiEstimate both;
    double gap;
    Interval gap_ci95;
    bool has_exact, has_bounds;
    double exact[PARTS]; /* what the solver has proved of the board: without and with the button */
    Interval bounds;     /* of a board that is not solved, without the button */
    const cJSON *player;
    bool has_check; /* a fair-komi run of the same page by players of the same strength */
    KomiEstimate check;
    char effort[EFFORT_TEXT_MAX];
    char id[24]; /* begins the names of its panels: another one for each document of a page */
} BookReport;

static bool is_odd(const BookPart *part) {
    return !strcmp(part->parity, "odd");
}

/* ---- Reading ---- */

static void read_part(ReportSource *source, const Game *game, const cJSON *json, BookPart *part) {
    const cJSON *list = source_array(source, json, "first_moves");
    part->parity = source_text(source, json, "parity");
    part->line = source_text(source, json, "line");
    part->games = source_int(source, json, "games", 0, 1000000000);
    part->different = source_int(source, json, "different_games", 0, 1000000000);
    part->positions = source_int(source, json, "positions", 1, 1000000000);
    part->fair_komi = source_fair_komi(source, json);
    report_first_moves_read(source, list, &part->first);
    if (source_optional(source, json, "nodes"))
        book_positions_read(source, game, source_array(source, json, "nodes"), is_odd(part), &part->tree);
    part->proved = part->tree.count > 0 && part->tree.list[0].exact;
}

/* What the solver has proved of the board. */
static void read_proved(ReportSource *source, BookReport *report) {
    const cJSON *exact = source_optional(source, source->json, "exact");
    const cJSON *bounds = source_optional(source, source->json, "proved_bounds");
    report->has_exact = exact;
    report->has_bounds = bounds;
    if (exact) {
        report->exact[0] = source_number(source, exact, "even", -1e3, 1e3);
        report->exact[1] = source_number(source, exact, "odd_with_button", -1e3, 1e3);
    }
    if (bounds) {
        report->bounds.low = source_number(source, bounds, "lower", -1e3, 1e3);
        report->bounds.high = source_number(source, bounds, "upper", -1e3, 1e3);
    }
}

/* What both books say together. */
static void read_both(ReportSource *source, BookReport *report) {
    const cJSON *both = source_optional(source, source->json, "combined");
    const cJSON *gap = source_optional(source, source->json, "gap");
    report->has_both = both;
    report->has_gap = gap;
    if (both)
        report->both = source_fair_komi(source, both);
    if (gap) {
        report->gap = source_number(source, gap, "estimate", -1000, 1000);
        report->gap_ci95 = source_interval(source, gap, "ci95");
    }
}

/* Takes what a rung says, if its players are as strong as those of the book: `player` has their effort. */
static void see_rung(BookReport *report, const cJSON *rung, const cJSON *player) {
    ReportSource source = {.path = ""}; /* the run has been read before */
    char effort[EFFORT_TEXT_MAX];
    effort_text(source_effort(&source, player), effort);
    if (strcmp(effort, report->effort))
        return;
    report->check = source_together(&source, source_object(&source, rung, "fair_komi"));
    report->has_check = !source.failed;
}

static bool is_text(const cJSON *json, const char *text) {
    return cJSON_IsString(json) && !strcmp(json->valuestring, text);
}

/* Whether a document is a fair-komi run of the same board, from forced first moves too, by two equal sides that play
 * with the network of the book. */
static bool can_check(const BookReport *report, const cJSON *other) {
    const cJSON *size = json_get(other, "size");
    return is_text(json_get(json_get(other, "schema"), "name"), "stigmergy-komi") &&
           is_text(json_get(other, "game"), report->game->name) && cJSON_IsNumber(size) &&
           size->valueint == report->game->board.size && json_get(other, "first_moves") &&
           !json_get(json_get(other, "settings"), "upgrade") &&
           komi_same_family(json_get(other, "player"), report->player);
}

/* Finds such a run with a rung of the same strength. A document without a ladder is one rung. */
static void see(void *object, const cJSON *other) {
    BookReport *report = object;
    const cJSON *ladder = json_get(other, "ladder"), *rung;
    if (!can_check(report, other))
        return;
    if (!ladder)
        see_rung(report, other, json_get(other, "player"));
    cJSON_ArrayForEach(rung, ladder) see_rung(report, rung, rung);
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    BookReport *report = object;
    const cJSON *books = source_array(source, source->json, "books");
    report->game = game;
    report->player = source_object(source, source->json, "player");
    effort_text(source_effort(source, report->player), report->effort);
    snprintf(report->id, sizeof report->id, "book-%d", source->order + 1);
    read_both(source, report);
    read_proved(source, report);
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
    return is_odd(part) ? "odd, with the button" : "even";
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
        html_fair_komi(out, part->fair_komi);
        html_element(out, "td", "text", part->first.count ? part->first.list[0].move : "");
        if (part->first.count)
            fprintf(out, "<td>%.0f%%</td>", 100 * part->first.list[0].probability);
        else
            fputs("<td></td>", out);
    }
    if (report->has_both) {
        fputs("</tr><tr><td></td>", out);
        html_element(out, "td", "text", report->effort);
        fputs("<td class=\"text\">together</td><td></td>", out);
        html_fair_komi(out, report->both);
        fputs("<td></td><td></td>", out);
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

static void write_value(FILE *out, KomiEstimate known) {
    html_fair_komi_bold(out, known);
    html_fair_komi_range(out, known);
}

static void write_both(FILE *out, const BookReport *report) {
    fputs("<div class=\"facts\">\n<p>", out);
    write_value(out, report->both);
    fputs(" fair komi, even and odd komi together: the value of best play by both sides in the book</p>\n", out);
    if (report->has_check) {
        fputs("<p>", out);
        write_value(out, report->check);
        fputs(" says the fair-komi run of this page that forces the first move alone, by players of the same "
              "strength</p>\n",
              out);
    }
    if (report->has_gap)
        fprintf(out,
                "<p><b>%+.1f</b> from the fair odd komi to the fair even one (%.1f to %.1f); with perfect play they "
                "are half a point apart, and what is more than that is the players' error</p>\n",
                html_tenth(report->gap), html_tenth(report->gap_ci95.low), html_tenth(report->gap_ci95.high));
    fputs("</div>\n", out);
}

static bool leaves_out(const BookReport *report, const BookPart *part) {
    return !interval_contains(part->fair_komi.ci95, report->exact[is_odd(part)]);
}

/* What the solver has proved, and whether the books agree with it. */
static void write_proved(FILE *out, const BookReport *report) {
    bool misleading = false;
    for (int i = 0; i < report->count; i++)
        misleading |= leaves_out(report, &report->parts[i]);
    if (report->has_exact)
        html_perfect_play(out, report->exact, misleading);
    else if (report->has_bounds)
        fprintf(out, "<p><b>%+g to %+g</b> is perfect play worth to Black: the solver has proved no more</p>\n",
                report->bounds.low, report->bounds.high);
}

/* How many there are: "1 game", "2 games". */
static void write_number(FILE *out, int number, const char *name) {
    fprintf(out, "%d %s%s", number, name, number == 1 ? "" : "s");
}

static void write_counts(FILE *out, const BookPart *part) {
    write_number(out, part->games, "game");
    if (part->games > 1)
        fprintf(out, ", %d of them different", part->different);
    fputs(", and ", out);
    write_number(out, part->positions, "position");
}

static void write_part(FILE *out, const BookReport *report, const BookPart *part) {
    char what[40];
    snprintf(what, sizeof what, "komi: %s", komi_of(part));
    fputs("<p>", out);
    if (part->proved)
        fprintf(out, "<b>%g</b> is the fair komi (%s): proved. ", part->fair_komi.estimate, komi_of(part));
    else {
        write_value(out, part->fair_komi);
        fprintf(out, " is the fair komi (%s). ", komi_of(part));
    }
    write_counts(out, part);
    fputs(". The best line: <b>", out);
    html_text(out, *part->line ? part->line : "none yet");
    fputs("</b></p>\n<div class=\"figures\">\n", out);
    report_first_moves_board(out, &report->game->board, &part->first, what);
    fputs("</div>\n", out);
    report_first_moves_table(out, &part->first, what);
    if (part->tree.count > 0 && part->tree.list[0].children && part->tree.list[0].children->child)
        write_tree(out, report, part);
}

static void write_section(FILE *out, const void *object) {
    const BookReport *report = object;
    if (report->has_both)
        write_both(out, report);
    write_proved(out, report);
    for (int i = 0; i < report->count; i++)
        write_part(out, report, &report->parts[i]);
}

const ReportKind report_book = {
    .schema = "stigmergy-book",
    .title = "Opening books",
    .heading = "Opening book",
    .estimated = true,
    .columns = "Board|~Strength|~Komi|Games|Fair komi|~Best first move|Probability",
    .object_size = sizeof(BookReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .see = see,
    .clear = clear,
};
