/* stigmergy selfplay: data sets of self-play games.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run is
 * selfplay/selfplay_run.h, the set that it leaves selfplay/dataset.h (selfplay/docs/dataset.md for its readers). --from
 * builds a set from records alone, --check proves that a set is what its records say. */
#include "selfplay/dataset/dataset.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/runs/generate/run.h"
#include "tools/cli/options.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_ROWS, KEY_LICENSE, KEY_CONFIG, KEY_OUT, KEY_FROM, KEY_CHECK, KEY_DISCARD };
enum { SOURCES_MAX = 1024 };

typedef struct SelfplayOptions {
    SelfplayConfig config; /* before parsing: the values that options override */
    Options common;
    const char *config_path, *out, *check;
    const char *from[SOURCES_MAX];
    int from_count;
    bool discard, rows_given, license_given;
} SelfplayOptions;

/* ---- Options ---- */

/* What is not given stays as the configuration says. */
static void init_options(struct argp_state *state, SelfplayOptions *options) {
    options_init(state, &options->common);
    options->common.game_name = options->config.game;
    options->common.size = 0;
    options->common.seed = options->config.seed;
    options->common.capture = options->config.capture;
    options->common.pie = options->config.pie;
    options->from_count = 0;
}

static bool read_count(const char *what, const char *text, int high, int64_t *out, Error *error) {
    int value;
    if (!read_int(what, text, 1, high, &value, error))
        return false;
    *out = value;
    return true;
}

