/* The images of positions and actions under the symmetries of the board: which symmetries take a position to itself,
 * and which actions are as good as each other because of that. */
#ifndef STIGMERGY_ENGINE_GAME_SYMMETRY_H
#define STIGMERGY_ENGINE_GAME_SYMMETRY_H

#include "engine/game/game.h"

/* Symmetries of the board. The first is the identity, map 0. */
typedef struct Symmetries {
    int count, map[HEXHEX_SYMMETRIES];
} Symmetries;

/* Actions that are images of each other, each once. */
typedef struct ActionClass {
    Action action[HEXHEX_SYMMETRIES];
    int count;
} ActionClass;

/* The symmetries that take a position to itself, in ascending order. A turn must begin there: later more than the
 * stones counts. */
Symmetries symmetries_of(const Game *game, const GameState *state);

/* The images of an action of this position in the order of the symmetries, so itself first. */
ActionClass symmetries_class(const Game *game, const Symmetries *own, Action action);

/* The lowest image of an action, which stands for its class. */
Action symmetries_first(const Game *game, const Symmetries *own, Action action);

#endif
