/* The list of levels and the player descriptions agree. */
#include "selfplay/players/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void names_are_those_of_the_descriptions(void **unused) {
    (void)unused;
    for (int level = 1; level <= LEVELS; level++) {
        Player player;
        Error error;
        assert_true(level_player(level, &player, &error));
        assert_string_equal(player.name, level_name(level));
    }
}

static void higher_levels_are_stronger(void **unused) {
    (void)unused;
    assert_int_equal(level_elo(1), 0);
    assert_int_equal(level_elo(LEVELS), 1927); /* all measured differences together */
    uint64_t simulations = 0;
    for (int level = 1; level <= LEVELS; level++) {
        Player player;
        assert_true(level_player(level, &player, NULL));
        assert_true(player.simulations > simulations);
        assert_true(level == 1 || level_elo(level) > level_elo(level - 1));
        simulations = player.simulations;
    }
}

static void levels_are_read(void **unused) {
    (void)unused;
    int level = 0;
    Error error;
    assert_true(level_read("--level", "3", &level, &error));
    assert_int_equal(level, 3);
    assert_true(level_read("--level", "strongest", &level, &error));
    assert_int_equal(level, LEVELS);
    static const char *const wrong[] = {"", "0", "9", "03", "3 ", "Beginner", "default"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(level_read("--level", wrong[i], &level, &error));
        assert_non_null(strstr(error.text, "expected a whole number from 1 to 8 or a name"));
        assert_int_equal(level, LEVELS);
    }
}

static void titles_name_the_player(void **unused) {
    (void)unused;
    char title[PLAYER_TITLE_MAX];
    Player player;
    assert_true(level_player(2, &player, NULL));
    player_title(&player, title);
    assert_string_equal(title, "Stigmergy (novice)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_descriptions),
        cmocka_unit_test(higher_levels_are_stronger),
        cmocka_unit_test(levels_are_read),
        cmocka_unit_test(titles_name_the_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
