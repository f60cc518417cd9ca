/* See options.h. */
#include "tools/cli/options.h"

#include "engine/games/registry.h"
#include "selfplay/io/nearest_word.h"
#include "selfplay/io/text.h"
#include "selfplay/io/variants.h"
#include "tools/cli/numbers.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_MB_MAX = 1 << 20 };
static const double move_seconds_min = 0.001, move_seconds_max = 1e6;

/* ---- The command line ---- */

enum {
    KEY_USAGE = 0x80, /* beyond characters: no short option */
    GROUPS = 5        /* of options, in --help */
};

const char options_doc_seed[] = "Seed of all randomness, a whole number from 0 (default 1)";
const char options_doc_player[] =
    "A player description: its JSON, a file, or the name of an installed one (default: the player `default')";
const char options_doc_time[] =
    "End with the first move after this number of seconds, 0 to 1000000000, and keep the games played so far (default "
    "0: no limit)";

const char options_doc_dry_run[] =
    "Only say what the run would cost; needs no --out. With it, games that are there already cost nothing";

/* ---- Tables of options ---- */

const struct argp shared_game_argp = {
    .options = (const struct argp_option[]){
        {NULL, 0, NULL, 0, "The game:", 1},
        {"game", SHARED_GAME, "stigmergy|bug|sgolte", 0, "The game (default stigmergy)", 0},
        {"size", SHARED_SIZE, "N", 0, "Cells a side: 2 to 10 in Stigmergy, 2 to 7 in Bug and Sgolte (default 5)", 0},
        {"komi", SHARED_KOMI, "K", 0,
         "Points for White in Stigmergy: a whole number, at most the number of cells either way (default 0)", 0},
        {"capture", SHARED_CAPTURE, "free|line", 0,
         "Which stones of a group a turn of Sgolte may capture: any, or only stones in a line (default free)", 0},
        {"pie", SHARED_PIE, "on|off", 0,
         "Whether the second player may swap in Sgolte and Bug (default on in Sgolte, off in Bug)", 0},
        {0}}};

