/* Tests of perft: the engine and the reference implementation count the same sequences of turns. */
#include "engine/game/perft.h"
#include "engine/games/registry.h"
#include "tests/support/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t reference_perft(const Reference *position, int depth) {
    if (depth == 0)
        return 1;
    if (reference_over(position))
        return 0;
    static ReferenceTurn lists[8][REFERENCE_TURNS];
    ReferenceTurn *turns = lists[depth];
    const int count = reference_legal(position, turns);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) {
        Reference next = *position;
        assert_true(reference_apply(&next, turns[i].text));
        sum += reference_perft(&next, depth - 1);
    }
    return sum;
}

static void assert_counts(int size, int komi, int depth) {
    Game *game = game_new(&(GameOptions){.size = size}, NULL);
    assert_non_null(game);
    GameState start;
    Reference reference;
    game->rules->start(game, &start, komi);
    reference_start(&reference, size, komi);
    for (int d = 1; d <= depth; d++)
        assert_int_equal(perft(game, &start, d), reference_perft(&reference, d));
    game_free(game);
}

static void test_against_the_reference(void **unused) {
    (void)unused;
    assert_counts(2, 0, 7);
    assert_counts(2, 1, 5);
    assert_counts(3, -2, 3);
    assert_counts(3, 3, 3);
    assert_counts(10, 0, 1);
}

/* After two passes nothing follows. */
static void test_finished_game(void **unused) {
    (void)unused;
    Game *game = game_new(&(GameOptions){.size = 2}, NULL);
    assert_non_null(game);
    GameState state;
    game->rules->start(game, &state, 0);
    for (Action legal[GAME_LEGAL_MAX]; !game->rules->over(&state);) {
        const int count = game->rules->legal(game, &state, legal);
        game->rules->apply(game, &state, legal[count - 1]); /* a pass if there is one */
    }
    assert_int_equal(perft(game, &state, 1), 0);
    assert_int_equal(perft(game, &state, 0), 1);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_reference),
        cmocka_unit_test(test_finished_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
