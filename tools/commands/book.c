/* stigmergy book: the fair komi of a board by an opening book.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/runs/book/run.h, its session tools/cli/run_session.h, the answer tools/cli/book_answer.h. */
#include "selfplay/runs/book/run.h"
#include "tools/cli/book_answer.h"
#include "tools/cli/numbers.h"
#include "tools/cli/output.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
#include "tools/cli/tool.h"

#include <string.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_LEAF_GAMES, KEY_NODES, KEY_PARITY, KEY_SGF, KEY_SOLVER, KEY_WIDTH };

enum { SHORT_DRAWS = 200 /* for the line of progress */ };

typedef struct BookOptions {
    RunOptions run;
    BookConfig config; /* before parsing: the values that options override */
    const char *sgf;   /* NULL: none is written */
} BookOptions;

/* ---- Options ---- */

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    BookOptions *options = state->input;
    BookConfig *config = &options->config;
    Error error;
    bool good = true;
    int parity = PARITY_BOTH;
    switch (key) {
    case KEY_GAMES: good = read_count("--games", arg, 1, RUN_GAMES_MAX, &config->run.games, &error); break;
    case KEY_LEAF_GAMES: good = read_count("--leaf-games", arg, 1, 1000000, &config->plan.leaf_games, &error); break;
    case KEY_NODES: good = read_count("--nodes", arg, 1, BOOK_NODES_MAX, &config->plan.nodes, &error); break;
    case KEY_PARITY:
        good = read_word("--parity", arg, run_config_parities, PARITIES, &parity, &error);
        config->parity = (RunParity)parity;
        break;
    case KEY_SGF: options->sgf = arg; break;
    case KEY_SOLVER: good = read_count("--solver-nodes", arg, 0, 1000000000, &config->plan.solver_nodes, &error); break;
    case KEY_WIDTH: good = read_number("--until-width", arg, 0, 1000, &config->until_width, &error); break;
    default: return run_options_parse(key, arg, state, &options->run);
    }
    return options_check(state, good, &error);
}

const struct argp book_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", SHARED_GAME, "stigmergy", 0, "The game; only Stigmergy has komi (default stigmergy)", 0},
            {"size", SHARED_SIZE, "N", 0, "Cells a side, 2 to 10 (default 5)", 0},
            {"parity", KEY_PARITY, "both|even|odd", 0, "The komi values that get a book (default both)", 0},
            {"komi", SHARED_KOMI, "K", OPTION_HIDDEN, NULL, 0},
            {"games", KEY_GAMES, "G", 0, "Games of the book of each parity, 1 to 1000000000 (default 2000)", 2},
            {"until-width", KEY_WIDTH, "W", 0,
             "End a book when the 95% interval of its fair komi is narrower than this, in points, 0 to 1000 (default "
             "0: never)",
             0},
            {"time", SHARED_TIME, "SECONDS", 0, options_doc_time, 0},
            {"sgf", KEY_SGF, "FILE", 0, "When the run ends, write the books as SGF, too (default: do not)", 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, options_doc_dry_run, 0},
            {"sims", SHARED_SIMS, "N", 0, "Simulations a move, 1 to 1000000000 (default 800)", 0},
            {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
             "Seconds a move, from 0.001, fractions allowed, instead of simulations (default: simulations)", 0},
            {"leaf-games", KEY_LEAF_GAMES, "N", 0,
             "Games of a position before its moves enter the book, 1 to 1000000 (default 40)", 3},
            {"solver-nodes", KEY_SOLVER, "N", 0,
             "What the solver may look at for a position, 0 to 1000000000; 0: it is not asked (default 20000)", 0},
            {"nodes", KEY_NODES, "N", 0, "Positions of a book at most, 1 to 10000000 (default 200000)", 0},
            {0}},
    .parser = parse_option,
    .children = shared_run_argps + 1, /* all but that of the game */
    .doc = "Finds the fair komi of a board by an opening book: games from all first moves, and deeper where it matters."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-book(1) describes the settings and "
           "the result document."};

/* Whether the SGF can be written, to a file that the run does not need. */
static bool check_sgf(const char *sgf, const RunOptions *run, const Player *player, Error *error) {
    if (sgf && !shard_spec_whole(run->shard))
        return error_set(error, "--sgf: a shard has a part of the games, expected no --sgf: after the last merge the "
                                "same command without --shard writes it");
    if (run->dry_run) /* which does not write it */
        return true;
    return output_spares_result("--sgf", sgf, run->out, error) && run_options_spare(run, "--sgf", sgf, player, error) &&
           output_check(sgf, NULL, error);
}

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    BookOptions *options = (BookOptions *)run;
    BookConfig *config = &options->config;
    if (run->common.komi)
        return error_set(error, "--komi: a book plays many komi values, expected --parity");
    return book_answer_check_sgf(options->sgf, error) && run_options_settle(run, &config->player, error) &&
           run_options_effort(&run->common, &config->effort, error) &&
           run_options_finish(run, &config->player, error) && check_sgf(options->sgf, run, &config->player, error);
}

/* ---- The answer ---- */

static void describe(const Run *run, int group, char *text, size_t size) {
    BookStanding standing;
    Error error;
    if (book_run_standing(run, group, SHORT_DRAWS, &standing, &error)) {
        const BookAnswer answer = book_run_answer(run, group, &standing);
        char move[GAME_TEXT_MAX], best[48] = "", known[KOMI_ESTIMATE_TEXT];
        if (answer.best >= 0) {
            const BookTree *tree = &book_state(run)->books[group].tree;
            run_format_first(run, tree->komi, tree->edges[answer.best].action, move);
            snprintf(best, sizeof best, ", best %.16s (%.0f%%)", move, 100 * answer.probability);
        }
        komi_estimate_text(answer.fair_komi, known);
        snprintf(text, size, ", fair komi %s%s", known, best);
    }
    book_standing_end(&standing);
}

static bool write_sgf(const RunOptions *run_options, const Run *run, Error *error) {
    return book_answer_write_sgf(run, ((const BookOptions *)run_options)->sgf, error);
}

/* ---- The run ---- */

int tool_book(int argc, char **argv) {
    BookOptions options = {.config = book_config_default(5), .run.config = &options.config.run};
    const int status = run_options_read(&book_argp, argc, argv, &options.run, sizeof options, settle);
    if (status != TOOL_DONE)
        return status;
    const Player player = player_with_effort(options.config.player, options.config.effort);
    char more[FILE_PATH_MAX + 32] = "";
    if (options.sgf)
        snprintf(more, sizeof more, ", the SGF is in %s", options.sgf);
    RunCommand command = {.kind = &book_kind,
                          .options = &options.run,
                          .line = {.describe = describe},
                          .print_answer = book_answer_print,
                          .write_more = write_sgf,
                          .more = more,
                          .players = &player,
                          .player_count = 1,
                          .ends_early = options.config.until_width > 0 || options.config.plan.solver_nodes > 0};
    return run_session(&command, argc, argv);
}
