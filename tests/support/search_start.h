/* A search at the start of a game. */
#ifndef STIGMERGY_TESTS_SUPPORT_SEARCH_START_H
#define STIGMERGY_TESTS_SUPPORT_SEARCH_START_H

#include "engine/search/search.h"

static inline void set_start(const Game *game, Search *search, int komi) {
    GameState state;
    game->rules->start(game, &state, komi);
    search_set_position(search, &state);
}

#endif
