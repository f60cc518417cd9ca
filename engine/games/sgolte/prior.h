/* Inside Sgolte: which actions look good at first sight. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_PRIOR_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_PRIOR_H

#include "engine/games/sgolte/groups.h"

/* GameRules.priors. */
void sgolte_priors(const Game *game, const GameState *state, const Action *actions, int count, float *logits);

#endif
