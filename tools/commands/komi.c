/* stigmergy komi: the fair komi of a board size, by self-play across komi values.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/komi_run.h, its document selfplay/komi_result.h. This file shows the progress, the answer and, when the run
 * is stopped, the command that goes on with it. */
#include "selfplay/io/exact_value.h"
#include "selfplay/runs/komi/result.h"
#include "tools/cli/options.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/shard_session.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_LADDER = OPTIONS_OWN_KEYS, KEY_GAMES, KEY_WIDTH, KEY_TIME, KEY_RANGE, KEY_CONFIG, KEY_DRY_RUN, KEY_OUT };

typedef struct KomiOptions {
    KomiConfig config; /* before parsing: the values that options override */
    Options common;
    ShardSpec shard;
    const char *config_path, *out;
    bool dry_run, range_given, ladder_given;
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
    if (!read_int("--komi-range", low_text, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &low, error) ||
        !read_int("--komi-range", colon + 1, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &high, error))
        return false;
    range[0] = low;
    range[1] = high;
    return true;
}

static bool read_ladder(const char *text, KomiConfig *config, Error *error) {
    char copy[256];
    if (strlen(text) >= sizeof copy)
        return error_set(error, "--ladder: too long, expected at most %d numbers", KOMI_RUNGS_MAX);
    strcpy(copy, text);
    config->rungs = 0;
    config->move_seconds = 0;
    for (char *part = copy, *next; part; part = next) {
        int simulations;
        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        if (config->rungs == KOMI_RUNGS_MAX)
            return error_set(error, "--ladder: expected at most %d numbers", KOMI_RUNGS_MAX);
        if (!read_int("--ladder", part, 1, 1000000000, &simulations, error))
            return false;
        config->ladder[config->rungs++] = simulations;
    }
    return true;
}

