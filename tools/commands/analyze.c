/* stigmergy analyze: the analysis engine on standard input and output. The protocol is in tools/analyze/session.c. */
#include "tools/analyze/session.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"
#include "tools/cli/woken_read.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    if (key != ARGP_KEY_INIT)
        return options_parse_shared(key, arg, state, state->input);
    options_init(state, state->input);
    return 0;
}

const struct argp analyze_argp = {
    .options =
        (const struct argp_option[]){{"threads", SHARED_THREADS, "T", 0,
                                      "Positions searched side by side, 1 to 256 (default: one for each processor)", 2},
                                     {0}},
    .parser = parse_option,
    .children = shared_search_argps,
    .doc =
        "Analyses positions: reads queries from standard input and writes answers to standard output, as lines of JSON."
        "\vA query has an `id' and `moves', and may have many other fields; the options above hold where it has none. "
        "Answers come as they are finished, in any order. A line with an `action' is an order: query_version, "
        "query_models, terminate, terminate_all or clear_cache. stigmergy-analyze(1) describes every field.\n\n"
        "Each position is searched by one thread. With maxSims and without maxTime, clock, keepTree, "
        "reportDuringSearchEvery and firstReportDuringSearchAfter, the same query gets the same answer. The program "
        "ends when its input has ended and all queries are answered.\n\n"
        "  echo '{\"id\": \"a\", \"size\": 5, \"moves\": [\"e5\", \"d4\"], \"maxSims\": 1000}' | stigmergy analyze"};

/* Feeds standard input to the session as it comes, until its end or until answers cannot be written; a status. */
static int converse(AnalyzeSession *session, const char *name) {
    static char bytes[1 << 16];
    for (;;) {
        const ssize_t count = woken_read(STDIN_FILENO, analyze_session_broken(session), bytes, sizeof bytes);
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
    if (!options_parse(&analyze_argp, argc, argv, &options))
        return TOOL_USAGE;
    static QueryDefaults defaults;
    Error error;
    Game *game = options_game(&options, &defaults.komi, &error);
    game_free(game);
    if (!game || !options_player(&options, &defaults.player, &error) ||
        !options_can_play(&defaults.player, options.game.name, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    defaults.game = options.game;
    defaults.seed = options.seed;
    defaults.effort_given = options_effort_given(&options);
    const int workers = options.threads ? options.threads : omp_get_num_procs();
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = workers, .threads = 1}, &error);
    if (!analysis)
        return tool_fail(argv[0], TOOL_FAILED, &error);
    AnalyzeSession *session = analyze_session_new(analysis, &defaults, ANALYZE_WAITING_BYTES, stdout, &error);
    const int status = session ? converse(session, argv[0]) : tool_fail(argv[0], TOOL_FAILED, &error);
    analysis_free(analysis);
    analyze_session_free(session);
    return status;
}
