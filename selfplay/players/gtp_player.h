/* An external engine as a player: a GTP program that is given positions and asked for turns.
 *
 * For each game it gets `game` (where it knows that command), `boardsize`, `clear_board`, `komi` (in games with points)
 * and, where it has a time a move, `time_settings 0 SECONDS 1`; then `play` for the turns of the opening and of its
 * opponent, and `genmove` for its own. A turn of several actions is one vertex, as the game's rules write turns.
 *
 * Whatever goes wrong, the program is ended and started anew for the next game. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GTP_PLAYER_H
#define STIGMERGY_SELFPLAY_PLAYERS_GTP_PLAYER_H

#include "engine/game/game.h"
#include "selfplay/players/gtp_client.h"

enum { GTP_COMMAND_MAX = 1024 };

typedef struct GtpPlayerOptions {
    char command[GTP_COMMAND_MAX]; /* of the shell */
    double move_seconds;           /* its time a move; 0: none */
    double grace;                  /* seconds by which it may overstep that */
    double patience; /* seconds for any answer where there is no time a move, and for all other commands */
} GtpPlayerOptions;

typedef struct GtpPlayer GtpPlayer;

/* NULL without memory. The program is started when it is first needed. */
GtpPlayer *gtp_player_new(const GtpPlayerOptions *options);
void gtp_player_free(GtpPlayer *player);

/* Each returns GTP_GOOD, or what went wrong (gtp_player_complaint says more); `wait` may be NULL. */
GtpStatus gtp_player_begin(GtpPlayer *player, const Game *game, int komi, const GtpWait *wait);
GtpStatus gtp_player_play(GtpPlayer *player, Side side, const char *turn, const GtpWait *wait);
/* The answer is in lower case. GTP_RESIGNED where it resigns. */
GtpStatus gtp_player_genmove(GtpPlayer *player, Side side, char turn[GAME_TEXT_MAX], const GtpWait *wait);

/* What last went wrong, with the name of the command. */
const char *gtp_player_complaint(const GtpPlayer *player);

/* Ends the program; the next game starts it again. */
void gtp_player_drop(GtpPlayer *player);

#endif
