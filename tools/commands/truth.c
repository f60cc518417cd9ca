/* stigmergy truth: judges a player by positions whose value is known, or makes such positions.
 *
 * selfplay/truth/ does the work: positions.h says what a position of known value is, judge.h what is measured, make.h
 * where positions come from. This file reads the options and prints the tables. */
#include "selfplay/io/data_folder.h"
#include "selfplay/io/file.h"
#include "selfplay/truth/judge.h"
#include "selfplay/truth/make.h"
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/output.h"
#include "tools/cli/run_line.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <inttypes.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_POSITIONS = OPTIONS_OWN_KEYS,
    KEY_COUNT,
    KEY_LADDER,
    KEY_SOLVER,
    KEY_OUT,
    KEY_MAKE,
    KEY_TURNS,
    KEY_RANDOM,
    KEY_GAMES,
    KEY_MOST_EMPTY,
    KEY_NODES
};

static const char usual_ladder[] = "1,30,200";

typedef struct TruthOptions {
    Options common;
    const char *players[TRUTH_PLAYERS_MAX];
    int player_count;
    const char *positions, *ladder, *out, *make;
    int count;
    bool size_given, solver;
    TruthMake making; /* what the options for it say */
    bool making_given;
} TruthOptions;

/* ---- Options ---- */

static bool add_player(TruthOptions *options, const char *text, Error *error) {
    if (options->player_count == TRUTH_PLAYERS_MAX)
        return error_set(error, "--player: too many, expected at most %d", TRUTH_PLAYERS_MAX);
    options->players[options->player_count++] = text;
    return true;
}

static void init(struct argp_state *state, TruthOptions *options) {
    options_init(state, &options->common);
    options->making = (TruthMake){.turns = -1, .most_empty = HEXHEX_MAX_CELLS, .nodes = 1000000};
}

static bool check(TruthOptions *options, Error *error) {
    if (options->making_given && !options->make)
        return error_set(error, "--make is missing, expected the file to make positions for");
    if (options->make && (options->positions || options->ladder || options->out || options->count || options->solver))
        return error_set(error,
                         "--make: nobody is judged, expected no --positions, --ladder, --out, --count, --solver");
    if (!options->make && options->player_count > 1)
        return error_set(error, "--player: %d players, expected one", options->player_count);
    if (options->ladder && effort_is_given(options->common.effort))
        return error_set(error, "--ladder: expected no --sims or --move-time beside it");
    return true;
}

