/* stigmergy match: how much stronger one player is than another, or the ratings of several.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/match_run.h, its document selfplay/match_result.h. This file shows the progress, the answer and, when the
 * run is stopped, the command that goes on with it. */
#include "selfplay/runs/match/result.h"
#include "tools/cli/options.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/shard_session.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_PLAYER = OPTIONS_OWN_KEYS,
    KEY_GAMES,
    KEY_SPRT,
    KEY_OPENINGS,
    KEY_LIMIT,
    KEY_TIME,
    KEY_GRACE,
    KEY_PATIENCE,
    KEY_CONFIG,
    KEY_OUT
};

typedef struct MatchOptions {
    MatchConfig config; /* before parsing: the values that options override */
    Options common;
    ShardSpec shard;
    const char *config_path, *out;
    const char *players[MATCH_PLAYERS_MAX];
    int player_count;
} MatchOptions;

/* ---- Options ---- */

static bool read_sprt(const char *text, MatchConfig *config, Error *error) {
    char low[32];
    const char *comma = strchr(text, ',');
    if (!comma || (size_t)(comma - text) >= sizeof low)
        return error_set(error, "--sprt: '%.40s', expected ELO0,ELO1, as in 0,5", text);
    memcpy(low, text, (size_t)(comma - text));
    low[comma - text] = '\0';
    if (!read_number("--sprt", low, -1000, 1000, &config->elo0, error) ||
        !read_number("--sprt", comma + 1, -1000, 1000, &config->elo1, error))
        return false;
    config->sprt = true;
    return config->elo0 < config->elo1 || error_set(error, "--sprt: '%.40s', expected ELO0 below ELO1", text);
}

static bool read_komi(const char *text, OpeningSettings *openings, Error *error) {
    int komi = 0;
    openings->auto_komi = !strcmp(text, "auto");
    if (!openings->auto_komi && !read_int("--komi", text, -GAME_KOMI_LIMIT, GAME_KOMI_LIMIT, &komi, NULL))
        return error_set(error, "--komi: '%.40s', expected a whole number or 'auto'", text);
    openings->komi = komi;
    return true;
}

static bool read_count(const char *what, const char *text, int low, int high, int64_t *out, Error *error) {
    int value;
    if (!read_int(what, text, low, high, &value, error))
        return false;
    *out = value;
    return true;
}

static bool add_player(MatchOptions *options, const char *text, Error *error) {
    if (options->player_count == MATCH_PLAYERS_MAX)
        return error_set(error, "--player: too many, expected at most %d", MATCH_PLAYERS_MAX);
    options->players[options->player_count++] = text;
    return true;
}

