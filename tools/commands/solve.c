/* stigmergy solve: what a position is worth when both sides play perfectly, or the bounds proved within a time.
 *
 * engine/solver/solver.h does the work. This file reads the position, shows the bounds as they are proved, and writes
 * the answer as text or as a JSON document (schema stigmergy-solve). */
#include "engine/game/symmetry.h"
#include "engine/solver/solver.h"
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/document.h"
#include "selfplay/io/json.h"
#include "selfplay/io/variants.h"
#include "tools/cli/numbers.h"
#include "tools/cli/options.h"
#include "tools/cli/output.h"
#include "tools/cli/run_tool.h"
#include "tools/cli/tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_BUTTON = OPTIONS_OWN_KEYS,
    KEY_MOVES,
    KEY_ALL_MOVES,
    KEY_TIME,
    KEY_JSON,
    KEY_OUT,
    MEMORY_MB = 1024 /* where --memory does not say it */
};

typedef struct SolveOptions {
    Options common;
    bool button, all_moves, json;
    const char *moves, *out;
    double seconds;
} SolveOptions;

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    SolveOptions *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: options_init(state, &options->common); break;
    case KEY_BUTTON: options->button = true; break;
    case KEY_MOVES: options->moves = arg; break;
    case KEY_ALL_MOVES: options->all_moves = true; break;
    case KEY_TIME: good = read_number("--time", arg, 0.001, 1e9, &options->seconds, &error); break;
    case KEY_JSON: options->json = true; break;
    case KEY_OUT:
        options->json |= !strcmp(arg, "-");
        options->out = strcmp(arg, "-") ? arg : NULL;
        break;
    case ARGP_KEY_END:
        if (options->common.komi)
            good = error_set(&error, "--komi: values are without komi, expected --button for the game of odd komi");
        break;
    default: return options_parse_shared(key, arg, state, &options->common);
    }
    return options_check(state, good, &error);
}

const struct argp solve_argp = {
    .options =
        (const struct argp_option[]){
            {"komi", SHARED_KOMI, "K", OPTION_HIDDEN, NULL, 0},
            {"button", KEY_BUTTON, NULL, 0, "The game with odd komi and the button", 1},
            {"moves", KEY_MOVES, "TURNS", 0,
             "The position after these turns, as in \"d4 c3 e4 d2\" (default: the empty board)", 0},
            {NULL, 0, NULL, 0, "The solver:", 2},
            {"all-moves", KEY_ALL_MOVES, NULL, 0,
             "The value after each legal move as well; of turns with several stones, one for each first stone", 0},
            {"time", KEY_TIME, "SECONDS", 0,
             "Give up after this time and print the bounds proved so far, 0.001 to 1000000000 (default: no limit)", 0},
            {"memory", SHARED_MEMORY, "MB", 0, "Memory in all in MB, 1 to 1048576 (default 1024)", 0},
            {"threads", SHARED_THREADS, "T", 0, "Threads that search together, 1 to 256 (default 1)", 0},
            {"json", KEY_JSON, NULL, 0, "Print a JSON document", 0},
            {"out", KEY_OUT, "FILE.json", 0,
             "Write the JSON document to a file as well; - is the same as --json (default: no file)", 0},
            {0}},
    .parser = parse_option,
    .children = (const struct argp_child[]){{.argp = &shared_game_argp}, {0}},
    .doc = "Finds the exact value of a position: Black's margin in points with perfect play, komi left out (with the "
           "button's half point); in games without points, the winner."
           "\vBlack wins at komi K if the value is above K. When --time is up, at Ctrl-C, or when lines of play get "
           "longer than it has room for, the program prints the bounds proved so far."};

/* ---- The position ---- */

/* Takes the turns of --moves. */
static bool play_moves(const Game *game, const char *moves, GameState *state, Error *error) {
    char turn[GAME_TEXT_MAX];
    for (int number = 1; moves && game_next_turn(&moves, turn); number++)
        if (!game_play_text(game, state, turn, NULL, NULL, error))
            return error_prefix(error, "--moves: turn %d: ", number);
    return true;
}

