/* The effort of a move: as settings say it, in words, and in the names of games. */
#include "selfplay/players/effort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void has_a_text_and_a_name(void **unused) {
    (void)unused;
    static const struct {
        Effort effort;
        const char *text, *name;
    } cases[] = {{{.simulations = 800}, "800 simulations", "800"},
                 {{.simulations = PLAYER_SIMULATIONS_MAX}, "1000000000 simulations", "1000000000"},
                 {{.move_seconds = 2}, "2 s", "t2"},
                 {{.move_seconds = 0.5}, "0.5 s", "t0.5"},
                 {{.move_seconds = 0.00001}, "1e-05 s", "t1e-05"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[EFFORT_TEXT_MAX], name[EFFORT_NAME_MAX];
        effort_text(cases[i].effort, text);
        effort_name(cases[i].effort, name);
        assert_string_equal(text, cases[i].text);
        assert_string_equal(name, cases[i].name);
        assert_true(effort_is_name(name, strlen(name)));
        const Effort named = effort_of_name(name);
        assert_true(named.simulations == cases[i].effort.simulations &&
                    named.move_seconds == cases[i].effort.move_seconds);
    }
}

static void not_all_texts_are_names(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"", "t", "even", "1v2", "0.5", "-1", "t0.5s", "123456789012345678901234"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(effort_is_name(wrong[i], strlen(wrong[i])));
    assert_true(effort_is_name("800-17", 3)); /* the group of a game's id */
    assert_false(effort_is_name("800-17", 4));
}

/* Reads over 5 simulations. False with an error. */
static bool read_over(const char *text, Effort *effort, Error *error) {
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    JsonReader reader = json_open(json, "test");
    *effort = (Effort){.simulations = 5};
    effort_read(&reader, effort);
    const bool good = json_close(&reader, error);
    cJSON_Delete(json);
    return good;
}

static void settings_have_one_of_two(void **unused) {
    (void)unused;
    Effort effort;
    Error error;
    assert_true(read_over("{}", &effort, &error));
    assert_true(effort.simulations == 5 && effort.move_seconds == 0);
    assert_true(read_over("{\"simulations\": 7}", &effort, &error));
    assert_true(effort.simulations == 7 && effort.move_seconds == 0);
    assert_true(read_over("{\"move_time\": 0.5}", &effort, &error));
    assert_true(effort.simulations == 0 && effort.move_seconds == 0.5);
    assert_false(read_over("{\"simulations\": 7, \"move_time\": 0.5}", &effort, &error));
    assert_string_equal(error.text, "test: 'move_time' is wrong: it and 'simulations' exclude each other");
    assert_false(read_over("{\"simulations\": 0}", &effort, &error));
    assert_false(read_over("{\"move_time\": 0}", &effort, &error));
}

/* What effort_add writes has these keys. */
static void expect_keys(Effort effort, bool simulations, bool move_time) {
    cJSON *json = cJSON_CreateObject();
    effort_add(json, effort);
    assert_int_equal(cJSON_HasObjectItem(json, "simulations"), simulations);
    assert_int_equal(cJSON_HasObjectItem(json, "move_time"), move_time);
    cJSON_Delete(json);
}

static void documents_have_what_is_given(void **unused) {
    (void)unused;
    expect_keys((Effort){0}, false, false);
    expect_keys((Effort){.simulations = 800}, true, false);
    expect_keys((Effort){.move_seconds = 0.5}, false, true);
    expect_keys((Effort){.simulations = 800, .move_seconds = 0.5}, true, true);
}

static void replaces_the_limits_of_a_player(void **unused) {
    (void)unused;
    Player player = player_default();
    player.large_board_simulations = 9000;
    player = player_with_effort(player, (Effort){.move_seconds = 0.5});
    assert_true(player.simulations == 0 && player.large_board_simulations == 0 && player.move_seconds == 0.5);
    player = player_with_effort(player, (Effort){.simulations = 800});
    assert_true(player.simulations == 800 && player.move_seconds == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_a_text_and_a_name),           cmocka_unit_test(not_all_texts_are_names),
        cmocka_unit_test(settings_have_one_of_two),        cmocka_unit_test(documents_have_what_is_given),
        cmocka_unit_test(replaces_the_limits_of_a_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
