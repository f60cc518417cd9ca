/* The board on a terminal: stones, control and the last turn, in Unicode or ASCII, with or without colours. */
#ifndef STIGMERGY_TOOLS_PLAY_BOARD_H
#define STIGMERGY_TOOLS_PLAY_BOARD_H

#include "engine/game/game.h"

#include <stdio.h>

typedef struct PlayStyle {
    bool unicode, colour;
} PlayStyle;

/* How much room the board of a game needs: its columns, and its lines with those that are said about it. */
int play_board_columns(const Game *game);
int play_board_lines(const Game *game);

/* Draws the position. Cells that differ from `before` (NULL: none) are in parentheses. Hexhex-3 in ASCII:
 *
 *         1 2 3
 *      e  . . .  4
 *     d  . . . .  5
 *    c  . .(B). .
 *     b  . . . .  5
 *      a  . . .  4
 *         1 2 3
 *
 * Columns run along the slanted lines. B and W are stones; b and w are empty cells that Black or White controls. A
 * stone with an x after it is controlled by the opponent, who may flip it. From hexhex-6 on, every fifth empty cell of
 * a row is a +, to count by. */
void play_board_draw(const Game *game, const GameState *state, const GameState *before, PlayStyle style, FILE *out);

/* Explains the signs of this game, in lines of at most 80 columns. */
void play_board_legend(const Game *game, PlayStyle style, FILE *out);

#endif
