/* What a playout kernel says, compared with what it should say. */
#ifndef STIGMERGY_TESTS_SUPPORT_SAME_PLAYOUT_H
#define STIGMERGY_TESTS_SUPPORT_SAME_PLAYOUT_H

#include "engine/game/game.h"

/* Fails the test unless two playouts of this game have the same result. Words beyond those of the board do not count.
 */
void assert_same_playout(const Game *game, const PlayoutResult *a, const PlayoutResult *b);

#endif