/* Adds the turns that lead to the position as one text, with one blank between them. */
static void add_moves(cJSON *json, const char *moves) {
    const size_t room = moves ? strlen(moves) + 1 : 1;
    char turn[GAME_TEXT_MAX], *text = calloc(room, 1);
    for (size_t length = 0; text && moves && game_next_turn(&moves, turn);)
        length += (size_t)snprintf(text + length, room - length, "%s%s", length ? " " : "", turn);
    json_add(json, "moves", text ? cJSON_CreateString(text) : NULL);
    free(text);
}

static Game *open_position(const SolveOptions *options, GameState *state, Error *error) {
    int komi;
    Game *game = options_game(&options->common, &komi, error);
    if (!game)
        return NULL;
    if (options->button && !game->has_points)
        error_set(error, "--button: %s has none", game->name);
    else {
        game->rules->start(game, state, options->button ? 1 : 0);
        if (play_moves(game, options->moves, state, error))
            return game;
    }
    game_free(game);
    return NULL;
}

/* ---- Solving ---- */

/* A turn of the position, or as much of it as is known. */
typedef struct Turn {
    Action actions[GAME_TURN_MAX];
    int count; /* 0: nothing is known */
} Turn;

/* A legal action, the turn that begins with it, and the value after it. */
typedef struct MoveValue {
    Turn turn;
    SolverResult result;
} MoveValue;

typedef struct Solution {
    const SolveOptions *options;
    const Game *game;
    GameState state;
    SolverResult result;
    Turn best;
    MoveValue *moves; /* with --all-moves */
    int count;
    const StopFlag *stop;
    double begin;
} Solution;

static double points(int half_points) {
    return 0.5 * half_points;
}

static void show_progress(void *user, const SolverResult *so_far) {
    const Solution *solution = user;
    if (wall_seconds() < solution->begin + 1) /* quick answers need none */
        return;
    fprintf(stderr, "%s, size %d", solution->game->name, solution->game->board.size);
    if (solution->game->has_points)
        fprintf(stderr, ": from %g to %g", points(so_far->lower_half_points), points(so_far->upper_half_points));
    fprintf(stderr, ", %.3g nodes, %.1f s\n", (double)so_far->nodes, so_far->seconds);
}

/* The limits for what is left of the time; a microsecond where none is. */
static SolverLimits limits_now(Solution *solution, bool progress) {
    SolverLimits limits = {.stop = solution->stop, .user = solution};
    if (progress)
        limits.progress = show_progress;
    if (solution->options->seconds > 0) {
        const double left = solution->begin + solution->options->seconds - wall_seconds();
        limits.seconds = left > 1e-6 ? left : 1e-6;
    }
    return limits;
}

/* Adds the best actions, which keep the value, to a turn whose first one is there, until it ends or the solver knows
 * none. */
static void complete_turn(Solution *solution, Solver *solver, Turn *turn) {
    const Game *game = solution->game;
    GameState state;
    game_copy(game, &state, &solution->state);
    game->rules->apply(game, &state, turn->actions[0]);
    while (!game->rules->over(&state) && !game->rules->turn_start(&state)) {
        const SolverLimits limits = limits_now(solution, false);
        const SolverResult next = solver_value(solver, &state, &limits);
        solution->result.nodes += next.nodes;
        if (!next.has_best)
            return;
        turn->actions[turn->count++] = next.best;
        game->rules->apply(game, &state, next.best);
    }
}

static SolverResult value_after(Solution *solution, Solver *solver, Action action) {
    const Game *game = solution->game;
    GameState after;
    game_copy(game, &after, &solution->state);
    game->rules->apply(game, &after, action);
    const SolverLimits limits = limits_now(solution, false);
    const SolverResult result = solver_value(solver, &after, &limits);
    solution->result.nodes += result.nodes;
    return result;
}

