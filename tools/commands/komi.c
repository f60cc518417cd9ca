/* stigmergy komi: the fair komi of a board size, by self-play across komi values.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/runs/komi/run.h, its session tools/cli/run_session.h, the answer tools/cli/komi_answer.h. */
#include "selfplay/runs/komi/run.h"
#include "tools/cli/komi_answer.h"
#include "tools/cli/numbers.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
#include "tools/cli/tool.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LADDER = OPTIONS_OWN_KEYS, KEY_FIRST, KEY_UPGRADE, KEY_GAMES, KEY_WIDTH, KEY_RANGE };

typedef struct KomiOptions {
    RunOptions run;
    KomiConfig config; /* before parsing: the values that options override */
    bool ladder_given;
} KomiOptions;

/* ---- Options ---- */

static bool read_range(const char *text, int64_t range[2], Error *error) {
    char low_text[24];
    const char *colon = strchr(text, ':');
    int low, high;
    if (!colon || (size_t)(colon - text) >= sizeof low_text)
        return error_set(error, "--komi-range: '%.40s', expected LOW:HIGH, as in -3:9", text);
    memcpy(low_text, text, (size_t)(colon - text));
    low_text[colon - text] = '\0';
    /* The board is not known yet: run_config_check looks at the range. */
    if (!read_int("--komi-range", low_text, -INT_MAX, INT_MAX, &low, NULL) ||
        !read_int("--komi-range", colon + 1, -INT_MAX, INT_MAX, &high, NULL))
        return error_set(error, "--komi-range: '%.40s', expected LOW:HIGH, two whole numbers, as in -3:9", text);
    range[0] = low;
    range[1] = high;
    return true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    KomiOptions *options = state->input;
    KomiConfig *config = &options->config;
    Error error;
    bool good = true;
    int word = 0;
    switch (key) {
    case KEY_LADDER:
        good = options_read_ladder(arg, config->ladder, KOMI_RUNGS_MAX, &config->rungs, &error);
        config->move_seconds = 0;
        options->ladder_given = true;
        break;
    case KEY_FIRST:
        good = read_word("--first-moves", arg, komi_first_moves_words, 2, &word, &error);
        config->first_moves = word;
        break;
    case KEY_UPGRADE:
        good = read_word("--upgrade", arg, komi_upgrade_words, UPGRADES, &word, &error);
        config->upgrade = (KomiUpgrade)word;
        break;
    case KEY_GAMES: good = read_count("--games", arg, 1, RUN_GAMES_MAX, &config->run.games, &error); break;
    case KEY_WIDTH: good = read_number("--until-width", arg, 0, 1000, &config->until_width, &error); break;
    case KEY_RANGE:
        good = read_range(arg, config->komi_range, &error);
        config->range_given = true;
        break;
    default: return run_options_parse(key, arg, state, &options->run);
    }
    return options_check(state, good, &error);
}

const struct argp komi_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy", 0, "The game; only Stigmergy has komi (default stigmergy)", 0},
            {"size", SHARED_SIZE, "N", 0, "Cells a side, 2 to 10 (default 5)", 0},
            {"komi-range", KEY_RANGE, "LOW:HIGH", 0,
             "Lowest and highest komi to play, within the number of cells either way (default: the whole range)", 0},
            {"komi", SHARED_KOMI, "K", OPTION_HIDDEN, NULL, 0},
            {"first-moves", KEY_FIRST, "free|each", 0,
             "free: the players choose the first move. each: games are played from every first move, and the fair komi "
             "is that of Black's best one (default free)",
             0},
            {"upgrade", KEY_UPGRADE, "none|black|white", 0,
             "Give this side four times the simulations. The change of the estimate shows how much the mistakes of the "
             "other side may matter (default none)",
             0},
            {"games", KEY_GAMES, "G", 0, "Games of each rung of the ladder in all, 1 to 1000000000 (default 400)", 2},
            {"until-width", KEY_WIDTH, "W", 0,
             "End a rung when its 95% interval is narrower than this, in points, 0 to 1000 (default 0: never)", 0},
            {"time", SHARED_TIME, "SECONDS", 0, options_doc_time, 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, options_doc_dry_run, 0},
            {"player", SHARED_PLAYER, "PLAYER", 0,
             "A player description: its JSON, a file, or the name of an installed one (default: the player `default'). "
             "Its effort a move is that of the ladder",
             0},
            {"sims", SHARED_SIMS, "N", 0, "Simulations a move, 1 to 1000000000: a ladder of one rung (default 800)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, instead of a ladder (default: simulations)", 0},
            {"ladder", KEY_LADDER, "S1,S2,...", 0,
             "The rungs: up to 16 numbers of simulations a move, ascending (default 800)", 3},
            {0}},
    .parser = parse_option,
    .children = shared_run_argps + 1, /* all but that of the game */
    .doc = "Finds the fair komi of a board size by self-play across komi values."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-komi(1) describes the settings and "
           "the result document."};

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    KomiOptions *options = (KomiOptions *)run;
    KomiConfig *config = &options->config;
    const Options *common = &run->common;
    const Effort effort = common->effort;
    if (common->komi)
        return error_set(error, "--komi: a run plays many komi values, expected --komi-range LOW:HIGH");
    if (!config->range_given && common->game.size != config->run.size)
        memcpy(config->komi_range, komi_config_default(common->game.size).komi_range, sizeof config->komi_range);
    if (!run_options_settle(run, &config->player, error))
        return false;
    if ((effort.simulations > 0) + (effort.move_seconds > 0) + options->ladder_given > 1)
        return error_set(error, "--sims, --ladder and --move-time exclude each other");
    if (effort.simulations > 0) {
        config->ladder[0] = effort.simulations;
        config->rungs = 1;
        config->move_seconds = 0;
    }
    if (effort.move_seconds > 0)
        config->move_seconds = effort.move_seconds;
    return run_options_finish(run, &config->player, error);
}

/* ---- The run ---- */

static void describe(const Run *run, int rung, char *text, size_t size) {
    char known[KOMI_ESTIMATE_TEXT];
    FairKomi fair;
    Error error;
    if (!komi_estimate(run, rung, &fair, &error))
        return;
    komi_estimate_text(fair_komi_together(&fair), known);
    snprintf(text, size, ", fair komi %s", known);
}

/* The player of a rung whose games cost as much as those of the run, where one side may have an upgrade. */
static Player usual_player(const KomiConfig *config, int rung) {
    Player player = komi_config_side(config, rung, BLACK);
    const Player white = komi_config_side(config, rung, WHITE);
    player_set_limits(&player, (player.simulations + white.simulations) / 2,
                      (player.move_seconds + white.move_seconds) / 2);
    return player;
}

int tool_komi(int argc, char **argv) {
    KomiOptions options = {.config = komi_config_default(5), .run.config = &options.config.run};
    const int status = run_options_read(&komi_argp, argc, argv, &options.run, sizeof options, settle);
    if (status != TOOL_DONE)
        return status;
    Player players[KOMI_RUNGS_MAX];
    RunCommand command = {.kind = &komi_kind,
                          .options = &options.run,
                          .line = {.describe = describe},
                          .print_answer = komi_answer_print,
                          .players = players,
                          .player_count = komi_config_rungs(&options.config),
                          .ends_early = options.config.until_width > 0};
    for (int rung = 0; rung < command.player_count; rung++)
        players[rung] = usual_player(&options.config, rung);
    return run_session(&command, argc, argv);
}
