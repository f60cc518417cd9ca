/* stigmergy match: how much stronger one player is than another, or the ratings of several.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/runs/match/run.h, its session tools/cli/run_session.h. This file says the answer. */
#include "engine/games/registry.h"
#include "selfplay/runs/match/run.h"
#include "tools/cli/elo_text.h"
#include "tools/cli/numbers.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
#include "tools/cli/tool.h"

#include <omp.h>
#include <string.h>

enum {
    KEY_PLAYER = OPTIONS_OWN_KEYS,
    KEY_GAMES,
    KEY_SPRT,
    KEY_OPENINGS,
    KEY_LIMIT,
    KEY_GRACE,
    KEY_PATIENCE,
    KEY_RESTARTS,
    KEY_PROGRAMS
};

typedef struct MatchOptions {
    RunOptions run;
    MatchConfig config; /* before parsing: the values that options override */
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

/* Random turns, or a word for all openings of a kind. */
static bool read_openings(const char *text, OpeningSettings *openings, Error *error) {
    for (int turns = 0; turns <= OPENING_ALL_TURNS_MAX; turns++)
        if (!strcmp(text, opening_words[turns])) {
            openings->all = true;
            openings->turns = turns;
            return true;
        }
    openings->all = false;
    return read_count("--openings", text, 0, OPENING_TURNS_MAX, &openings->turns, NULL) ||
           error_set(error, "--openings: '%.40s', expected empty, first, second or a whole number from 0 to %d", text,
                     OPENING_TURNS_MAX);
}

static bool add_player(MatchOptions *options, const char *text, Error *error) {
    if (options->player_count == MATCH_PLAYERS_MAX)
        return error_set(error, "--player: too many, expected at most %d", MATCH_PLAYERS_MAX);
    options->players[options->player_count++] = text;
    return true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    MatchOptions *options = state->input;
    MatchConfig *config = &options->config;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_PLAYER: good = add_player(options, arg, &error); break;
    case KEY_GAMES: good = read_count("--games", arg, 2, MATCH_GAMES_MAX, &config->run.games, &error); break;
    case KEY_SPRT: good = read_sprt(arg, config, &error); break;
    case KEY_OPENINGS: good = read_openings(arg, &config->openings, &error); break;
    case KEY_LIMIT: good = read_number("--opening-limit", arg, 0.5, 1, &config->openings.limit, &error); break;
    case KEY_GRACE: good = read_number("--grace", arg, 0, 1e6, &config->grace, &error); break;
    case KEY_PATIENCE: good = read_number("--patience", arg, 0.01, 1e6, &config->patience, &error); break;
    case KEY_RESTARTS: good = read_count("--restarts", arg, 0, 1000000, &config->restarts, &error); break;
    case KEY_PROGRAMS: config->allow_programs = true; break;
    default: return run_options_parse(key, arg, state, &options->run);
    }
    return options_check(state, good, &error);
}

