/* stigmergy openings: how good each first placement is, and which is the fairest under the pie rule.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/openings_run.h, its document selfplay/openings_result.h. This file shows the progress, the answer and, when
 * the run is stopped, the command that goes on with it. */
#include "selfplay/io/exact_value.h"
#include "selfplay/runs/openings/result.h"
#include "tools/cli/options.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_PROBABILITY, KEY_TIME, KEY_CONFIG, KEY_DRY_RUN, KEY_OUT };

typedef struct OpeningsOptions {
    OpeningsConfig config; /* before parsing: the values that options override */
    Options common;
    const char *config_path, *out;
    bool dry_run;
} OpeningsOptions;

/* ---- Options ---- */

/* The common options start from the configuration's values, so that only what is given overrides them. */
static void init_options(struct argp_state *state, OpeningsOptions *options) {
    options_init(state, &options->common);
    options->common.game_name = options->config.game;
    options->common.size = (int)options->config.size;
    options->common.capture = options->config.capture;
    options->common.seed = options->config.seed;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    OpeningsOptions *options = state->input;
    OpeningsConfig *config = &options->config;
    Error error;
    bool good = true;
    int games;
    switch (key) {
    case ARGP_KEY_INIT: init_options(state, options); break;
    case KEY_GAMES:
        if ((good = read_int("--games", arg, 1, 1000000000, &games, &error)))
            config->games = games;
        break;
    case KEY_PROBABILITY:
        good = read_number("--until-probability", arg, 0, 1, &config->until_probability, &error);
        break;
    case KEY_TIME: good = read_number("--time", arg, 0, 1e9, &config->seconds, &error); break;
    case KEY_CONFIG: options->config_path = arg; break;
    case KEY_DRY_RUN: options->dry_run = true; break;
    case KEY_OUT: options->out = arg; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp openings_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy|bug|sgolte", 0, options_doc_game, 0},
            {"size", SHARED_SIZE, "N", 0, options_doc_size, 0},
            {"komi", SHARED_KOMI, "K", 0, options_doc_komi, 0},
            {"capture", SHARED_CAPTURE, "free|line", 0, options_doc_capture, 0},
            {"pie", SHARED_PIE, "off", OPTION_HIDDEN, NULL, 0},
            {NULL, 0, NULL, 0, "The run:", 2},
            {"config", KEY_CONFIG, "FILE", 0, options_doc_config, 0},
            {"out", KEY_OUT, "FILE.json", 0, options_doc_out, 0},
            {"games", KEY_GAMES, "G", 0, "Games in all, 1 to 1000000000 (default 400)", 0},
            {"until-probability", KEY_PROBABILITY, "P", 0,
             "End where a first placement is the fairest with this probability, 0 to 1 (default 0: never)", 0},
            {"time", KEY_TIME, "SECONDS", 0, options_doc_time, 0},
            {"dry-run", KEY_DRY_RUN, NULL, 0, "Only say what the run would cost", 0},
            {"threads", SHARED_THREADS, "T", 0, options_doc_games_at_once, 0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {NULL, 0, NULL, 0, "The player:", 3},
            {"player", SHARED_PLAYER, "PLAYER", 0, options_doc_player, 0},
            {"sims", SHARED_SIMS, "N", 0, "Simulations a move, 1 to 1000000000 (default 800)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, instead of simulations (default: simulations)", 0},
            {"memory", SHARED_MEMORY, "MB", 0, options_doc_memory, 0},
            {0}},
    .parser = parse_option,
    .doc =
        "Finds by self-play how good each first placement is for its player, and which is the fairest: the one whose "
        "chance is nearest to one half, as the pie rule asks for."
        "\vPlacements that a symmetry of the board takes into each other count as one. The games are played without "
        "the swap. Ctrl-C ends the run cleanly; no finished game is ever lost. stigmergy-openings(1) describes the "
        "settings and the result document."};

static bool settle_effort(OpeningsConfig *config, const Options *common, Error *error) {
    if (common->simulations && common->move_seconds > 0)
        return error_set(error, "--sims and --move-time exclude each other");
    if (common->simulations) {
        config->simulations = common->simulations;
        config->move_seconds = 0;
    }
    if (common->move_seconds > 0)
        config->move_seconds = common->move_seconds;
    return true;
}

/* Settles which values hold; false with an error. */
static bool settle(OpeningsOptions *options, Error *error) {
    OpeningsConfig *config = &options->config;
    const Options *common = &options->common;
    int komi;
    if (common->pie == GAME_PIE_ON)
        return error_set(error, "--pie: the games are played without the swap, expected off");
    config->size = common->size;
    config->capture = common->capture;
    config->seed = common->seed;
    if (common->game_name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game_name);
    if (common->komi) {
        if (!read_int("--komi", common->komi, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, error))
            return false;
        config->komi = komi;
    }
    if (common->player) {
        config->player = player_default();
        if (!player_load(common->player, &config->player, error))
            return false;
    }
    if (common->memory_mb)
        config->player.memory_mb = common->memory_mb;
    if (!options->out && !options->dry_run)
        return error_set(error, "--out is missing, expected a file name such as --out openings.json");
    return settle_effort(config, common, error) && openings_config_check(config, error);
}

/* Parses twice: the first time to find --config, the second to override what it says. False when an error has been
 * reported. */
static bool read_options(int argc, char **argv, OpeningsOptions *options) {
    Error error;
    *options = (OpeningsOptions){.config = openings_config_default(5)};
    if (!options_parse(&openings_argp, argc, argv, options))
        return false;
    OpeningsOptions second = {.config = openings_config_default(5)};
    if (options->config_path && !openings_config_load(options->config_path, &second.config, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    *options = second;
    if (!options_parse(&openings_argp, argc, argv, options))
        return false;
    if (!settle(options, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    if (!options->common.threads)
        options->common.threads = omp_get_num_procs();
    return true;
}

/* ---- Progress ---- */

typedef struct Show {
    const OpeningsOptions *options;
    DocumentContext context;
    double begin, seconds_before, shown_at;
    bool terminal;
} Show;

static void print_effort(FILE *file, const OpeningsRun *run) {
    if (run->config.move_seconds > 0)
        fprintf(file, "%g s a move", run->config.move_seconds);
    else
        fprintf(file, "%s simulations a move", run->effort);
}

static void format_class(const OpeningsRun *run, int number, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, (int)run->config.komi);
    run->game->rules->format(run->game, &start, run->classes[number].member[0], out);
}

static void progress(void *user, const OpeningsProgress *now) {
    Show *show = user;
    const OpeningsRun *run = now->run;
    const double at = wall_seconds(), every = show->terminal ? 0.2 : 10;
    if (!now->round_ended && at < show->shown_at + every)
        return;
    show->shown_at = at;
    const double rate = now->seconds > 0 ? now->played_now / now->seconds : 0;
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    fprintf(stderr, "%s, hexhex-%lld, ", run->config.game, (long long)run->config.size);
    print_effort(stderr, run);
    fprintf(stderr, ": %d/%d games", run->played, now->wanted);
    if (rate > 0) {
        const long left = (long)((now->wanted - run->played) / rate + 0.5);
        fprintf(stderr, ", %.2f a second, %ld:%02ld left", rate, left / 60, left % 60);
    }
    if (now->standings) {
        char text[GAME_TEXT_MAX];
        const int best = openings_run_fairest(run, now->standings);
        format_class(run, best, text);
        fprintf(stderr, ", fairest %s (%.0f%% sure)", text, 100 * now->standings[best].probability);
    }
    if (!show->terminal)
        fputc('\n', stderr);
    fflush(stderr);
}

static bool write_result(void *user, const OpeningsRun *run, Error *error) {
    Show *show = user;
    show->context.seconds = show->seconds_before + wall_seconds() - show->begin;
    return openings_result_write(run, &show->context, show->options->out, error);
}

/* ---- The answer ---- */

/* Orders class numbers by win rate, the best first; `standings` is what qsort cannot hand over. */
static void sort_classes(const OpeningsStanding *standings, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int at = i;
        const FairestData *data = &standings[i].data;
        const double rate = (data->wins + 1.0) / (data->games + 2.0);
        for (; at > 0; at--) {
            const FairestData *before = &standings[order[at - 1]].data;
            if ((before->wins + 1.0) / (before->games + 2.0) >= rate)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

static void print_class(const OpeningsRun *run, int number, const OpeningsStanding *standing, const cJSON *exact) {
    char text[GAME_TEXT_MAX];
    Side winner;
    format_class(run, number, text);
    const Interval interval = openings_run_interval(standing);
    const double rate = standing->games ? 100.0 * standing->wins / standing->games : 50;
    printf("  %-12s %3.0f%%  95%% interval [%3.0f%%, %3.0f%%], %d games, the fairest: %.0f%%", text, rate,
           100 * interval.low, 100 * interval.high, standing->games, 100 * standing->probability);
    if (exact_winner(exact, text, (int)run->config.komi, &winner))
        printf(", perfect play: %s", winner == BLACK ? "first player" : "second player");
    putchar('\n');
}

static bool print_answer(const OpeningsRun *run, const char *out, Error *error) {
    OpeningsStanding *standings = openings_run_standings(run, error);
    int *order = malloc((size_t)run->count * sizeof *order);
    cJSON *exact = openings_result_exact(run);
    const bool good = standings && order;
    if (standings && !order)
        error_set(error, "out of memory");
    if (good) {
        char text[GAME_TEXT_MAX];
        printf("Chances of the first player of %s on hexhex-%lld by the first placement, ", run->config.game,
               (long long)run->config.size);
        print_effort(stdout, run);
        printf(", %d games:\n", run->played);
        sort_classes(standings, run->count, order);
        for (int i = 0; i < run->count; i++)
            print_class(run, order[i], &standings[order[i]], exact);
        format_class(run, openings_run_fairest(run, standings), text);
        printf("The fairest first placement is %s. The result is in %s, the games are in %s.\n", text, out,
               run->records.lines.path);
    }
    cJSON_Delete(exact);
    free(order);
    free(standings);
    return good;
}

/* ---- Runs ---- */

static int dry_run(const OpeningsOptions *options, const char *name) {
    const OpeningsConfig *config = &options->config;
    const GameOptions game = openings_config_game(config);
    const Player player = openings_config_player(config);
    const int threads = options->common.threads;
    RunCost cost;
    Error error;
    if (!run_cost_measure(&game, &player, &cost, &error))
        return tool_fail(name, TOOL_USAGE, &error);
    const double a_game = run_cost_game(&cost, &player), all = a_game * (double)config->games / threads;
    printf(
        "%s on hexhex-%lld, %d games side by side, about %.0f actions a game and %.0f simulations a second in each:\n"
        "  %lld games of %.2f s: at most about %.0f s (%.1f h)\n",
        config->game, (long long)config->size, threads, cost.actions, cost.simulations, (long long)config->games,
        a_game, all, all / 3600);
    return TOOL_DONE;
}

static int play(OpeningsRun *run, const OpeningsOptions *options, Show *show, int argc, char **argv) {
    Error error;
    run_tool_opened(argv[0], &run->records, run->played);
    if (!write_result(show, run, &error)) /* an output that cannot be written is found now, not after hours */
        return tool_fail(argv[0], TOOL_FAILED, &error);
    const OpeningsSession session = {.threads = options->common.threads,
                                     .stop = run_tool_catch_signals(),
                                     .progress = progress,
                                     .round_done = write_result,
                                     .user = show};
    const OpeningsEnd end = openings_run_play(run, &session, &error);
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    if (end == OPENINGS_FAILED)
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if (end == OPENINGS_STOPPED)
        return run_tool_stopped(argc, argv);
    if (!openings_run_sort_records(run, &error) || !write_result(show, run, &error) ||
        !print_answer(run, options->out, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    return TOOL_DONE;
}

int tool_openings(int argc, char **argv) {
    OpeningsOptions options;
    if (!read_options(argc, argv, &options))
        return TOOL_USAGE;
    if (options.dry_run)
        return dry_run(&options, argv[0]);
    Error error;
    Show show = {
        .options = &options, .context = document_context(), .begin = wall_seconds(), .terminal = isatty(STDERR_FILENO)};
    char records[FILE_PATH_MAX];
    if (!record_file_path(options.out, records, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    run_tool_catch_signals();
    int status;
    OpeningsRun run = {.records.lines.descriptor = -1};
    if (!openings_result_resume(options.out, &options.config, &show.context, &error) ||
        !openings_run_open(&run, &options.config, records, &error)) {
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    } else {
        show.seconds_before = show.context.seconds;
        status = play(&run, &options, &show, argc, argv);
    }
    openings_run_close(&run);
    return status;
}
