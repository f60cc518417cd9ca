/* Tests of perft: the engine and the reference implementation count the same sequences of turns. */
#include "engine/game/perft.h"
#include "engine/game/turns.h"
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

static bool count_turn(void *user, const Action *turn, int count, const GameState *after) {
    (void)turn, (void)count, (void)after;
    ++*(int *)user;
    return true;
}

/* A position of Sgolte whose turns are sets of many actions: their list takes minutes and gigabytes. A visit with a
 * limit ends all the same. */
static void test_limit_of_a_visit(void **unused) {
    (void)unused;
    char turns[] = "e5 f4 c2 e2 d2 d4 f2 c3 b2 d3xc2>c2 e4 b4 b3 d5 e3xc2,d3>d6,c4 d3xf2,d6,e4>f2,d6,e1 "
                   "e4xf2,e2>c5,f2 e2xf2,e4>f2,c2 e4xd6,d4>f3,g2 d4xc5,b3>d1,g1 b3xd5,d3>c5,g3 "
                   "d3xc5,b3>c5,d6 d5xf2>f2 b3xf2,e4>e6,b1 f2 e4xg3,f3,f2>f5,g3,a4";
    Game *game = game_new(&(GameOptions){.name = "sgolte", .size = 4}, NULL);
    assert_non_null(game);
    GameState state;
    game->rules->start(game, &state, 0);
    int visited = 0;
    assert_int_equal(turns_visit(game, &state, 0, count_turn, &visited), TURNS_ALL);
    assert_int_equal(visited, game->board.cells);
    assert_int_equal(turns_visit(game, &state, 10, count_turn, &visited), TURNS_STOPPED);
    assert_int_equal(visited, game->board.cells + 10);
    for (char *rest = NULL, *text = strtok_r(turns, " ", &rest); text; text = strtok_r(NULL, " ", &rest)) {
        Action actions[GAME_TURN_MAX];
        const int count = game->rules->parse(game, &state, text, actions, NULL);
        assert_true(count > 0);
        for (int j = 0; j < count; j++)
            game->rules->apply(game, &state, actions[j]);
    }
    assert_int_equal(turns_visit(game, &state, 20000, count_turn, &visited), TURNS_STOPPED);
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_reference),
        cmocka_unit_test(test_finished_game),
        cmocka_unit_test(test_limit_of_a_visit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
