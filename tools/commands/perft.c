/* stigmergy perft: counts sequences of turns, a line per depth. */
#include "engine/game/perft.h"

#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/tool.h"

#include <inttypes.h>

enum { KEY_DEPTH = OPTIONS_OWN_KEYS, DEPTH_LIMIT = 1000 };

typedef struct PerftOptions {
    Options common;
    int depth;
} PerftOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    PerftOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &options->common); break;
    case KEY_DEPTH: good = read_int("--depth", arg, 1, DEPTH_LIMIT, &options->depth, &error); break;
    case ARGP_KEY_END:
        if (!options->depth)
            good = error_set(&error, "--depth is missing, expected the number of turns, 1 to %d", DEPTH_LIMIT);
        break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp perft_argp = {
    .options = (const struct argp_option[]){{"pie", SHARED_PIE, "off", OPTION_HIDDEN, NULL, 0},
                                            {"depth", KEY_DEPTH, "D", 0,
                                             "Count the sequences of 1 to D turns, D from 1 to 1000 (required)", 1},
                                            {0}},
    .parser = parse_option,
    .children = (const struct argp_child[]){{.argp = &shared_game_argp}, {0}},
    .doc =
        "Counts the sequences of turns from the start position, a line per depth: `DEPTH COUNT'."
        "\vA turn is everything that a player does before the opponent moves. In Sgolte the order of captures and of "
        "re-placements does not matter. Sequences that go beyond the end of a game do not exist. The pie rule "
        "is left out."};

int tool_perft(int argc, char **argv) {
    PerftOptions options = {.depth = 0};
    if (!options_parse(&perft_argp, argc, argv, &options))
        return TOOL_USAGE;
    Error error;
    int komi;
    if (options.common.game.pie == GAME_PIE_ON) {
        error_set(&error, "--pie: the second player's choice is not counted, expected off");
        return tool_fail(argv[0], TOOL_USAGE, &error);
    }
    options.common.game.pie = GAME_PIE_OFF;
    Game *game = options_game(&options.common, &komi, &error);
    if (!game)
        return tool_fail(argv[0], TOOL_USAGE, &error);
    GameState start;
    game->rules->start(game, &start, komi);
    int status = TOOL_DONE;
    for (int depth = 1; depth <= options.depth && status == TOOL_DONE; depth++) {
        const uint64_t count = perft(game, &start, depth);
        if (count == PERFT_NO_MEMORY) {
            error_set(&error, "out of memory at depth %d", depth);
            status = tool_fail(argv[0], TOOL_FAILED, &error);
        } else if (printf("%d %" PRIu64 "\n", depth, count) < 0 || fflush(stdout) != 0) {
            status = TOOL_FAILED;
        }
    }
    game_free(game);
    return status;
}
