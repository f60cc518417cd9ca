/* What a match is: the board, two players or more, the openings, and how far it goes.
 *
 * Read from a JSON file (configs/match/), overridden by options. As in a fair-komi run, the part that decides which
 * games are played is the run's identity; how many of them, the test and the threads are not, so that a run can be
 * extended. A player is
 *   - a description file or the name of an installed one (selfplay/players/player.h),
 *   - "gtp:COMMAND", an external engine (selfplay/players/gtp_player.h),
 *   - a description in JSON itself: {"name": "x", "search": {...}}, or {"name": "y", "gtp": "COMMAND"}. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_CONFIG_H

#include "selfplay/players/gtp_player.h"
#include "selfplay/players/player.h"
#include "selfplay/runs/match/opening.h"
#include "selfplay/stats/bradley_terry.h"

enum { MATCH_PLAYERS_MAX = BRADLEY_TERRY_MAX, MATCH_GAMES_DEFAULT = 400, MATCH_GAMES_MAX = 100000000 };

/* A player of a match. Of an external engine only name and time a move of `player` hold. */
typedef struct MatchPlayer {
    Player player;
    char command[GTP_COMMAND_MAX]; /* "" for a built-in player */
} MatchPlayer;

typedef struct MatchConfig {
    /* The identity of the run: */
    char game[16];
    int64_t size;
    GameCapture capture; /* variants, in games that have them */
    GamePie pie;
    uint64_t seed;
    MatchPlayer players[MATCH_PLAYERS_MAX];
    int count;                /* of players */
    OpeningSettings openings; /* and komi */
    double grace;             /* seconds that an engine may overstep its time of a move */
    double patience;          /* seconds for an engine's answer where it has no time a move */
    /* How far it goes: */
    int64_t games;     /* of each two players; even. 0: MATCH_GAMES_DEFAULT, or with the test no limit */
    bool sprt;         /* end when the test has a verdict; two players only */
    double elo0, elo1; /* of the test, in normalized Elo */
    double seconds;    /* of this session, 0 without limit */
    int64_t shards;    /* how many machines share it (selfplay/runs/shard_spec.h), 0: not said */
} MatchConfig;

/* The defaults: stigmergy, no players yet, komi 0, opening_default_settings, 1 second of grace and 60 of
 * patience. */
MatchConfig match_config_default(int size);

/* Reads settings over the values that are in *config; `source` names them in errors. */
bool match_config_from_json(const cJSON *json, const char *source, MatchConfig *config, Error *error);

/* Reads a file, or the installed settings of that name. */
bool match_config_load(const char *path, MatchConfig *config, Error *error);

/* Adds a player as described above; `what` names its source in errors ("--player"). */
bool match_config_add_player(MatchConfig *config, const char *text, const char *what, Error *error);

/* Gives all built-in players this effort, as options do (0 and 0: nothing changes), and all engines this time, where it
 * is not 0. */
void match_config_set_effort(MatchConfig *config, uint64_t simulations, double move_seconds);

/* Whether everything fits together; the error names the key. Settles what was left open: the number of games, and "#2",
 * "#3" behind equal names. */
bool match_config_check(MatchConfig *config, Error *error);

/* The game that is played. */
GameOptions match_config_game(const MatchConfig *config);

/* Whether a move's time is limited for some player: then results depend on the machine. */
bool match_config_timed(const MatchConfig *config);

/* The most search threads of a player. */
int match_config_search_threads(const MatchConfig *config);

/* The description of a player, and the identity of the run, as canonical JSON; everything, without the time of a
 * session, as match_config_from_json reads it. The caller deletes them. */
cJSON *match_player_to_json(const MatchPlayer *player);
cJSON *match_config_identity(const MatchConfig *config);
cJSON *match_config_to_json(const MatchConfig *config);

#endif
