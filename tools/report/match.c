/* Matches in a report: what `stigmergy match` has found, see selfplay/runs/match/result.c for the document. */
#include "engine/games/registry.h"
#include "selfplay/stats/elo.h"
#include "tools/cli/elo_text.h"
#include "tools/report/chart_internal.h"
#include "tools/report/games_internal.h"
#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* The games between two players. */
typedef struct Pairing {
    const char *a, *b;
    double pairs[3];  /* in which `a` scored 0, one half, 1 */
    double different; /* pairs that they are worth: some may be equal */
    double score;
    ReportRating elo;
} Pairing;

typedef struct MatchReport {
    const Game *game;
    int games, pairs;
    double mean_komi, mean_turns, duplicate_share;
    bool auto_komi;
    Pairing *pairings;
    int pairing_count;
    const cJSON *ratings, *results, *sprt; /* checked; sprt is NULL if there was no test */
    ReportGames played;
} MatchReport;

/* ---- Reading ---- */

static Pairing read_pairing(ReportSource *source, const cJSON *json) {
    static const char *const scores[] = {"0", "0.5", "1"};
    const cJSON *pairs = source_object(source, json, "pair_scores");
    Pairing pairing = {.score = source_number(source, json, "score", 0, 1)};
    for (int i = 0; i < 3; i++)
        pairing.pairs[i] = source_number(source, pairs, scores[i], 0, 1e9);
    const double all = pairing.pairs[0] + pairing.pairs[1] + pairing.pairs[2];
    pairing.different = all;
    if (source_optional(source, json, "effective_pairs")) /* old documents have none */
        pairing.different = source_number(source, json, "effective_pairs", 0, all);
    pairing.elo = source_rating(source, source_object(source, json, "elo"));
    return pairing;
}

/* The table of pairings, or the two players of the whole document. */
static void read_pairings(ReportSource *source, MatchReport *report) {
    const cJSON *list = source_optional(source, source->json, "pairings");
    report->pairings = source_list(source, "pairings", list, sizeof *report->pairings);
    if (!report->pairings)
        return;
    if (!list) {
        report->pairings[report->pairing_count++] = read_pairing(source, source->json);
        report->pairings[0].a = source_text(source, cJSON_GetArrayItem(report->results, 0), "player");
        report->pairings[0].b = source_text(source, cJSON_GetArrayItem(report->results, 1), "player");
        return;
    }
    for (const cJSON *item = list->child; item && !source->failed; item = item->next) {
        Pairing *pairing = &report->pairings[report->pairing_count++];
        *pairing = read_pairing(source, item);
        pairing->a = source_text(source, item, "a");
        pairing->b = source_text(source, item, "b");
    }
}

/* Checks the parts that are later written directly from the document. */
static void check_tables(ReportSource *source, MatchReport *report) {
    report->results = source_array(source, source->json, "results");
    for (const cJSON *item = report->results ? report->results->child : NULL; item; item = item->next) {
        static const char *const parts[] = {"black", "white"};
        source_text(source, item, "player");
        source_number(source, item, "sims_per_move", 0, 1e15);
        source_object(source, item, "lost_by");
        for (int side = 0; side < 2; side++) {
            const cJSON *part = source_object(source, item, parts[side]);
            source_number(source, part, "wins", 0, source_number(source, part, "games", 0, 1e9));
        }
    }
    report->ratings = source_optional(source, source->json, "ratings");
    for (const cJSON *item = report->ratings ? report->ratings->child : NULL; item; item = item->next) {
        source_text(source, item, "player");
        source_rating(source, item);
    }
    report->sprt = source_optional(source, source->json, "sprt");
    if (report->sprt) {
        source_text(source, report->sprt, "verdict");
        source_number(source, report->sprt, "elo0", -1e5, 1e5);
        source_number(source, report->sprt, "elo1", -1e5, 1e5);
        source_number(source, report->sprt, "llr", -1e6, 1e6);
        source_interval(source, report->sprt, "bounds");
    }
}

static void clear(void *object) {
    MatchReport *report = object;
    report_games_free(&report->played);
    free(report->pairings);
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    MatchReport *report = object;
    report->game = game;
    const cJSON *json = source->json, *komi = source_optional(source, json, "komi");
    report->games = source_int(source, json, "games", 0, 1000000000);
    report->pairs = source_int(source, json, "pairs", 0, 1000000000);
    report->mean_komi = source_number(source, json, "mean_komi", -1e3, 1e3);
    report->mean_turns = source_number(source, json, "mean_turns", 0, 1e6);
    report->duplicate_share = source_number(source, json, "duplicate_share", 0, 1);
    report->auto_komi = cJSON_IsString(komi);
    check_tables(source, report);
    read_pairings(source, report);
    const cJSON *verdict = json_get(report->sprt, "verdict");
    const bool ended = cJSON_IsString(verdict) && strcmp(verdict->valuestring, "running");
    report_games_read(source, game, NULL, ended ? report->games : INT_MAX, &report->played);
}

