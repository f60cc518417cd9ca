/* stigmergy selfplay: data sets of self-play games.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the set is made by
 * tools/cli/dataset_session.h. The run is selfplay/runs/generate/run.h, the set that it leaves
 * selfplay/dataset/dataset.h (selfplay/docs/dataset.md for its readers). --from builds a set from records alone,
 * --check proves that a set is what its records say. */
#include "selfplay/dataset/dataset.h"
#include "selfplay/io/text.h"
#include "tools/cli/dataset_answer.h"
#include "tools/cli/dataset_session.h"
#include "tools/cli/numbers.h"
#include "tools/cli/processor_time.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_ROWS, KEY_LICENSE, KEY_FROM, KEY_CHECK, KEY_DISCARD };

typedef struct SelfplayOptions {
    RunOptions run;
    SelfplayConfig config; /* before parsing: the values that options override */
    const char *check;
    const char **from;     /* room for as many as the command line has words */
    int from_count, given; /* how many options were given */
    bool discard, rows_given, license_given, settings_given;
} SelfplayOptions;

/* ---- Options ---- */

/* Refuses options that would have no effect. */
static bool check_options(const SelfplayOptions *options, Error *error) {
    const Options *common = &options->run.common;
    if (options->check && options->given > 1)
        return error_set(error, "--check: a set is only checked, expected no other option");
    if (options->run.dry_run &&
        (options->check || options->discard || options->from_count || common->shard || common->shards))
        return error_set(error, "--dry-run: says what the whole run costs, expected no --check, --discard, --from, "
                                "--shard, --shards");
    if (options->discard && (options->run.out || options->from_count || options->rows_given || options->license_given ||
                             common->shard || common->shards))
        return error_set(error, "--discard: nothing is written, expected no --out, --from, --rows, --license, --shard, "
                                "--shards");
    return true;
}

/* Whether a key of the shared options says which games are played, not how or where. (What is in the file of --config
 * does, or does not.) */
static bool is_setting(int key) {
    return key != SHARED_OUT && key != SHARED_THREADS && key != SHARED_SHARD && key != SHARED_SHARDS &&
           key != SHARED_CONFIG;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    SelfplayOptions *options = state->input;
    SelfplayConfig *config = &options->config;
    const bool is_option = key > ARGP_KEY_ARG && key < ARGP_KEY_END;
    Error error;
    bool good = true;
    options->given += is_option;
    switch (key) {
    case KEY_GAMES:
        good = read_count("--games", arg, 1, SELFPLAY_GAMES_MAX, &config->run.games, &error);
        options->settings_given = true;
        break;
    case KEY_ROWS:
        good = read_count("--rows", arg, 1, 1000000, &config->rows, &error);
        options->rows_given = true;
        break;
    case KEY_LICENSE:
        if (text_find_foreign(arg, strlen(arg)))
            good = error_set(&error, "--license: is not UTF-8, expected an SPDX identifier");
        else if (strlen(arg) >= sizeof config->license)
            good = error_set(&error, "--license: '%.20s...', expected an SPDX identifier of at most %zu bytes", arg,
                             sizeof config->license - 1);
        else
            strcpy(config->license, arg);
        options->license_given = true;
        break;
    case KEY_FROM: options->from[options->from_count++] = arg; break;
    case KEY_CHECK: options->check = arg; break;
    case KEY_DISCARD: options->discard = true; break;
    case ARGP_KEY_END: good = check_options(options, &error); break;
    default:
        options->settings_given |= is_option && is_setting(key);
        return run_options_parse(key, arg, state, &options->run);
    }
    return options_check(state, good, &error);
}

const struct argp selfplay_argp = {
    .options =
        (const struct argp_option[]){
            {"size", SHARED_SIZE, "N", 0,
             "Cells a side, only this size: 2 to 10 in Stigmergy, 2 to 7 in Bug and Sgolte (default 5, or the sizes "
             "of --config)",
             0},
            {"komi", SHARED_KOMI, "K", 0,
             "The komi that games of Stigmergy are centred on: a whole number, at most the number of cells either way "
             "(default: the komi that makes the opening even)",
             0},
            {NULL, 0, NULL, 0, "The data set:", 2},
            {"out", SHARED_OUT, "DIR", 0,
             "The folder of the set (required, except with --check, --discard and --dry-run). The same command again "
             "resumes the run",
             0},
            {"games", KEY_GAMES, "G", 0, "Games in all, 1 to 100000000 (default 1000)", 0},
            {"rows", KEY_ROWS, "R", 0, "About this many positions in a file of arrays, 1 to 1000000 (default 20000)",
             0},
            {"license", KEY_LICENSE, "SPDX", 0, "The licence of the set, an SPDX identifier (default CC0-1.0)", 0},
            {"from", KEY_FROM, "RECORDS", 0,
             "Play nothing: build the set from the records of a set, which needs no other option, or of shards or "
             "files (--from for each) with all games of one run, whose options must be given again",
             0},
            {"check", KEY_CHECK, "DIR", 0, "Only check a set: hashes, every game by the rules, every array", 0},
            {"discard", KEY_DISCARD, NULL, 0, "Play, but write nothing: to see what writing costs", 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, "Only say what the whole run would cost; needs no --out", 0},
            {"sims", SHARED_SIMS, "N",
             0, "Simulations of a full search, 1 to 1000000000 (default 400, or what --player says)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", OPTION_HIDDEN, NULL, 0},
            {0}},
    .parser = parse_option,
    .children = shared_run_argps,
    .doc = "Plays games of the player against itself and makes a data set of them, to learn from."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-selfplay(1) describes the settings "
           "and the data set."};

