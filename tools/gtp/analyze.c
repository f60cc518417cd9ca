/* GTP command stigmergy-analyze, in the manner of KataGo's kata-analyze: a search of the position that reports every so
 * often and goes on until the next line of input. Half of it looks at alternatives at the root (SearchLimits.wide), so
 * that several moves can be compared. See session_internal.h.
 *
 *     stigmergy-analyze [COLOR] [INTERVAL] [interval INTERVAL] [maxmoves N] [ownership true|false]
 *                       [avoid|allow COLOR VERTEX,... DEPTH]...
 *
 * kata-genmove_analyze and lz-genmove_analyze are genmove with one such report, when the turn is chosen.
 *
 * kata-analyze and lz-analyze are the same for programs that know KataGo or Leela Zero: their reports have the fields
 * of those engines. What else KataGo knows and would change nothing here is passed over.
 *
 * A report is a line. It has for each move, the best first, `info move c3 visits 120 winrate 0.53 scoreLead 1.2 prior
 * 0.04 order 0 pv c3 b2`; then, if asked for, `ownership` and a number for each cell, row by row from the top. All
 * numbers are from the view of the side to move: winrate from 0 to 1, scoreLead in points, ownership from -1 to 1.
 * Where the client shows a square, ownership has the points of the square, 0 outside the board. Games without points
 * have no scoreLead. A turn of several actions may be incomplete at the end of a variation; a move
 * whose own turn is incomplete is left out, and a report without anything is not written. The interval is in
 * centiseconds. Of KataGo's fields, utility is twice the winrate less one, and lcb the lower end of the winrate's 95%
 * interval (Wilson) if its visits were games. Leela Zero's winrate, prior and lcb go from 0 to 10000. */
#include "selfplay/analysis/avoid.h"
#include "selfplay/analysis/lead.h"
#include "selfplay/analysis/priors.h"
#include "selfplay/stats/interval.h"
#include "tools/cli/numbers.h"
#include "tools/gtp/session_internal.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

enum { VARIATION_MAX = 30 };

typedef enum Dialect { DIALECT_OWN, DIALECT_KATAGO, DIALECT_LEELA } Dialect;

typedef struct Settings {
    Dialect dialect;
    double interval; /* seconds */
    int moves;
    bool ownership;
    SearchAvoid avoid; /* moves that the search leaves out */
} Settings;

static bool read_interval(const char *text, Settings *settings, Error *error) {
    double centiseconds;
    if (!read_number("interval", text, 1, 1e6, &centiseconds, error))
        return false;
    settings->interval = centiseconds / 100;
    return true;
}

/* What KataGo's clients send and what changes no report of ours. */
static bool is_passed_over(const char *word) {
    static const char *const words[] = {
        "minmoves", "rootInfo", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(word, words[i]))
            return true;
    return false;
}

/* Adds the moves of a list, with commas between them. On a square a flip is spelled as a stone. */
static bool read_vertices(const Gtp *gtp, const AvoidNames *names, const char *text, AvoidList *list, Error *error) {
    while (*text) {
        const size_t length = strcspn(text, ",");
        char vertex[GAME_TEXT_MAX], name[GAME_TEXT_MAX + 1];
        snprintf(vertex, sizeof vertex, "%.*s", (int)length, text);
        if (length > 0 && !gtp_unspell(gtp, vertex, name, error))
            return false;
        bool found = length > 0 && avoid_list_add(list, names, name);
        if (found && gtp->options.vertices == GTP_VERTICES_GOGUI)
            avoid_list_add(list, names, strcat(name, "x"));
        if (!found)
            return error_set(error, "'%.40s', expected moves with commas between them", vertex);
        text += length + (text[length] == ',');
    }
    return true;
}

