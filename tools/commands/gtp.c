/* stigmergy gtp: the Go Text Protocol on standard input and output. The protocol itself is in tools/gtp/protocol.c. */
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"
#include "tools/gtp/protocol.h"

#include <stdlib.h>
#include <unistd.h>

enum { KEY_RESIGN = OPTIONS_OWN_KEYS, KEY_PONDER, KEY_VERTICES };

static const double quit_pause = 0.1; /* seconds; no script waits so long between its lines */

typedef struct GtpCommandLine {
    Options common;
    double resign;
    bool ponder;
    GtpVertices vertices;
} GtpCommandLine;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const spellings[] = {"rules", "gogui"}; /* by GtpVertices */
    GtpCommandLine *line = state->input;
    Error error;
    bool good = true;
    int word = 0;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &line->common); break;
    case KEY_RESIGN: good = read_number("--resign", arg, 0, 1, &line->resign, &error); break;
    case KEY_PONDER: line->ponder = true; break;
    case KEY_VERTICES:
        good = read_word("--vertices", arg, spellings, 2, &word, &error);
        line->vertices = (GtpVertices)word;
        break;
    default: return options_parse_shared(key, arg, state, &line->common);
    }
    return options_check(state, good, &error);
}

/* Puts the list of commands behind the text of --help. */
static char *extend_help(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    char *longer = NULL;
    size_t length;
    FILE *out = open_memstream(&longer, &length);
    if (!out)
        return (char *)text;
    fprintf(out, "%s\n\nCommands:\n", text);
    gtp_print_commands(out);
    fclose(out);
    return longer;
}

const struct argp gtp_argp = {
    .options =
        (const struct argp_option[]){
            {"resign", KEY_RESIGN, "CHANCE", 0,
             "Let genmove answer `resign' if the chance to win is below this, 0 to 1 (default 0: never)", 2},
            {"ponder", KEY_PONDER, NULL, 0,
             "Continue to search in the opponent's time, after each genmove until the next turn is played", 0},
            {"vertices", KEY_VERTICES, "rules|gogui", 0,
             "Spell cells as in the rules, or as `gogui' and other programs for Go do: upper case letters without I; "
             "a turn on an enemy stone flips it, PASS takes the button, boardsize counts columns (default rules; gogui "
             "is for Stigmergy only)",
             0},
            {"sims", SHARED_SIMS, "N", 0,
             "Simulations a move, 1 to 1000000000 (default 1000, or what --player says; no limit with --move-time "
             "alone, or with a clock if no limit is given)",
             0},
            {0}},
    .parser = parse_option,
    .children = shared_search_argps,
    .doc =
        "A Go Text Protocol engine (version 2) on standard input and output."
        "\vVertices are cell names: a letter for the row (a is the bottom row), then the column, counted from the "
        "left end of the row. `c3' places a stone or flips the enemy stone there; `c3x' flips; the others are `pass' "
        "and `take-button'. Rows i and beyond keep their letters, unlike GTP's Go vertices, which leave out i, "
        "unless --vertices says so. The colour given to play and genmove must be the colour to move. komi takes a "
        "whole number, before the first move.\n\n"
        "With a clock (time_settings, time_left) a move takes a share of the time that is left; --sims, --move-time "
        "and --player limit it further; without them the clock alone decides. The tree is kept from move to "
        "move. `quit' stops a search at once, unless it arrived together with the commands before it; "
        "stigmergy-analyze runs until the next line. With one thread, the same seed and --sims, and without "
        "--ponder, the same commands get the same answers.",
    .help_filter = extend_help};

/* Feeds the session with the input as it comes. */
static int converse(Gtp *gtp, GtpInput *input, const char *name) {
    static char bytes[1 << 13];
    for (;;) {
        Error error;
        const long count = gtp_input_take(input, bytes, sizeof bytes, &error);
        if (count < 0)
            return tool_fail(name, TOOL_FAILED, &error);
        if (count == 0)
            gtp_end(gtp);
        if (count == 0 || !gtp_feed(gtp, bytes, (size_t)count))
            return ferror(stdout) ? TOOL_FAILED : TOOL_DONE;
    }
}

int tool_gtp(int argc, char **argv) {
    GtpCommandLine line = {.resign = 0};
    if (!options_parse(&gtp_argp, argc, argv, &line))
        return TOOL_USAGE;
    const Options *common = &line.common;
    GtpOptions options = {.game = common->game,
                          .clock_decides = !options_effort_given(common),
                          .ponder = line.ponder,
                          .vertices = line.vertices,
                          .resign = line.resign,
                          .seed = common->seed};
    Error error;
    Game *game = options_game(common, &options.komi, &error);
    game_free(game);
    if (!game || !options_player(common, &options.player, &error) ||
        !options_can_play(&options.player, common->game.name, &error) ||
        !gtp_check_vertices(line.vertices, common->game.name, &error))
        return tool_fail(argv[0], TOOL_USAGE, &error);
    if (common->threads)
        options.player.search_threads = common->threads;
    options.input = gtp_input_new(STDIN_FILENO, quit_pause, &error);
    Gtp *gtp = options.input ? gtp_new(&options, stdout, &error) : NULL;
    const int status = gtp ? converse(gtp, options.input, argv[0]) : tool_fail(argv[0], TOOL_FAILED, &error);
    gtp_free(gtp);
    gtp_input_free(options.input);
    return status;
}
