/* stigmergy selfplay: data sets of self-play games.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run is
 * selfplay/runs/generate/run.h, the set that it leaves selfplay/dataset/dataset.h (selfplay/docs/dataset.md for its
 * readers). --from builds a set from records alone, --check proves that a set is what its records say. */
#include "selfplay/dataset/dataset.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/runs/generate/run.h"
#include "tools/cli/output.h"
#include "tools/cli/processor_time.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
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
        snprintf(config->license, sizeof config->license, "%s", arg);
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
             "files with all games of one run, whose options must be given again",
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
    if (common->move_seconds > 0)
        return error_set(error, "--move-time: a data set must be the same on every machine, expected --sims");
    if (common->simulations)
        player_set_limits(&config->player, (uint64_t)common->simulations, config->player.move_seconds);
    if (!options->run.out && !options->check && !options->discard && !options->run.dry_run)
        return error_set(error, "--out is missing, expected a folder such as --out games");
    if (options->run.out && !run_options_check_out(options->run.out, error))
        return false;
    if (!run_config_check(&config->run, error))
        return false;
    warn_of_cheap(config);
    return true;
}

/* ---- What is said ---- */

static bool progress(void *user, const RunProgress *now, Error *error) {
    (void)error;
    run_line_show(user, now);
    return true;
}

static void print_answer(const Dataset *dataset) {
    const DatasetPart total = dataset_total(dataset);
    printf("%lld games of %s, %lld positions, %lld rows, %lld of them of full searches\n", (long long)total.games,
           dataset->document->config.run.game, (long long)total.positions, (long long)total.rows,
           (long long)total.full);
    for (int size = 0; size <= HEXHEX_MAX_SIZE; size++) {
        const DatasetPart *part = &dataset->parts[size];
        if (part->games)
            printf("  hexhex-%-2d %lld games, %lld of them distinct; Black wins %.1f%%\n", size, (long long)part->games,
                   (long long)part->distinct_games, 100 * (double)part->black_wins / (double)part->games);
    }
}

/* ---- The runs ---- */

/* A session of the tool. */
typedef struct Session {
    const SelfplayOptions *options;
    Run *run;
    SelfplayDocument *document;
    const char *folder;
    double begin, seconds_before;
    bool complete;    /* the set is there */
    const char *name; /* what messages begin with */
    int argc;         /* the command that goes on */
    char **argv;
} Session;

/* Something went wrong, or the session was stopped. */
static int end_badly(const Session *session, int status, const Error *error) {
    if (stop_flag_is_set(run_tool_catch_signals()))
        return run_tool_stopped(session->argc, session->argv);
    return tool_fail(session->name, status, error);
}

static bool write_document(const Session *session, Error *error) {
    session->document->context.seconds = session->seconds_before + wall_seconds() - session->begin;
    return selfplay_document_write(session->folder, session->document, error);
}

/* Makes the set, and says which texts of somebody it has kept. */
static bool build(const Session *session, Dataset *dataset, Error *error) {
    const bool good = dataset_build(dataset, error);
    for (int i = 0; i < DATASET_TEXTS; i++)
        if (dataset->kept[i].text[0])
            fprintf(stderr, "%s: %s\n", session->name, dataset->kept[i].text);
    return good;
}