/* Only a file of settings can say this, as it must to go on with a set of an earlier version. */
static void warn_of_cheap(const SelfplayConfig *config) {
    if ((uint64_t)config->cheap_simulations > config->player.simulations)
        fprintf(stderr, "stigmergy selfplay: cheap searches have %lld simulations, more than the %llu of full ones\n",
                (long long)config->cheap_simulations, (unsigned long long)config->player.simulations);
}

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    SelfplayOptions *options = (SelfplayOptions *)run;
    SelfplayConfig *config = &options->config;
    Options *common = &run->common;
    if (options->check)
        return file_expect_folder(options->check, false, error);
    if (common->game.size)
        selfplay_config_set_size(config, common->game.size);
    for (int i = 0, komi; common->komi && i < config->size_count; i++) {
        if (!read_int("--komi", common->komi, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, error))
            return false;
        config->sizes[i].auto_komi = false;
        config->sizes[i].komi = komi;
    }
    if (!run_options_settle(run, &config->player, error))
        return false;
    if (common->effort.move_seconds > 0)
        return error_set(error, "--move-time: a data set must be the same on every machine, expected --sims");
    if (common->effort.simulations > 0) {
        player_set_limits(&config->player, (uint64_t)common->effort.simulations, config->player.move_seconds);
        for (int i = 0; i < config->size_count; i++)
            config->sizes[i].simulations = 0; /* as for all boards */
    }
    if (!options->run.out && !options->discard && !options->run.dry_run)
        return error_set(error, "--out is missing, expected a folder such as --out games");
    if (options->run.out &&
        (!run_options_check_out(options->run.out, error) || !file_expect_folder(options->run.out, true, error)))
        return false;
    if (options->from_count)
        return true; /* what is said may be of no use: the sources decide (selfplay_sources_settle) */
    if (!run_config_check(&config->run, error))
        return false;
    warn_of_cheap(config);
    return true;
}

static int check(const char *folder, const char *name) {
    SelfplayDocument document = {.shard = SHARD_WHOLE};
    SelfplayBoards boards;
    Error error;
    Dataset *dataset = calloc(1, sizeof *dataset);
    if (!dataset) {
        error_set(&error, "out of memory for the set");
        return tool_fail(name, TOOL_FAILED, &error);
    }
    const bool good = dataset_check(dataset, folder, &boards, &document, &error);
    if (good) {
        dataset_answer_print(dataset);
        printf("The set in %s is sound: every hash, every game by the rules, every array.\n", folder);
    }
    dataset_free(dataset);
    free(dataset);
    selfplay_boards_close(&boards);
    return good ? TOOL_DONE : tool_fail(name, TOOL_USAGE, &error);
}

/* ---- Games that nothing keeps ---- */

typedef RunEnd (*PlayGames)(Run *run, int threads, Error *error);

/* What games have taken: seconds that passed, and seconds of all processors together. */
typedef struct Spent {
    int games;
    double passed, worked;
} Spent;

/* Plays the games of `config` and drops them. */
static RunEnd play_for_nothing(const SelfplayConfig *config, int threads, PlayGames games, Spent *spent, Error *error) {
    const double begin = wall_seconds(), before = processor_seconds_of_process();
    Run *run = run_new(&selfplay_kind, &config->run, SHARD_WHOLE, error);
    *spent = (Spent){0};
    if (!run)
        return RUN_FAILED;
    selfplay_state(run)->discard = true;
    const RunEnd end = games(run, threads, error);
    *spent = (Spent){run_played(run), wall_seconds() - begin, processor_seconds_of_process() - before};
    run_free(run);
    return end;
}

/* Without a place to write to: plays the games and tells the rate. */
static int say_rate(const SelfplayOptions *options, const char *name) {
    Spent spent;
    Error error;
    run_tool_catch_signals();
    const RunEnd end =
        play_for_nothing(&options->config, options->run.common.threads, dataset_session_play, &spent, &error);
    if (end == RUN_FAILED)
        return tool_fail(name, TOOL_FAILED, &error);
    printf("%d games, %.3f a second\n", spent.games, spent.games / spent.passed);
    return end == RUN_STOPPED ? TOOL_INTERRUPTED : TOOL_DONE;
}

static RunEnd play_silently(Run *run, int threads, Error *error) {
    run->stop = run_tool_stop();
    return run_play(run, &(RunSession){.threads = threads}, error);
}