/* ---- Text ---- */

static void write_players(FILE *out, const Pairing *pairing) {
    fputs("<td class=\"text\">", out);
    html_text(out, pairing->a);
    fputs(" – ", out);
    html_text(out, pairing->b);
    fputs("</td>", out);
}

static void write_line(FILE *out, const void *object) {
    const MatchReport *report = object;
    for (int i = 0; i < report->pairing_count; i++) {
        const Pairing *pairing = &report->pairings[i];
        if (i > 0)
            fputs("</tr>\n<tr><th></th>", out);
        write_players(out, pairing);
        fprintf(out, "<td>%.0f</td><td>%.1f%%</td>", pairing->pairs[0] + pairing->pairs[1] + pairing->pairs[2],
                100 * pairing->score);
        html_rating(out, pairing->elo);
        html_element(out, "td", "text", i == 0 && report->sprt ? json_get(report->sprt, "verdict")->valuestring : "");
    }
}

static Interval widest(Interval range, ReportRating rating) {
    return (Interval){fmin(range.low, fmax(rating.ci95.low, rating.estimate - 800)),
                      fmax(range.high, fmin(rating.ci95.high, rating.estimate + 800))};
}

static void write_whisker(FILE *out, ReportRating rating, Interval range) {
    fputs("<td>", out);
    chart_whisker(out, rating.estimate, rating.ci95, range);
    fputs("</td>", out);
}

