/* What a playout kernel says, compared with what it should say. A test finds that out by playing the playout with the
 * game interface alone: it begins with a PlayoutResult of zeros. */
#ifndef STIGMERGY_TESTS_SUPPORT_SAME_PLAYOUT_H
#define STIGMERGY_TESTS_SUPPORT_SAME_PLAYOUT_H

#include "engine/game/game.h"

/* Takes an action and adds it to the result. Passes count, also those at the end. */
void playout_take(const Game *game, GameState *state, Action action, PlayoutResult *result);

/* Adds how the game ended. */
void playout_end(const Game *game, const GameState *state, PlayoutResult *result);

/* Fails the test unless two playouts of this game have the same result. Words beyond those of the board do not count.
 */
void assert_same_playout(const Game *game, const PlayoutResult *a, const PlayoutResult *b);

#endif
