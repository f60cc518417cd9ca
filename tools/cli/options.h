/* The command line: options that subcommands have in common, and strict reading of numbers.
 *
 * The options are parsed by argp (glibc). A subcommand has a struct of its own with an `Options` in it, lists the
 * groups that it takes as argp children, and calls options_init from its parser at ARGP_KEY_INIT:
 *
 *     static const struct argp_child groups[] = {{&options_game_argp, 0, NULL, 0}, {0}};
 *
 * An error is one line on standard error that names the option and what was expected; argp's second line is left out.
 * Which values go together (komi and board size, a player's file and what overrides it) is settled after parsing by
 * options_game and options_player. */
#ifndef STIGMERGY_TOOLS_CLI_OPTIONS_H
#define STIGMERGY_TOOLS_CLI_OPTIONS_H

#include "selfplay/players/player.h"
#include "selfplay/runs/shard_spec.h"

#include <argp.h>

typedef struct Options {
    const char *game_name;
    int size;
    GameCapture capture;
    GamePie pie;
    const char *komi; /* as given, for its range depends on the board; NULL: 0 */
    int threads;      /* 0: not given */
    uint64_t seed;
    const char *player; /* a description file or name; NULL: the default player */
    int simulations;    /* 0: not given, as the two below */
    double move_seconds;
    int memory_mb;
    const char *shard; /* "I/N" or "I"; NULL: not given */
    int shards;        /* N; 0: not given */
} Options;

/* argp keys from here on are free for a subcommand's own options. */
enum { OPTIONS_OWN_KEYS = 0x1000 };

extern const struct argp options_game_argp;   /* --game --size --komi --capture --pie; no arguments beside options */
extern const struct argp options_run_argp;    /* --threads --seed */
extern const struct argp options_player_argp; /* --player --sims --move-time --memory */
extern const struct argp options_shard_argp;  /* --shard --shards */

/* For ARGP_KEY_INIT: sets the defaults and hands `options` to the groups. */
void options_init(struct argp_state *state, Options *options);

/* Parses a whole command line into `input`; false when an error has been reported: then the exit status is 2. */
bool options_parse(const struct argp *argp, int argc, char **argv, void *input);

/* What a parser function returns after reading a value: 0, or EINVAL with the error reported. */
error_t options_check(const struct argp_state *state, bool good, const Error *error);

/* The game asked for (kernel NULL: the fastest) and its komi, from -cells to cells; NULL with an error, also for a
 * variant that the game does not have. */
Game *options_game(const Options *options, const char *kernel, int *komi, Error *error);

/* The player asked for. --sims and --move-time together replace the effort of the description: with --move-time alone
 * there is no limit of simulations. --threads is left to the subcommand. */
bool options_player(const Options *options, Player *player, Error *error);

/* The part of the run that this process plays (selfplay/runs/shard_spec.h); `configured` is the number of shards that a
 * configuration says, 0 for none. */
bool options_shard(const Options *options, int64_t configured, ShardSpec *shard, Error *error);

/* Whether the effort a move was chosen by the user, not by default. */
bool options_effort_given(const Options *options);

/* Reads one of two words; *second tells which. False with an error that begins with `what`. */
bool read_choice(const char *what, const char *text, const char *first_word, const char *second_word, bool *second,
                 Error *error);

/* Read a whole text as a decimal number from low to high; false with an error that begins with `what` ("--size"). */
bool read_int(const char *what, const char *text, int low, int high, int *out, Error *error);
bool read_u64(const char *what, const char *text, uint64_t *out, Error *error);
bool read_number(const char *what, const char *text, double low, double high, double *out, Error *error);

#endif
