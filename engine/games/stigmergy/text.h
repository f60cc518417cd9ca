/* Inside Stigmergy: turns as text. A turn is `c3`, `c3x` for a flip, `pass` or `take-button`. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_TEXT_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_TEXT_H

#include "engine/game/game.h"

/* GameRules.format. */
void stigmergy_format(const Game *game, const GameState *state, Action action, char out[GAME_TEXT_MAX]);

/* GameRules.parse. The x of a flip may be missing, as the stone on the cell says that it is one. */
int stigmergy_parse(const Game *game, const GameState *state, const char *text, Action turn[GAME_TURN_MAX],
                    Error *error);

#endif