/* The common options start from the configuration's values, so that only what is given overrides them. */
static void init_options(struct argp_state *state, KomiOptions *options) {
    options_init(state, &options->common);
    options->common.game_name = options->config.game;
    options->common.size = (int)options->config.size;
    options->common.seed = options->config.seed;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    KomiOptions *options = state->input;
    KomiConfig *config = &options->config;
    Error error;
    bool good = true;
    int games;
    switch (key) {
    case ARGP_KEY_INIT: init_options(state, options); break;
    case KEY_LADDER:
        good = read_ladder(arg, config, &error);
        options->ladder_given = true;
        break;
    case KEY_GAMES:
        if ((good = read_int("--games", arg, 1, 1000000000, &games, &error)))
            config->games = games;
        break;
    case KEY_WIDTH: good = read_number("--until-width", arg, 0, 1000, &config->until_width, &error); break;
    case KEY_TIME: good = read_number("--time", arg, 0, 1e9, &config->seconds, &error); break;
    case KEY_RANGE:
        good = read_range(arg, config->komi_range, &error);
        options->range_given = true;
        break;
    case KEY_CONFIG: options->config_path = arg; break;
    case KEY_DRY_RUN: options->dry_run = true; break;
    case KEY_OUT: options->out = arg; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp komi_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy", 0, "The game; Stigmergy alone has komi (default stigmergy)", 0},
            {"size", SHARED_SIZE, "N", 0, "Cells a side, 2 to 10 (default 5)", 0},
            {"komi-range", KEY_RANGE, "A:B", 0,
             "Lowest and highest komi to play, within the number of cells either way (default: the whole range)", 0},
            {"komi", SHARED_KOMI, "K", OPTION_HIDDEN, NULL, 0},
            {NULL, 0, NULL, 0, "The run:", 2},
            {"config", KEY_CONFIG, "FILE", 0, options_doc_config, 0},
            {"out", KEY_OUT, "FILE.json", 0, options_doc_out, 0},
            {"games", KEY_GAMES, "G", 0, "Games of each rung of the ladder in all, 1 to 1000000000 (default 400)", 0},
            {"until-width", KEY_WIDTH, "W", 0,
             "End a rung where the 95% interval is narrower than this, in points, 0 to 1000 (default 0: never)", 0},
            {"time", KEY_TIME, "SECONDS", 0, options_doc_time, 0},
            {"dry-run", KEY_DRY_RUN, NULL, 0, "Only say what the run would cost", 0},
            {"threads", SHARED_THREADS, "T", 0, options_doc_games_at_once, 0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {NULL, 0, NULL, 0, "The player:", 3},
            {"player", SHARED_PLAYER, "PLAYER", 0,
             "A player description: a JSON file, or the name of an installed one (default: the player `default'). Its "
             "effort a move is that of the ladder",
             0},
            {"sims", SHARED_SIMS, "N", 0, "Simulations a move, 1 to 1000000000: a ladder of one rung (default 800)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, instead of a ladder (default: simulations)", 0},
            {"memory", SHARED_MEMORY, "MB", 0, options_doc_memory, 0},
            {"ladder", KEY_LADDER, "S1,S2,...", 0,
             "Search efforts in simulations a move, ascending, at most 16: each is played (default 800)", 0},
            {NULL, 0, NULL, 0, "Many machines:", 5},
            {"shard", SHARED_SHARD, "I/N", 0, options_doc_shard, 0},
            {"shards", SHARED_SHARDS, "N", 0, options_doc_shards, 0},
            {0}},
    .parser = parse_option,
    .doc = "Finds the fair komi of a board size by self-play across komi values."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-komi(1) describes the settings and "
           "the result document."};

/* Settles which values hold; false with an error. */
static bool settle(KomiOptions *options, Error *error) {
    KomiConfig *config = &options->config;
    const Options *common = &options->common;
    if (common->komi)
        return error_set(error, "--komi: a run plays many komi values, expected --komi-range LOW:HIGH");
    if (!options->range_given && common->size != config->size)
        memcpy(config->komi_range, komi_config_default(common->size).komi_range, sizeof config->komi_range);
    config->size = common->size;
    config->seed = common->seed;
    if (common->game_name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game_name);
    if (common->player) {
        config->player = player_default();
        if (!player_load(common->player, &config->player, error))
            return false;
    }
    if (common->memory_mb)
        config->player.memory_mb = common->memory_mb;
    if ((common->simulations != 0) + (common->move_seconds > 0) + options->ladder_given > 1)
        return error_set(error, "--sims, --ladder and --move-time exclude each other");
    if (common->simulations) {
        config->ladder[0] = common->simulations;
        config->rungs = 1;
        config->move_seconds = 0;
    }
    if (common->move_seconds > 0)
        config->move_seconds = common->move_seconds;
    if (!options->out && !options->dry_run)
        return error_set(error, "--out is missing, expected a file name such as --out komi.json");
    return options_shard(common, config->shards, &options->shard, error) && komi_config_check(config, error);
}

/* Parses twice: the first time to find --config, the second to override what it says. False when an error has been
 * reported. */
static bool read_options(int argc, char **argv, KomiOptions *options) {
    Error error;
    *options = (KomiOptions){.config = komi_config_default(5)};
    if (!options_parse(&komi_argp, argc, argv, options))
        return false;
    KomiOptions second = {.config = komi_config_default(5)};
    if (options->config_path && !komi_config_load(options->config_path, &second.config, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    *options = second;
    if (!options_parse(&komi_argp, argc, argv, options))
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
    const KomiOptions *options;
    DocumentContext context;
    double begin, seconds_before, shown_at;
    bool terminal;
} Show;

static void print_effort(FILE *file, const KomiRun *run, int rung) {
    if (run->config.move_seconds > 0)
        fprintf(file, "%g s a move", run->config.move_seconds);
    else
        fprintf(file, "%s simulations a move", run->rung[rung].name);
}

static void progress(void *user, const KomiProgress *now) {
    Show *show = user;
    const double at = wall_seconds(), every = show->terminal ? 0.2 : 10;
    if (!now->round_ended && at < show->shown_at + every)
        return;
    show->shown_at = at;
    const double rate = now->seconds > 0 ? now->played_now / now->seconds : 0;
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    fprintf(stderr, "hexhex-%lld, ", (long long)now->run->config.size);
    if (!shard_spec_whole(now->run->shard))
        fprintf(stderr, "shard %d of %d, ", now->run->shard.index, now->run->shard.count);
    print_effort(stderr, now->run, now->rung);
    fprintf(stderr, ": %d/%d games", now->played, now->wanted);
    if (rate > 0) {
        const long left = (long)((now->wanted - now->played) / rate + 0.5);
        fprintf(stderr, ", %.2f a second, %ld:%02ld left", rate, left / 60, left % 60);
    }
    if (now->fair)
        fprintf(stderr, ", fair komi %.2f [%.2f, %.2f]", now->fair->combined, now->fair->combined_ci95.low,
                now->fair->combined_ci95.high);
    if (!show->terminal)
        fputc('\n', stderr);
    fflush(stderr);
}

static bool write_result(void *user, const KomiRun *run, Error *error) {
    Show *show = user;
    show->context.seconds = show->seconds_before + wall_seconds() - show->begin;
    return komi_result_write(run, &show->context, show->options->out, error);
}

/* ---- The answer ---- */

static void print_line(const char *name, double estimate, Interval interval, const char *remark) {
    printf("    %-16s %6.2f   95%% interval [%.2f, %.2f]%s\n", name, estimate, interval.low, interval.high, remark);
}

static void print_rung(const KomiRun *run, int rung) {
    FairKomi fair;
    Error error;
    if (run->rung[rung].played == 0 || !komi_run_estimate(run, rung, &fair, &error))
        return;
    printf("  ");
    print_effort(stdout, run, rung);
    printf(", %d games\n", run->rung[rung].played);
    static const char bracket[] = " (separated: the neighbouring komi values)";
    if (fair.even.games > 0)
        print_line("even komi", fair.even.estimate, fair.even.ci95, fair.even.bracket_used ? bracket : "");
    if (fair.odd.games > 0)
        print_line("odd with button", fair.odd.estimate, fair.odd.ci95, fair.odd.bracket_used ? bracket : "");
    print_line("together", fair.combined, fair.combined_ci95, "");
    printf("    play with komi   %3d%s Black then wins %.0f%% [%.0f%%, %.0f%%]\n", fair.recommended,
           fair.recommended % 2 ? " and the button:" : ":", 100 * fair.win_rate, 100 * fair.win_rate_ci95.low,
           100 * fair.win_rate_ci95.high);
}

static void print_answer(const KomiRun *run, const char *out) {
    printf("Fair komi of %s on hexhex-%lld, by self-play:\n", run->config.game, (long long)run->config.size);
    for (int rung = 0; rung < run->rungs; rung++)
        print_rung(run, rung);
    double even, odd;
    const int size = (int)run->config.size;
    if (exact_value(run->config.game, size, false, &even) && exact_value(run->config.game, size, true, &odd))
        printf("  perfect play: Black is ahead by %g, with the button (odd komi) by %g\n", even, odd);
    printf("The result is in %s, the games are in %s.\n", out, run->records.lines.path);
}

/* ---- Runs ---- */

/* Says what a run costs: the rate of a short search, and the length of playouts. */
static int dry_run(const KomiOptions *options, const char *name) {
    const KomiConfig *config = &options->config;
    const int threads = options->common.threads;
    RunCost cost;
    Error error;
    if (!run_cost_measure(&(GameOptions){.name = config->game, .size = (int)config->size}, &config->player, &cost,
                          &error))
        return tool_fail(name, TOOL_USAGE, &error);
    printf("%s on hexhex-%lld, %d games side by side, about %.0f moves a game and %.0f simulations a second in each:\n",
           config->game, (long long)config->size, threads, cost.actions, cost.simulations);
    double total = 0;
    for (int rung = 0; rung < komi_config_rungs(config); rung++) {
        const Player player = komi_config_player(config, rung);
        const double a_game = run_cost_game(&cost, &player), all = a_game * (double)config->games / threads;
        total += all;
        printf("  rung %d: %lld games of %.2f s: %.0f s\n", rung + 1, (long long)config->games, a_game, all);
    }
    printf("  in all: at most about %.0f s (%.1f h)\n", total, total / 3600);
    return TOOL_DONE;
}

static void report_opened(const KomiRun *run, const char *name) {
    int played = 0;
    for (int rung = 0; rung < run->rungs; rung++)
        played += run->rung[rung].played;
    run_tool_opened(name, &run->records, played);
}

static int play(KomiRun *run, const KomiOptions *options, Show *show, int argc, char **argv) {
    Error error;
    report_opened(run, argv[0]);
    if (!write_result(show, run, &error)) /* an output that cannot be written is found now, not after hours */
        return tool_fail(argv[0], TOOL_FAILED, &error);
    const KomiSession session = {.threads = options->common.threads,
                                 .stop = run_tool_catch_signals(),
                                 .progress = progress,
                                 .round_done = write_result,
                                 .user = show};
    const KomiEnd end = komi_run_play(run, &session, &error);
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    if (end == KOMI_FAILED)
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if (end == KOMI_STOPPED)
        return run_tool_stopped(argc, argv);
    if (!komi_run_sort_records(run, &error) || !write_result(show, run, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    print_answer(run, options->out);
    return TOOL_DONE;
}

/* Plays the share of a shard in the current round. */
static int play_share(KomiRun *run, ShardSession *session, const KomiOptions *options, Show *show, int argc,
                      char **argv) {
    const KomiSession job = {
        .threads = options->common.threads, .stop = run_tool_catch_signals(), .progress = progress, .user = show};
    Error error;
    int games, left;
    bool to_play;
    run_tool_opened(argv[0], &run->records, 0);
    komi_run_share(run, run->shard, &games, &left);
    if (!shard_session_begin(session, run->hash, komi_run_round(run), komi_config_to_json(&options->config), games,
                             left, &to_play, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if (!to_play)
        return TOOL_DONE;
    const KomiEnd end = komi_run_play_shard(run, &job, &error);
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    if (end == KOMI_FAILED || (end == KOMI_DONE && !komi_run_sort_records(run, &error)) ||
        !shard_session_end(session, end == KOMI_DONE, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    return end == KOMI_STOPPED ? run_tool_stopped(argc, argv) : TOOL_DONE;
}

static int run_shard(const KomiOptions *options, Show *show, int argc, char **argv) {
    Error error;
    ShardSession session;
    KomiRun run = {.records.lines.descriptor = -1};
    const bool good =
        shard_session_open(&session, argv[0], "komi", options->out, options->shard, &error) &&
        komi_result_resume(options->out, &options->config, &show->context, &error) &&
        komi_run_open_shard(&run, &options->config, options->shard, session.merged, session.records, &error);
    const int status =
        good ? play_share(&run, &session, options, show, argc, argv) : tool_fail(argv[0], TOOL_USAGE, &error);
    shard_session_close(&session);
    komi_run_close(&run);
    return status;
}

int tool_komi(int argc, char **argv) {
    KomiOptions options;
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
    if (!shard_spec_whole(options.shard))
        return run_shard(&options, &show, argc, argv);
    int status;
    KomiRun run = {.records.lines.descriptor = -1};
    if (!komi_result_resume(options.out, &options.config, &show.context, &error) ||
        !komi_run_open(&run, &options.config, records, &error)) {
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    } else {
        show.seconds_before = show.context.seconds;
        status = play(&run, &options, &show, argc, argv);
    }
    komi_run_close(&run);
    return status;
}
