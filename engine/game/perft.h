/* Perft ("performance test", a term from computer chess): the number of ways to play. The usual check that two move
 * generators agree. */
#ifndef STIGMERGY_ENGINE_GAME_PERFT_H
#define STIGMERGY_ENGINE_GAME_PERFT_H

#include "engine/game/game.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PERFT_NO_MEMORY UINT64_MAX

/* The number of sequences of exactly `depth` turns from `state`, which must be where a turn begins. turns.h says which
 * turns count as one. A finished game has no continuation. Returns PERFT_NO_MEMORY when memory runs out. */
uint64_t perft(const Game *game, const GameState *state, int depth);

#ifdef __cplusplus
}
#endif

#endif