static bool solve_moves(Solution *solution, Solver *solver, Error *error) {
    const Game *game = solution->game;
    const Symmetries own = symmetries_of(game, &solution->state);
    Action actions[GAME_LEGAL_MAX];
    solution->count = game->rules->legal(game, &solution->state, actions);
    solution->moves = calloc((size_t)solution->count + 1, sizeof *solution->moves);
    if (!solution->moves)
        return error_set(error, "out of memory");
    for (int i = 0; i < solution->count; i++) {
        MoveValue *move = &solution->moves[i];
        const Action first = symmetries_first(game, &own, actions[i]);
        int k = 0;
        while (k < i && actions[k] != first)
            k++;
        move->result = k < i ? solution->moves[k].result : value_after(solution, solver, actions[i]);
        move->turn = (Turn){.actions = {actions[i]}, .count = 1};
        if (solution->best.count > 0 && solution->best.actions[0] == actions[i])
            move->turn = solution->best;
        else if (move->result.proved)
            complete_turn(solution, solver, &move->turn);
    }
    return true;
}

/* The solver counts for the player who began; the answer names the colours of the position, which differ after a swap.
 */
static void turn_to_colours(Solution *solution, SolverResult *result) {
    if (game_colour(solution->game, &solution->state, BLACK) == BLACK)
        return;
    const int lower = result->lower_half_points;
    result->lower_half_points = -result->upper_half_points;
    result->upper_half_points = -lower;
}

static bool find_values(Solution *solution, Solver *solver, Error *error) {
    const SolverLimits limits = limits_now(solution, true);
    solution->result = solver_value(solver, &solution->state, &limits);
    if (solution->result.has_best) {
        solution->best = (Turn){.actions = {solution->result.best}, .count = 1};
        complete_turn(solution, solver, &solution->best);
    }
    if (solution->options->all_moves && !solve_moves(solution, solver, error))
        return false;
    turn_to_colours(solution, &solution->result);
    for (int i = 0; i < solution->count; i++)
        turn_to_colours(solution, &solution->moves[i].result);
    return true;
}

/* ---- The answer ---- */

static void add_bound(cJSON *json, const Game *game, const char *key, int half_points) {
    if (game->has_points)
        cJSON_AddNumberToObject(json, key, points(half_points));
    else
        cJSON_AddStringToObject(json, key, half_points > 0 ? "B" : "W");
}

static void add_result(cJSON *json, const Game *game, const SolverResult *result) {
    if (result->proved)
        add_bound(json, game, "value", result->lower_half_points);
    else
        cJSON_AddNullToObject(json, "value");
    cJSON_AddBoolToObject(json, "proved", result->proved);
    add_bound(json, game, "lower", result->lower_half_points);
    add_bound(json, game, "upper", result->upper_half_points);
}

/* Writes a turn of the position, or "unknown". */
static void format_turn(const Solution *solution, const Turn *turn, char out[GAME_TEXT_MAX]) {
    GameState state;
    strcpy(out, "unknown");
    game_copy(solution->game, &state, &solution->state);
    if (turn->count > 0)
        game_format_turn(solution->game, &state, turn->actions, turn->count, out);
}

static void add_turn(cJSON *json, const Solution *solution, const char *key, const Turn *turn) {
    char text[GAME_TEXT_MAX];
    format_turn(solution, turn, text);
    if (turn->count > 0)
        cJSON_AddStringToObject(json, key, text);
    else
        cJSON_AddNullToObject(json, key);
}

static const DocumentSchema schema = {.name = "stigmergy-solve", .version = 1, .what = "a solved position"};

