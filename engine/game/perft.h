/* Perft ("performance test", as chess programmers say): the number of ways to play. It is the usual check of one move
 * generator against another. */
#ifndef STIGMERGY_ENGINE_GAME_PERFT_H
#define STIGMERGY_ENGINE_GAME_PERFT_H

#include "engine/game/game.h"

#define PERFT_NO_MEMORY UINT64_MAX

/* The number of sequences of exactly `depth` turns from `state`, where a turn begins; turns.h says which turns count as
 * one. A finished game has no continuation. PERFT_NO_MEMORY where memory ran out. */
uint64_t perft(const Game *game, const GameState *state, int depth);

#endif
