/* stigmergy book: the fair komi of a board by an opening book.
 *
 * The settings come from the defaults, a configuration file and the options, in this order; the run itself is
 * selfplay/runs/book/run.h, its session tools/cli/run_session.h. This file says the answer. */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/exact_value.h"
#include "selfplay/runs/book/run.h"
#include "selfplay/runs/book/sgf.h"
#include "tools/cli/run_cost.h"
#include "tools/cli/run_options.h"
#include "tools/cli/run_session.h"
#include "tools/cli/tool.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_GAMES = OPTIONS_OWN_KEYS, KEY_LEAF_GAMES, KEY_NODES, KEY_PARITY, KEY_SGF, KEY_SOLVER, KEY_WIDTH };

enum { SHORT_DRAWS = 200 /* for the line of progress */ };

typedef struct BookOptions {
    RunOptions run;
    BookConfig config; /* before parsing: the values that options override */
    const char *sgf;   /* NULL: none is written */
} BookOptions;

/* ---- Options ---- */

static bool read_parity(const char *text, BookConfig *config, Error *error) {
    config->even = !strcmp(text, "even") || !strcmp(text, "both");
    config->odd = !strcmp(text, "odd") || !strcmp(text, "both");
    return config->even || config->odd || error_set(error, "--parity: '%.40s', expected both, even or odd", text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    BookOptions *options = state->input;
    BookConfig *config = &options->config;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_GAMES: good = read_count("--games", arg, 1, 1000000000, &config->run.games, &error); break;
    case KEY_LEAF_GAMES: good = read_count("--leaf-games", arg, 1, 1000000, &config->plan.leaf_games, &error); break;
    case KEY_NODES: good = read_count("--nodes", arg, 1, BOOK_NODES_MAX, &config->plan.nodes, &error); break;
    case KEY_PARITY: good = read_parity(arg, config, &error); break;
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
             "0: "
             "never)",
             0},
            {"time", SHARED_TIME, "SECONDS", 0, options_doc_time, 0},
            {"sgf", KEY_SGF, "FILE", 0, "When the run ends, write the books as SGF, too (default: do not)", 0},
            {"dry-run", SHARED_DRY_RUN, NULL, 0, "Only say what the run would cost; needs no --out", 0},
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
    .children =
        (const struct argp_child[]){
            {.argp = &shared_run_argp}, {.argp = &shared_player_argp}, {.argp = &shared_shards_argp}, {0}},
    .doc = "Finds the fair komi of a board by an opening book: games from all first moves, and deeper where it matters."
           "\vCtrl-C ends the run cleanly; no finished game is ever lost. stigmergy-book(1) describes the settings and "
           "the result document."};

/* Settles which values hold; false with an error. */
static bool settle(RunOptions *run, Error *error) {
    BookOptions *options = (BookOptions *)run;
    BookConfig *config = &options->config;
    if (run->common.komi)
        return error_set(error, "--komi: a book plays many komi values, expected --parity");
    if (options->sgf && !strcmp(options->sgf, "-"))
        return error_set(error, "--sgf: '-' is standard output, where the answer goes, expected a file");
    return run_options_settle(run, &config->player, error) &&
           run_options_effort(&run->common, &config->simulations, &config->move_seconds, error) &&
           run_options_finish(run, error);
}

/* ---- The answer ---- */

static void format_first(const Run *run, const BookTree *tree, int edge, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, tree->komi);
    run->game->rules->format(run->game, &start, tree->edges[edge].action, out);
}

static void print_line(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    Action line[BOOK_PLIES_MAX];
    GameState state;
    char text[GAME_TEXT_MAX];
    int leaf;
    const int count = book_run_line(run, group, standing, line, &leaf);
    run->game->rules->start(run->game, &state, tree->komi);
    printf("    best line       ");
    for (int i = 0; i < count; i++) {
        run->game->rules->format(run->game, &state, line[i], text);
        run->game->rules->apply(run->game, &state, line[i]);
        printf(" %s", text);
    }
    putchar('\n');
}

static void print_first_moves(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    for (int edge = 0; edge < tree->nodes[0].edges; edge++) {
        char text[GAME_TEXT_MAX];
        const int node = tree->edges[tree->nodes[0].first_edge + edge].node;
        format_first(run, tree, tree->nodes[0].first_edge + edge, text);
        printf("    %-16s %6.2f   95%% interval [%.2f, %.2f], the best first move with %.0f%%\n", text,
               standing->estimate[node], standing->ci95[node].low, standing->ci95[node].high,
               100.0 * standing->best[tree->nodes[0].first_edge + edge] / standing->draws);
    }
}