/* Packs the games and, unless this is a part of a run, makes the set of them. */
static int finish(const Session *session) {
    Error error;
    const Run *run = session->run;
    GameStore *store = &selfplay_state(run)->store;
    static Dataset dataset;
    dataset.folder = session->folder;
    dataset.boards = &selfplay_state(run)->boards;
    dataset.document = session->document;
    dataset.stop = run_tool_catch_signals();
    if (!game_store_finish(store, &error) || !write_document(session, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    if (!shard_spec_whole(run->shard)) {
        printf("Shard %d of %d is complete: %lld games in %s.\n", run->shard.index, run->shard.count,
               (long long)store->played, session->folder);
        return TOOL_DONE;
    }
    const bool good = build(session, &dataset, &error);
    if (good) {
        print_answer(&dataset);
        printf("The set is in %s; its card is %s/README.md.\n", session->folder, session->folder);
    }
    dataset_free(&dataset);
    return good ? TOOL_DONE : end_badly(session, TOOL_FAILED, &error);
}

/* Shows how far the games are. */
static RunEnd play_games(Run *run, int threads, Error *error) {
    RunLine line = {.shown_at = wall_seconds()};
    const RunSession settings = {
        .threads = threads, .stop = run_tool_catch_signals(), .progress = progress, .user = &line};
    const RunEnd end = run_play(run, &settings, error);
    run_line_clear();
    return end;
}

static int play(const Session *session) {
    Error error;
    Run *run = session->run;
    GameStore *store = &selfplay_state(run)->store;
    if (store->played >= selfplay_run_wanted(run) && session->complete) {
        printf("The set in %s is complete: %lld games.\n", session->folder, (long long)store->played);
        return game_store_finish(store, &error) ? TOOL_DONE : tool_fail(session->name, TOOL_FAILED, &error);
    }
    run_tool_opened(session->name, store->open.path, store->torn, store->repeated, store->played);
    /* An output that cannot be written is found now, not after hours. */
    if (!dataset_invalidate(session->folder, &error) || !write_document(session, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    const RunEnd end = play_games(run, session->options->run.common.threads, &error);
    if (end == RUN_FAILED)
        return tool_fail(session->name, TOOL_FAILED, &error);
    if (end == RUN_DONE)
        return finish(session);
    if (!write_document(session, &error))
        return tool_fail(session->name, TOOL_FAILED, &error);
    return run_tool_stopped(session->argc, session->argv);
}

/* The set that is there stays whole until all sources are known to be good. */
static int build_from(const Session *session) {
    Error error;
    const SelfplayOptions *options = session->options;
    const StopFlag *stop = run_tool_catch_signals();
    if (!selfplay_run_check_sources(session->run, options->from, options->from_count, stop, &error))
        return end_badly(session, TOOL_USAGE, &error);
    bool good = dataset_invalidate(session->folder, &error);
    for (int i = 0; i < options->from_count && good; i++)
        good = selfplay_run_import(session->run, options->from[i], stop, &error);
    return good ? finish(session) : end_badly(session, TOOL_FAILED, &error);
}

static int check(const char *folder, const char *name) {
    static SelfplayDocument document;
    static Dataset dataset;
    SelfplayBoards boards;
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
    Run *run = run_new(&selfplay_kind, &config->run, (ShardSpec){0, 0}, error);
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
    const RunEnd end = play_for_nothing(&options->config, options->run.common.threads, play_games, &spent, &error);
    if (end == RUN_FAILED)
        return tool_fail(name, TOOL_FAILED, &error);
    printf("%d games, %.3f a second\n", spent.games, spent.games / spent.passed);
    return end == RUN_STOPPED ? TOOL_INTERRUPTED : TOOL_DONE;
}

static RunEnd play_silently(Run *run, int threads, Error *error) {
    return run_play(run, &(RunSession){.threads = threads, .stop = run_tool_catch_signals()}, error);
}

/* Plays `games` games of a board with this number of simulations. *seconds becomes the time of one. */
static RunEnd try_games(const SelfplayOptions *options, const SelfplaySize *board, uint64_t simulations, int64_t games,
                        double *seconds, Error *error) {
    static SelfplayConfig config;
    config = options->config;
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

/* Whether the options say what a source says of itself, and no other run. */
static bool agrees(const SelfplayConfig *said, const SelfplayDocument *source, const char *path, Error *error) {
    SelfplayConfig config = *said;
    char hash[RECORD_RUN_MAX];
    strcpy(config.engine, source->config.engine); /* which no option says */
    if (!run_config_hash(&config.run, hash, error))
        return false;
    return (!strcmp(hash, source->run) && config.run.games == source->config.run.games) ||
           error_set(error,
                     "%s: is of another run than the options say, expected only --out, --rows, --license and a "
                     "--config of rows, license, creator and url beside --from",
                     path);
}

/* Reads what run the records are of, where they are in a folder that says so; of bare records the options say it. What
 * is said about the new set, not its games, counts before what the source says. */
static bool load_source(const SelfplayOptions *options, SelfplayDocument *document, Error *error) {
    char path[FILE_PATH_MAX];
    static SelfplayDocument source;
    const char *config = options->run.config_path;
    bool alone = true;
    if (snprintf(path, sizeof path, "%s/run.json", options->from[0]) >= (int)sizeof path || !file_exists(path))
        return true;
    if (!selfplay_document_load(options->from[0], &source, error) ||
        (config && !selfplay_config_load_layout(config, &source.config, &alone, error)) ||
        ((options->settings_given || !alone) && !agrees(&options->config, &source, path, error)))
        return false;
    if (options->rows_given)
        source.config.rows = document->config.rows;
    if (options->license_given)
        strcpy(source.config.license, document->config.license);
    document->config = source.config;
    return true;
}

/* If a document is damaged but there are games, it is made again. */
static bool set_aside(const Session *session, const char *name, Error *damage, Error *error) {
    char path[FILE_PATH_MAX];
    if (!damage->text[0])
        return true;
    if (selfplay_state(session->run)->store.played == 0)
        return error_set(error, "%s", damage->text);
    if (!file_path_in(session->folder, name, path, error) ||
        !document_set_aside(path, "from the records", damage, error))
        return false;
    fprintf(stderr, "%s: %s\n", session->name, damage->text);
    return true;
}

/* Finds what there is of the run and of its set. */
static bool open_set(Session *session, Error *error) {
    SelfplayDocument *document = session->document;
    Error damage;
    if (!selfplay_document_resume(session->folder, document, &damage, error) ||
        !(session->run = run_new(&selfplay_kind, &document->config.run, document->shard, error)) ||
        !selfplay_run_open(session->run, session->folder, error) || !set_aside(session, "run.json", &damage, error))
        return false;
    strcpy(document->run, session->run->hash);
    session->seconds_before = document->context.seconds;
    return dataset_resume(session->folder, document, selfplay_state(session->run)->store.played, &session->complete,
                          &damage, error) &&
           set_aside(session, "manifest.json", &damage, error);
}

/* Whether a file of the set is none that the command reads. */
static bool spares_inputs(const SelfplayOptions *options, const char *path, Error *error) {
    bool good = run_options_spare(&options->run, "--out", path, &options->config.player, error);
    for (int i = 0; good && i < options->config.size_count; i++)
        good = output_spares_network("--out", path, &options->config.sizes[i].player, error);
    return good;
}

static bool check_folder(const SelfplayOptions *options, const char *folder, Error *error) {
    static const char *const names[] = {"README.md", "croissant.json", "run.json", "manifest.json"};
    char path[FILE_PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!file_path_in(folder, names[i], path, error) || (file_exists(path) && !spares_inputs(options, path, error)))
            return false;
    return true;
}

static int run_set(SelfplayOptions *options, SelfplayDocument *document, const char *name, int argc, char **argv) {
    Error error;
    char folder[FILE_PATH_MAX];
    Session session = {.options = options,
                       .document = document,
                       .folder = folder,
                       .begin = wall_seconds(),
                       .name = name,
                       .argc = argc,
                       .argv = argv};
    int status;
    run_tool_catch_signals();
    if ((options->from_count && !load_source(options, document, &error)) ||
        !shard_spec_path(document->shard, options->run.out, "", folder, &error) ||
        !check_folder(options, folder, &error) || !open_set(&session, &error))
        status = tool_fail(name, TOOL_USAGE, &error);
    else
        status = options->from_count ? build_from(&session) : play(&session);
    return run_tool_end(session.run, status, name);
}

/* Does what the options say, which it reads first. */
static int run_tool(SelfplayOptions *options, int argc, char **argv) {
    static SelfplayDocument document;
    static char own_name[] = "stigmergy selfplay";
    const char *name = argv[0]; /* `merge` comes here too: messages begin with its name, */
    Error error;
    if (!run_options_read(&selfplay_argp, argc, argv, &options->run, sizeof *options, settle))
        return TOOL_USAGE;
    if (options->check)
        return check(options->check, name);
    if (options->discard)
        return say_rate(options, name);
    if (options->run.dry_run)
        return say_costs(options, name);
    argv[0] = own_name; /* but the set names the command that makes it */
    document = (SelfplayDocument){.config = options->config, .context = document_context()};
    if (!options_shard(&options->run.common, options->config.run.shards, &document.shard, &error))
        return tool_fail(name, TOOL_USAGE, &error);
    char *command = run_tool_command(argc, argv, &error);
    if (!command)
        return tool_fail(name, TOOL_FAILED, &error);
    document.command = command;
    const int status = run_set(options, &document, name, argc, argv);
    free(command);
    return status;
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
