/* See perft.h. */
#include "perft.h"

uint64_t perft(const Game *game, const GameState *state, int depth) {
    const GameRules *rules = game->rules;
    if (depth == 0)
        return 1;
    Action actions[GAME_LEGAL_MAX];
    const int count = rules->legal(game, state, actions);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        GameState next;
        game_copy(game, &next, state);
        rules->apply(game, &next, actions[i]);
        sum += perft(game, &next, rules->turn_start(&next) ? depth - 1 : depth);
    }
    return sum;
}
