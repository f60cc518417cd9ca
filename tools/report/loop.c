/* A training loop in a report: what selfplay/training/loop.py has done so far. selfplay/training/README.md describes
 * the document.
 *
 * The Elo of a generation is that of the network that it was to replace plus the mean of its gate's matches. Zero is
 * the network that the loop began with, or generation 0 where there was none and its gate has no matches. The errors
 * add up from gate to gate, and a network that got through was lucky more often than not. A rating of all generations
 * against each other says more. Matches with ratings that are on the same page are taken for that: their players are
 * recognised by the hash of their network. */
#include "tools/report/loop_internal.h"

#include "tools/report/html.h"
#include "tools/report/kind_internal.h"

#include <math.h>
#include <stdlib.h>

/* ---- Reading ---- */

static const char *const measure_keys[LOOP_MEASURES] = {"policy", "win", "score", "owner", "best_move"};

static void read_judged(ReportSource *source, const cJSON *json, LoopGeneration *generation) {
    const cJSON *judged = source_optional(source, json, "judged") ? source_object(source, json, "judged") : NULL;
    for (const cJSON *item = judged ? judged->child : NULL; item; item = item->next) {
        char *end;
        const long size = strtol(item->string, &end, 10);
        if (*end || size < HEXHEX_MIN_SIZE || size > HEXHEX_MAX_SIZE || !cJSON_IsObject(item)) {
            source_fail(source, "judged", "keys that are board sizes, each with an object");
            return;
        }
        generation->judged[size] = true;
        for (int i = 0; i < LOOP_MEASURES; i++)
            generation->measures[size][i] = source_optional(source, item, measure_keys[i])
                                                ? source_number(source, item, measure_keys[i], -1e3, 1e3)
                                                : NAN;
    }
}

static void read_costs(ReportSource *source, const cJSON *json, LoopGeneration *generation) {
    static const char *const steps[] = {"selfplay", "training", "gate"};
    const cJSON *seconds = source_object(source, json, "seconds");
    for (int i = 0; i < 3; i++)
        if (source_optional(source, seconds, steps[i]))
            generation->seconds[i] = source_number(source, seconds, steps[i], 0, 1e9);
    if (source_optional(source, json, "games"))
        generation->games = source_number(source, json, "games", 0, 1e12);
    if (source_optional(source, json, "rows"))
        generation->rows = source_number(source, json, "rows", 0, 1e15);
}

static double square(double x) {
    return x * x;
}

/* The rating of a network that was measured against a rated one: estimates are added, errors are added in squares. */
static ReportRating add_ratings(ReportRating a, ReportRating b) {
    const double estimate = a.estimate + b.estimate;
    const double below = sqrt(square(a.estimate - a.ci95.low) + square(b.estimate - b.ci95.low));
    const double above = sqrt(square(a.ci95.high - a.estimate) + square(b.ci95.high - b.estimate));
    return (ReportRating){true, estimate, {estimate - below, estimate + above}};
}

/* Reads the matches of a gate: the mean of their Elo differences over the board sizes. */
static ReportRating read_gate(ReportSource *source, const cJSON *json) {
    ReportRating sum = {.known = false};
    const cJSON *matches = source_array(source, json, "matches");
    for (const cJSON *item = matches ? matches->child : NULL; item; item = item->next)
        sum = add_ratings(sum, source_rating(source, source_object(source, item, "elo")));
    if (!sum.known)
        return sum;
    const double count = cJSON_GetArraySize(matches);
    return (ReportRating){true, sum.estimate / count, {sum.ci95.low / count, sum.ci95.high / count}};
}

static void read_generation(ReportSource *source, const cJSON *json, LoopReport *report) {
    LoopGeneration *generation = &report->generations[report->count];
    if (source_int(source, json, "number", 0, 1000000) != report->count)
        source_fail(source, "number", "0, 1, 2 and so on");
    generation->promoted = source_bool(source, json, "promoted");
    generation->network_hash = source_optional_text(source, json, "network_hash");
    read_costs(source, json, generation);
    read_judged(source, json, generation);
    const ReportRating gate = read_gate(source, json);
    if (report->count == 0)
        report->from_network = gate.known;
    const ReportRating zero = {.known = true};
    if (gate.known)
        generation->gate = add_ratings(report->best < 0 ? zero : report->generations[report->best].gate, gate);
    else if (report->best < 0 && !report->from_network)
        generation->gate = zero;
    if (generation->promoted)
        report->best = report->count;
    report->count++;
}

static void read_document(ReportSource *source, const Game *game, void *object) {
    LoopReport *report = object;
    (void)game;
    const cJSON *list = source_array(source, source->json, "generations");
    report->best = -1;
    report->generations = source_list(source, "generations", list, sizeof *report->generations);
    for (const cJSON *item = list ? list->child : NULL; item && !source->failed; item = item->next)
        read_generation(source, item, report);
}