const struct argp shared_tree_argp = {
    .options = (const struct argp_option[]){
        {NULL, 0, NULL, 0, "The run:", 2},
        {"threads", SHARED_THREADS, "T", 0,
         "Threads that search one tree, 1 to 256 (default 1, or what the player's description says)", 0},
        {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
        {0}}};

const struct argp shared_run_argp = {
    .options = (const struct argp_option[]){
        {NULL, 0, NULL, 0, "The run:", 2},
        {"config", SHARED_CONFIG, "FILE", 0,
         "Settings: a JSON file, or the name of an installed one (default: none). Options override them", 0},
        {"out", SHARED_OUT, "FILE.json", 0,
         "The result (required). The games go to FILE.records.jsonl beside it. The same command again resumes the run",
         0},
        {"threads", SHARED_THREADS, "T", 0,
         "Games played side by side, 1 to 256 (default: one for each processor). The results do not depend on it", 0},
        {"seed", SHARED_SEED, "S", 0, options_doc_seed, 0},
        {0}}};

const struct argp shared_player_argp = {
    .options = (const struct argp_option[]){
        {NULL, 0, NULL, 0, "The player:", 3},
        {"player", SHARED_PLAYER, "PLAYER", 0, options_doc_player, 0},
        {"sims", SHARED_SIMS, "N", 0,
         "Simulations a move, 1 to 1000000000 (default 1000, or what --player says; no limit with --move-time alone)",
         0},
        {"move-time", SHARED_MOVE_TIME, "SECONDS", 0,
         "Seconds a move, from 0.001, fractions allowed (default: no limit)", 0},
        {"memory", SHARED_MEMORY, "MB", 0,
         "Memory of each search tree in MB, 1 to 1048576 (default 256, or what --player says)", 0},
        {0}}};

const struct argp shared_shards_argp = {
    .options = (const struct argp_option[]){
        {NULL, 0, NULL, 0, "Many machines:", 5},
        {"shard", SHARED_SHARD, "I/N", 0,
         "Play part I of N of the run, I from 0 to N-1, into files of its own beside --out; `stigmergy merge' puts the "
         "parts together (default: the whole run)",
         0},
        {"shards", SHARED_SHARDS, "N", 0,
         "The number of parts, 1 to 100000. Then --shard I, SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX says which "
         "part this process plays",
         0},
        {0}}};

const struct argp_child shared_search_argps[] = {
    {.argp = &shared_game_argp}, {.argp = &shared_tree_argp}, {.argp = &shared_player_argp}, {0}};

const struct argp_child shared_run_argps[] = {{.argp = &shared_game_argp},
                                              {.argp = &shared_run_argp},
                                              {.argp = &shared_player_argp},
                                              {.argp = &shared_shards_argp},
                                              {0}};

ValueKind options_value_kind(const struct argp_option *option) {
    const char *value = option->arg;
    if (!value)
        return VALUE_NONE;
    if (strchr(value, '|') || islower((unsigned char)value[0]))
        return VALUE_CHOICE;
    if (!strcmp(value, "PLAYER") || !strcmp(option->name, "config") || !strcmp(option->name, "positions"))
        return VALUE_INSTALLED;
    if (!strncmp(value, "FILE", 4) || text_ends_with(value, ".json") || !strcmp(value, "RECORDS"))
        return VALUE_FILE;
    return !strcmp(value, "DIR") ? VALUE_FOLDER : VALUE_OTHER;
}

static bool is_row(const struct argp_option *row) {
    return row->name || row->key || row->doc;
}

/* The row of this name; NULL where there is none. Without a name, the heading of the group. */
static const struct argp_option *find_row(const struct argp *argp, const char *name, int group) {
    int at = 0;
    for (const struct argp_option *row = argp->options; is_row(row); row++) {
        at = row->group ? row->group : at;
        if (name ? row->name && !strcmp(row->name, name) : !row->name && at == group)
            return row;
    }
    return NULL;
}

/* Adds the rows of a group in one table that no table in `before` has, each as `own` has it, where it does. */
static int add_rows(const struct argp *table, const struct argp *own, const struct argp_child *before, int group,
                    struct argp_option *rows, int count) {
    int at = 0;
    for (const struct argp_option *row = table->options; is_row(row); row++) {
        bool known = false;
        at = row->group ? row->group : at;
        for (const struct argp_child *child = before; child && child->argp; child++)
            known |= find_row(child->argp, row->name, group) != NULL;
        if (at != group || known || count == OPTIONS_MAX - 1)
            continue;
        const struct argp_option *replacement = find_row(own, row->name, group);
        rows[count] = replacement ? *replacement : *row;
        rows[count++].group = group;
    }
    return count;
}

const struct argp_option *options_list(const struct argp *argp, struct argp_option rows[OPTIONS_MAX]) {
    int count = 0;
    for (int group = 0; group <= GROUPS; group++) {
        for (const struct argp_child *child = argp->children; child && child->argp; child++)
            count = add_rows(child->argp, argp, NULL, group, rows, count);
        count = add_rows(argp, argp, argp->children, group, rows, count);
    }
    rows[count] = (struct argp_option){0};
    return rows;
}

/* ---- Parsing ---- */

void options_init(struct argp_state *state, Options *options) {
    *options = (Options){.game = {.name = "stigmergy", .size = 5}, .seed = 1};
    state->err_stream = NULL; /* argp says no more: getopt and options_check print the one line that is due */
}

/* The options of every command, in place of argp's own, which lack -h. */
static error_t parse_standard(int key, char *arg, struct argp_state *state) {
    (void)arg;
    switch (key) {
    case '?':
    case 'h': argp_state_help(state, stdout, ARGP_HELP_STD_HELP); break;
    case KEY_USAGE: argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK); break;
    case 'V': puts(argp_program_version); exit(0);
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp options_standard_argp = {
    .options = (const struct argp_option[]){{"help", 'h', NULL, 0, "Print this help", -1},
                                            {NULL, '?', NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
                                            {"usage", KEY_USAGE, NULL, 0, "Print a short list of the options", 0},
                                            {"version", 'V', NULL, 0, "Print name and version", 0},
                                            {0}},
    .parser = parse_standard};

/* The option that `name` (of `length` bytes) stands for: itself or, as getopt allows, the beginning of its name. */
static const struct argp_option *find_option(const struct argp_option *options, const char *name, size_t length) {
    const struct argp_option *found = NULL;
    for (const struct argp_option *option = options; is_row(option); option++)
        if (option->name && !strncmp(option->name, name, length) && (!found || !option->name[length]))
            found = option;
    return found;
}

/* Says which option was probably meant. */
static void refuse_option(const struct argp *argp, const char *program, const char *name, size_t length) {
    const char *words[64];
    char typed[64];
    int count = 0;
    const struct argp *const both[] = {argp, &options_standard_argp};
    for (int i = 0; i < 2; i++)
        for (const struct argp_option *option = both[i]->options; is_row(option); option++)
            if (option->name && !(option->flags & OPTION_HIDDEN) && count < 64)
                words[count++] = option->name;
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    const char *meant = nearest_word(typed, words, count);
    fprintf(stderr, "%s: unrecognized option '--%s', ", program, typed);
    if (meant)
        fprintf(stderr, "did you mean '--%s'?\n", meant);
    else
        fprintf(stderr, "expected one of those that --help lists\n");
}

/* Says that the name of a file is empty. */
static bool refuse_empty(const char *program, const char *option, const char *expected) {
    fprintf(stderr, "%s: %s%s: is empty, expected %s\n", program, *option ? "--" : "''", option, expected);
    return false;
}

/* Whether the value of an option is not an empty name: a message about the file could not name it. */
static bool has_name(const char *program, const struct argp_option *option, const char *value) {
    static const char *const expected[] = {[VALUE_FILE] = "a file name",
                                           [VALUE_FOLDER] = "the name of a folder",
                                           [VALUE_INSTALLED] = "a file name or the name of an installed one",
                                           [VALUE_OTHER] = NULL};
    const char *name = expected[options_value_kind(option)];
    return *value || !name || refuse_empty(program, option->name, name);
}

/* Checks one long option and its value, which may be the next word; *i becomes the number of the last word of both.
 * getopt's own message would not say which option was meant. */
static bool check_option(const struct argp *argp, int argc, char **argv, int *i) {
    const char *name = argv[*i] + 2;
    const size_t length = strcspn(name, "=");
    const struct argp_option *option = find_option(argp->options, name, length);
    if (!option && !find_option(options_standard_argp.options, name, length)) {
        refuse_option(argp, argv[0], name, length);
        return false;
    }
    if (!option || !option->arg)
        return true;
    if (name[length])
        return has_name(argv[0], option, name + length + 1);
    ++*i; /* its value is no option */
    return *i >= argc || has_name(argv[0], option, argv[*i]);
}

/* Whether all long options are known, and no file that they or the arguments name has an empty name. */
static bool check_words(const struct argp *argp, int argc, char **argv) {
    bool options = true; /* "--" has not come yet */
    for (int i = 1; i < argc; i++) {
        if (options && !strcmp(argv[i], "--"))
            options = false;
        else if (options && !strncmp(argv[i], "--", 2)) {
            if (!check_option(argp, argc, argv, &i))
                return false;
        } else if (!*argv[i] && argp->args_doc) /* whose arguments are files */
            return refuse_empty(argv[0], "", "a file name");
    }
    return true;
}

bool options_parse(const struct argp *argp, int argc, char **argv, void *input) {
    struct argp_option rows[OPTIONS_MAX];
    struct argp own = *argp;
    own.options = options_list(argp, rows);
    own.children = NULL;
    const struct argp_child both[] = {{&own, 0, NULL, 0}, {&options_standard_argp, 0, NULL, 0}, {0}};
    const struct argp whole = {.children = both};
    return check_words(&own, argc, argv) && argp_parse(&whole, argc, argv, ARGP_NO_HELP, NULL, input) == 0;
}

error_t options_check(const struct argp_state *state, bool good, const Error *error) {
    if (good)
        return 0;
    fprintf(stderr, "%s: %s\n", state->name, error->text);
    return EINVAL;
}

error_t options_parse_shared(int key, char *arg, struct argp_state *state, Options *options) {
    Error error;
    bool good = true;
    int word = 0;
    switch (key) {
    case SHARED_GAME: options->game.name = arg; break;
    case SHARED_SIZE:
        good = read_int("--size", arg, HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, &options->game.size, &error);
        break;
    case SHARED_KOMI: options->komi = arg; break;
    case SHARED_CAPTURE:
        good = read_word("--capture", arg, variants_captures, 2, &word, &error);
        options->game.capture = (GameCapture)(word + GAME_CAPTURE_FREE);
        break;
    case SHARED_PIE:
        good = read_word("--pie", arg, variants_pies, 2, &word, &error);
        options->game.pie = (GamePie)(word + GAME_PIE_OFF);
        break;
    case SHARED_THREADS: good = read_int("--threads", arg, 1, SEARCH_THREADS_MAX, &options->threads, &error); break;
    case SHARED_SEED: good = read_u64("--seed", arg, &options->seed, &error); break;
    case SHARED_PLAYER: options->player = arg; break;
    case SHARED_SIMS:
        good = read_count("--sims", arg, 1, PLAYER_SIMULATIONS_MAX, &options->effort.simulations, &error);
        break;
    case SHARED_MOVE_TIME:
        good =
            read_number("--move-time", arg, move_seconds_min, move_seconds_max, &options->effort.move_seconds, &error);
        break;
    case SHARED_MEMORY: good = read_int("--memory", arg, 1, MEMORY_MB_MAX, &options->memory_mb, &error); break;
    case SHARED_SHARD: options->shard = arg; break;
    case SHARED_SHARDS: good = read_int("--shards", arg, 1, SHARDS_MAX, &options->shards, &error); break;
    case ARGP_KEY_ARG: good = error_set(&error, "unexpected argument '%.40s', expected options only", arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return options_check(state, good, &error);
}

/* ---- What was asked for ---- */

Game *options_game(const Options *options, int *komi, Error *error) {
    Game *game = game_new(&options->game, error);
    if (!game)
        return NULL;
    const int limit = game_komi_limit(game);
    *komi = 0;
    if (!options->komi || read_int("--komi", options->komi, -limit, limit, komi, NULL))
        return game;
    game_check_komi(game, NAN, error);
    error_prefix(error, "--komi: '%.40s', ", options->komi);
    game_free(game);
    return NULL;
}

bool options_player(const Options *options, Player *player, Error *error) {
    *player = player_default();
    if (options->player && !player_load(options->player, player, error))
        return false;
    if (effort_is_given(options->effort))
        *player = player_with_effort(*player, options->effort);
    if (options->memory_mb)
        player->memory_mb = options->memory_mb;
    return true;
}

bool options_can_play(const Player *player, const char *game, Error *error) {
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Player settled = *player;
        const bool same = size > HEXHEX_MIN_SIZE && network_of_game(game, size) == network_of_game(game, size - 1);
        if (!same && !player_settle(&settled, game, size, error))
            return false;
    }
    return true;
}

bool options_shard(const Options *options, int64_t configured, ShardSpec *shard, Error *error) {
    const bool given = options->shards > 0;
    return shard_spec_settle(options->shard, given ? options->shards : configured, given, shard, error);
}

bool options_read_ladder(const char *text, int64_t *rungs, int capacity, int *count, Error *error) {
    *count = 0;
    for (const char *at = text;; at++) {
        char part[24];
        at += strspn(at, " ");
        const size_t length = strcspn(at, ",");
        if (*count == capacity)
            return error_set(error, "--ladder: expected at most %d numbers", capacity);
        snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : (int)sizeof part, at);
        if (!read_count("--ladder", part, 1, PLAYER_SIMULATIONS_MAX, &rungs[*count], error))
            return false;
        ++*count;
        at += length;
        if (!*at)
            return true;
    }
}

bool options_effort_given(const Options *options) {
    return options->player || effort_is_given(options->effort);
}
