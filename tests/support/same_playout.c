/* See same_playout.h. */
#include "tests/support/same_playout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void playout_take(const Game *game, GameState *state, Action action, PlayoutResult *result) {
    int cell;
    if (strcmp(game->rules->action_kind(game, action, &cell), "pass") != 0)
        result->played[game->rules->to_move(state)][action / 64] |= 1ull << (action % 64);
    result->length++;
    game->rules->apply(game, state, action);
}

void playout_end(const Game *game, const GameState *state, PlayoutResult *result) {
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS] = {0};
    const uint8_t black = (uint8_t)(1 + game_colour(game, state, BLACK));
    assert_true(game->rules->over(state));
    game->rules->stones(game, state, stones);
    if (game->rules->control)
        game->rules->control(game, state, control);
    for (int c = 0; c < game->board.cells; c++)
        if (stones[c] == black || (stones[c] == 0 && control[c] == black))
            result->black_owns[c / 64] |= 1ull << (c % 64);
    result->half_points = (int16_t)game->rules->result(game, state).half_points;
}

void assert_same_playout(const Game *game, const PlayoutResult *a, const PlayoutResult *b) {
    assert_int_equal(a->half_points, b->half_points);
    assert_int_equal(a->length, b->length);
    for (int side = 0; side < 2; side++)
        assert_memory_equal(a->played[side], b->played[side], (size_t)game->action_words * sizeof(uint64_t));
    assert_memory_equal(a->black_owns, b->black_owns, (size_t)game->board.words * sizeof(uint64_t));
}
