/* stigmergy openings: how good each first move is, and which is the fairest under the pie rule.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/runs/openings/run.h, its session tools/cli/run_session.h. This file says the answer. */
#include "selfplay/io/exact_value.h"
#include "selfplay/runs/openings/run.h"
#include "tools/cli/numbers.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
#include "tools/cli/tool.h"

#include <stdlib.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_PROBABILITY };

typedef struct OpeningsOptions {
    RunOptions run;
    OpeningsConfig config; /* before parsing: the values that options override */
} OpeningsOptions;

/* ---- Options ---- */

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    OpeningsOptions *options = state->input;
    OpeningsConfig *config = &options->config;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_GAMES: good = read_count("--games", arg, 1, RUN_GAMES_MAX, &config->run.games, &error); break;
    case KEY_PROBABILITY:
        good = read_number("--until-probability", arg, 0, 1, &config->until_probability, &error);
        break;
    default: return run_options_parse(key, arg, state, &options->run);
    }
    return options_check(state, good, &error);
}

const struct argp openings_argp = {
    .options =
        (const struct argp_option[]){
            {"pie", SHARED_PIE, "off", OPTION_HIDDEN, NULL, 0},
            {"games", KEY_GAMES, "G", 0, "Games in all, 1 to 1000000000 (default 400)", 2},
            {"until-probability", KEY_PROBABILITY, "P", 0,
             "End when a first move is the fairest with this probability, 0 to 1 (default 0: never)", 0},
            {"time", SHARED_TIME, "SECONDS", 0, options_doc_time, 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, options_doc_dry_run, 0},
            {"sims", SHARED_SIMS, "N", 0, "Simulations a move, 1 to 1000000000 (default 800)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, instead of simulations (default: simulations)", 0},
            {0}},
    .parser = parse_option,
    .children = shared_run_argps,
    .doc = "Estimates by self-play how good each first move is for its player, and which is the fairest: the one "
           "whose chance is nearest to one half."
           "\vFirst moves that are rotations or reflections of each other count as one. The games are played without "
           "the swap. Ctrl-C ends the run cleanly; no finished game is ever lost. stigmergy-openings(1) describes the "
           "settings and the result document."};

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    OpeningsOptions *options = (OpeningsOptions *)run;
    OpeningsConfig *config = &options->config;
    Options *common = &run->common;
    int komi;
    if (common->game.pie == GAME_PIE_ON)
        return error_set(error, "--pie: the games are played without the swap, expected off");
    if (!run_options_settle(run, &config->player, error))
        return false;
    if (common->komi) {
        const int cells = hexhex_cell_count(common->game.size);
        if (!read_int("--komi", common->komi, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, NULL))
            return read_int("--komi", common->komi, -cells, cells, &komi, error);
        config->komi = komi;
    }
    return run_options_effort(common, &config->effort, error) && run_options_finish(run, &config->player, error);
}

/* ---- The answer ---- */

static void format_class(const Run *run, int number, char out[GAME_TEXT_MAX]) {
    openings_format(run, openings_state(run)->classes[number].action[0], out);
}

/* The win rate, drawn towards one half so that a move with few games stands between the others. */
static double rough_rate(const OpeningsStanding *standing) {
    return (standing->wins + 1.0) / (standing->games + 2.0);
}

/* Orders class numbers by win rate, the best first; `standings` is what qsort cannot hand over. */
static void sort_classes(const OpeningsStanding *standings, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && rough_rate(&standings[order[at - 1]]) < rough_rate(&standings[i]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void print_class(const Run *run, int number, const OpeningsStanding *standing, const cJSON *exact) {
    char text[GAME_TEXT_MAX];
    Side winner;
    format_class(run, number, text);
    const Interval interval = openings_interval(standing);
    const double rate = standing->games ? 100.0 * standing->wins / standing->games : 50;
    printf("  %-12s %3.0f%%  95%% interval [%3.0f%%, %3.0f%%], %d games", text, rate, 100 * interval.low,
           100 * interval.high, standing->games);
    if (standing->effective_games < standing->games - 0.5) /* equal ones, of a player without chance */
        printf(" worth %.0f", standing->effective_games);
    printf(", the fairest: %.0f%%", 100 * standing->probability);
    if (exact_winner(exact, text, (int)openings_config(run)->komi, &winner))
        printf(", perfect play: %s", winner == BLACK ? "first player" : "second player");
    putchar('\n');
}

static bool any_fair(const OpeningsStanding *standings, int count) {
    for (int i = 0; i < count; i++)
        if (interval_contains(openings_interval(&standings[i]), 0.5))
            return true;
    return false;
}

static void print_fairest(const Run *run, const OpeningsStanding *standings) {
    const int best = openings_fairest(run, standings);
    char text[GAME_TEXT_MAX];
    format_class(run, best, text);
    printf("The fairest first move is %s (%.0f%% sure). ", text, 100 * standings[best].probability);
    if (!any_fair(standings, openings_state(run)->count))
        printf("But no first move is fair: none of the intervals contains 50%%. ");
}

static bool print_answer(const Run *run, Error *error) {
    cJSON *exact;
    OpeningsStanding *standings = openings_standings(run, error);
    if (!standings || !openings_exact(run, &exact, error)) {
        free(standings);
        return false;
    }
    const int count = openings_state(run)->count;
    int order[GAME_LEGAL_MAX];
    char effort[EFFORT_TEXT_MAX];
    effort_text(openings_config(run)->effort, effort);
    printf("Chances of the first player of %s on hexhex-%lld by the first move, %s a move, %d games:\n",
           run->config->game, (long long)run->config->size, effort, run->groups[0].played);
    sort_classes(standings, count, order);
    for (int i = 0; i < count; i++)
        print_class(run, order[i], &standings[order[i]], exact);
    if (run->groups[0].played > 0)
        print_fairest(run, standings);
    else
        printf("No game has ended yet. ");
    cJSON_Delete(exact);
    free(standings);
    return true;
}

static void describe(const Run *run, int group, char *text, size_t size) {
    Error error;
    OpeningsStanding *standings = openings_standings(run, &error);
    char name[GAME_TEXT_MAX];
    (void)group;
    if (!standings || run->groups[0].played == 0) {
        free(standings);
        return;
    }
    const int best = openings_fairest(run, standings);
    format_class(run, best, name);
    snprintf(text, size, ", fairest %s (%.0f%% sure)", name, 100 * standings[best].probability);
    free(standings);
}

/* ---- The run ---- */

int tool_openings(int argc, char **argv) {
    OpeningsOptions options = {.config = openings_config_default(5), .run.config = &options.config.run};
    const int status = run_options_read(&openings_argp, argc, argv, &options.run, sizeof options, settle);
    if (status != TOOL_DONE)
        return status;
    const Player player = player_with_effort(options.config.player, options.config.effort);
    RunCommand command = {.kind = &openings_kind,
                          .options = &options.run,
                          .line = {.describe = describe},
                          .print_answer = print_answer,
                          .players = &player,
                          .player_count = 1,
                          .ends_early = options.config.until_probability > 0};
    return run_session(&command, argc, argv);
}
