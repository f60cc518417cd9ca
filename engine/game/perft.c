/* See perft.h. */
#include "engine/game/perft.h"

#include "engine/game/turns.h"

typedef struct Count {
    const Game *game;
    int depth; /* turns still to count after the visited one */
    uint64_t sum;
} Count;

static bool count_turn(void *user, const Action *turn, int length, const GameState *after) {
    (void)turn;
    (void)length;
    Count *count = user;
    const uint64_t more = perft(count->game, after, count->depth);
    count->sum += more;
    return more != PERFT_NO_MEMORY;
}

uint64_t perft(const Game *game, const GameState *state, int depth) {
    Count count = {.game = game, .depth = depth - 1};
    if (depth == 0)
        return 1;
    return turns_visit(game, state, 0, count_turn, &count) == TURNS_ALL ? count.sum : PERFT_NO_MEMORY;
}