const struct argp match_argp = {
    .options =
        (const struct argp_option[]){
            {"komi", SHARED_KOMI, "K", 0,
             "Points for White in Stigmergy: a whole number, at most the number of cells either way, or `auto': "
             "for each opening a komi that is about fair between strong players (default 0)",
             0},
            {"config", SHARED_CONFIG, "FILE", 0,
             "Settings: a JSON file, or the name of an installed one (default: none). Options override them; --player "
             "replaces its players",
             0},
            {"games", KEY_GAMES, "G", 0,
             "Games of each pair of players, an even number from 2 to 100000000 (default 400, or two for each opening "
             "of `first' or `second'; with --sprt at most this number, default no limit)",
             2},
            {"sprt", KEY_SPRT, "ELO0,ELO1", 0,
             "Play until a sequential test says whether the first player is stronger by ELO0 (H0) or by ELO1 (H1), in "
             "normalized Elo, each with 5% chance of error (default: no test)",
             0},
            {"openings", KEY_OPENINGS, "P", 0,
             "What pairs of games begin with: a number of random turns, 0 to 20, or `empty', the empty board, or "
             "`first' or `second', all first turns or all of the first two up to symmetry (default 2)",
             0},
            {"opening-limit", KEY_LIMIT, "CHANCE", 0,
             "Reject random openings in which one side wins more often than this, 0.5 to 1 (default 0.85)", 0},
            {"time", SHARED_TIME, "SECONDS", 0, options_doc_time, 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, options_doc_dry_run, 0},
            {"grace", KEY_GRACE, "SECONDS", 0,
             "By how much an engine may exceed its time for a move, 0 to 1000000 (default 1)", 0},
            {"patience", KEY_PATIENCE, "SECONDS", 0,
             "How long an engine without a time a move may take for an answer, 0.01 to 1000000 (default 60)", 0},
            {"restarts", KEY_RESTARTS, "N", 0,
             "How often in a row an engine that has broken down or hangs is started again, 0 to 1000000 (default 20). "
             "Then the run ends with an error; the same command goes on",
             0},
            {"threads", SHARED_THREADS, "T", 0,
             "Games played side by side, 1 to 256 (default: the number of processors divided by the search threads of "
             "a player). The results do not depend on it, unless a player has a time a move",
             0},
            {NULL, 0, NULL, 0, "The players:", 3},
            {"player", KEY_PLAYER, "PLAYER", 0,
             "A player; give this option 2 to 32 times. A description file, the name of an installed one, "
             "gtp:COMMAND for an external engine, or a description itself (JSON)",
             0},
            {"allow-programs", KEY_PROGRAMS, NULL, 0,
             "Let descriptions start programs, with their key `gtp' or the players of --config (default: only "
             "--player gtp:COMMAND does)",
             0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations a move of all built-in players, 1 to 1000000000 (default: what each description says)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move of all players, engines too, from 0.001, fractions allowed (default: what each "
             "description says)",
             0},
            {"memory", SHARED_MEMORY, "MB", 0,
             "Memory of each search tree in MB, 1 to 1048576 (default: what each description says, otherwise 256)", 0},
            {0}},
    .parser = parse_option,
    .children =
        (const struct argp_child[]){
            {.argp = &shared_game_argp}, {.argp = &shared_run_argp}, {.argp = &shared_shards_argp}, {0}},
    .doc =
        "Plays pairs of games between two players and says how much stronger the first one is. Both games of a pair "
        "begin with the same opening, and each player has Black once. Or rates several players."
        "\vWith a time a move, play no more games side by side than there are processors: only then do the players "
        "have equal times. An engine that plays an illegal move, takes too long or breaks down loses the game and is "
        "started again. Ctrl-C ends the run cleanly; no finished game is ever lost. stigmergy-match(1) describes the "
        "settings and the result document."};

/* Options go before what the settings say of all players. */
static void settle_effort(MatchEffort *effort, const Options *common) {
    if (effort_is_given(common->effort))
        effort->built_in = common->effort;
    if (common->effort.move_seconds > 0)
        effort->engine_seconds = common->effort.move_seconds;
    if (common->memory_mb)
        effort->memory_mb = common->memory_mb;
}

/* Settles who plays. */
static bool settle_players(MatchOptions *options, Error *error) {
    MatchConfig *config = &options->config;
    if (options->player_count)
        config->count = 0;
    for (int i = 0; i < options->player_count; i++)
        if (!match_config_add_player(config, options->players[i], "--player", error))
            return false;
    settle_effort(&config->effort, &options->run.common);
    return true;
}

/* As many games side by side as there are processors for them. */
static void settle_threads(MatchOptions *options, bool given) {
    const int processors = omp_get_num_procs(), each = match_config_search_threads(&options->config);
    if (!given)
        options->run.common.threads = processors > each ? processors / each : 1;
    else if (match_config_timed(&options->config) && options->run.common.threads * each > processors)
        fprintf(stderr,
                "stigmergy match: warning: %d games side by side, of %d threads each, on %d processors: the players' "
                "times are not what they seem\n",
                options->run.common.threads, each, processors);
}

/* An option that no player heeds would be taken for one that holds. */
static void warn_of_simulations(const MatchConfig *config, const Options *common) {
    bool heeded = common->effort.simulations == 0;
    for (int i = 0; i < config->count; i++)
        heeded = heeded || !config->players[i].command[0];
    if (!heeded)
        fprintf(stderr, "stigmergy match: warning: --sims changes nothing, as all players are programs: write it into "
                        "their own commands\n");
}

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    MatchOptions *options = (MatchOptions *)run;
    MatchConfig *config = &options->config;
    Options *common = &run->common;
    const bool threads_given = common->threads != 0;
    if ((common->komi && !read_komi(common->komi, &config->openings, error)) || !settle_players(options, error) ||
        !run_options_settle(run, NULL, error) || !run_options_finish(run, NULL, error))
        return false;
    for (int i = 0; i < config->count; i++)
        if (!run_options_spare_player(run, i < options->player_count ? options->players[i] : NULL,
                                      &config->players[i].player, error))
            return false;
    settle_threads(options, threads_given);
    warn_of_simulations(config, common);
    return true;
}

