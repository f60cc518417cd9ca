/* See options.h. */
#include "tools/cli/options.h"

#include "engine/games/registry.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIMULATIONS_MAX = 1000000000, MEMORY_MB_MAX = 1 << 20 };
static const double move_seconds_min = 0.001, move_seconds_max = 1e6;

/* ---- Numbers ---- */

/* Digits, after a minus sign where `negative` allows one: strtoll would take blanks and a plus sign too. */
static bool is_whole(const char *text, bool negative) {
    if (negative && *text == '-')
        text++;
    return *text && text[strspn(text, "0123456789")] == '\0';
}

bool read_int(const char *what, const char *text, int low, int high, int *out, Error *error) {
    errno = 0;
    const long long value = strtoll(text, NULL, 10);
    if (!is_whole(text, true) || errno || value < low || value > high)
        return error_set(error, "%s: '%.40s', expected a whole number from %d to %d", what, text, low, high);
    *out = (int)value;
    return true;
}

bool read_u64(const char *what, const char *text, uint64_t *out, Error *error) {
    errno = 0;
    const unsigned long long value = strtoull(text, NULL, 10);
    if (!is_whole(text, false) || errno)
        return error_set(error, "%s: '%.40s', expected a whole number from 0 to %" PRIu64, what, text, UINT64_MAX);
    *out = value;
    return true;
}

bool read_number(const char *what, const char *text, double low, double high, double *out, Error *error) {
    char *end;
    const double value = strtod(text, &end);
    /* No blanks, hexadecimal digits, infinities or NaN. */
    const bool decimal = *text && *text != '+' && text[strspn(text, "0123456789.eE+-")] == '\0';
    if (!decimal || *end || !(value >= low && value <= high))
        return error_set(error, "%s: '%.40s', expected a number from %.10g to %.10g", what, text, low, high);
    *out = value;
    return true;
}

bool read_choice(const char *what, const char *text, const char *first_word, const char *second_word, bool *second,
                 Error *error) {
    *second = !strcmp(text, second_word);
    return *second || !strcmp(text, first_word) ||
           error_set(error, "%s: '%.40s', expected %s or %s", what, text, first_word, second_word);
}

/* ---- Groups of options ---- */

enum {
    KEY_GAME = 0x100, /* beyond characters: no short options */
    KEY_SIZE,
    KEY_KOMI,
    KEY_CAPTURE,
    KEY_PIE,
    KEY_THREADS,
    KEY_SEED,
    KEY_PLAYER,
    KEY_SIMS,
    KEY_MOVE_TIME,
    KEY_MEMORY,
    KEY_SHARD,
    KEY_SHARDS
};

void options_init(struct argp_state *state, Options *options) {
    *options = (Options){.game_name = "stigmergy", .size = 5, .seed = 1};
    state->err_stream = NULL; /* argp says no more: getopt and options_check print the one line that is due */
    /* The root is argp's own, around the subcommand's, for --help and --version. */
    const struct argp_child *children = state->root_argp->children[0].argp->children;
    for (int i = 0; children && children[i].argp; i++)
        state->child_inputs[i] = options;
}

bool options_parse(const struct argp *argp, int argc, char **argv, void *input) {
    return argp_parse(argp, argc, argv, 0, NULL, input) == 0;
}

error_t options_check(const struct argp_state *state, bool good, const Error *error) {
    if (good)
        return 0;
    fprintf(stderr, "%s: %s\n", state->name, error->text);
    return EINVAL;
}