static void print_book(const Run *run, int group, const BookStanding *standing) {
    const Book *book = &book_state(run)->books[group];
    const BookAnswer answer = book_run_answer(run, group, standing);
    printf("  %s, %d games, %d positions%s\n", book->odd ? "odd komi, with the button" : "even komi",
           run->groups[group].played, book->tree.count,
           book->full ? " (the limit: no more moves enter, see --nodes)" : "");
    printf("    fair komi        %6.2f   95%% interval [%.2f, %.2f]: Black wins up to komi %d, White from %d\n",
           answer.estimate, answer.ci95.low, answer.ci95.high, answer.black_up_to, answer.white_from);
    print_first_moves(run, group, standing);
    if (answer.best >= 0)
        print_line(run, group, standing);
}

static bool print_pair(const Run *run, const BookStanding *standing, Error *error) {
    BookPair pair;
    if (run->group_count < BOOK_PARITIES)
        return true;
    if (!book_run_pair(run, standing, &pair, error))
        return false;
    printf("  together           %6.2f   95%% interval [%.2f, %.2f]; even minus odd %.2f [%.2f, %.2f]\n", pair.middle,
           pair.middle_ci95.low, pair.middle_ci95.high, pair.gap, pair.gap_ci95.low, pair.gap_ci95.high);
    return true;
}

static bool print_answer(const Run *run, Error *error) {
    const char *game = run->config->game;
    const int size = (int)run->config->size;
    BookStanding standing[BOOK_PARITIES] = {{0}};
    bool good = true;
    ExactValues exact;
    printf("Fair komi of %s on hexhex-%d, by an opening book:\n", game, size);
    for (int group = 0; good && group < run->group_count; group++) {
        good = book_run_standing(run, group, BOOK_RESULT_DRAWS, &standing[group], error);
        if (good)
            print_book(run, group, &standing[group]);
    }
    good = good && print_pair(run, standing, error);
    for (int group = 0; group < BOOK_PARITIES; group++)
        book_standing_end(&standing[group]);
    good = good && exact_values(game, size, &exact, error);
    if (good && exact.known)
        printf("  perfect play: Black is ahead by %g, with the button (odd komi) by %g\n", exact.even, exact.odd);
    return good;
}

static void describe(const Run *run, int group, char *text, size_t size) {
    BookStanding standing;
    Error error;
    if (book_run_standing(run, group, SHORT_DRAWS, &standing, &error)) {
        const BookAnswer answer = book_run_answer(run, group, &standing);
        char move[GAME_TEXT_MAX] = "none";
        if (answer.best >= 0)
            format_first(run, &book_state(run)->books[group].tree, answer.best, move);
        snprintf(text, size, ", fair komi %.2f [%.2f, %.2f], best %.16s (%.0f%%)", answer.estimate, answer.ci95.low,
                 answer.ci95.high, move, 100 * answer.probability);
    }
    book_standing_end(&standing);
}

static bool write_sgf(const RunOptions *run_options, const Run *run, Error *error) {
    const BookOptions *options = (const BookOptions *)run_options;
    if (!options->sgf)
        return true;
    char *text = book_run_sgf(run, error);
    const bool good = text && file_write(options->sgf, text, strlen(text), error);
    free(text);
    return good;
}

/* ---- The run ---- */

static int dry_run(BookOptions *options, const char *name) {
    options->config.run.games *= options->config.even + options->config.odd; /* of both books */
    const Player player = book_config_player(&options->config);
    Error error;
    return run_cost_print(&options->run, &player, 1, &error) ? TOOL_DONE : tool_fail(name, TOOL_USAGE, &error);
}

int tool_book(int argc, char **argv) {
    BookOptions options = {.config = book_config_default(5), .run.config = &options.config.run};
    if (!run_options_read(&book_argp, argc, argv, &options.run, sizeof options, settle))
        return TOOL_USAGE;
    if (options.run.dry_run)
        return dry_run(&options, argv[0]);
    RunCommand command = {.kind = &book_kind,
                          .options = &options.run,
                          .line = {.describe = describe},
                          .print_answer = print_answer,
                          .write_more = write_sgf};
    return run_session(&command, argc, argv);
}