static bool parse_making(int key, const char *arg, TruthMake *making, Error *error) {
    switch (key) {
    case KEY_TURNS: return read_count("--turns", arg, 0, 1000, &making->turns, error);
    case KEY_RANDOM: return read_count("--random", arg, 0, TRUTH_POSITIONS_MAX, &making->random, error);
    case KEY_GAMES: return read_count("--games", arg, 0, TRUTH_POSITIONS_MAX, &making->games, error);
    case KEY_MOST_EMPTY: return read_count("--most-empty", arg, 1, HEXHEX_MAX_CELLS, &making->most_empty, error);
    default: return read_count("--nodes", arg, 1, 2000000000, &making->nodes, error);
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    TruthOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: init(state, options); break;
    case SHARED_PLAYER: good = add_player(options, arg, &error); break;
    case KEY_POSITIONS: options->positions = arg; break;
    case KEY_COUNT: good = read_int("--count", arg, 1, TRUTH_POSITIONS_MAX, &options->count, &error); break;
    case KEY_LADDER: options->ladder = arg; break;
    case KEY_SOLVER: options->solver = true; break;
    case KEY_OUT: options->out = arg; break;
    case KEY_MAKE: options->make = arg; break;
    case KEY_TURNS:
    case KEY_RANDOM:
    case KEY_GAMES:
    case KEY_MOST_EMPTY:
    case KEY_NODES:
        options->making_given = true;
        good = parse_making(key, arg, &options->making, &error);
        break;
    case ARGP_KEY_END: good = check(options, &error); break;
    case SHARED_SIZE: options->size_given = true; return options_parse_shared(key, arg, state, &options->common);
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp truth_argp =
    {.options =
         (const struct argp_option[]){
             {NULL, 0, NULL, 0, "The positions:", 1},
             {"game", SHARED_GAME, "stigmergy", 0, "The game; only Stigmergy has points (default stigmergy)", 0},
             {"size", SHARED_SIZE, "N", 0, "Cells a side; installed are positions of 2 to 5 (default 5)", 0},
             {"positions", KEY_POSITIONS, "FILE", 0,
              "The positions: a file, or the name of an installed one (default: those of the size)", 0},
             {"count", KEY_COUNT, "N", 0,
              "Only this number of positions, spread evenly over the file, 1 to 1000000 (default: all)", 0},
             {NULL, 0, NULL, 0, "The run:", 2},
             {"threads", SHARED_THREADS, "T", 0,
              "Positions side by side, 1 to 256 (default: one for each processor). The results do not depend on it, "
              "unless the player has a time a move",
              0},
             {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
             {"out", KEY_OUT, "FILE.json", 0,
              "Write the results to this file as well; - prints them instead of the tables (default: no file)", 0},
             {NULL, 0, NULL, 0, "The player:", 3},
             {"player", SHARED_PLAYER, "PLAYER", 0, options_doc_player, 0},
             {"ladder", KEY_LADDER, "S1,S2,...", 0,
              "Judge it with up to 16 numbers of simulations a move (default 1,30,200)", 0},
             {"sims", SHARED_SIMS, "N", 0,
              "Simulations a move, 1 to 1000000000, instead of a ladder (default: the ladder)", 0},
             {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
              "Seconds a move, from 0.001, fractions allowed, instead of a ladder or beside --sims (default: no limit)",
              0},
             {"memory", SHARED_MEMORY, "MB", 0,
              "Memory of each search tree in MB, 1 to 1048576 (default 256, or what --player says)", 0},
             {"solver", KEY_SOLVER, NULL, 0, "Let the player use its exact solver, which is switched off otherwise", 0},
             {NULL, 0, NULL, 0, "Making positions:", 4},
             {"make", KEY_MAKE, "FILE", 0,
              "Make positions of this size and write them to a file, such as FILE.jsonl.zst; -: to standard "
              "output (default: judge a player)",
              0},
             {"turns", KEY_TURNS, "T", 0,
              "All ways to begin with 0 to T turns, 0 to 1000, up to symmetry, without the button and with it "
              "(default: none)",
              0},
             {"random", KEY_RANDOM, "N", 0, "Positions after random turns, 0 to 1000000 (default 0)", 0},
             {"games", KEY_GAMES, "N", 0,
              "Positions from games, one of each, 0 to 1000000 (default 0). --player may be given up to 8 times then: "
              "the players play in turn, each against itself",
              0},
             {"most-empty", KEY_MOST_EMPTY, "N", 0,
              "Take positions of games with at most this number of empty cells, 1 to 271 (default: those of the board)",
              0},
             {"nodes", KEY_NODES, "N", 0,
              "Leave out positions for which the solver needs more than this number of nodes for a question, 1 to "
              "2000000000 (default 1000000)",
              0},
             {0}},
     .parser = parse_option,
     .doc =
         "Judges a player by positions whose value the solver has proved: how often its move keeps the win, how good "
         "its win rates are, how far its score is off."
         "\vEach position is searched from scratch at the komi at which the side to move just wins and at that at "
         "which it just loses. stigmergy-truth(1) describes the result document and the file of positions."};

/* ---- What was asked for ---- */

/* The description `text`, or the default player, settled for a board, with effort and memory as the options say. */
static bool settle_player(const TruthOptions *options, const char *text, int size, Player *player, Error *error) {
    Options common = options->common;
    common.player = text;
    return options_player(&common, player, error) && player_settle_checked(player, common.game.name, size, error);
}

/* One effort, of --sims and --move-time, or those of a ladder. */
static bool settle_efforts(const TruthOptions *options, TruthJudge *judge, Error *error) {
    const Options *common = &options->common;
    int64_t rungs[TRUTH_EFFORTS_MAX];
    if (effort_is_given(common->effort)) {
        judge->efforts[judge->effort_count++] = common->effort;
        return true;
    }
    const char *ladder = options->ladder ? options->ladder : usual_ladder;
    if (!options_read_ladder(ladder, rungs, TRUTH_EFFORTS_MAX, &judge->effort_count, error))
        return false;
    for (int i = 0; i < judge->effort_count; i++)
        judge->efforts[i] = (Effort){.simulations = rungs[i]};
    return true;
}

static int threads_of(const TruthOptions *options) {
    return options->common.threads ? options->common.threads : omp_get_num_procs();
}

/* Finds the file of the positions: that of --positions, or the installed one of the size. */
static bool find_positions(const TruthOptions *options, char path[FILE_PATH_MAX], Error *error) {
    const Options *common = &options->common;
    char data[FILE_PATH_MAX], name[64];
    if (options->positions)
        return data_find("truth", options->positions, path, error);
    snprintf(name, sizeof name, "truth/%.20s-%d.jsonl.zst", common->game.name, common->game.size);
    return data_folder(data, error) && file_path_in(data, name, path, error) &&
           (file_exists(path) ||
            error_set(error, "%s: no positions of this size are installed, expected --positions", path));
}

/* Whether positions of this game can be judged at all, wherever they lie. */
static bool check_game(const GameOptions *game, Error *error) {
    TruthSet none;
    const bool good = truth_set_init(&none, game, error);
    truth_set_free(&none);
    return good;
}

static bool read_positions(const TruthOptions *options, TruthSet *set, char path[FILE_PATH_MAX], Error *error) {
    const Options *common = &options->common;
    if (!check_game(&common->game, error) || !find_positions(options, path, error) || !truth_set_read(path, set, error))
        return false;
    if (strcmp(set->game->name, common->game.name))
        return error_set(error, "%s: positions of %s, expected %s", path, set->game->name, common->game.name);
    return !options->size_given || set->game->board.size == common->game.size ||
           error_set(error, "%s: positions of hexhex-%d, expected hexhex-%d", path, set->game->board.size,
                     common->game.size);
}

/* ---- Progress ---- */

static void show(double *shown_at, const char *what, int done, int wanted) {
    if (!run_line_due(shown_at))
        return;
    run_line_clear();
    fprintf(stderr, "%s: %d/%d positions%s", what, done, wanted, isatty(STDERR_FILENO) ? "" : "\n");
    fflush(stderr);
}

static void show_judging(void *shown_at, int done, int positions) {
    show(shown_at, "judging", done, positions);
}

static void show_making(void *shown_at, TruthSource source, int found, int wanted) {
    show(shown_at, truth_source_names[source], found, wanted);
}

/* ---- The tables ---- */

/* The name alone does not tell players apart: a description with another network may keep the usual name. */
static void print_heading(const Player *player, const TruthSet *set, int positions, const char *file) {
    printf("Stigmergy (%s, ", player->name);
    if (player_has_network(player))
        printf("network %s %.8s", player->network, player->network_hash);
    else
        printf("no network");
    printf(") on hexhex-%d, %d positions of %s\n", set->game->board.size, positions, file);
}

static void format_effort(const Effort *effort, char out[32]) {
    if (effort->simulations && effort->move_seconds > 0)
        snprintf(out, 32, "%lld sims, %g s", (long long)effort->simulations, effort->move_seconds);
    else if (effort->simulations)
        snprintf(out, 32, "%lld sims", (long long)effort->simulations);
    else
        snprintf(out, 32, "%g s", effort->move_seconds);
}

static void print_head(const char *first, const char *second) {
    printf("%-18s %9s  %-20s %6s %11s\n", first, second, "keeps the win", "Brier", "score error");
}

/* A line of a table. */
static void print_score(const char *name, const TruthScore *score) {
    char kept[48] = "-";
    const Interval ci95 = wilson_interval(score->kept, score->choices);
    if (score->choices)
        snprintf(kept, sizeof kept, "%.1f%% [%.1f, %.1f]", 100.0 * score->kept / score->choices, 100 * ci95.low,
                 100 * ci95.high);
    printf("%-18s %9d  %-20s %6.3f %11.2f\n", name, score->positions, kept, truth_brier(score),
           truth_margin_error(score));
}

static void print_rates(const TruthRate rates[TRUTH_RATES]) {
    printf("%-18s", "win rate, percent");
    for (int i = 0; i < TRUTH_RATES; i++)
        printf(" %3d-%-3d", 100 * i / TRUTH_RATES, 100 * (i + 1) / TRUTH_RATES);
    printf("\n%-18s", "searches");
    for (int i = 0; i < TRUTH_RATES; i++)
        printf(" %7d", rates[i].questions);
    printf("\n%-18s", "won, percent");
    for (int i = 0; i < TRUTH_RATES; i++)
        if (rates[i].questions)
            printf(" %7.1f", 100.0 * rates[i].won / rates[i].questions);
        else
            printf(" %7s", "-");
    printf("\n");
}

/* By empty cells, and the reliability of the win rates. */
static void print_judgement(const Game *game, const TruthJudgement *judgement) {
    const int width = truth_bin_width(game), cells = game->board.cells;
    char name[32];
    format_effort(&judgement->effort, name);
    printf("\n%s a move\n", name);
    print_head("empty cells", "positions");
    for (int i = 0; i * width <= cells; i++) {
        const int last = (i + 1) * width - 1;
        snprintf(name, sizeof name, "%d-%d", i * width, last < cells ? last : cells);
        if (judgement->bins[i].positions)
            print_score(name, &judgement->bins[i]);
    }
    print_rates(judgement->rates);
}

static void print_judgements(const TruthJudge *judge, const Game *game, const TruthJudgement *judgements) {
    print_head("a move", "positions");
    for (int i = 0; i < judge->effort_count; i++) {
        char name[32];
        format_effort(&judgements[i].effort, name);
        print_score(name, &judgements[i].all);
    }
    for (int i = 0; i < judge->effort_count; i++)
        print_judgement(game, &judgements[i]);
}

/* ---- Judging ---- */

/* Settles the player, the efforts, and the positions, whose path goes to `path`. */
static bool settle_judge(const TruthOptions *options, TruthJudge *judge, TruthSet *set, char path[FILE_PATH_MAX],
                         Error *error) {
    *judge = (TruthJudge){.positions = options->count,
                          .solver = options->solver,
                          .seed = options->common.seed,
                          .threads = threads_of(options),
                          .progress = show_judging};
    return settle_efforts(options, judge, error) && read_positions(options, set, path, error) &&
           output_spares("--out", options->out, path, error) &&
           output_spares_player("--out", options->out, options->players[0], error) &&
           settle_player(options, options->players[0], set->game->board.size, &judge->player, error) &&
           output_spares_network("--out", options->out, &judge->player, error) &&
           output_check(options->out, truth_schema.name, error);
}

static bool judge_and_tell(const TruthOptions *options, const TruthJudge *judge, const TruthSet *set, const char *path,
                           Error *error) {
    const char *file = file_name_of(path);
    TruthJudgement judgements[TRUTH_EFFORTS_MAX];
    DocumentContext context = document_context();
    const double begin = wall_seconds();
    bool good = truth_judge(judge, set, judgements, error);
    run_line_clear();
    if (good) {
        context.seconds = wall_seconds() - begin;
        if (!options->out || strcmp(options->out, "-") != 0) {
            print_heading(&judge->player, set, judgements[0].all.positions, file);
            print_judgements(judge, set->game, judgements);
        }
        good = !options->out ||
               tool_write_document(truth_document(judge, set, file, judgements, &context), options->out, error);
    }
    truth_judgements_free(judgements);
    return good;
}

static int judge_player(const TruthOptions *options, const char *name) {
    TruthJudge judge;
    TruthSet set = {0};
    double shown_at = wall_seconds();
    char path[FILE_PATH_MAX];
    Error error;
    if (!settle_judge(options, &judge, &set, path, &error)) {
        truth_set_free(&set);
        return tool_fail(name, TOOL_USAGE, &error);
    }
    run_tool_catch_signals();
    judge.stop = run_tool_stop();
    judge.user = &shown_at;
    const bool good = judge_and_tell(options, &judge, &set, path, &error);
    truth_set_free(&set);
    if (good)
        return TOOL_DONE;
    return tool_fail(name, stop_flag_is_set(judge.stop) ? TOOL_INTERRUPTED : TOOL_FAILED, &error);
}

/* ---- Making positions ---- */

/* The players of the games: their moves are drawn, and their solvers would only take time. */
static bool settle_making(const TruthOptions *options, TruthMake *make, Error *error) {
    *make = options->making;
    make->seed = options->common.seed;
    make->threads = threads_of(options);
    make->player_count = options->player_count ? options->player_count : 1;
    for (int i = 0; i < make->player_count; i++) {
        Player *player = &make->players[i];
        if (!settle_player(options, options->players[i], options->common.game.size, player, error) ||
            !output_spares_player("--make", options->make, options->players[i], error) ||
            !output_spares_network("--make", options->make, player, error))
            return false;
        player->params.solver_share = 0;
        if (player->draw == PLAYER_DRAW_UNSAID)
            player->draw = 4;
    }
    if (make->turns < 0 && make->random == 0 && make->games == 0)
        return error_set(error, "--make: expected --turns, --random or --games beside it");
    if (make->random + make->games > TRUTH_POSITIONS_MAX)
        return error_set(error, "--random and --games: %" PRId64 " positions, expected at most %d together",
                         make->random + make->games, TRUTH_POSITIONS_MAX);
    return output_check(options->make, truth_positions_schema.name, error);
}

/* Says which sources had fewer positions than were asked for. */
static void explain(const TruthMake *make, const TruthSet *set, const char *name) {
    const int64_t wanted[TRUTH_SOURCES] = {[TRUTH_RANDOM] = make->random, [TRUTH_GAME] = make->games};
    static const char *const sources[TRUTH_SOURCES] = {"turns", "random turns", "games"};
    int64_t found[TRUTH_SOURCES] = {0};
    for (int i = 0; i < set->count; i++)
        found[set->list[i].source]++;
    for (int i = 0; i < TRUTH_SOURCES; i++)
        if (found[i] < wanted[i])
            fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " positions from %s: %" PRId64 " tries had no more\n", name,
                    found[i], wanted[i], sources[i], TRUTH_TRIES * wanted[i]);
}

/* With "-" the positions go to standard output, and so the summary does not. */
static void print_made(const TruthOptions *options, const TruthSet *set, const TruthLeftOut *left_out) {
    fprintf(
        strcmp(options->make, "-") ? stdout : stderr,
        "%d positions of hexhex-%d in %s; left out: %d that the solver did not decide, %d without a choice, %d that "
        "were there already\n",
        set->count, set->game->board.size, options->make, left_out->undecided, left_out->no_choice, left_out->repeated);
}

static int make_positions(const TruthOptions *options, const char *name) {
    TruthMake make;
    TruthSet set = {0};
    TruthLeftOut left_out;
    double shown_at = wall_seconds();
    Error error;
    if (!settle_making(options, &make, &error) || !truth_set_init(&set, &options->common.game, &error)) {
        truth_set_free(&set);
        return tool_fail(name, TOOL_USAGE, &error);
    }
    run_tool_catch_signals();
    make.stop = run_tool_stop();
    make.progress = show_making;
    make.user = &shown_at;
    const bool good = truth_make(&make, &set, &left_out, &error) &&
                      truth_set_write(&set, make.seed, truth_make_to_json(&make), truth_left_out_to_json(&left_out),
                                      strcmp(options->make, "-") ? options->make : "/dev/stdout", &error);
    run_line_clear();
    if (good) {
        print_made(options, &set, &left_out);
        explain(&make, &set, name);
    }
    truth_set_free(&set);
    if (good)
        return TOOL_DONE;
    return tool_fail(name, stop_flag_is_set(make.stop) ? TOOL_INTERRUPTED : TOOL_FAILED, &error);
}

int tool_truth(int argc, char **argv) {
    static TruthOptions options;
    options = (TruthOptions){0};
    if (!options_parse(&truth_argp, argc, argv, &options))
        return TOOL_USAGE;
    return options.make ? make_positions(&options, argv[0]) : judge_player(&options, argv[0]);
}
