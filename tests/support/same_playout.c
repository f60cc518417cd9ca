/* See same_playout.h. */
#include "tests/support/same_playout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void assert_same_playout(const Game *game, const PlayoutResult *a, const PlayoutResult *b) {
    assert_int_equal(a->half_points, b->half_points);
    assert_int_equal(a->length, b->length);
    for (int side = 0; side < 2; side++)
        assert_memory_equal(a->played[side], b->played[side], (size_t)game->action_words * sizeof(uint64_t));
    assert_memory_equal(a->black_owns, b->black_owns, (size_t)game->board.words * sizeof(uint64_t));
}
