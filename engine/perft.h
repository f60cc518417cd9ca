/* Perft ("performance test", a chess programmers' word): the number of ways to play, the usual check of a move
 * generator against another one. */
#ifndef STIGMERGY_PERFT_H
#define STIGMERGY_PERFT_H

#include "game.h"

/* The number of sequences of exactly `depth` turns from `state`, where a turn begins. A turn is all the actions up to
 * the start of the next one; a finished game has no continuation. */
uint64_t perft(const Game *game, const GameState *state, int depth);

#endif
