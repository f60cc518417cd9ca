/* See games_internal.h. */
#include "tools/report/games_internal.h"

#include "engine/base/list.h"
#include "selfplay/record/record_file.h"
#include "tools/report/chart_internal.h"

#include <math.h>
#include <stdlib.h>

enum { BINS_WANTED = 24, BINS_MAX = 64, CAPTION_MAX = 100 };

/* ---- Reading ---- */

typedef struct Reading {
    ReportGames *games;
    const Game *game;
    const char *group;
    int end;                      /* games with this number and higher ones are left out */
    char (*names)[RECORD_ID_MAX]; /* of the groups met so far */
    int name_count, name_capacity;
    bool lacks_memory; /* for a name: then games are left out */
} Reading;

/* The number of a group, in the order of first appearance; -1 if it was not asked for. */
static int find_group(void *user, const char *name, size_t length) {
    Reading *reading = user;
    if (reading->group && (strlen(reading->group) != length || strncmp(reading->group, name, length) != 0))
        return -1;
    for (int i = 0; i < reading->name_count; i++)
        if (strlen(reading->names[i]) == length && !strncmp(reading->names[i], name, length))
            return i;
    const bool fits = length < RECORD_ID_MAX;
    if (!fits ||
        !list_grow(&reading->names, &reading->name_capacity, reading->name_count + 1, sizeof *reading->names)) {
        reading->lacks_memory |= fits;
        return -1;
    }
    snprintf(reading->names[reading->name_count], RECORD_ID_MAX, "%.*s", (int)length, name);
    return reading->name_count++;
}

static bool make_room(ReportGames *games) {
    int capacity = games->capacity; /* of both lists */
    return list_grow(&games->lengths, &capacity, games->count + 1, sizeof *games->lengths) &&
           list_grow(&games->margins, &games->capacity, games->count + 1, sizeof *games->margins);
}

/* The cell of the first move, -1 if that is on no cell. */
static int first_cell(const Game *game, const GameRecord *record) {
    char text[GAME_TEXT_MAX];
    GameState state;
    if (record->count == 0)
        return -1;
    game->rules->start(game, &state, record->komi);
    game->rules->format(game, &state, record->actions[0], text);
    return hexhex_named(&game->board, text);
}

static bool enter(void *user, const char *source, GameId id, const GameRecord *record, Error *error) {
    Reading *reading = user;
    ReportGames *games = reading->games;
    const Game *game = reading->game;
    if (id.number >= reading->end)
        return true;
    if (!make_room(games))
        return error_set(error, "%s: out of memory for the games", source);
    if (game->has_points && !end_is_forfeit(record->reason)) {
        int score[2];
        GameState state;
        game->rules->start(game, &state, record->komi);
        for (int i = 0; i < record->count; i++)
            game->rules->apply(game, &state, record->actions[i]);
        game->rules->board_score(game, &state, score);
        games->margins[games->ended++] = score[BLACK] - score[WHITE];
    }
    games->lengths[games->count++] = record->count;
    const int cell = first_cell(game, record);
    if (cell >= 0) {
        games->first[cell]++;
        games->first_won[cell] += record->result.winner == BLACK;
    }
    return true;
}

void report_games_read(ReportSource *source, const Game *game, const char *group, int end, ReportGames *games) {
    char path[FILE_PATH_MAX];
    const char *run = source_text(source, source->json, "run");
    *games = (ReportGames){.wanted = source_int(source, source->json, "games", 0, 1000000000)};
    if (source->failed)
        return;
    Reading reading = {.games = games, .game = game, .group = group, .end = end};
    const RecordGroups groups = {.find = find_group, .enter = enter, .user = &reading};
    Error error;
    const bool good = record_file_path(source->path, path, &error) &&
                      record_file_read(path, game, run, &groups, &error) &&
                      (!reading.lacks_memory || error_set(&error, "%s: out of memory for the games", path));
    free(reading.names);
    if (!good) {
        source->failed = true;
        source->error = error;
    }
}

void report_games_free(ReportGames *games) {
    free(games->lengths);
    free(games->margins);
    *games = (ReportGames){.count = 0};
}

/* ---- Histograms ---- */

