/* Positions in the middle of random games. */
#ifndef STIGMERGY_TESTS_SUPPORT_WANDER_H
#define STIGMERGY_TESTS_SUPPORT_WANDER_H

#include "engine/game/game.h"

/* Takes up to `actions` random legal actions, but none that would end the game. */
static inline void wander(const Game *game, GameState *state, int actions, Rng *rng) {
    while (actions-- > 0) {
        GameState next = *state;
        game->rules->apply(game, &next, game_random_action(game, state, rng));
        if (game->rules->over(&next))
            return;
        *state = next;
    }
}

/* A random position of a random game, at any stage of the game and of the turn. */
static inline void random_position(const Game *game, int komi, GameState *state, Rng *rng) {
    game->rules->start(game, state, komi);
    wander(game, state, (int)rng_below(rng, 2 * (uint32_t)game->board.cells), rng);
}

#endif
