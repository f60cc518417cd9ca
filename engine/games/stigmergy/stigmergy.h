/* Stigmergy (Steve Metzger and Luis Bolaños Mures, 2021): the rules, behind the game interface.
 *
 * Seeing: along each of the six lines from a cell, the first stone on it is seen. Control: a player controls a cell,
 * empty or not, that sees enough stones of this player. Enough is more than half the number of its adjacent cells: 4 of
 * 6, 3 of 4, 2 of 3.
 *
 * A turn is one of these:
 *   - place a stone on an empty cell that the opponent does not control;
 *   - flip an enemy stone on a cell that the mover controls;
 *   - pass, only while every empty cell is controlled and no button lies on the table;
 *   - take the button, once, only if komi is odd.
 * Two passes in succession end the game. A player scores own stones and controlled empty cells. White adds komi, and
 * the button is worth half a point. There are no draws.
 *
 * The proofs in proof/ hold for exactly these rules. See "Change a rule" in engine/README.md. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_STIGMERGY_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_STIGMERGY_H

#include "engine/games/stigmergy/state.h"

/* Makes the game. Called by game_new. */
Game *stigmergy_new(const GameOptions *options, Error *error);

/* GameRules.solver (proof/model.c). */
extern const struct SolverModel stigmergy_solver_model;

/* As GameRules.set_up, but with any number of passes just made (0 or 1) and any button (BUTTON_NONE iff komi is even):
 * for tests. */
void stigmergy_set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side side, int passes,
                      int komi, GameButton button);

/* The cells that a side controls, with stones or without, as a bit set of board.words words. */
const uint64_t *stigmergy_control(const Game *game, const GameState *state, Side side);

/* GameRules.static_eval. */
float stigmergy_static_eval(const Game *game, const GameState *state);

/* The kernels of this build, the plainest first. The list ends with NULL. */
extern const StigmergyKernel *const stigmergy_kernels[];

#endif
