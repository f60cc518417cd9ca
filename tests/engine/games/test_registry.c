/* What the game interface asks of every game in the list (engine/games/registry.h). */
#include "engine/games/registry.h"

#include <math.h>
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

/* Which numbers are a komi of hexhex-3, which has 19 cells. */
static void komi_of_a_board(void **unused) {
    (void)unused;
    static const char *const names[] = {"stigmergy", "bug"};
    static const double wrong[] = {20, -20, 0.5, 1e99, -1e99, INFINITY, NAN};
    for (int i = 0; i < 2; i++) {
        Error error;
        Game *game = game_new(&(GameOptions){.name = names[i], .size = 3}, &error);
        const int limit = i == 0 ? 19 : 0;
        assert_int_equal(game_komi_limit(game), limit);
        assert_int_equal(game_clamp_komi(game, 20), limit);
        assert_int_equal(game_clamp_komi(game, -20), -limit);
        assert_int_equal(game_clamp_komi(game, 0), 0);
        assert_true(game_check_komi(game, 0, NULL) && game_check_komi(game, -limit, NULL));
        assert_int_equal(game_check_komi(game, -19, NULL), i == 0);
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            assert_false(game_check_komi(game, wrong[k], &error));
            assert_string_equal(error.text, i == 0 ? "expected a whole number from -19 to 19"
                                                   : "expected 0, for bug has no points");
        }
        game_free(game);
    }
}

/* Whether a variant was named makes no difference where it is the game's usual one. */
static void usual_variants(void **unused) {
    (void)unused;
    static const struct {
        GameOptions named;
        GameCapture capture;
        GamePie pie;
    } cases[] = {
        {{.name = "stigmergy", .pie = GAME_PIE_OFF}, GAME_CAPTURE_DEFAULT, GAME_PIE_DEFAULT},
        {{.pie = GAME_PIE_OFF}, GAME_CAPTURE_DEFAULT, GAME_PIE_DEFAULT},
        {{.name = "bug", .pie = GAME_PIE_OFF}, GAME_CAPTURE_DEFAULT, GAME_PIE_DEFAULT},
        {{.name = "bug", .pie = GAME_PIE_ON}, GAME_CAPTURE_DEFAULT, GAME_PIE_ON},
        {{.name = "sgolte", .capture = GAME_CAPTURE_FREE, .pie = GAME_PIE_ON}, GAME_CAPTURE_DEFAULT, GAME_PIE_DEFAULT},
        {{.name = "sgolte", .capture = GAME_CAPTURE_LINE, .pie = GAME_PIE_OFF}, GAME_CAPTURE_LINE, GAME_PIE_OFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        GameOptions options = cases[i].named;
        options.size = 3;
        const GameOptions usual = game_usual(options);
        assert_true(usual.capture == cases[i].capture && usual.pie == cases[i].pie && usual.size == 3);
        Game *game = game_new(&options, &error);
        assert_true(game && game->capture == cases[i].capture && game->pie == cases[i].pie);
        game_free(game);
    }
    const GameOptions wrong = game_usual((GameOptions){.name = "bug", .capture = GAME_CAPTURE_FREE});
    assert_int_equal(wrong.capture, GAME_CAPTURE_FREE);
    assert_int_equal(game_usual((GameOptions){.name = "chess", .pie = GAME_PIE_OFF}).pie, GAME_PIE_OFF);
}

/* Numbers that stand for no variant, as a caller in C may give them. */
static void unknown_variants(void **unused) {
    (void)unused;
    static const int numbers[] = {-1, 3, 7, 1000000};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        Error error;
        assert_null(game_new(&(GameOptions){.name = "sgolte", .size = 3, .capture = (GameCapture)numbers[i]}, &error));
        assert_non_null(strstr(error.text, "no variant"));
        assert_null(game_new(&(GameOptions){.name = "sgolte", .size = 3, .pie = (GamePie)numbers[i]}, &error));
        assert_non_null(strstr(error.text, "no variant"));
    }
}

/* Turns are separated by any blanks; one that is longer than any turn is cut, and what follows it is found. */
static void turns_of_a_text(void **unused) {
    (void)unused;
    char text[3 * GAME_TEXT_MAX], turn[GAME_TEXT_MAX + 1];
    memset(text, 'x', sizeof text);
    memcpy(text, " c3\tb1x  a", 10);
    strcpy(text + sizeof text - 5, " e5 ");
    const char *at = text;
    static const char *const turns[] = {"c3", "b1x"};
    for (int i = 0; i < 2; i++) {
        assert_true(game_next_turn(&at, turn));
        assert_string_equal(turn, turns[i]);
    }
    assert_true(game_next_turn(&at, turn));
    assert_int_equal(strlen(turn), GAME_TEXT_MAX - 1);
    assert_true(game_next_turn(&at, turn));
    assert_string_equal(turn, "e5");
    assert_false(game_next_turn(&at, turn) || *at);
    text[GAME_TEXT_MAX + 10] = '\0'; /* a turn with one letter more than there is room for */
    at = text + 10;
    memset(text, 'x', GAME_TEXT_MAX + 10);
    assert_true(game_next_turn(&at, turn));
    assert_int_equal(strlen(turn), GAME_TEXT_MAX - 1);
    assert_false(game_next_turn(&at, turn));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_of_points), cmocka_unit_test(komi_of_a_board),
                                       cmocka_unit_test(usual_variants), cmocka_unit_test(unknown_variants),
                                       cmocka_unit_test(turns_of_a_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
