/* The settings that all kinds of runs have in common.
 *
 * A kind has a struct of its own that begins with a RunConfig (KomiConfig in komi/config.h); its functions are in a
 * RunConfigKind, to which the RunConfig points. Settings are read from a JSON file (configs/KIND/), and options
 * override them. The settings that decide which games are played are the run's identity (run_config_identity). The
 * number of games, the time and the threads are not part of it, so a run can be extended. */
#ifndef STIGMERGY_SELFPLAY_RUNS_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_CONFIG_H

#include "selfplay/io/json.h"
#include "selfplay/players/effort.h"
#include "selfplay/record/record.h"

typedef struct RunConfig RunConfig;

enum { RUN_GAMES_MAX = 1000000000 }; /* in most kinds */
#define RUN_SECONDS_MAX 1e9

/* The parities of komi that are played. */
typedef enum RunParity { PARITY_BOTH, PARITY_EVEN, PARITY_ODD, PARITIES } RunParity;

enum { RUN_GROUP_MAX = EFFORT_NAME_MAX }; /* bytes of the name of a group of games (run.h), often an effort */

typedef struct RunConfigKind {
    const char *name; /* the folder of its files in configs/, and its subcommand: "komi"; 1 to 15 characters */
    size_t size;      /* of its struct, which is copied byte by byte, so nothing in it owns memory */
    /* Sets *config to the default settings for a board of this size. NULL in a kind that is not in kinds.h. */
    void (*set_defaults)(RunConfig *config, int size);
    /* Reads settings over the values that are in *config; `source` names them in errors. */
    bool (*read)(const cJSON *json, const char *source, RunConfig *config, Error *error);
    /* Whether the settings are consistent. Fills in what was left out, and settles the players; a second call
     * must change nothing. The error names the key. */
    bool (*check)(RunConfig *config, Error *error);
    /* Adds to an identity, which has `engine` already, every setting that can change a game: game, board, players,
     * seed, and what decides which games a round has. How far a run goes, its threads and its shards must not be in it:
     * the run could not be extended or shared. A changed key or another order of the keys makes another run. So leave
     * out a new setting that has its usual value, and old runs can go on. `read` takes all keys except `engine`, which
     * add_extent may have changed to complete settings. */
    void (*add_identity)(cJSON *json, const RunConfig *config);
    /* Adds to an identity how far the run goes, so that it becomes complete settings for `read`. NULL in a kind whose
     * documents say that themselves. */
    void (*add_extent)(cJSON *json, const RunConfig *config);
} RunConfigKind;

struct RunConfig {
    const RunConfigKind *kind;
    /* Part of the identity: */
    char game[16];
    int64_t size;        /* 0 in a kind that plays on several sizes */
    GameCapture capture; /* DEFAULT, once it is checked, if it is the game's usual one */
    GamePie pie;
    uint64_t seed;
    int64_t first_round; /* games of the first round of a group. Later rounds usually have half as many as all before
                            them, but at least this number; a book's are all alike. Kinds with one round ignore it */
    /* How far it goes: */
    int64_t games;  /* of each group of the run (run.h) */
    double seconds; /* of this session, 0 without limit; must be 0 for a shard */
    int64_t shards; /* how many machines share it (selfplay/runs/shard_spec.h), 0: not said */
};

/* Reads a file, or the installed settings of that name. */
bool run_config_load(const char *path, RunConfig *config, Error *error);

/* These call the functions of its kind. */
bool run_config_read(const cJSON *json, const char *source, RunConfig *config, Error *error);
bool run_config_check(RunConfig *config, Error *error);

/* The identity: `engine`, which is the first version of the program that plays the same games, and the settings that
 * the kind adds. The caller deletes it. The hash is the same as 16 hexadecimal digits. */
cJSON *run_config_identity(const RunConfig *config);
bool run_config_hash(const RunConfig *config, char out[RECORD_RUN_MAX], Error *error);

/* All settings except the time of a session, in the form that run_config_read reads; without how far the run goes in a
 * kind that has no add_extent. The caller deletes it. */
cJSON *run_config_to_json(const RunConfig *config);

/* The game on a board of this size. */
GameOptions run_config_game(const RunConfig *config, int64_t size);

/* ---- For the kinds ---- */

/* Reads `game`, `seed` and `shards`. */
void run_config_keys(JsonReader *reader, RunConfig *config);

/* Each reads a value that may be NULL, which changes nothing: a player (a description, or the name of one); a komi that
 * may be "auto", where `what` names the key in errors. */
bool run_config_read_player(const cJSON *json, const char *source, Player *player, Error *error);
bool run_config_read_komi(const cJSON *json, const char *source, const char *what, bool *auto_komi, int64_t *komi,
                          Error *error);

/* The words for the parities of komi that are played: "both", "even" and "odd". */
extern const char *const run_config_parities[PARITIES];

/* Whether the game exists on this size and takes this komi; *has_points tells whether it has komi at all. */
bool run_config_check_komi(const RunConfig *config, int64_t size, int64_t komi, bool *has_points, Error *error);

/* A part of an identity: komi or "auto". */
void run_config_add_komi(cJSON *json, bool auto_komi, int64_t komi);

/* Settles the player of a run that plays many games from one position. A player with a network draws its moves, if its
 * description does not say whether it does: otherwise all these games would be the same. */
bool run_config_settle_player(const RunConfig *config, Player *player, Error *error);

#endif
