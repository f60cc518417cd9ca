/* What a match is: the board, two players or more, the openings, and how far it goes. A player is
 *   - a description file or the name of an installed one (selfplay/players/player.h),
 *   - "gtp:COMMAND", an external engine (selfplay/players/gtp_player.h),
 *   - a description in JSON itself: {"name": "x", "search": {...}}, or {"name": "y", "gtp": "COMMAND"}. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_CONFIG_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_CONFIG_H

#include "selfplay/players/gtp_player.h"
#include "selfplay/runs/config.h"
#include "selfplay/runs/opening.h"
#include "selfplay/stats/bradley_terry.h"

enum { MATCH_PLAYERS_MAX = BRADLEY_TERRY_MAX, MATCH_GAMES_DEFAULT = 400, MATCH_GAMES_MAX = 100000000 };

/* A player of a match. For an external engine, `player` has a name and a time a move only. */
typedef struct MatchPlayer {
    Player player;
    char command[GTP_COMMAND_MAX]; /* "" for a built-in player */
    bool allowed;                  /* to start the command, see match_config_add_player */
} MatchPlayer;

/* What all players get instead of what their descriptions say; 0: nothing. */
typedef struct MatchEffort {
    Effort built_in;       /* of built-in players; replaces all limits of a description */
    double engine_seconds; /* a move of engines: simulations say nothing about their time */
    int64_t memory_mb;     /* of built-in players */
} MatchEffort;

typedef struct MatchConfig {
    RunConfig run; /* games: between each two players; even. 0: MATCH_GAMES_DEFAULT, or with the test no limit */
    /* Part of the identity: */
    MatchPlayer players[MATCH_PLAYERS_MAX];
    int count;                /* of players */
    OpeningSettings openings; /* and komi */
    double grace;             /* seconds by which an engine may exceed its time for a move */
    double patience;          /* seconds for an engine's answer if it has no time a move */
    MatchEffort effort;       /* the check gives it to all players */
    /* Not part of the settings: whether descriptions may start programs. Without it only players that
     * match_config_add_player got as "gtp:COMMAND" do. */
    bool allow_programs;
    /* How far it goes: */
    int64_t restarts;  /* how many games in a row an engine may break down in (gtp_player.h) */
    bool sprt;         /* end when the test has a verdict; two players only */
    double elo0, elo1; /* of the test, in normalized Elo */
} MatchConfig;

/* The defaults: stigmergy, no players yet, komi 0, opening_default_settings, 1 second of grace and 60 of patience, 20
 * restarts. The check fills in what is left open: the number of games (with all first turns, or all of the first two,
 * each opening is played once), and "#2", "#3" after equal names. */
MatchConfig match_config_default(int size);

extern const RunConfigKind match_config_kind;

/* Adds a player as described above, which someone names in words of their own: so "gtp:COMMAND" may start its program.
 * `what` names the source in errors ("--player"). */
bool match_config_add_player(MatchConfig *config, const char *text, const char *what, Error *error);

/* Whether a player has a limit of time for its moves. Then results depend on the machine. */
bool match_config_timed(const MatchConfig *config);

/* The most search threads of a player. */
int match_config_search_threads(const MatchConfig *config);

#endif
