/* How likely each action is to be good before any search, as probabilities for people and protocols. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_PRIORS_H
#define STIGMERGY_SELFPLAY_ANALYSIS_PRIORS_H

#include "engine/game/game.h"

/* Writes the legal actions of a position and their probabilities, which add up to 1: from the game's own knowledge
 * (GameRules.priors), or all equal if it has none. Returns how many there are, 0 if the game is over. */
int analysis_priors(const Game *game, const GameState *state, Action actions[GAME_LEGAL_MAX],
                    double priors[GAME_LEGAL_MAX]);

#endif