typedef struct Histogram {
    int unit;                  /* values are this far apart: 2 where all are even or all odd, as margins are; else 1 */
    int low, width, bins;      /* bin i counts the values low + i * width .. low + (i + 1) * width - unit */
    int count[BINS_MAX], most; /* most: in the fullest bin */
    double mean;
} Histogram;

static Histogram make_histogram(const int *values, int count) {
    int low = values[0], high = values[0], unit = 2;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        unit = (values[i] - values[0]) % 2 ? 1 : unit;
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
        sum += values[i];
    }
    unit = low == high ? 1 : unit;
    const int width = unit * ((high - low) / (unit * BINS_WANTED) + 1);
    const int first = unit == 2 ? abs(low % 2) : 0; /* a bin begins here, so none has values on both sides of zero */
    low = first + width * (int)floor((double)(low - first) / width);
    Histogram histogram = {
        .unit = unit, .low = low, .width = width, .bins = (high - low) / width + 1, .mean = sum / count};
    for (int i = 0; i < count; i++) {
        int *bin = &histogram.count[(values[i] - low) / width];
        histogram.most = ++*bin > histogram.most ? *bin : histogram.most;
    }
    return histogram;
}

/* "7: 1 game", "24 to 25: 3 games". */
static void name_bar(char *title, size_t size, int from, int to, int games) {
    const char *name = games == 1 ? "game" : "games";
    if (from == to)
        snprintf(title, size, "%d: %d %s", from, games, name);
    else
        snprintf(title, size, "%d to %d: %d %s", from, to, games, name);
}

/* Draws it; bars below zero have the style `negative`, the others `positive`. */
static void draw_histogram(FILE *out, const char *caption, const char *label, const Histogram *histogram,
                           const char *negative, const char *positive, const char *legend) {
    const int unit = histogram->unit;
    const double low = histogram->low - 0.5 * unit, high = low + histogram->bins * histogram->width;
    Chart chart = {.out = out,
                   .x = {.low = fmin(low, high - 4), .high = high, .label = label, .whole = true},
                   .y = {.low = 0, .high = 1.06 * histogram->most, .label = "games", .whole = true}};
    char description[160];
    snprintf(description, sizeof description, "Histogram from %d to %d, mean %.1f.", histogram->low,
             histogram->low + histogram->bins * histogram->width - unit, histogram->mean);
    chart_begin(&chart, caption, description);
    for (int i = 0; i < histogram->bins; i++) {
        const int from = histogram->low + i * histogram->width, to = from + histogram->width - unit;
        char title[80];
        name_bar(title, sizeof title, from, to, histogram->count[i]);
        chart_bar(&chart, from < 0 ? negative : positive, (Interval){from - 0.5 * unit, to + 0.5 * unit},
                  histogram->count[i], title);
    }
    chart_rule_x(&chart, "mean", histogram->mean);
    char whole[96];
    snprintf(whole, sizeof whole, "%smean:mean %.1f", legend, histogram->mean);
    chart_end(&chart, whole);
}

/* A caption, with the number of games where the records have other ones than the result. */
static const char *caption_of(const ReportGames *games, const char *caption, char text[CAPTION_MAX]) {
    if (games->count == games->wanted)
        return caption;
    if (games->count < games->wanted)
        snprintf(text, CAPTION_MAX, "%s (%d of %d games)", caption, games->count, games->wanted);
    else
        snprintf(text, CAPTION_MAX, "%s (%d games; the result has %d)", caption, games->count, games->wanted);
    return text;
}

void report_games_write(FILE *out, const ReportGames *games) {
    char caption[CAPTION_MAX];
    if (games->count == 0)
        return;
    const Histogram lengths = make_histogram(games->lengths, games->count);
    draw_histogram(out, caption_of(games, "How long the games were", caption), "actions, passes included", &lengths,
                   "both", "both", "");
    if (games->ended == 0)
        return;
    const Histogram margins = make_histogram(games->margins, games->ended);
    draw_histogram(out, caption_of(games, "How they ended on the board", caption),
                   "Black's cells minus White's, komi and button left out", &margins, "white", "black",
                   "black:Black ahead|white:White ahead|");
}