/* `avoid` or `allow` with its words: a colour, moves, and for how many moves ahead. */
static bool read_avoid(const Gtp *gtp, bool allow, char **words, Settings *settings, Error *error) {
    Side colour;
    int depth;
    AvoidList list = {0};
    if (!gtp_read_colour(words[0], &colour, error) || !read_int("depth", words[2], 1, INT_MAX, &depth, error))
        return false;
    AvoidNames *names = avoid_names_new(gtp->game, gtp_state(gtp));
    bool good = names || error_set(error, "out of memory");
    good = good && read_vertices(gtp, names, words[1], &list, error);
    if (good)
        avoid_apply(&settings->avoid, names, &list, allow, colour, depth);
    free(names);
    return good && (avoid_leaves_move(&settings->avoid, gtp->game, gtp_state(gtp)) ||
                    error_set(error, "%s leaves no move", allow ? "allow" : "avoid"));
}

static bool read_settings(const Gtp *gtp, Dialect dialect, Settings *settings, Error *error) {
    static const char *const truths[] = {"false", "true"};
    char **words = gtp->arguments;
    int i = 0, truth = 0;
    *settings = (Settings){.dialect = dialect, .interval = 1, .moves = GAME_LEGAL_MAX};
    Side colour;
    if (gtp->game->rules->over(gtp_state(gtp)))
        return error_set(error, "the game is over");
    if (i < gtp->count && gtp_read_colour(words[i], &colour, NULL) && !gtp_check_turn(gtp, words[i++], error))
        return false;
    if (i < gtp->count && isdigit((unsigned char)*words[i]) && !read_interval(words[i++], settings, error))
        return false;
    for (; i < gtp->count; i += 2) {
        const char *value = i + 1 < gtp->count ? words[i + 1] : "";
        bool good;
        if (!strcmp(words[i], "interval"))
            good = read_interval(value, settings, error);
        else if (!strcmp(words[i], "maxmoves"))
            good = read_int("maxmoves", value, 1, GAME_LEGAL_MAX, &settings->moves, error);
        else if (!strcmp(words[i], "ownership")) {
            good = read_word("ownership", value, truths, 2, &truth, error);
            settings->ownership = truth;
        } else if (dialect != DIALECT_OWN && is_passed_over(words[i]))
            good = true;
        else if (!strcmp(words[i], "avoid") || !strcmp(words[i], "allow")) {
            good = i + 3 < gtp->count ? read_avoid(gtp, !strcmp(words[i], "allow"), words + i + 1, settings, error)
                                      : error_set(error, "%s: expected COLOR VERTEX,... DEPTH", words[i]);
            i += 2; /* words more than the others have */
        } else
            good = error_set(error, "'%.40s', expected a color, interval N, maxmoves N, ownership true, avoid or allow",
                             words[i]);
        if (!good)
            return false;
    }
    return true;
}

/* The prior probability of each legal action, by the action's number. */
static void find_priors(const Gtp *gtp, double priors[GAME_ACTIONS_MAX]) {
    Action legal[GAME_LEGAL_MAX];
    double of_legal[GAME_LEGAL_MAX];
    const int count = analysis_priors(gtp->game, gtp_state(gtp), gtp->search, legal, of_legal);
    for (int i = 0; i < count; i++)
        priors[legal[i]] = of_legal[i];
}

static void write_variation(const Gtp *gtp, Action first) {
    Action actions[VARIATION_MAX];
    GameState state;
    const int count = search_variation(gtp->search, first, actions, VARIATION_MAX);
    game_copy(gtp->game, &state, gtp_state(gtp));
    for (int i = 0; i < count && !gtp->game->rules->over(&state);) {
        char text[GAME_TEXT_MAX];
        i += game_format_turn(gtp->game, &state, actions + i, count - i, text);
        gtp_spell(gtp, text);
        fprintf(gtp->out, " %s", text);
    }
}

