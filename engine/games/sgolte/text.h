/* Inside Sgolte: actions and turns as text. A turn is `p`, `pxc1,...,ck>q1,...,qk` without spaces, or `swap`. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_TEXT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_TEXT_H

#include "engine/games/sgolte/state.h"

/* GameRules.format: `p`, `xc` or `>q`. */
void sgolte_format(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]);

/* GameRules.format_turn. The turn may be incomplete. */
void sgolte_format_turn(const Game *game, const GameState *state, const Action *turn, int count,
                        char out[GAME_TEXT_MAX]);

/* GameRules.parse. */
int sgolte_parse(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX], Error *error);

#endif
