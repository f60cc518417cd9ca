/* What the game interface asks of every game in the list (engine/games/registry.h). */
#include "engine/games/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Functions that go with points stand where a game has points, and nowhere else: the solver and the tools call them
 * without asking. */
static void functions_of_points(void **unused) {
    (void)unused;
    int max_size, usual_size, with_points = 0, games = 0;
    for (const char *name; (name = game_list(games, &max_size, &usual_size)) != NULL; games++) {
        Error error;
        Game *game = game_new(&(GameOptions){.name = name, .size = usual_size}, &error);
        assert_non_null(game);
        assert_int_equal(game->rules->board_score != NULL, game->has_points);
        assert_int_equal(game->rules->komi != NULL, game->has_points);
        with_points += game->has_points;
        game_free(game);
    }
    assert_true(with_points > 0 && with_points < games);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_of_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
