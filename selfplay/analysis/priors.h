/* How likely each action is to be good before any search, as probabilities for people and protocols. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_PRIORS_H
#define STIGMERGY_SELFPLAY_ANALYSIS_PRIORS_H

#include "engine/search/search.h"

/* Writes the legal actions of a position and their probabilities, which add up to 1: those that `search` began with if
 * it has any, as with a network; otherwise from the game's own knowledge (GameRules.priors), or all equal if it has
 * none. The position is the root of `search`, which may be NULL. Returns how many there are, 0 if the game is over. */
int analysis_priors(const Game *game, const GameState *state, const Search *search, Action actions[GAME_LEGAL_MAX],
                    double priors[GAME_LEGAL_MAX]);

#endif