/* ---- The answer ---- */

enum { ELO_MAX = 2 * ELO_TEXT_MAX + 4 };

static void format_elo(EloEstimate elo, char out[ELO_MAX]) {
    char estimate[ELO_TEXT_MAX], interval[ELO_TEXT_MAX];
    elo_text(elo.estimate, estimate);
    elo_text_interval(elo.ci95, interval);
    snprintf(out, ELO_MAX, "%s [%s]", estimate, interval);
}

/* The first player's Elo, and the test. */
static void describe(const Run *run, int group, char *text, size_t size) {
    PairCounts counts;
    const bool two =
        match_config(run)->count == 2 && match_effective_counts(run, group, &counts, NULL) && pairs_total(counts) > 0;
    char elo[ELO_MAX], test[64] = "";
    format_elo(two ? elo_of_pairs(counts) : (EloEstimate){0}, elo);
    if (match_config(run)->sprt)
        snprintf(test, sizeof test, ", LLR %.2f [%.2f, %.2f]", match_state(run)->sprt.llr, sprt_lower_bound(),
                 sprt_upper_bound());
    snprintf(text, size, "%s%s%s", two ? ", Elo " : "", two ? elo : "", test);
}

/* Games that a player gave up are not failures. */
static void print_forfeits(const MatchTally *tally) {
    const char *before = "; forfeited: ";
    if (tally->lost_by[END_RESIGN])
        printf("; resigned: %d", tally->lost_by[END_RESIGN]);
    for (EndReason reason = 0; reason < END_REASONS; reason++)
        if (end_is_failure(reason) && tally->lost_by[reason]) {
            printf("%s%d by %s", before, tally->lost_by[reason], end_reason_names[reason]);
            before = ", ";
        }
}