static void write_ratings(FILE *out, const MatchReport *report) {
    ReportSource none = {.path = ""};
    Interval range = {0, 0};
    if (!report->ratings || !report->ratings->child)
        return;
    for (const cJSON *item = report->ratings->child; item; item = item->next)
        range = widest(range, source_rating(&none, item));
    html_table(out, "Ratings, with 95% intervals", "Player|Elo|");
    for (const cJSON *item = report->ratings->child; item; item = item->next) {
        const ReportRating rating = source_rating(&none, item);
        fputs("<tr>", out);
        html_element(out, "th", NULL, source_text(&none, item, "player"));
        html_rating(out, rating);
        write_whisker(out, rating, range);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

/* The numbers of pairs, and what they are worth where some are equal. */
static void write_pairs(FILE *out, const Pairing *pairing) {
    const double all = pairing->pairs[0] + pairing->pairs[1] + pairing->pairs[2];
    fprintf(out, "<td>%.0f</td><td>%.0f</td><td>%.0f", pairing->pairs[0], pairing->pairs[1], pairing->pairs[2]);
    if (pairing->different < 0.99 * all)
        fprintf(out, " <small>as good as %.0f different pairs</small>", pairing->different);
    fputs("</td>", out);
}

static void write_pairings(FILE *out, const MatchReport *report) {
    Interval range = {0, 0};
    for (int i = 0; i < report->pairing_count; i++)
        range = widest(range, report->pairings[i].elo);
    html_table(out, "Pairs of games with the colours changed, seen by the first player",
               "Players|Both lost|One won|Both won|Score|Elo|");
    for (int i = 0; i < report->pairing_count; i++) {
        const Pairing *pairing = &report->pairings[i];
        fputs("<tr>", out);
        write_players(out, pairing);
        write_pairs(out, pairing);
        fprintf(out, "<td>%.1f%%</td>", 100 * pairing->score);
        html_rating(out, pairing->elo);
        write_whisker(out, pairing->elo, range);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

/* The games that a player lost without playing them to the end: "2 resigned, 1 illegal move". */
static void write_lost_early(FILE *out, const cJSON *lost_by) {
    static const char *const ways[][2] = {
        {"resign", "resigned"}, {"illegal", "illegal move"}, {"time", "out of time"}, {"crash", "crashed"}};
    const char *separator = "";
    for (int i = 0; i < 4; i++) {
        const cJSON *number = json_get(lost_by, ways[i][0]);
        if (cJSON_IsNumber(number) && number->valuedouble > 0) {
            fprintf(out, "%s%.0f %s", separator, number->valuedouble, ways[i][1]);
            separator = ", ";
        }
    }
}

/* "12 of 20" as Black and as White, the simulations, and the games that were lost early. */
static void write_results(FILE *out, const MatchReport *report) {
    ReportSource none = {.path = ""};
    html_table(out, "Results of each player",
               game_has_swap(report->game) /* who began may have White in the end */
                   ? "Player|Won as first player|Won as second|Simulations a move|~Lost before the end"
                   : "Player|Won as Black|Won as White|Simulations a move|~Lost before the end");
    for (const cJSON *item = report->results->child; item; item = item->next) {
        static const char *const parts[] = {"black", "white"};
        fputs("<tr>", out);
        html_element(out, "th", NULL, source_text(&none, item, "player"));
        for (int side = 0; side < 2; side++) {
            const cJSON *part = json_get(item, parts[side]);
            fprintf(out, "<td>%.0f of %.0f</td>", json_get(part, "wins")->valuedouble,
                    json_get(part, "games")->valuedouble);
        }
        fprintf(out, "<td>%.0f</td><td class=\"text\">", source_number(&none, item, "sims_per_move", 0, 1e15));
        write_lost_early(out, json_get(item, "lost_by"));
        fputs("</td></tr>\n", out);
    }
    html_table_end(out);
}

/* The Elo of the first player over the other one; words where that is no measured number. */
static void write_difference(FILE *out, const Pairing *pairing) {
    const Interval ci95 = pairing->elo.ci95;
    const bool bounded = ci95.low > -ELO_LIMIT && ci95.high < ELO_LIMIT;
    char estimate[ELO_TEXT_MAX], interval[ELO_TEXT_MAX];
    elo_text(pairing->elo.estimate, estimate);
    elo_text_interval(ci95, interval);
    fputs("<p>", out);
    if (fabs(pairing->elo.estimate) < ELO_LIMIT) {
        fprintf(out, "<b>%s</b> Elo for ", estimate);
        html_text(out, pairing->a);
    } else {
        html_text(out, pairing->a);
        fprintf(out, " <b>%s</b> games", estimate);
    }
    if (bounded)
        fprintf(out, ", 95%% interval %+.0f to %+.0f</p>\n", html_whole(ci95.low), html_whole(ci95.high));
    else
        fprintf(out, ", 95%% interval of the Elo: %s</p>\n", interval);
}

static void write_facts(FILE *out, const MatchReport *report) {
    ReportSource none = {.path = ""};
    fputs("<div class=\"facts\">\n", out);
    if (report->pairing_count == 1) {
        write_difference(out, &report->pairings[0]);
    }
    fprintf(out, "<p><b>%d</b> games in %d pair%s, %.1f turns each", report->games, report->pairs,
            report->pairs == 1 ? "" : "s", report->mean_turns);
    if (report->game->has_points)
        fprintf(out, ", %s %.1f", report->auto_komi ? "komi chosen for each opening, on average" : "komi",
                report->mean_komi);
    html_duplicates(out, report->duplicate_share);
    fputs("</p>\n", out);
    if (report->sprt) {
        const Interval bounds = source_interval(&none, report->sprt, "bounds");
        const char *verdict = source_text(&none, report->sprt, "verdict");
        fputs("<p>", out);
        html_element(out, "b", NULL, verdict);
        fprintf(out, ": the test of %g against %g normalized Elo stands at %.2f of %.2f to %.2f%s</p>\n",
                source_number(&none, report->sprt, "elo0", -1e5, 1e5),
                source_number(&none, report->sprt, "elo1", -1e5, 1e5),
                source_number(&none, report->sprt, "llr", -1e6, 1e6), bounds.low, bounds.high,
                strcmp(verdict, "running") ? ". The Elo above lies too far out: a test ends where luck has helped"
                                           : "");
    }
    fputs("</div>\n", out);
}

static void write_section(FILE *out, const void *object) {
    const MatchReport *report = object;
    write_facts(out, report);
    write_ratings(out, report);
    write_pairings(out, report);
    write_results(out, report);
    fputs("<div class=\"figures\">\n", out);
    report_games_write(out, &report->played);
    fputs("</div>\n", out);
}

const ReportKind report_match = {
    .schema = "stigmergy-match",
    .title = "Matches",
    .heading = "Match",
    .estimated = true,
    .columns = "Board|~Players|Pairs|Score|Elo|~Test",
    .object_size = sizeof(MatchReport),
    .read = read_document,
    .write_line = write_line,
    .write_section = write_section,
    .clear = clear,
};
