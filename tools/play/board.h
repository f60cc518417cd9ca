/* The board for a terminal: stones, control and the last turn, in Unicode or ASCII, with colours or without. */
#ifndef STIGMERGY_TOOLS_PLAY_BOARD_H
#define STIGMERGY_TOOLS_PLAY_BOARD_H

#include "engine/game/game.h"

#include <stdio.h>

typedef struct PlayStyle {
    bool unicode, colour;
} PlayStyle;

/* Draws the position; the cells that differ from `before` (NULL: none) stand in parentheses. Hexhex-3 in ASCII:
 *
 *         1 2 3
 *      e  . . .  4
 *     d  . . . .  5
 *    c  . .(B). .
 *     b  . . . .  5
 *      a  . . .  4
 *         1 2 3
 *
 * Columns run along the slanted lines. B and W are stones, b and w empty cells that Black or White controls, a stone
 * that its opponent controls (and may flip) has an x behind it. */
void play_board_draw(const Game *game, const GameState *state, const GameState *before, PlayStyle style, FILE *out);

/* One line that says what the signs mean that this game can show. */
void play_board_legend(const Game *game, PlayStyle style, FILE *out);

#endif
