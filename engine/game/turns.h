/* All whole turns of a position. Perft counts them, and people see them as the list of legal turns. */
#ifndef STIGMERGY_ENGINE_GAME_TURNS_H
#define STIGMERGY_ENGINE_GAME_TURNS_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called with each turn and the position after it. Returns false to end the visit. */
typedef bool TurnVisitor(void *user, const Action *turn, int count, const GameState *after);

typedef enum TurnsEnd {
    TURNS_ALL,
    TURNS_STOPPED, /* by the visitor, or at the limit */
    TURNS_NO_MEMORY
} TurnsEnd;

/* Visits every turn of a position where a turn begins, in the order of the legal lists. A finished game has no turns.
 * Where turns are sets (Game.turns_as_sets), turns with the same first action that lead to the same position are
 * visited once, in one of their orders. Turns of many actions can be more than anybody can wait for: after `limit`
 * actions (0: no limit), those that end a turn included, the visit is stopped. */
TurnsEnd turns_visit(const Game *game, const GameState *state, uint64_t limit, TurnVisitor *visitor, void *user);

#ifdef __cplusplus
}
#endif

#endif