static bool add_source(SelfplayOptions *options, const char *path, Error *error) {
    if (options->from_count == SOURCES_MAX)
        return error_set(error, "--from: too many, expected at most %d", SOURCES_MAX);
    options->from[options->from_count++] = path;
    return true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    SelfplayOptions *options = state->input;
    SelfplayConfig *config = &options->config;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: init_options(state, options); break;
    case KEY_GAMES: good = read_count("--games", arg, SELFPLAY_GAMES_MAX, &config->games, &error); break;
    case KEY_ROWS:
        good = read_count("--rows", arg, 1000000, &config->rows, &error);
        options->rows_given = true;
        break;
    case KEY_LICENSE:
        snprintf(config->license, sizeof config->license, "%s", arg);
        options->license_given = true;
        break;
    case KEY_CONFIG: options->config_path = arg; break;
    case KEY_OUT: options->out = arg; break;
    case KEY_FROM: good = add_source(options, arg, &error); break;
    case KEY_CHECK: options->check = arg; break;
    case KEY_DISCARD: options->discard = true; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp selfplay_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy|bug|sgolte", 0, options_doc_game, 0},
            {"size", SHARED_SIZE, "N", 0,
             "Cells a side, this size alone: 2 to 10 in Stigmergy, 2 to 7 in Bug and Sgolte (default 5, or the sizes "
             "of --config)",
             0},
            {"komi", SHARED_KOMI, "K", 0,
             "The komi that games of Stigmergy are centred on: a whole number, at most the number of cells either way "
             "(default: the komi that makes the opening even)",
             0},
            {"capture", SHARED_CAPTURE, "free|line", 0, options_doc_capture, 0},
            {"pie", SHARED_PIE, "on|off", 0, options_doc_pie, 0},
            {NULL, 0, NULL, 0, "The data set:", 2},
            {"config", KEY_CONFIG, "FILE", 0, options_doc_config, 0},
            {"out", KEY_OUT, "DIR", 0,
             "The folder of the set (required, except with --check and --discard). The same command again resumes the "
             "run",
             0},
            {"games", KEY_GAMES, "G", 0, "Games in all, 1 to 100000000 (default 1000)", 0},
            {"rows", KEY_ROWS, "R", 0, "Positions in a file of arrays, about; 1 to 1000000 (default 20000)", 0},
            {"license", KEY_LICENSE, "SPDX", 0, "The licence of the set, an SPDX identifier (default CC0-1.0)", 0},
            {"from", KEY_FROM, "RECORDS", 0,
             "Play nothing: build the set from the records of a set, of a shard of a run, or of a file. Several are "
             "put together",
             0},
            {"check", KEY_CHECK, "DIR", 0, "Only check a set: hashes, every game by the rules, every array", 0},
            {"discard", KEY_DISCARD, NULL, 0, "Play, but write nothing: to see what writing costs", 0},
            {"threads", SHARED_THREADS, "T", 0, options_doc_games_at_once, 0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {NULL, 0, NULL, 0, "The player:", 3},
            {"player", SHARED_PLAYER, "PLAYER", 0, options_doc_player, 0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations of a full search, 1 to 1000000000 (default 400, or what --player says)", 0},
            {"memory", SHARED_MEMORY, "MB", 0, options_doc_memory, 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", OPTION_HIDDEN, NULL, 0},
            {NULL, 0, NULL, 0, "Many machines:", 5},
            {"shard", SHARED_SHARD, "I/N", 0, options_doc_shard, 0},
            {"shards", SHARED_SHARDS, "N", 0, options_doc_shards, 0},
            {0}},
    .parser = parse_option,
    .doc = "Plays games of the player against itself and makes a data set of them, to learn from."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-selfplay(1) describes the settings "
           "and the data set."};

/* The player and its effort. */
static bool settle_player(SelfplayOptions *options, Error *error) {
    SelfplayConfig *config = &options->config;
    const Options *common = &options->common;
    if (common->player) {
        const uint64_t simulations = config->player.simulations;
        config->player = player_default();
        config->player.simulations = simulations;
        if (!player_load(common->player, &config->player, error))
            return false;
    }
    if (common->move_seconds > 0)
        return error_set(error, "--move-time: a data set must be the same on every machine, expected --sims");
    if (common->simulations)
        config->player.simulations = (uint64_t)common->simulations;
    if (common->memory_mb)
        config->player.memory_mb = common->memory_mb;
    return true;
}

/* Settles which values hold; false with an error. */
static bool settle(SelfplayOptions *options, Error *error) {
    SelfplayConfig *config = &options->config;
    const Options *common = &options->common;
    if (common->size)
        selfplay_config_set_size(config, common->size);
    config->seed = common->seed;
    config->capture = common->capture;
    config->pie = common->pie;
    if (common->game_name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game_name);
    for (int i = 0, komi; common->komi && i < config->size_count; i++) {
        if (!read_int("--komi", common->komi, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, error))
            return false;
        config->sizes[i].auto_komi = false;
        config->sizes[i].komi = komi;
    }
    if (!settle_player(options, error))
        return false;
    if (!options->out && !options->check && !options->discard)
        return error_set(error, "--out is missing, expected a folder such as --out games");
    return selfplay_config_check(config, error);
}

/* Parses twice: the first time to find --config, the second to override what it says. False when an error has been
 * reported. */
static bool read_options(int argc, char **argv, SelfplayOptions *options) {
    Error error;
    *options = (SelfplayOptions){.config = selfplay_config_default()};
    if (!options_parse(&selfplay_argp, argc, argv, options))
        return false;
    SelfplayConfig config = selfplay_config_default();
    if (options->config_path && !selfplay_config_load(options->config_path, &config, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    *options = (SelfplayOptions){.config = config};
    if (!options_parse(&selfplay_argp, argc, argv, options))
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
    double begin, shown_at;
    int64_t played_before, played;
    bool terminal;
} Show;

static void game_done(void *user, const SelfplayRun *run, const GameRecord *record) {
    Show *show = user;
    const double now = wall_seconds(), every = show->terminal ? 0.2 : 10;
    (void)record;
    show->played++;
    if (now < show->shown_at + every)
        return;
    show->shown_at = now;
    const int64_t wanted = selfplay_run_wanted(run), done = show->played_before + show->played;
    const double rate = (double)show->played / (now - show->begin);
    const long left = (long)((double)(wanted - done) / rate + 0.5);
    fprintf(stderr, "%s%lld/%lld games, %.2f a second, %ld:%02ld left%s", show->terminal ? "\r\033[K" : "",
            (long long)done, (long long)wanted, rate, left / 60, left % 60, show->terminal ? "" : "\n");
    fflush(stderr);
}

static void print_answer(const Dataset *dataset) {
    const DatasetPart total = dataset_total(dataset);
    printf("%lld games of %s, %lld positions, %lld rows, %lld of them of full searches\n", (long long)total.games,
           dataset->document->config.game, (long long)total.positions, (long long)total.rows, (long long)total.full);
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        const DatasetPart *part = &dataset->parts[size];
        if (part->games)
            printf("  hexhex-%-2d %lld games, %lld of them distinct; Black wins %.1f%%\n", size, (long long)part->games,
                   (long long)part->distinct_games, 100 * (double)part->black_wins / (double)part->games);
    }
}

/* ---- The runs ---- */

static void report_opened(const char *name, const GameStore *store) {
    if (store->torn)
        fprintf(stderr, "%s: %s: the last line was torn and has been cut off; its game is played again\n", name,
                store->open.path);
    if (store->repeated)
        fprintf(stderr, "%s: %s: %d games stood there twice and count once\n", name, store->open.path, store->repeated);
    if (store->played)
        fprintf(stderr, "%s: going on after %lld games\n", name, (long long)store->played);
}

/* A session of the tool. */
typedef struct Session {
    const SelfplayOptions *options;
    SelfplayRun *run;
    SelfplayDocument *document;
    const char *folder;
    double begin, seconds_before;
    int argc;
    char **argv;
} Session;

/* Something went wrong, or the session was stopped. */
static int end_badly(const Session *session, int status, const Error *error) {
    if (atomic_load(run_tool_catch_signals()))
        return run_tool_stopped(session->argc, session->argv);
    return tool_fail(session->argv[0], status, error);
}

static bool write_document(const Session *session, Error *error) {
    session->document->context.seconds = session->seconds_before + wall_seconds() - session->begin;
    return selfplay_document_write(session->folder, session->document, error);
}

/* Packs the games and, unless this is a part of a run, makes the set of them. */
static int finish(const Session *session) {
    Error error;
    const SelfplayRun *run = session->run;
    Dataset dataset = {.folder = session->folder,
                       .boards = &run->boards,
                       .document = session->document,
                       .stop = run_tool_catch_signals()};
    if (!game_store_finish(&session->run->store, &error) || !write_document(session, &error))
        return tool_fail(session->argv[0], TOOL_FAILED, &error);
    if (!shard_spec_whole(run->shard)) {
        printf("Shard %d of %d is complete: %lld games in %s.\n", run->shard.index, run->shard.count,
               (long long)run->store.played, session->folder);
        return TOOL_DONE;
    }
    const bool good = dataset_build(&dataset, &error);
    if (good) {
        print_answer(&dataset);
        printf("The set is in %s; its card is %s/README.md.\n", session->folder, session->folder);
    }
    dataset_free(&dataset);
    return good ? TOOL_DONE : end_badly(session, TOOL_FAILED, &error);
}

static int play(const Session *session) {
    Error error;
    SelfplayRun *run = session->run;
    Show show = {.begin = session->begin,
                 .shown_at = session->begin,
                 .played_before = run->store.played,
                 .terminal = isatty(STDERR_FILENO)};
    if (run->store.played >= selfplay_run_wanted(run) &&
        dataset_is_complete(session->folder, session->document, run->store.played)) {
        printf("The set in %s is complete: %lld games.\n", session->folder, (long long)run->store.played);
        return game_store_finish(&run->store, &error) ? TOOL_DONE : tool_fail(session->argv[0], TOOL_FAILED, &error);
    }
    report_opened(session->argv[0], &run->store);
    /* An output that cannot be written is found now, not after hours. */
    if (!dataset_invalidate(session->folder, &error) || !write_document(session, &error))
        return tool_fail(session->argv[0], TOOL_FAILED, &error);
    const SelfplaySession settings = {.threads = session->options->common.threads,
                                      .stop = run_tool_catch_signals(),
                                      .game_done = game_done,
                                      .user = &show};
    const SelfplayEnd end = selfplay_run_play(run, &settings, &error);
    if (show.terminal)
        fprintf(stderr, "\r\033[K");
    if (end == SELFPLAY_FAILED)
        return tool_fail(session->argv[0], TOOL_FAILED, &error);
    if (end == SELFPLAY_DONE)
        return finish(session);
    if (!write_document(session, &error))
        return tool_fail(session->argv[0], TOOL_FAILED, &error);
    return run_tool_stopped(session->argc, session->argv);
}

/* Whether every game of the run is there, now that all records have been taken over. */
static bool is_whole(const SelfplayRun *run, Error *error) {
    int64_t missing = 0, first = -1;
    for (int64_t number = 0; number < run->config.games; number++)
        if (!game_store_has(&run->store, number) && missing++ == 0)
            first = number;
    return missing == 0 || error_set(error, "--from: %lld of %lld games are missing, the first is game-%lld",
                                     (long long)missing, (long long)run->config.games, (long long)first);
}

static int build_from(const Session *session) {
    Error error;
    const SelfplayOptions *options = session->options;
    bool good = dataset_invalidate(session->folder, &error);
    for (int i = 0; i < options->from_count && good; i++)
        good = selfplay_run_import(session->run, options->from[i], run_tool_catch_signals(), &error);
    return good && is_whole(session->run, &error) ? finish(session) : end_badly(session, TOOL_USAGE, &error);
}

static int check(const char *folder, const char *name) {
    static SelfplayDocument document;
    SelfplayBoards boards;
    Dataset dataset;
    Error error;
    const bool good = dataset_check(&dataset, folder, &boards, &document, &error);
    if (good) {
        print_answer(&dataset);
        printf("The set in %s is sound: every hash, every game by the rules, every array.\n", folder);
    }
    dataset_free(&dataset);
    selfplay_boards_close(&boards);
    return good ? TOOL_DONE : tool_fail(name, TOOL_USAGE, &error);
}

/* Plays without a place to write to, and tells the rate. */
static int play_for_nothing(const SelfplayOptions *options, const char *name) {
    Error error;
    Show show = {.begin = wall_seconds(), .shown_at = wall_seconds(), .terminal = isatty(STDERR_FILENO)};
    SelfplayRun run = {.config = options->config, .store.open.descriptor = -1};
    const SelfplaySession session = {.threads = options->common.threads,
                                     .stop = run_tool_catch_signals(),
                                     .discard = true,
                                     .game_done = game_done,
                                     .user = &show};
    int status = TOOL_DONE;
    if (!selfplay_boards_open(&run.boards, &options->config, &error))
        status = tool_fail(name, TOOL_USAGE, &error);
    else if (selfplay_run_play(&run, &session, &error) == SELFPLAY_FAILED)
        status = tool_fail(name, TOOL_FAILED, &error);
    else
        printf("%lld games, %.3f a second\n", (long long)show.played,
               (double)show.played / (wall_seconds() - show.begin));
    selfplay_run_close(&run);
    return status;
}

/* Reads what run the records are of, where they are in a folder that says so; of bare records the options say it. */
static bool load_source(const SelfplayOptions *options, SelfplayDocument *document, Error *error) {
    char path[FILE_PATH_MAX];
    static SelfplayDocument source;
    if (snprintf(path, sizeof path, "%s/run.json", options->from[0]) >= (int)sizeof path || !file_exists(path))
        return true;
    if (!selfplay_document_load(options->from[0], &source, error))
        return false;
    if (options->rows_given)
        source.config.rows = document->config.rows;
    if (options->license_given)
        strcpy(source.config.license, document->config.license);
    document->config = source.config;
    return true;
}

static int run_session(SelfplayOptions *options, SelfplayDocument *document, int argc, char **argv) {
    Error error;
    char folder[FILE_PATH_MAX];
    SelfplayRun run = {.store.open.descriptor = -1};
    Session session = {.options = options,
                       .run = &run,
                       .document = document,
                       .folder = folder,
                       .begin = wall_seconds(),
                       .argc = argc,
                       .argv = argv};
    int status;
    run_tool_catch_signals();
    if ((options->from_count && !load_source(options, document, &error)) ||
        !shard_spec_path(document->shard, options->out, "", folder, &error) ||
        !selfplay_document_resume(folder, document, &error) ||
        !selfplay_run_open(&run, &document->config, document->shard, folder, &error)) {
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    } else {
        strcpy(document->run, run.boards.run);
        session.seconds_before = document->context.seconds;
        status = options->from_count ? build_from(&session) : play(&session);
    }
    selfplay_run_close(&run);
    return status;
}

int tool_selfplay(int argc, char **argv) {
    static SelfplayOptions options;
    static SelfplayDocument document;
    Error error;
    if (!read_options(argc, argv, &options))
        return TOOL_USAGE;
    if (options.check)
        return check(options.check, argv[0]);
    if (options.discard)
        return play_for_nothing(&options, argv[0]);
    document = (SelfplayDocument){.config = options.config, .context = document_context()};
    run_tool_command(argc, argv, document.command, sizeof document.command);
    if (!options_shard(&options.common, options.config.shards, &document.shard, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    return run_session(&options, &document, argc, argv);
}
