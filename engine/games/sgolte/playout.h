/* Inside Sgolte: random games. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_PLAYOUT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_PLAYOUT_H

#include "engine/games/sgolte/groups.h"

/* GameRules.playouts. At each stage all legal actions have equal chances. */
void sgolte_playouts(const Game *game, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results);

#endif
