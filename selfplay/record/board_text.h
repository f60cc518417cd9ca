/* The board as text, for people at a terminal. */
#ifndef STIGMERGY_SELFPLAY_RECORD_BOARD_TEXT_H
#define STIGMERGY_SELFPLAY_RECORD_BOARD_TEXT_H

#include "engine/game/game.h"

#include <stdio.h>

/* Prints the board with the letters of its rows and the numbers of its columns, then lines on whose turn it is, komi,
 * button and score, as far as the game has them. Hexhex-3 with a black stone on c3:
 *
 *         1 2 3
 *      e . . . 4
 *     d . . . . 5
 *    c . . B . .
 *     b . . . . 5
 *      a . . . 4
 *         1 2 3
 *
 * The columns of the upper rows run up to the right, those of the lower rows down to the right. B and W are stones, b
 * and w empty cells that Black or White controls, a stone that its opponent controls (and may flip) has an x behind it.
 */
void board_text_print(const Game *game, const GameState *state, int komi, FILE *out);

/* The score as the position stands: "B+5", "W+0.5", or "0", which only an unfinished game can have. For games with
 * points, and finished ones. */
void board_text_score(const Game *game, const GameState *state, char out[16]);

#endif
