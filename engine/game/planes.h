/* A position as numbers to learn from: planes (a byte for each cell) and globals (numbers for the whole position).
 *
 * This is the only place where they are made. Data sets store them in their rows. An evaluator that was trained on such
 * rows uses the same functions when it plays, so it sees the same input. They come from the game interface alone, so
 * every game has them. A game without control or sight has no such planes, and a game without a button has 0 as that
 * global.
 *
 *   black, white                  1 where such a stone stands
 *   black_control, white_control  1 where the colour controls the cell (games with GameRules.control)
 *   black_seen, white_seen        stones of the colour that the cell sees, 0 to 6 (games with GameRules.seen)
 *   black_size, white_size        on stones of the colour: the size of their group, connected stones of one colour; at
 *                                 most 255 (games with Game.has_groups)
 *   black_touch, white_touch      on empty cells: how many groups of the colour are adjacent, 0 to 3 (the same games)
 *   black_place, white_place      on empty cells where the colour could begin a turn with a stone, were it to move: the
 *                                 number of such cells that it loses by this stone, itself included (games with
 *                                 GameRules.places)
 *   black_capture, white_capture  1 on those of them where a capture would follow (the same games)
 *   last_1, last_2, last_3        1 on the cell of the last action, of the one before it, and of the one before that
 *   turn                          1 on the cells of the actions of the current turn so far
 *   legal                         1 on the cells of the legal actions
 *
 * Everywhere in this file "Black" means the colour of the stones. After a swap the black stones belong to Side WHITE
 * (game_colour in game.h). */
#ifndef STIGMERGY_ENGINE_GAME_PLANES_H
#define STIGMERGY_ENGINE_GAME_PLANES_H

#include "engine/game/history.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLANES_MAX = 19 }; /* of a game that has all that is optional */

/* The globals. */
enum {
    GLOBAL_SIZE,         /* of the board */
    GLOBAL_KOMI,         /* points for White, 0 in games without komi */
    GLOBAL_BUTTON,       /* a GameButton */
    GLOBAL_TO_MOVE,      /* the colour to move: 0 Black, 1 White */
    GLOBAL_PASSES,       /* in succession, just before this position */
    GLOBAL_TURN_ACTIONS, /* actions of the current turn so far */
    GLOBAL_COUNT
};

/* Writes the names of the planes of a game in their order, and returns their number. A name has at most 16 bytes. */
int planes_names(const Game *game, const char *names[PLANES_MAX]);

/* The name of a global, such as "size". */
const char *planes_global_name(int global);

/* How many planes of a game say what stands on the board. They come first; those about actions follow. */
int planes_of_board(const Game *game);

/* Writes those planes: plane p of cell c is out[p * board.cells + c]. Returns a pointer to the byte behind them. */
uint8_t *planes_write_board(const Game *game, const GameState *state, uint8_t *out);

/* Writes all planes: board.cells bytes for each plane that planes_names counts. `legal` holds the `count` legal actions
 * of the position. */
void planes_write(const Game *game, const GameState *state, const GameHistory *history, const Action *legal, int count,
                  uint8_t *out);

/* Writes the globals of a position. */
void planes_write_globals(const Game *game, const GameState *state, const GameHistory *history,
                          int16_t out[GLOBAL_COUNT]);

#ifdef __cplusplus
}
#endif

#endif