static void clear(void *object) {
    LoopReport *report = object;
    for (int i = 0; i < report->table_count; i++)
        free(report->tables[i].ratings);
    free(report->generations);
}

/* ---- Ratings from other documents ---- */

/* The generation whose network a match's player has; -1 if it has none of them. */
static int find_generation(const LoopReport *report, const cJSON *match, const char *player) {
    const cJSON *players = json_get(json_get(match, "settings"), "players");
    for (const cJSON *item = cJSON_IsArray(players) ? players->child : NULL; item; item = item->next) {
        const cJSON *name = json_get(item, "name"), *hash = json_get(item, "network_hash");
        if (!cJSON_IsString(name) || strcmp(name->valuestring, player) || !cJSON_IsString(hash))
            continue;
        for (int i = 0; i < report->count; i++)
            if (report->generations[i].network_hash && !strcmp(report->generations[i].network_hash, hash->valuestring))
                return i;
    }
    return -1;
}

/* Moves the ratings so that the earliest generation has what the gates say of it. */
static void anchor(const LoopReport *report, ReportRating *ratings) {
    int first = 0;
    while (!ratings[first].known)
        first++;
    const double shift = report->generations[first].gate.estimate - ratings[first].estimate;
    for (int i = 0; i < report->count; i++) {
        ratings[i].estimate += shift;
        ratings[i].ci95.low += shift;
        ratings[i].ci95.high += shift;
    }
}

static void see(void *object, const cJSON *other) {
    LoopReport *report = object;
    int known = 0;
    const cJSON *name = json_get(json_get(other, "schema"), "name"), *list = json_get(other, "ratings");
    if (!cJSON_IsString(name) || strcmp(name->valuestring, "stigmergy-match") || report->table_count == LOOP_TABLES_MAX)
        return;
    ReportRating *ratings = calloc((size_t)report->count + 1, sizeof *ratings);
    ReportSource source = {.path = ""}; /* the match has been read before */
    for (const cJSON *item = ratings && cJSON_IsArray(list) ? list->child : NULL; item; item = item->next) {
        const int number = find_generation(report, other, source_text(&source, item, "player"));
        if (number < 0 || ratings[number].known)
            continue;
        ratings[number] = source_rating(&source, item);
        known++;
    }
    if (known < 2) {
        free(ratings);
        return;
    }
    anchor(report, ratings);
    report->tables[report->table_count++] =
        (LoopTable){source_int(&source, other, "size", HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE), ratings};
}

/* ---- Writing ---- */

static double total_seconds(const LoopReport *report) {
    double seconds = 0;
    for (int i = 0; i < report->count; i++)
        seconds +=
            report->generations[i].seconds[0] + report->generations[i].seconds[1] + report->generations[i].seconds[2];
    return seconds;
}

/* A cell with a number; empty if it is not known. */
static void write_count(FILE *out, double count) {
    fputs("<td>", out);
    if (count > 0)
        html_count(out, count);
    fputs("</td>", out);
}

static void write_line(FILE *out, const void *object) {
    const LoopReport *report = object;
    double games = 0, rows = 0;
    for (int i = 0; i < report->count; i++) {
        games += report->generations[i].games;
        rows += report->generations[i].rows;
    }
    fprintf(out, "<td>%d</td>", report->count);
    write_count(out, games);
    write_count(out, rows);
    fprintf(out, "<td>%.1f</td>", total_seconds(report) / 3600);
    if (report->best < 0) {
        fputs("<td>none yet</td><td></td>", out);
        return;
    }
    fprintf(out, "<td>%d</td>", report->best);
    html_rating(out, report->generations[report->best].gate);
}

/* A cell with the minutes of self-play, training and gate; empty if none is known. */
static void write_minutes(FILE *out, const double seconds[3]) {
    if (seconds[0] + seconds[1] + seconds[2] > 0)
        fprintf(out, "<td>%.0f + %.0f + %.0f</td>", seconds[0] / 60, seconds[1] / 60, seconds[2] / 60);
    else
        fputs("<td></td>", out);
}

static void write_generation(FILE *out, const LoopReport *report, int number) {
    const LoopGeneration *generation = &report->generations[number];
    fputs(number == report->best ? "<tr class=\"chosen\">" : "<tr>", out);
    fprintf(out, "<th>%d</th>", number);
    write_count(out, generation->games);
    write_count(out, generation->rows);
    write_minutes(out, generation->seconds);
    html_rating(out, generation->gate);
    for (int i = 0; i < report->table_count; i++)
        html_rating(out, report->tables[i].ratings[number]);
    html_element(out, "td", "text", generation->promoted ? "yes" : "no");
    html_format(out, "td", "text", "%.8s", generation->network_hash ? generation->network_hash : "");
    fputs("</tr>\n", out);
}