static error_t parse_game(int key, char *arg, struct argp_state *state) {
    Options *options = state->input;
    Error error;
    bool good = true, second = false;
    switch (key) {
    case KEY_GAME: options->game_name = arg; break;
    case KEY_SIZE: good = read_int("--size", arg, HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &options->size, &error); break;
    case KEY_KOMI: options->komi = arg; break;
    case KEY_CAPTURE:
        good = read_choice("--capture", arg, "free", "line", &second, &error);
        options->capture = second ? GAME_CAPTURE_LINE : GAME_CAPTURE_FREE;
        break;
    case KEY_PIE:
        good = read_choice("--pie", arg, "off", "on", &second, &error);
        options->pie = second ? GAME_PIE_ON : GAME_PIE_OFF;
        break;
    case ARGP_KEY_ARG: good = error_set(&error, "unexpected argument '%.40s', expected options only", arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

static error_t parse_run(int key, char *arg, struct argp_state *state) {
    Options *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_THREADS: good = read_int("--threads", arg, 1, SEARCH_THREADS_MAX, &options->threads, &error); break;
    case KEY_SEED: good = read_u64("--seed", arg, &options->seed, &error); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

static error_t parse_player(int key, char *arg, struct argp_state *state) {
    Options *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_PLAYER: options->player = arg; break;
    case KEY_SIMS: good = read_int("--sims", arg, 1, SIMULATIONS_MAX, &options->simulations, &error); break;
    case KEY_MOVE_TIME:
        good = read_number("--move-time", arg, move_seconds_min, move_seconds_max, &options->move_seconds, &error);
        break;
    case KEY_MEMORY: good = read_int("--memory", arg, 1, MEMORY_MB_MAX, &options->memory_mb, &error); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

static error_t parse_shard(int key, char *arg, struct argp_state *state) {
    Options *options = state->input;
    Error error;
    bool good = true;
    switch (key) {
    case KEY_SHARD: options->shard = arg; break;
    case KEY_SHARDS: good = read_int("--shards", arg, 1, SHARDS_MAX, &options->shards, &error); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

const struct argp options_game_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The game:", 1},
            {"game", KEY_GAME, "NAME", 0, "Which game (default stigmergy)", 0},
            {"size", KEY_SIZE, "N", 0, "Board size, cells a side, 2 to 10 (default 5)", 0},
            {"komi", KEY_KOMI, "K", 0,
             "Points for White, a whole number, at most the number of cells either way (default 0)", 0},
            {"capture", KEY_CAPTURE, "free|line", 0, "Sgolte: which stones may be captured (default free)", 0},
            {"pie", KEY_PIE, "on|off", 0, "Sgolte, Bug: may the second player swap? (default on for Sgolte)", 0},
            {0}},
    .parser = parse_game};

const struct argp options_run_argp = {
    .options = (const struct argp_option[]){{NULL, 0, NULL, 0, "The run:", 2},
                                            {"threads", KEY_THREADS, "T", 0, "Number of threads (default 1)", 0},
                                            {"seed", KEY_SEED, "S", 0, "Seed of all randomness (default 1)", 0},
                                            {0}},
    .parser = parse_run};

const struct argp options_player_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "The player:", 3},
            {"player", KEY_PLAYER, "FILE", 0,
             "A player description (JSON), or the name of an installed one; the options below override it", 0},
            {"sims", KEY_SIMS, "N", 0, "Simulations a move (default 1000, without limit where --move-time is given)",
             0},
            {"move-time", KEY_MOVE_TIME, "SECONDS", 0, "Time a move, fractions allowed (default no limit)", 0},
            {"memory", KEY_MEMORY, "MB", 0, "Memory for the search tree (default 256)", 0},
            {0}},
    .parser = parse_player};

const struct argp options_shard_argp = {
    .options =
        (const struct argp_option[]){
            {NULL, 0, NULL, 0, "Many machines:", 5},
            {"shard", KEY_SHARD, "I/N", 0,
             "Play part I of N of the run, I from 0 to N-1, into files of its own beside --out; `stigmergy merge` puts "
             "them together",
             0},
            {"shards", KEY_SHARDS, "N", 0,
             "N; then I is that of --shard I, of SLURM_ARRAY_TASK_ID or of JOB_COMPLETION_INDEX", 0},
            {0}},
    .parser = parse_shard};

/* ---- What was asked for ---- */

Game *options_game(const Options *options, const char *kernel, int *komi, Error *error) {
    Game *game = game_new(&(GameOptions){.name = options->game_name,
                                         .size = options->size,
                                         .kernel = kernel,
                                         .capture = options->capture,
                                         .pie = options->pie},
                          error);
    if (!game)
        return NULL;
    const int limit = game->has_points ? game->board.cells : 0;
    *komi = 0;
    if (options->komi && !read_int("--komi", options->komi, -limit, limit, komi, error)) {
        game_free(game);
        return NULL;
    }
    return game;
}

bool options_player(const Options *options, Player *player, Error *error) {
    *player = player_default();
    if (options->player && !player_load(options->player, player, error))
        return false;
    if (options->simulations || options->move_seconds > 0) {
        player->simulations = (uint64_t)options->simulations;
        player->move_seconds = options->move_seconds;
    }
    if (options->memory_mb)
        player->memory_mb = options->memory_mb;
    return true;
}

bool options_shard(const Options *options, int64_t configured, ShardSpec *shard, Error *error) {
    const bool given = options->shards > 0;
    return shard_spec_settle(options->shard, given ? options->shards : configured, given, shard, error);
}

bool options_effort_given(const Options *options) {
    return options->player || options->simulations || options->move_seconds > 0;
}