/* The fields of a move from the view of the side to move, `lead` included. */
static void write_values(FILE *out, Dialect dialect, const SearchMove *move, double prior, bool has_points,
                         double lead) {
    const double chance = move->win_rate, visits = (double)move->visits;
    const double lcb = wilson_interval(chance * visits, visits).low;
    if (dialect == DIALECT_LEELA) {
        fprintf(out, " winrate %.0f prior %.0f lcb %.0f", 10000 * chance, 10000 * prior, 10000 * lcb);
        return;
    }
    if (dialect == DIALECT_KATAGO)
        fprintf(out, " utility %.6f", 2 * chance - 1);
    fprintf(out, " winrate %.6f", chance);
    if (has_points && dialect == DIALECT_KATAGO)
        fprintf(out, " scoreMean %.6f", lead);
    if (has_points)
        fprintf(out, " scoreLead %.6f", lead);
    fprintf(out, " prior %.6f", prior);
    if (dialect == DIALECT_KATAGO)
        fprintf(out, " lcb %.6f", lcb);
}

/* Writes the turn that a move begins with; false where the search knows only a part of it, which `play` would refuse.
 */
static bool find_turn(const Gtp *gtp, const SearchMove *move, char text[GAME_TEXT_MAX]) {
    const GameRules *rules = gtp->game->rules;
    Action actions[VARIATION_MAX];
    GameState state;
    game_copy(gtp->game, &state, gtp_state(gtp));
    const int count = search_variation(gtp->search, move->action, actions, VARIATION_MAX);
    game_format_turn(gtp->game, &state, actions, count, text);
    gtp_spell(gtp, text);
    return rules->over(&state) || rules->turn_start(&state);
}

static void write_move(const Gtp *gtp, Dialect dialect, const SearchMove *move, const char *text, double prior,
                       int order) {
    const Side mover = gtp->game->rules->to_move(gtp_state(gtp));
    const double expected = mover == BLACK ? move->margin : -move->margin;
    const double lead = analysis_lead(expected, move->win_rate, move->proven);
    fprintf(gtp->out, "%sinfo move %s visits %llu", order ? " " : "", text, (unsigned long long)move->visits);
    write_values(gtp->out, dialect, move, prior, gtp->game->has_points, lead);
    fprintf(gtp->out, " order %d pv", order);
    write_variation(gtp, move->action);
}

static void write_ownership(const Gtp *gtp) {
    const Side mover = gtp->game->rules->to_move(gtp_state(gtp));
    float owners[HEXHEX_MAX_CELLS];
    search_owners(gtp->search, owners);
    for (int c = 0; c < gtp->game->board.cells; c++)
        owners[c] = (mover == BLACK ? 1.0f : -1.0f) * (2 * owners[c] - 1);
    fputs(" ownership", gtp->out);
    if (gtp->options.vertices == GTP_VERTICES_GOGUI) {
        const int width = 2 * gtp->game->board.size - 1;
        for (int i = 0; i < width * width; i++) {
            const int cell = gtp_square_cell(gtp->game, i % width, width - i / width);
            fprintf(gtp->out, " %.4f", cell >= 0 ? (double)owners[cell] : 0);
        }
        return;
    }
    for (int c = 0; c < gtp->game->board.cells; c++)
        fprintf(gtp->out, " %.4f", (double)owners[c]);
}

/* A line, or nothing where it would be empty: an empty line ends the answer. */
static void report(const Gtp *gtp, const Settings *settings, const SearchSummary *found) {
    SearchMove moves[GAME_LEGAL_MAX];
    double priors[GAME_ACTIONS_MAX];
    find_priors(gtp, priors);
    const int count = search_moves(gtp->search, moves, GAME_LEGAL_MAX);
    int order = 0;
    for (int i = 0; i < count && order < settings->moves; i++) {
        char text[GAME_TEXT_MAX];
        analysis_fill_in(&moves[i], found);
        const bool seen = i == 0 || moves[i].visits > 0; /* moves that are proven lost come after those not seen */
        if (seen && find_turn(gtp, &moves[i], text))
            write_move(gtp, settings->dialect, &moves[i], text, priors[moves[i].action], order++);
    }
    if (settings->ownership)
        write_ownership(gtp);
    if (order > 0 || settings->ownership)
        fputc('\n', gtp->out);
    fflush(gtp->out);
}

