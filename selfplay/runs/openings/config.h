/* What a run of openings is: the board, the player, and how far it goes.
 *
 * Read from a JSON file (configs/openings/), overridden by options. As in a fair-komi run, the part that decides which
 * games are played is the run's identity; how many of them, how long and on how many threads is not, so that a run can
 * be extended. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_CONFIG_H

#include "selfplay/players/player.h"

typedef struct OpeningsConfig {
    /* The identity of the run: */
    char game[16];
    int64_t size;
    GameCapture capture; /* in games that have it */
    int64_t komi;        /* in games that have it */
    Player player;       /* its limits a move are those of the run */
    uint64_t seed;
    int64_t simulations; /* a move; not used where move_seconds is set */
    double move_seconds;
    int64_t first_round; /* games of the first round; a later one has half as many as all before it, but at least as */
                         /* many as this */
    /* How far it goes: */
    int64_t games;            /* in all */
    double until_probability; /* ends where a first placement is the fairest with this probability; 0: never */
    double seconds;           /* of this session, 0 without limit */
} OpeningsConfig;

/* The defaults: Stigmergy at komi 0, 800 simulations, 400 games, rounds from 64 games. */
OpeningsConfig openings_config_default(int size);

/* Reads settings over the values that are in *config; `source` names them in errors. */
bool openings_config_from_json(const cJSON *json, const char *source, OpeningsConfig *config, Error *error);

/* The same from a file, or from the installed settings of that name. */
bool openings_config_load(const char *path, OpeningsConfig *config, Error *error);

/* Whether everything fits together; the error names the key. */
bool openings_config_check(const OpeningsConfig *config, Error *error);

/* The game that is played: without the pie rule, for a run asks what the first stone is worth to its player. */
GameOptions openings_config_game(const OpeningsConfig *config);

/* The player with its limits a move, and the name of its effort in ids: "800", or "t0.5" for half a second. */
Player openings_config_player(const OpeningsConfig *config);
void openings_config_effort_name(const OpeningsConfig *config, char out[24]);

/* The identity as canonical JSON, and as a hash of 16 hexadecimal digits. The caller deletes the JSON. */
cJSON *openings_config_identity(const OpeningsConfig *config);
bool openings_config_hash(const OpeningsConfig *config, char out[20], Error *error);

#endif