/* Plays `games` games of a board with this number of simulations. *seconds becomes the time of one. */
static RunEnd try_games(const SelfplayOptions *options, const SelfplaySize *board, uint64_t simulations, int64_t games,
                        double *seconds, Error *error) {
    SelfplayConfig config = options->config;
    config.run.games = games;
    config.sizes[0] = *board;
    config.sizes[0].simulations = (int64_t)simulations;
    config.size_count = 1;
    Spent spent;
    const RunEnd end = play_for_nothing(&config, options->run.common.threads, play_silently, &spent, error);
    *seconds = spent.worked / (double)games / config.player.search_threads;
    return end;
}

/* The seconds of a game on a board. Games with few simulations say how many make one of about a second, and such games
 * what each further simulation costs: a line through both gives the rest. */
static RunEnd measure_game(const SelfplayOptions *options, const SelfplaySize *board, double *seconds, Error *error) {
    enum { FEW = 16, GAMES_MAX = 32 };
    const int threads = options->run.common.threads;
    const double full = (double)selfplay_config_simulations(&options->config, (int)board->size, true);
    const double few = full < FEW ? full : FEW;
    double begin, end;
    RunEnd how = try_games(options, board, (uint64_t)few, 2 * threads, &begin, error);
    *seconds = begin * full / few;
    if (how != RUN_DONE || *seconds < begin)
        return how;
    const double more = floor(fmin(few / begin, full)), time = begin * more / few;
    const int64_t games = threads * (int64_t)fmax(1, fmin(2 / time, GAMES_MAX));
    if (more <= few && full > few)
        return how;
    how = try_games(options, board, (uint64_t)more, games, &end, error);
    *seconds = more > few ? end + fmax(end - begin, 0) / (more - few) * (full - more) : end;
    return how;
}

static int say_costs(const SelfplayOptions *options, const char *name) {
    const SelfplayConfig *config = &options->config;
    double weights = 0, all = 0;
    Error error;
    run_tool_catch_signals();
    for (int i = 0; i < config->size_count; i++)
        weights += config->sizes[i].weight;
    printf("%s, %lld games, %d side by side:\n", config->run.game, (long long)config->run.games,
           options->run.common.threads);
    for (int i = 0; i < config->size_count; i++) {
        const SelfplaySize *board = &config->sizes[i];
        const double games = (double)config->run.games * board->weight / weights;
        double seconds;
        const RunEnd end = measure_game(options, board, &seconds, &error);
        if (end != RUN_DONE)
            return end == RUN_STOPPED ? TOOL_INTERRUPTED : tool_fail(name, TOOL_FAILED, &error);
        printf("  hexhex-%lld: about %.0f games of %.2f s\n", (long long)board->size, games, seconds);
        all += games * seconds / options->run.common.threads;
    }
    run_cost_print_sum("", all, 1);
    return TOOL_DONE;
}

/* ---- The set ---- */

/* What the options say, and what run the records are of that are to be taken over. */
static bool fill_in(const SelfplayOptions *options, const SelfplaySources *sources, SelfplayDocument *document,
                    Error *error) {
    const SelfplaySaid said = {.games = options->settings_given,
                               .rows = options->rows_given,
                               .license = options->license_given,
                               .file = options->run.config_path};
    document->config = options->config;
    document->context = document_context();
    return options_shard(&options->run.common, options->config.run.shards, &document->shard, error) &&
           (sources->count == 0 || selfplay_sources_settle(sources, &said, &document->config, error));
}

static int make_set(const SelfplayOptions *options, int argc, char **argv) {
    SelfplayDocument document = {.shard = SHARD_WHOLE};
    const DatasetCommand command = {.argc = argc,
                                    .argv = argv,
                                    .made_by_count = argc,
                                    .made_by = argv,
                                    .out = options->run.out,
                                    .document = &document,
                                    .sources = {options->from, options->from_count},
                                    .threads = options->run.common.threads,
                                    .options = &options->run};
    Error error;
    if (!fill_in(options, &command.sources, &document, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    return dataset_session(&command);
}

/* Does what the options say, which it reads first. */
static int run_tool(SelfplayOptions *options, int argc, char **argv) {
    const int status = run_options_read(&selfplay_argp, argc, argv, &options->run, sizeof *options, settle);
    if (status != TOOL_DONE)
        return status;
    if (options->check)
        return check(options->check, argv[0]);
    if (options->discard)
        return say_rate(options, argv[0]);
    if (options->run.dry_run)
        return say_costs(options, argv[0]);
    return make_set(options, argc, argv);
}

int tool_selfplay(int argc, char **argv) {
    static SelfplayOptions options;
    options = (SelfplayOptions){.config = selfplay_config_default(),
                                .run.config = &options.config.run,
                                .from = calloc((size_t)argc, sizeof *options.from)};
    if (!options.from) {
        Error error;
        error_set(&error, "out of memory");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    const int status = run_tool(&options, argc, argv);
    free(options.from);
    return status;
}
