/* The board as text, for people at a terminal. */
#ifndef STIGMERGY_SELFPLAY_RECORD_BOARD_TEXT_H
#define STIGMERGY_SELFPLAY_RECORD_BOARD_TEXT_H

#include "engine/game/game.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints the board with row letters and column numbers, then whose turn it is, and, if the game has them, komi, button
 * and score. Hexhex-3 with a black stone on c3:
 *
 *         1 2 3
 *      e . . . 4
 *     d . . . . 5
 *    c . . B . .
 *     b . . . . 5
 *      a . . . 4
 *         1 2 3
 *
 * The columns of the upper rows run up to the right, those of the lower rows down to the right. B and W are stones; b
 * and w are empty cells that Black or White controls. A stone with an x after it is controlled by the opponent, who may
 * flip it. */
void board_text_print(const Game *game, const GameState *state, int komi, FILE *out);

/* The current score: "B+5", "W+0.5", or "0", which only an unfinished game can have. The game must have points, or be
 * finished. */
void board_text_score(const Game *game, const GameState *state, char out[16]);

#ifdef __cplusplus
}
#endif

#endif
