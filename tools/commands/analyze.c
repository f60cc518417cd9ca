/* stigmergy analyze: the analysis engine on standard input and output. The protocol is in tools/analyze/session.c. */
#include "tools/analyze/session.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    (void)arg;
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    options_init(state, state->input);
    return 0;
}

static const struct argp argp = {
    .parser = parse_option,
    .doc =
        "Analyses positions: a query a line on standard input, an answer a line on standard output, both JSON."
        "\vA query has an `id' and `moves', and may have game, size, komi, initialStones, initialPlayer, partialTurn, "
        "maxSims, maxTime, analyzeTurns, includeControl, includePolicy, reportDuringSearchEvery, priority and seed; "
        "the options above are the defaults. Answers come as they are finished, in any order. A line with an "
        "`action' is an order: query_version, terminate, terminate_all, clear_cache. tools/docs/analysis.md describes "
        "every field with an example.\n\n"
        "--threads T searches T positions side by side (default: one for every processor), each by one thread, so "
        "that the same query with maxSims gets the same answer. The program ends when its input has ended and all "
        "queries are answered.\n\n"
        "  echo '{\"id\": \"a\", \"size\": 5, \"moves\": [\"e5\", \"d4\"], \"maxSims\": 1000}' | stigmergy analyze",
    .children = (const struct argp_child[]){
        {&options_game_argp, 0, NULL, 0}, {&options_run_argp, 0, NULL, 0}, {&options_player_argp, 0, NULL, 0}, {0}}};

/* Feeds standard input to the session as it comes; a status. */
static int converse(AnalyzeSession *session, const char *name) {
    static char bytes[1 << 16];
    for (;;) {
        const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            Error error;
            error_set(&error, "cannot read standard input: %s", strerror(errno));
            return tool_fail(name, TOOL_FAILED, &error);
        }
        if (count == 0)
            return analyze_session_end(session) ? TOOL_DONE : TOOL_FAILED;
        if (!analyze_session_feed(session, bytes, (size_t)count))
            return TOOL_FAILED;
    }
}

int tool_analyze(int argc, char **argv) {
    Options options = {0};
    if (!options_parse(&argp, argc, argv, &options))
        return TOOL_USAGE;
    static QueryDefaults defaults;
    Error error;
    Game *game = options_game(&options, NULL, &defaults.komi, &error);
    game_free(game);
    if (!game || !options_player(&options, &defaults.player, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    defaults.game =
        (GameOptions){.name = options.game_name, .size = options.size, .capture = options.capture, .pie = options.pie};
    defaults.seed = options.seed;
    const int workers = options.threads ? options.threads : omp_get_num_procs();
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = workers, .threads = 1}, &error);
    if (!analysis)
        return tool_fail(argv[0], TOOL_FAILED, &error);
    AnalyzeSession *session = analyze_session_new(analysis, &defaults, stdout);
    const int status = session ? converse(session, argv[0]) : TOOL_FAILED;
    analysis_free(analysis);
    analyze_session_free(session);
    return status;
}
