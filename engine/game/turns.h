/* All turns of a position, whole ones: what perft counts and what people are shown as the legal turns. */
#ifndef STIGMERGY_ENGINE_GAME_TURNS_H
#define STIGMERGY_ENGINE_GAME_TURNS_H

#include "engine/game/game.h"

/* Is given each turn and the position after it; false ends the visit. */
typedef bool TurnVisitor(void *user, const Action *turn, int count, const GameState *after);

typedef enum TurnsEnd { TURNS_ALL, TURNS_STOPPED, TURNS_NO_MEMORY } TurnsEnd;

/* Visits every turn of a position at a turn's start, in the order of the legal lists; none of a finished game. Where
 * turns are sets (Game.turns_as_sets) each is visited once, in one of its orders. */
TurnsEnd turns_visit(const Game *game, const GameState *state, TurnVisitor *visitor, void *user);

#endif
