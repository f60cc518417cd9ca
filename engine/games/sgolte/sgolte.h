/* Sgolte (Saïd Galdseid, 2024): the rules, behind the game interface.
 *
 * A group is a maximal connected set of stones of one colour. An empty cell touches the own groups adjacent to it. A
 * turn places a stone. If the stone joins two own groups or more, the turn has two more stages:
 *
 *   Capture: the mover chooses one enemy group and captures its stones one at a time. The stone that splits the group
 *     is the last one.
 *   Re-placement: the mover places as many own stones on empty cells, one at a time. None of them may join own groups.
 *
 * A placement is illegal if the turn cannot be completed in this way. A player who has no legal placement loses. Every
 * turn adds one stone to the board. With the pie rule the second player may answer Black's first stone with `swap`.
 * With capture=line the captured stones are neighbours on a straight line and are captured in that order.
 *
 * The actions of a turn come in stages: PLACE, then CAPTURE until the group splits, then REPLACE. Each list holds only
 * actions from which the turn can be completed. BLACK is always the player who places the first stone. After a swap
 * this player's stones are the white ones (GameRules.colour), so White moves next, as the rules say.
 *
 * The parts, from the bottom up: state.h, groups.h (groups), cut.h and room.h (can the captured stones be placed
 * again?), split.h (which captures split a group and leave room?), legal.h (which actions can be completed?),
 * playout.c, sgolte.c (the game interface), text.c. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_SGOLTE_H

#include "engine/games/sgolte/state.h"

/* Makes the game. Called by game_new. */
Game *sgolte_new(const GameOptions *options, Error *error);

/* GameRules.solver (model.c). */
extern const struct SolverModel sgolte_solver_model;

#endif