/* The common options start from the configuration's values, so that only what is given overrides them. */
static void init_options(struct argp_state *state, MatchOptions *options) {
    options_init(state, &options->common);
    options->common.game_name = options->config.game;
    options->common.size = (int)options->config.size;
    options->common.seed = options->config.seed;
    options->common.capture = options->config.capture;
    options->common.pie = options->config.pie;
    options->player_count = 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    MatchOptions *options = state->input;
    MatchConfig *config = &options->config;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: init_options(state, options); break;
    case KEY_PLAYER: good = add_player(options, arg, &error); break;
    case KEY_GAMES: good = read_count("--games", arg, 2, MATCH_GAMES_MAX, &config->games, &error); break;
    case KEY_SPRT: good = read_sprt(arg, config, &error); break;
    case KEY_OPENINGS:
        good = read_count("--openings", arg, 0, OPENING_TURNS_MAX, &config->openings.turns, &error);
        break;
    case KEY_LIMIT: good = read_number("--opening-limit", arg, 0.5, 1, &config->openings.limit, &error); break;
    case KEY_TIME: good = read_number("--time", arg, 0, 1e9, &config->seconds, &error); break;
    case KEY_GRACE: good = read_number("--grace", arg, 0, 1e6, &config->grace, &error); break;
    case KEY_PATIENCE: good = read_number("--patience", arg, 0.01, 1e6, &config->patience, &error); break;
    case KEY_CONFIG: options->config_path = arg; break;
    case KEY_OUT: options->out = arg; break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp match_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy|bug|sgolte", 0, options_doc_game, 0},
            {"size", SHARED_SIZE, "N", 0, options_doc_size, 0},
            {"komi", SHARED_KOMI, "K", 0,
             "Points for White in Stigmergy: a whole number, at most the number of cells either way, or `auto', which "
             "chooses for every opening the komi that makes it most even (default 0)",
             0},
            {"capture", SHARED_CAPTURE, "free|line", 0, options_doc_capture, 0},
            {"pie", SHARED_PIE, "on|off", 0, options_doc_pie, 0},
            {NULL, 0, NULL, 0, "The run:", 2},
            {"config", KEY_CONFIG, "FILE", 0,
             "Settings: a JSON file, or the name of an installed one (default: none). Options override them; --player "
             "replaces its "
             "players",
             0},
            {"out", KEY_OUT, "FILE.json", 0, options_doc_out, 0},
            {"games", KEY_GAMES, "G", 0,
             "Games between each two players, an even number from 2 to 100000000 (default 400; with --sprt at most "
             "this number, default no limit)",
             0},
            {"sprt", KEY_SPRT, "ELO0,ELO1", 0,
             "Play until a sequential test says whether the first player is stronger by ELO0 (H0) or by ELO1 (H1), in "
             "normalized Elo, each with 5% chance of error (default: no test)",
             0},
            {"openings", KEY_OPENINGS, "P", 0, "Random turns that every pair of games begins with, 0 to 20 (default 2)",
             0},
            {"opening-limit", KEY_LIMIT, "CHANCE", 0,
             "Leave out openings in which one side wins more often than this, 0.5 to 1 (default 0.85)", 0},
            {"time", KEY_TIME, "SECONDS", 0, options_doc_time, 0},
            {"grace", KEY_GRACE, "SECONDS", 0,
             "By how much an engine may overstep its time of a move, 0 to 1000000 (default 1)", 0},
            {"patience", KEY_PATIENCE, "SECONDS", 0,
             "How long an engine may take for an answer where it has no time a move, 0.01 to 1000000 (default 60)", 0},
            {"threads", SHARED_THREADS, "T", 0,
             "Games played side by side, 1 to 256 (default: the number of processors divided by the search threads of "
             "a player). It changes no result where no player has a time a move",
             0},
            {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
            {NULL, 0, NULL, 0, "The players:", 3},
            {"player", KEY_PLAYER, "PLAYER", 0,
             "Two to 32 players, each by an option of its own: a description file, the name of an installed one, "
             "gtp:COMMAND for an external engine, or a description itself (JSON)",
             0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations a move of all built-in players, 1 to 1000000000 (default: what each description says)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move of all players, engines too, from 0.001, fractions allowed (default: what each "
             "description says)",
             0},
            {"memory", SHARED_MEMORY, "MB", 0,
             "Memory of each search tree in MB, 1 to 1048576 (default: what each description says, 256 without)", 0},
            {NULL, 0, NULL, 0, "Many machines:", 5},
            {"shard", SHARED_SHARD, "I/N", 0, options_doc_shard, 0},
            {"shards", SHARED_SHARDS, "N", 0, options_doc_shards, 0},
            {0}},
    .parser = parse_option,
    .doc =
        "Plays pairs of games between two players, both from one random opening, each player once with Black, and "
        "says how much stronger the first one is; or rates several players that all meet each other."
        "\vWith a time a move, play no more games side by side than there are processors: only then the players' "
        "times are equal. An engine that plays an illegal move, takes too long or breaks down loses the game and is "
        "started again. Ctrl-C ends the run cleanly; no finished game is ever lost. stigmergy-match(1) describes the "
        "settings and the result document."};

/* Settles who plays. */
static bool settle_players(MatchOptions *options, Error *error) {
    MatchConfig *config = &options->config;
    const Options *common = &options->common;
    if (options->player_count)
        config->count = 0;
    for (int i = 0; i < options->player_count; i++)
        if (!match_config_add_player(config, options->players[i], "--player", error))
            return false;
    match_config_set_effort(config, (uint64_t)common->simulations, common->move_seconds);
    for (int i = 0; common->memory_mb && i < config->count; i++)
        config->players[i].player.memory_mb = common->memory_mb;
    return true;
}

/* Settles which values hold; false with an error. */
static bool settle(MatchOptions *options, Error *error) {
    MatchConfig *config = &options->config;
    const Options *common = &options->common;
    config->size = common->size;
    config->seed = common->seed;
    config->capture = common->capture;
    config->pie = common->pie;
    if (common->game_name != config->game)
        snprintf(config->game, sizeof config->game, "%s", common->game_name);
    if ((common->komi && !read_komi(common->komi, &config->openings, error)) || !settle_players(options, error))
        return false;
    if (!options->out)
        return error_set(error, "--out is missing, expected a file name such as --out match.json");
    return options_shard(common, config->shards, &options->shard, error) && match_config_check(config, error);
}

/* As many games side by side as there are processors for them. */
static void settle_threads(MatchOptions *options, const char *name) {
    const int processors = omp_get_num_procs(), each = match_config_search_threads(&options->config);
    if (!options->common.threads)
        options->common.threads = processors > each ? processors / each : 1;
    else if (match_config_timed(&options->config) && options->common.threads * each > processors)
        fprintf(stderr,
                "%s: warning: %d games side by side, of %d threads each, on %d processors: the players' times are not "
                "what they seem\n",
                name, options->common.threads, each, processors);
}

/* Parses twice: the first time to find --config, the second to override what it says. False when an error has been
 * reported. */
static bool read_options(int argc, char **argv, MatchOptions *options) {
    Error error;
    options->config = match_config_default(5);
    if (!options_parse(&match_argp, argc, argv, options))
        return false;
    const char *config_path = options->config_path;
    options->config = match_config_default(5);
    if (config_path && !match_config_load(config_path, &options->config, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    if (!options_parse(&match_argp, argc, argv, options))
        return false;
    if (!settle(options, &error)) {
        tool_fail(argv[0], TOOL_USAGE, &error);
        return false;
    }
    settle_threads(options, argv[0]);
    return true;
}

/* ---- Progress ---- */

typedef struct Show {
    const MatchOptions *options;
    DocumentContext context;
    double begin, seconds_before, shown_at, saved_at;
    int played_before;
    bool terminal;
} Show;

static const double SAVE_SECONDS = 10; /* between two documents while games are played */

/* Writes the document of the whole run; a shard has one of its own, written when its session begins and ends. */
static bool save(Show *show, const MatchRun *run, Error *error) {
    show->saved_at = wall_seconds();
    if (!shard_spec_whole(run->shard))
        return true;
    show->context.seconds = show->seconds_before + show->saved_at - show->begin;
    return match_result_write(run, &show->context, show->options->out, error);
}

static void print_elo(FILE *file, EloEstimate elo) {
    fprintf(file, "%+.0f [%+.0f, %+.0f]", elo.estimate, elo.ci95.low, elo.ci95.high);
}

/* The state of the match on one line: the first player's Elo, and the test. */
static void print_state(FILE *file, const MatchRun *run) {
    const PairCounts counts = match_pairing_counts(run, &run->pairings[0]);
    if (run->config.count == 2 && counts.count[0] + counts.count[1] + counts.count[2] > 0) {
        fprintf(file, ", Elo ");
        print_elo(file, elo_of_pairs(counts));
    }
    if (run->config.sprt)
        fprintf(file, ", LLR %.2f [%.2f, %.2f]", run->sprt.llr, sprt_lower_bound(), sprt_upper_bound());
}

/* How many games have been played of those that are wanted: of the match, or of a shard's share. */
static int count_games(const MatchRun *run, int64_t *wanted) {
    int games, left;
    if (shard_spec_whole(run->shard)) {
        *wanted = match_run_wanted(run);
        return match_run_played(run);
    }
    match_run_share(run, run->shard, &games, &left);
    *wanted = games;
    return games - left;
}

static void print_progress(const Show *show, const MatchRun *run) {
    int64_t wanted;
    const int played = count_games(run, &wanted);
    const double seconds = wall_seconds() - show->begin, rate = (played - show->played_before) / seconds;
    fprintf(stderr, "hexhex-%lld", (long long)run->config.size);
    if (!shard_spec_whole(run->shard))
        fprintf(stderr, ", shard %d of %d", run->shard.index, run->shard.count);
    fprintf(stderr, ": %d", played);
    if (wanted)
        fprintf(stderr, "/%lld", (long long)wanted);
    fprintf(stderr, " games, %.2f a second", rate);
    if (wanted && rate > 0) {
        const long left = (long)((double)(wanted - played) / rate + 0.5);
        fprintf(stderr, ", %ld:%02ld left", left / 60, left % 60);
    }
    if (shard_spec_whole(run->shard))
        print_state(stderr, run);
}

static bool game_done(void *user, const MatchRun *run, const GameRecord *record, Error *error) {
    Show *show = user;
    const double now = wall_seconds(), every = show->terminal ? 0.2 : 10;
    if (end_is_forfeit(record->reason))
        fprintf(stderr, "%sgame %s: %s loses (%s): %s\n", show->terminal ? "\r\033[K" : "", record->id,
                record->players[side_opponent(record->result.winner)], end_reason_names[record->reason], record->note);
    if (now >= show->shown_at + every) {
        show->shown_at = now;
        fprintf(stderr, "%s", show->terminal ? "\r\033[K" : "");
        print_progress(show, run);
        fprintf(stderr, "%s", show->terminal ? "" : "\n");
        fflush(stderr);
    }
    return now < show->saved_at + SAVE_SECONDS || save(show, run, error);
}

/* ---- The answer ---- */

static void print_forfeits(const MatchTally *tally) {
    const char *before = "; forfeited: ";
    for (EndReason reason = 0; reason < END_REASONS; reason++)
        if (end_is_forfeit(reason) && tally->lost_by[reason]) {
            printf("%s%d by %s", before, tally->lost_by[reason], end_reason_names[reason]);
            before = ", ";
        }
}

static void print_player(const MatchRun *run, int player) {
    const MatchTally tally = match_tally(run, player);
    const MatchTiming *timing = &run->timing[player];
    printf("  %-20s wins %d of %d as Black, %d of %d as White", run->config.players[player].player.name,
           tally.wins[BLACK], tally.games[BLACK], tally.wins[WHITE], tally.games[WHITE]);
    if (tally.simulations > 0)
        printf("; %.0f simulations", tally.simulations / tally.moves);
    if (timing->moves > 0)
        printf("%s %.4f s a move, longest %.3f s", tally.simulations > 0 ? " and" : ";",
               timing->seconds / timing->moves, timing->longest);
    if (timing->overruns > 0)
        printf(", %.0f too long", timing->overruns);
    print_forfeits(&tally);
    printf("\n");
}

static void print_two(const MatchRun *run) {
    const PairCounts counts = match_pairing_counts(run, &run->pairings[0]);
    printf("Elo of %s over %s: ", run->config.players[0].player.name, run->config.players[1].player.name);
    print_elo(stdout, elo_of_pairs(counts));
    printf("; normalized ");
    print_elo(stdout, elo_normalized(counts));
    printf("\n  pairs scored 0, 1/2, 1: %.0f, %.0f, %.0f\n", counts.count[0], counts.count[1], counts.count[2]);
    if (!run->config.sprt)
        return;
    const Sprt *sprt = &run->sprt;
    printf("  test of %+g against %+g normalized Elo: LLR %.2f [%.2f, %.2f], ", sprt->elo0, sprt->elo1, sprt->llr,
           sprt_lower_bound(), sprt_upper_bound());
    if (sprt->verdict == SPRT_RUNNING)
        printf("no verdict yet\n");
    else
        printf("%s accepted\n", sprt->verdict == SPRT_H1 ? "H1" : "H0");
}

/* Players by rating, the best first. */
static void print_table(const MatchRun *run) {
    EloEstimate ratings[MATCH_PLAYERS_MAX];
    Error error;
    bool printed[MATCH_PLAYERS_MAX] = {false};
    if (!match_run_ratings(run, ratings, &error)) {
        printf("No ratings yet: %s\n", error.text);
        return;
    }
    printf("Ratings, their mean is 0, with 95%% intervals:\n");
    for (int rank = 1; rank <= run->config.count; rank++) {
        int best = -1;
        for (int i = 0; i < run->config.count; i++)
            if (!printed[i] && (best < 0 || ratings[i].estimate > ratings[best].estimate))
                best = i;
        printed[best] = true;
        printf("  %2d. %-24s ", rank, run->config.players[best].player.name);
        print_elo(stdout, ratings[best]);
        printf("\n");
    }
}

static void print_answer(const MatchRun *run, const char *out) {
    printf("%s on hexhex-%lld, %d games\n", run->config.game, (long long)run->config.size, match_run_played(run));
    if (run->config.count == 2)
        print_two(run);
    else
        print_table(run);
    for (int i = 0; i < run->config.count; i++)
        print_player(run, i);
    printf("The result is in %s, the games are in %s.\n", out, run->records.lines.path);
}

/* ---- The run ---- */

static int play(MatchRun *run, const MatchOptions *options, Show *show, int argc, char **argv) {
    Error error;
    show->played_before = match_run_played(run);
    run_tool_opened(argv[0], &run->records, show->played_before);
    if (!save(show, run, &error)) /* an output that cannot be written is found now, not after hours */
        return tool_fail(argv[0], TOOL_FAILED, &error);
    const MatchSession session = {
        .threads = options->common.threads, .stop = run_tool_catch_signals(), .game_done = game_done, .user = show};
    const MatchEnd end = match_run_play(run, &session, &error);
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    if (end == MATCH_FAILED)
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if ((end != MATCH_STOPPED && !match_run_sort_records(run, &error)) || !save(show, run, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if (end == MATCH_STOPPED)
        return run_tool_stopped(argc, argv);
    print_answer(run, options->out);
    return TOOL_DONE;
}

/* Plays the share of a shard in the current round. */
static int play_share(MatchRun *run, ShardSession *session, const MatchOptions *options, Show *show, int argc,
                      char **argv) {
    const MatchSession job = {
        .threads = options->common.threads, .stop = run_tool_catch_signals(), .game_done = game_done, .user = show};
    Error error;
    int games, left;
    bool to_play;
    run_tool_opened(argv[0], &run->records, 0);
    match_run_share(run, run->shard, &games, &left);
    show->played_before = games - left;
    if (!shard_session_begin(session, run->hash, match_run_round(run), match_config_to_json(&options->config), games,
                             left, &to_play, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    if (!to_play)
        return TOOL_DONE;
    match_timing_add(run, session->document.timing);
    const MatchEnd end = match_run_play(run, &job, &error);
    if (show->terminal)
        fprintf(stderr, "\r\033[K");
    cJSON_Delete(session->document.timing);
    session->document.timing = match_timing_to_json(run);
    if (end == MATCH_FAILED || (end == MATCH_DONE && !match_run_sort_records(run, &error)) ||
        !shard_session_end(session, end == MATCH_DONE, &error))
        return tool_fail(argv[0], TOOL_FAILED, &error);
    return end == MATCH_STOPPED ? run_tool_stopped(argc, argv) : TOOL_DONE;
}

static int run_shard(MatchRun *run, const MatchOptions *options, Show *show, int argc, char **argv) {
    Error error;
    ShardSession session;
    const bool good =
        shard_session_open(&session, argv[0], "match", options->out, options->shard, &error) &&
        match_result_resume(options->out, &options->config, &show->context, run->timing, &error) &&
        match_run_open_shard(run, &options->config, options->shard, session.merged, session.records, &error);
    memset(run->timing, 0, sizeof run->timing); /* the shard's own, from its document */
    const int status =
        good ? play_share(run, &session, options, show, argc, argv) : tool_fail(argv[0], TOOL_USAGE, &error);
    shard_session_close(&session);
    return status;
}

int tool_match(int argc, char **argv) {
    static MatchOptions options;
    char records[FILE_PATH_MAX];
    Error error;
    if (!read_options(argc, argv, &options))
        return TOOL_USAGE;
    if (!record_file_path(options.out, records, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    Show show = {
        .options = &options, .context = document_context(), .begin = wall_seconds(), .terminal = isatty(STDERR_FILENO)};
    MatchRun *run = match_run_new();
    int status;
    if (!run) {
        error_set(&error, "out of memory");
        return tool_fail(argv[0], TOOL_FAILED, &error);
    }
    run_tool_catch_signals();
    if (!shard_spec_whole(options.shard)) {
        status = run_shard(run, &options, &show, argc, argv);
    } else if (!match_result_resume(options.out, &options.config, &show.context, run->timing, &error) ||
               !match_run_open(run, &options.config, records, &error)) {
        status = tool_fail(argv[0], TOOL_USAGE, &error);
    } else {
        show.seconds_before = show.context.seconds;
        status = play(run, &options, &show, argc, argv);
    }
    match_run_close(run);
    return status;
}
