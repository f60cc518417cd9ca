/* An external engine as a player: a GTP program that gets positions and is asked for turns.
 *
 * For each game it gets `game` and `variant` (if it knows these commands), `boardsize`, `clear_board`, `komi` (in games
 * with points), and `time_settings 0 SECONDS 1` (if it knows this command and has a time for each move). `variant` has
 * those that are not the usual ones as words (capture=line pie=on); nothing else tells an engine of them. Then it gets
 * `play` for the turns of the opening and of its opponent, and `genmove` for its own. A turn of several actions is one
 * vertex, in the notation of the game's rules.
 *
 * After any failure the program is ended. It is started again for the next game, but not for ever: a program that
 * breaks down or hangs in one game after another has nothing to do with strength, and a match of it is no match. */
#ifndef STIGMERGY_SELFPLAY_PLAYERS_GTP_PLAYER_H
#define STIGMERGY_SELFPLAY_PLAYERS_GTP_PLAYER_H

#include "engine/game/game.h"
#include "selfplay/players/gtp_client.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GTP_COMMAND_MAX = 1024 };

typedef struct GtpPlayerOptions {
    char command[GTP_COMMAND_MAX]; /* of the shell */
    double move_seconds;           /* its time for each move; 0: none */
    double grace;                  /* seconds by which it may exceed that time */
    int restarts;                  /* how many games in a row it may break down in and be started again */
    double patience; /* seconds for each answer without a time for each move, and for all other commands */
} GtpPlayerOptions;

typedef struct GtpPlayer GtpPlayer;

/* NULL without memory. The program starts when it is first needed. */
GtpPlayer *gtp_player_new(const GtpPlayerOptions *options);
void gtp_player_free(GtpPlayer *player);

/* These return GTP_GOOD or what went wrong. gtp_player_complaint then says more. `wait` may be NULL. `colour` is that
 * of the stones (game_colour in game.h) before the turn, as the protocol has it. GTP_UNABLE: there was no memory, pipe
 * or process to start the engine with, or the system cannot speak to it, which is no fault of the engine. */
GtpStatus gtp_player_begin(GtpPlayer *player, const Game *game, int komi, const GtpWait *wait);
GtpStatus gtp_player_play(GtpPlayer *player, Side colour, const char *turn, const GtpWait *wait);
/* The answer is in lower case. GTP_RESIGNED if the engine resigns. */
GtpStatus gtp_player_genmove(GtpPlayer *player, Side colour, char turn[GAME_TEXT_MAX], const GtpWait *wait);

/* Whether it may play the next game. False with an error if it has broken down in too many games in a row. */
bool gtp_player_may_go_on(const GtpPlayer *player, Error *error);

/* The last failure, with the name of the command. */
const char *gtp_player_complaint(const GtpPlayer *player);

/* Ends the program, which has not broken down but is not to go on with this game. The next game starts it again. */
void gtp_player_drop(GtpPlayer *player);

#ifdef __cplusplus
}
#endif

#endif
