/* Symmetries of positions, and classes of actions. */
#include "engine/game/beginnings.h"
#include "engine/game/symmetry.h"
#include "engine/games/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const games[] = {"stigmergy", "bug", "sgolte"};
enum { GAMES = sizeof games / sizeof *games };

static Game *new_game(const char *name) {
    Game *game = game_new(&(GameOptions){.name = name, .size = 4}, NULL);
    assert_non_null(game);
    return game;
}

static bool contains(const ActionClass *class, Action action) {
    for (int i = 0; i < class->count; i++)
        if (class->action[i] == action)
            return true;
    return false;
}

/* However many stones there are. */
static void symmetries_keep_all_stones(void **unused) {
    (void)unused;
    static const struct {
        const char *turn;
        int symmetries;
    } turns[] = {{"d4", 12}, {"a1", 2}, {"g4", 2}, {"b1", 1}};
    Game *game = new_game("stigmergy");
    GameState state;
    game->rules->start(game, &state, 0);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        assert_true(game_play_text(game, &state, turns[i].turn, NULL, NULL, NULL));
        const Symmetries own = symmetries_of(game, &state);
        assert_int_equal(own.map[0], 0);
        assert_int_equal(own.count, turns[i].symmetries);
    }
    game_free(game);
}

/* Each action of a class leads to an image of the same position, and no action is in two of them. On hexhex-4 some
 * classes have twelve actions, so that every symmetry counts. */
static void classes_are_images(void **unused) {
    (void)unused;
    for (int i = 0; i < GAMES; i++) {
        Game *game = new_game(games[i]);
        GameState state;
        Action actions[GAME_LEGAL_MAX];
        game->rules->start(game, &state, 0);
        const Symmetries own = symmetries_of(game, &state);
        const int count = game->rules->legal(game, &state, actions);
        for (int a = 0; a < count; a++) {
            const ActionClass class = symmetries_class(game, &own, actions[a]);
            const Action first = symmetries_first(game, &own, actions[a]);
            assert_int_equal(class.action[0], actions[a]);
            assert_true(contains(&class, first));
            for (int b = 0; b < count; b++) {
                const bool image = contains(&class, actions[b]);
                assert_int_equal(image,
                                 game_class_key(game, 0, &actions[a], 1) == game_class_key(game, 0, &actions[b], 1));
                assert_int_equal(image, symmetries_first(game, &own, actions[b]) == first);
                assert_true(!image || actions[b] >= first);
            }
        }
        game_free(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symmetries_keep_all_stones),
        cmocka_unit_test(classes_are_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
