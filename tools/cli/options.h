/* The command line: options that commands have in common.
 *
 * The options are parsed by argp (glibc). A command has a table of its own options. The tables of options that several
 * commands share (below) are its children. A row of its own table replaces the shared row of the same name, and a
 * heading replaces the shared heading of the same group. So every option is described with the default of this command.
 * options_list makes one table of all. `--help`, the manual page and the completions of the shells are made from it
 * (describe.h). A command's struct of values has an `Options` in it. Its parser calls options_init at ARGP_KEY_INIT,
 * reads the options that are its own, and leaves the rest to options_parse_shared.
 *
 * An argument name says what kind of value is expected (options_value_kind): "a|b" a choice, FILE or FILE.json a file,
 * DIR a folder. An option with the flag OPTION_HIDDEN is refused by the command. It is in the table so that the refusal
 * can say what to do instead.
 *
 * An error is one line on standard error that names the option and what was expected; argp's second line is left out.
 * After parsing, options_game and options_player check which values go together (komi and board size, a player's file
 * and the options that override it). */
#ifndef STIGMERGY_TOOLS_CLI_OPTIONS_H
#define STIGMERGY_TOOLS_CLI_OPTIONS_H

#include "selfplay/players/effort.h"
#include "selfplay/runs/shard_spec.h"

#include <argp.h>

typedef struct Options {
    GameOptions game;
    const char *komi; /* as given, because its range depends on the board; NULL: 0 */
    int threads;      /* 0: not given */
    uint64_t seed;
    const char *player; /* a description file or name; NULL: the default player */
    Effort effort;      /* 0: not given, as below */
    int memory_mb;
    const char *shard; /* "I/N" or "I"; NULL: not given */
    int shards;        /* N; 0: not given */
} Options;

/* The argp keys of the options that commands share, beyond characters: no short options. Keys from OPTIONS_OWN_KEYS on
 * are free for a command's own. */
enum {
    SHARED_GAME = 0x100,
    SHARED_SIZE,
    SHARED_KOMI,
    SHARED_CAPTURE,
    SHARED_PIE,
    SHARED_THREADS,
    SHARED_SEED,
    SHARED_PLAYER,
    SHARED_SIMS,
    SHARED_MOVE_TIME,
    SHARED_MEMORY,
    SHARED_SHARD,
    SHARED_SHARDS,
    SHARED_CONFIG, /* this and what follows: read by run_options.h */
    SHARED_OUT,
    SHARED_TIME,
    SHARED_DRY_RUN,
    OPTIONS_OWN_KEYS = 0x1000
};

/* Tables to be children of a command's own: the game (group 1), the threads that search a tree and the seed, or the run
 * of a configuration (2), the player (3), the shards (5). They are rows only: the command's parser reads all. */
extern const struct argp shared_game_argp, shared_tree_argp, shared_run_argp, shared_player_argp, shared_shards_argp;

/* Those of a command that searches positions of any game (game, tree, player), and of a run of any game by one player
 * (game, run, player, shards). */
extern const struct argp_child shared_search_argps[], shared_run_argps[];

/* What options mean, for rows in other tables. */
extern const char options_doc_seed[], options_doc_player[], options_doc_time[], options_doc_dry_run[];

enum { OPTIONS_MAX = 64 };

/* All rows of a command, by group, in each group those of its children first; an empty row ends them. Returns `rows`.
 */
const struct argp_option *options_list(const struct argp *argp, struct argp_option rows[OPTIONS_MAX]);

/* What an option expects, by its argument name. INSTALLED: a file, or the name of an installed one. */
typedef enum ValueKind { VALUE_NONE, VALUE_CHOICE, VALUE_FILE, VALUE_FOLDER, VALUE_INSTALLED, VALUE_OTHER } ValueKind;

ValueKind options_value_kind(const struct argp_option *option);

/* --help, --usage and --version, which every command has; options_parse adds them. */
extern const struct argp options_standard_argp;

/* For ARGP_KEY_INIT: sets the defaults. */
void options_init(struct argp_state *state, Options *options);

/* Reads an option that commands share, and refuses arguments that are no options; what an argp parser returns. */
error_t options_parse_shared(int key, char *arg, struct argp_state *state, Options *options);

/* Parses a whole command line into `input`; false when an error has been reported: then the exit status is 2. Names of
 * files and folders are not empty then. */
bool options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What a parser function returns after reading a value: 0, or EINVAL with the error reported. */
error_t options_check(const struct argp_state *state, bool good, const Error *error);

/* The game asked for and its komi, from -cells to cells; NULL with an error, also for a variant that the game does not
 * have. */
Game *options_game(const Options *options, int *komi, Error *error);

/* The player asked for. --sims and --move-time together replace the effort of the description: with --move-time alone
 * there is no limit of simulations. --threads is left to the subcommand. */
bool options_player(const Options *options, Player *player, Error *error);

/* Whether this player can play a game on boards of all sizes. For sessions that settle the player for each game: so the
 * error comes at the start. */
bool options_can_play(const Player *player, const char *game, Error *error);

/* The part of the run that this process plays (selfplay/runs/shard_spec.h); `configured` is the number of shards that a
 * configuration says, 0 for none. */
bool options_shard(const Options *options, int64_t configured, ShardSpec *shard, Error *error);

/* Reads the rungs of --ladder: numbers of simulations with commas between them, and blanks after these, at most
 * `capacity`; *count becomes their number. False with an error. */
bool options_read_ladder(const char *text, int64_t *rungs, int capacity, int *count, Error *error);

/* Whether the user chose the effort for a move. */
bool options_effort_given(const Options *options);

#endif
