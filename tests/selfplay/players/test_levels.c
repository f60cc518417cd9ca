/* The list of levels, the player descriptions and the manual agree. Argument: the page with the table of levels. */
#include "selfplay/io/file.h"
#include "selfplay/players/levels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *manual;

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
    assert_int_equal(level_elo(LEVELS), 2395); /* the sum of all measured differences */
    static const char *const games[] = {"stigmergy", "bug", "sgolte"};
    for (int game = 0; game < 3; game++) {
        uint64_t simulations = 0;
        bool network = false;
        for (int level = 1; level <= LEVELS; level++) {
            Player player;
            assert_true(level_player(level, &player, NULL) && player_settle(&player, games[game], 5, NULL));
            assert_true(player_has_network(&player) >= network);
            assert_true(player_has_network(&player) > network || player.simulations > simulations);
            assert_true(level == 1 || level_elo(level) > level_elo(level - 1));
            simulations = player.simulations;
            network = player_has_network(&player);
        }
        assert_true(network == (network_of_game(games[game], 5) != NULL));
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
    static const char *const wrong[] = {"", "0", "9", "03", "3 ", "b", "default"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(level_read("--level", wrong[i], &level, &error));
        assert_non_null(strstr(error.text, "expected a whole number from 1 to 8 or a name"));
        assert_int_equal(level, LEVELS);
    }
    static const char *const near[] = {"Beginner", "begin", "begginer"};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        assert_false(level_read("--level", near[i], &level, &error));
        assert_non_null(strstr(error.text, "did you mean 'beginner'?"));
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

static void the_manual_agrees(void **unused) {
    (void)unused;
    size_t length;
    char names[256] = "| name |", elos[256] = "| Elo |", *text = file_read(manual, &length, NULL);
    assert_non_null(text);
    for (int level = 1; level <= LEVELS; level++) {
        const int elo = level_elo(level);
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s |", level_name(level));
        if (elo < 1000)
            snprintf(elos + strlen(elos), sizeof elos - strlen(elos), " %d |", elo);
        else
            snprintf(elos + strlen(elos), sizeof elos - strlen(elos), " %d,%03d |", elo / 1000, elo % 1000);
    }
    assert_non_null(strstr(text, names));
    assert_non_null(strstr(text, elos));
    free(text);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    manual = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_descriptions),
        cmocka_unit_test(higher_levels_are_stronger),
        cmocka_unit_test(levels_are_read),
        cmocka_unit_test(titles_name_the_player),
        cmocka_unit_test(the_manual_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