static void print_player(const Run *run, int player) {
    const MatchTally tally = match_tally(run, player);
    const MatchTiming *timing = &match_state(run)->timing[player];
    const bool swaps = game_has_swap(run->game); /* who began may have White in the end */
    printf("  %-20s wins %d of %d as %s, %d of %d as %s", match_config(run)->players[player].player.name,
           tally.wins[BLACK], tally.games[BLACK], swaps ? "the first player" : "Black", tally.wins[WHITE],
           tally.games[WHITE], swaps ? "the second" : "White");
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

static void print_test(const Sprt *sprt) {
    printf("  test of %+g against %+g normalized Elo: LLR %.2f [%.2f, %.2f], ", sprt->elo0, sprt->elo1, sprt->llr,
           sprt_lower_bound(), sprt_upper_bound());
    if (sprt->verdict == SPRT_RUNNING)
        printf("no verdict yet\n");
    else
        printf("rather %+g than %+g: %s accepted (the Elo above lies too far out: a test ends where luck has helped)\n",
               sprt->verdict == SPRT_H1 ? sprt->elo1 : sprt->elo0, sprt->verdict == SPRT_H1 ? sprt->elo0 : sprt->elo1,
               sprt->verdict == SPRT_H1 ? "H1" : "H0");
}

/* What the interval says, in words. */
static void print_stronger(Interval elo, const MatchPlayer *players) {
    if (elo.low > 0 || elo.high < 0)
        printf("  %s is stronger\n", players[elo.low > 0 ? 0 : 1].player.name);
    else
        printf("  either may be stronger: the interval contains 0\n");
}

static bool print_two(const Run *run, Error *error) {
    const PairCounts counts = match_pairing_counts(run, 0);
    const MatchPlayer *players = match_config(run)->players;
    PairCounts effective;
    char elo[ELO_MAX], normalized[ELO_MAX];
    if (!match_effective_counts(run, 0, &effective, error))
        return false;
    const EloEstimate difference = elo_of_pairs(effective);
    format_elo(difference, elo);
    format_elo(elo_normalized(effective), normalized);
    printf("Elo of %s over %s, with 95%% intervals: %s; normalized %s\n", players[0].player.name,
           players[1].player.name, elo, normalized);
    print_stronger(difference.ci95, players);
    printf("  pairs of which %s won none, one or both games: %.0f, %.0f, %.0f", players[0].player.name, counts.count[0],
           counts.count[1], counts.count[2]);
    if (pairs_total(effective) < 0.99 * pairs_total(counts))
        printf("; some are equal: as good as %.0f different ones", pairs_total(effective));
    printf("\n");
    if (match_config(run)->sprt)
        print_test(&match_state(run)->sprt);
    return true;
}

/* Players by rating, the best first. */
static void print_table(const Run *run) {
    EloEstimate ratings[MATCH_PLAYERS_MAX];
    Error error;
    char elo[ELO_MAX];
    bool printed[MATCH_PLAYERS_MAX] = {false};
    if (!match_run_ratings(run, ratings, &error)) {
        printf("No ratings yet: %s\n", error.text);
        return;
    }
    printf("Ratings, their mean is 0, with 95%% intervals:\n");
    for (int rank = 1; rank <= match_config(run)->count; rank++) {
        int best = -1;
        for (int i = 0; i < match_config(run)->count; i++)
            if (!printed[i] && (best < 0 || ratings[i].estimate > ratings[best].estimate))
                best = i;
        printed[best] = true;
        format_elo(ratings[best], elo);
        printf("  %2d. %-24s %s\n", rank, match_config(run)->players[best].player.name, elo);
    }
}

static bool print_answer(const Run *run, Error *error) {
    printf("%s on hexhex-%lld, %d games\n", run->config->game, (long long)run->config->size, run_counted(run));
    if (match_config(run)->count != 2)
        print_table(run);
    else if (!print_two(run, error))
        return false;
    for (int i = 0; i < match_config(run)->count; i++)
        print_player(run, i);
    return true;
}

/* ---- What a match costs ---- */

/* Whether it can be foretold. */
static bool check_cost(const MatchConfig *config, Error *error) {
    for (int i = 0; i < config->count; i++)
        if (config->players[i].command[0])
            return error_set(error, "--dry-run: player '%s' is a program, and nobody knows its time",
                             config->players[i].player.name);
    return config->run.games > 0 ||
           error_set(error, "--dry-run: a test without --games may need any number of games, expected --games");
}

/* The games of a player that are left, if it plays one side of each: half of their moves are its own. */
static int64_t left_of(const Run *run, int player) {
    int64_t left = 0;
    for (int i = 0; i < run->group_count; i++) {
        const MatchPairing *pairing = &match_state(run)->pairings[i];
        if (pairing->a == player || pairing->b == player)
            left += run_left(run, i);
    }
    return left;
}

static bool print_costs(const RunOptions *options, const Run *run, const void *user, Error *error) {
    const MatchConfig *config = match_config(run);
    const int threads = options->common.threads;
    const char *at_most = config->sprt ? "at most " : ""; /* the test may end earlier */
    double total = 0, passed = 0;
    (void)user;
    if (!check_cost(config, error))
        return false;
    printf("%s on hexhex-%lld, %d games side by side; %d games are there:\n", run->config->game,
           (long long)run->config->size, threads, run_played(run));
    for (int i = 0; i < config->count; i++) {
        const Player *player = &config->players[i].player;
        const int64_t left = left_of(run, i);
        RunCostGame game;
        if (!run_cost_measure(options, player, &game, error))
            return false;
        const double a_game = run_cost_seconds(&game, player) / 2, all = a_game * (double)left / threads;
        printf("  %-20s its moves in %s%lld games, %.2f s in each: %.0f s\n", player->name, at_most, (long long)left,
               a_game, all);
        total += all;
        passed += all * game.slowdown;
    }
    run_cost_print_sum(at_most, total, total > 0 ? passed / total : 1);
    return true;
}

/* ---- The run ---- */

int tool_match(int argc, char **argv) {
    static MatchOptions options;
    options = (MatchOptions){.config = match_config_default(5), .run.config = &options.config.run};
    const int status = run_options_read(&match_argp, argc, argv, &options.run, sizeof options, settle);
    if (status != TOOL_DONE)
        return status;
    if (options.run.dry_run)
        return run_cost_say(&options.run, &match_kind, print_costs, NULL, argv[0]);
    RunCommand command = {.kind = &match_kind,
                          .options = &options.run,
                          .line = {.describe = describe, .failures = true},
                          .print_answer = print_answer};
    return run_session(&command, argc, argv);
}