static cJSON *make_document(const Solution *solution) {
    const Game *game = solution->game;
    const SolverResult *result = &solution->result;
    cJSON *json = cJSON_CreateObject();
    document_add_schema(json, &schema);
    cJSON_AddStringToObject(json, "game", game->name);
    cJSON_AddNumberToObject(json, "size", game->board.size);
    variants_add(json, game->capture, game->pie);
    if (game->has_points)
        cJSON_AddBoolToObject(json, "button", solution->options->button);
    add_moves(json, solution->options->moves);
    add_result(json, game, result);
    cJSON_AddNumberToObject(json, "nodes", (double)result->nodes);
    document_add_number(json, "seconds", wall_seconds() - solution->begin);
    add_turn(json, solution, "best", &solution->best);
    cJSON *list = solution->moves ? cJSON_AddArrayToObject(json, "all_moves") : NULL;
    for (int i = 0; i < solution->count; i++) {
        cJSON *move = cJSON_CreateObject();
        add_turn(move, solution, "move", &solution->moves[i].turn);
        add_result(move, game, &solution->moves[i].result);
        json_add(list, NULL, move);
    }
    return json;
}

static void print_value(const Game *game, const SolverResult *result) {
    if (!game->has_points)
        puts(!result->proved ? "unknown" : result->lower_half_points > 0 ? "B" : "W");
    else if (result->proved)
        printf("%+g\n", points(result->lower_half_points));
    else
        printf("from %+g to %+g\n", points(result->lower_half_points), points(result->upper_half_points));
}

static void print_text(const Solution *solution) {
    const Game *game = solution->game;
    const SolverResult *result = &solution->result;
    char text[GAME_TEXT_MAX];
    printf("value  ");
    print_value(game, result);
    format_turn(solution, &solution->best, text);
    printf("best   %s\n", text);
    printf("nodes  %" PRIu64 ", %.2f s\n", result->nodes, wall_seconds() - solution->begin);
    for (int i = 0; i < solution->count; i++) {
        format_turn(solution, &solution->moves[i].turn, text);
        printf("  %-12s ", text);
        print_value(game, &solution->moves[i].result);
    }
}

static bool report(const Solution *solution, Error *error) {
    cJSON *json = make_document(solution);
    char *text = document_text(json, error);
    if (!text)
        return false;
    if (solution->options->json)
        fputs(text, stdout);
    else
        print_text(solution);
    fflush(stdout); /* what --out names may be the same */
    const char *out = solution->options->out;
    const bool good = !out || file_write(out, text, strlen(text), error);
    free(text);
    return good;
}

/* Says why there is no value where neither time nor the user ended the search. */
static void explain(const Solution *solution, const char *name) {
    bool no_room = solution->result.no_room;
    for (int i = 0; i < solution->count; i++)
        no_room = no_room || solution->moves[i].result.no_room;
    if (no_room)
        fprintf(stderr,
                "%s: not all is proved: lines of play are longer than the solver has room for; more time or "
                "memory would not help, a later position may\n",
                name);
}

static int solve(Solution *solution, const char *name) {
    const SolveOptions *options = solution->options;
    const Options *common = &options->common;
    const SolverOptions settings = {.memory = (size_t)(common->memory_mb ? common->memory_mb : MEMORY_MB) << 20,
                                    .threads = common->threads ? common->threads : 1};
    Error error;
    Solver *solver = solver_new(solution->game, &settings, &error);
    if (!solver)
        return tool_fail(name, TOOL_USAGE, &error);
    const bool good = find_values(solution, solver, &error) && report(solution, &error);
    if (good)
        explain(solution, name);
    solver_free(solver);
    free(solution->moves);
    if (!good)
        return tool_fail(name, TOOL_FAILED, &error);
    return stop_flag_is_set(solution->stop) ? TOOL_INTERRUPTED : TOOL_DONE;
}

int tool_solve(int argc, char **argv) {
    SolveOptions options = {0};
    if (!options_parse(&solve_argp, argc, argv, &options))
        return TOOL_USAGE;
    Error error;
    Solution solution = {.options = &options, .begin = wall_seconds()};
    Game *game = open_position(&options, &solution.state, &error);
    if (!game)
        return tool_fail(argv[0], TOOL_USAGE, &error);
    solution.game = game;
    run_tool_catch_signals();
    solution.stop = run_tool_stop();
    const int status = output_check(options.out, schema.name, &error) ? solve(&solution, argv[0])
                                                                      : tool_fail(argv[0], TOOL_USAGE, &error);
    game_free(game);
    return status;
}