/* Begins the answer of a command that reports. */
static void begin_reports(Gtp *gtp) {
    gtp_begin_answer(gtp);
    fputc('\n', gtp->out);
    fflush(gtp->out);
}

static bool analyze(Gtp *gtp, Dialect dialect) {
    Settings settings;
    if (!read_settings(gtp, dialect, &settings, gtp->error))
        return false;
    search_avoid(gtp->search, &settings.avoid);
    begin_reports(gtp);
    SearchSummary summary =
        search_run(gtp->search, &(SearchLimits){.simulations = GTP_FIRST_SIMULATIONS, .wide = true});
    GtpInput *input = gtp->options.input;
    const StopFlag *waiting = input ? gtp_input_waiting(input) : NULL;
    if (!input) /* all there is has been fed: the search of one move */
        summary = search_run(
            gtp->search,
            &(SearchLimits){.simulations = gtp->player.simulations, .seconds = settings.interval, .wide = true});
    while (waiting && !stop_flag_is_set(waiting) && gtp_goes_on(&summary)) {
        summary = search_run(gtp->search, &(SearchLimits){.seconds = settings.interval, .stop = waiting, .wide = true});
        if (!stop_flag_is_set(waiting))
            report(gtp, &settings, &summary);
        if (ferror(gtp->out))
            return true;
    }
    report(gtp, &settings, &summary);
    if (input)
        gtp_input_wait(input);
    search_avoid(gtp->search, NULL); /* a move may be asked for next */
    return true;
}

static void report_choice(const Gtp *gtp, const void *settings, const SearchSummary *found) {
    report(gtp, settings, found);
}

/* A move, with a report of the search that has chosen it. */
static bool genmove(Gtp *gtp, Dialect dialect) {
    Settings settings;
    char text[GAME_TEXT_MAX];
    if (!read_settings(gtp, dialect, &settings, gtp->error))
        return false;
    search_avoid(gtp->search, &settings.avoid);
    begin_reports(gtp);
    const GtpReports reports = {report_choice, &settings, &settings.avoid};
    const bool good = gtp_generate(gtp, &reports, text);
    search_avoid(gtp->search, NULL);
    if (good)
        fprintf(gtp->out, "play %s\n", text);
    return good;
}

static bool do_analyze(Gtp *gtp) {
    return analyze(gtp, DIALECT_OWN);
}

static bool do_katago(Gtp *gtp) {
    return analyze(gtp, DIALECT_KATAGO);
}

static bool do_leela(Gtp *gtp) {
    return analyze(gtp, DIALECT_LEELA);
}

static bool do_katago_genmove(Gtp *gtp) {
    return genmove(gtp, DIALECT_KATAGO);
}

static bool do_leela_genmove(Gtp *gtp) {
    return genmove(gtp, DIALECT_LEELA);
}

static const char usage[] = "[COLOR] [INTERVAL] [interval INTERVAL] [maxmoves N] [ownership true|false] [avoid|allow "
                            "COLOR VERTEX,... DEPTH]...";
enum { MOST = GTP_ARGUMENTS_MAX };

const GtpCommand gtp_analyze_commands[] = {{"stigmergy-analyze", 0, MOST, usage, do_analyze, true},
                                           {"kata-analyze", 0, MOST, usage, do_katago, true},
                                           {"lz-analyze", 0, MOST, usage, do_leela, true},
                                           {"kata-genmove_analyze", 0, MOST, usage, do_katago_genmove, true},
                                           {"lz-genmove_analyze", 0, MOST, usage, do_leela_genmove, true},
                                           {0}};
