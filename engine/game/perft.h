/* Perft ("performance test", a chess programmers' word): the number of ways to play, the usual check of a move
 * generator against another one. */
#ifndef STIGMERGY_ENGINE_GAME_PERFT_H
#define STIGMERGY_ENGINE_GAME_PERFT_H

#include "engine/game/game.h"

#define PERFT_NO_MEMORY UINT64_MAX

/* The number of sequences of exactly `depth` turns from `state`, where a turn begins (turns.h: which turns count as
 * one); a finished game has no continuation. PERFT_NO_MEMORY where that ran out. */
uint64_t perft(const Game *game, const GameState *state, int depth);

#endif