static void write_generations(FILE *out, const LoopReport *report) {
    char columns[320] = "No.|Games|Rows|Minutes|Elo by gates";
    for (int i = 0; i < report->table_count; i++) {
        const size_t used = strlen(columns);
        snprintf(columns + used, sizeof columns - used, "|On hexhex-%d", report->tables[i].size);
    }
    strcat(columns, "|~Better|~Network");
    html_table(out,
               report->from_network ? "Generations, with the minutes of self-play + training + gate; the Elo is above "
                                      "the network that the loop began with"
                                    : "Generations, with the minutes of self-play + training + gate",
               columns);
    for (int i = 0; i < report->count; i++)
        write_generation(out, report, i);
    html_table_end(out);
}

static bool is_judged(const LoopGeneration *generation) {
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++)
        if (generation->judged[size])
            return true;
    return false;
}

/* A cell with a measure; empty if it is not known. */
static void write_measure(FILE *out, double measure, bool percent) {
    if (isnan(measure))
        fputs("<td></td>", out);
    else if (percent)
        fprintf(out, "<td>%.1f%%</td>", 100 * measure);
    else
        fprintf(out, "<td>%.3f</td>", measure);
}

/* What the newest generation has learnt that was judged, by board size. */
static void write_judged(FILE *out, const LoopReport *report) {
    char caption[100];
    int number = report->count - 1;
    while (number >= 0 && !is_judged(&report->generations[number]))
        number--;
    if (number < 0)
        return;
    const LoopGeneration *last = &report->generations[number];
    snprintf(caption, sizeof caption, "Generation %d on games held back from training", number);
    html_table(out, caption, "Board|Best move|Policy|Win|Score|Owners");
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        if (!last->judged[size])
            continue;
        fprintf(out, "<tr><th>hexhex-%d</th>", size);
        write_measure(out, last->measures[size][LOOP_BEST_MOVE], true);
        for (LoopMeasure i = LOOP_POLICY; i <= LOOP_OWNER; i++)
            write_measure(out, last->measures[size][i], false);
        fputs("</tr>\n", out);
    }
    html_table_end(out);
}

/* From the first generation to the best one: by each rating that has both, and by the gates. */
static void write_gain(FILE *out, const LoopReport *report) {
    if (report->best < 0 || (report->best == 0 && !report->from_network))
        return;
    for (int i = 0; i < report->table_count; i++) {
        const ReportRating *ratings = report->tables[i].ratings;
        if (report->best > 0 && ratings[0].known && ratings[report->best].known)
            fprintf(out, "<p><b>%+.0f</b> Elo from generation 0 to generation %d, all against all on hexhex-%d</p>\n",
                    html_whole(ratings[report->best].estimate - ratings[0].estimate), report->best,
                    report->tables[i].size);
    }
    fprintf(out, "<p><b>%+.0f</b> Elo from %s to generation %d, by the matches of the gates, added up</p>\n",
            html_whole(report->generations[report->best].gate.estimate), report_loop_zero(report), report->best);
}

static void write_facts(FILE *out, const LoopReport *report) {
    int promoted = 0;
    for (int i = 0; i < report->count; i++)
        promoted += report->generations[i].promoted;
    fputs("<div class=\"facts\">\n", out);
    write_gain(out, report);
    fprintf(out,
            "<p><b>%d</b> generation%s, of which %d took over</p>\n<p><b>%.1f</b> hours of self-play, training and "
            "matches</p>\n</div>\n",
            report->count, report->count == 1 ? "" : "s", promoted, total_seconds(report) / 3600);
}

static void write_section(FILE *out, const void *object) {
    const LoopReport *report = object;
    write_facts(out, report);
    if (report->count == 0)
        return;
    fputs("<div class=\"figures\">\n", out);
    report_loop_elo(out, report);
    report_loop_measure(out, report, LOOP_BEST_MOVE, "How often the policy prefers the search's best move",
                        "positions");
    report_loop_measure(out, report, LOOP_POLICY, "Policy: cross-entropy with the searches", "nats");
    report_loop_measure(out, report, LOOP_WIN, "Value: cross-entropy with the winner", "nats");
    fputs("</div>\n", out);
    write_generations(out, report);
    write_judged(out, report);
}

const ReportKind report_loop = {
    .schema = "stigmergy-loop",
    .title = "Training loops",
    .heading = "Training loop",
    .columns = "Game|Generations|Games|Rows|Hours|Best|Elo by gates",
    .all_sizes = true,
    .object_size = sizeof(LoopReport),
    .read = read_document,
    .see = see,
    .write_line = write_line,
    .write_section = write_section,
    .clear = clear,
};
