/* Sgolte (Saïd Galdseid, 2024): the rules, behind the game interface.
 *
 * A group is a maximal connected set of stones of one colour; an empty cell touches the own groups adjacent to it. A
 * turn places a stone. Where it joins two own groups or more, the mover must go on: capture stones of one enemy group,
 * one at a time, until one of them splits that group, which ends the capturing; then put as many own stones on empty
 * cells, one at a time, none of them joining own groups. A placement whose turn cannot be completed so is illegal. Who
 * has no legal placement loses. Every turn adds one stone to the board. With the pie rule the second player may answer
 * Black's first stone with `swap`. With capture=line the captured stones lie one behind the other on a straight line,
 * in the order of their capture.
 *
 * The actions of a turn are staged: PLACE, CAPTURE until the group splits, REPLACE; each list holds only actions from
 * which the turn can be completed. BLACK is the player who places the first stone, for the whole game; after a swap his
 * stones are the white ones (GameRules.colour), so that White moves next as the rules want it.
 *
 * The parts, bottom up: state.h, groups.h (groups), cut.h and room.h (can the captured stones be placed
 * again?), split.h (which captures split a group, with room?), legal.h (which actions can be completed?),
 * playout.c, sgolte.c (the game interface), text.c. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H

#include "engine/games/sgolte/state.h"

/* Makes the game; called through game_new. */
Game *sgolte_new(const GameOptions *options, Error *error);

/* GameRules.solver (model.c). */
extern const struct SolverModel sgolte_solver_model;

#endif
