/* Tests of "did you mean": distances worked out by hand, and what counts as near. */
#include "selfplay/io/nearest_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_distances(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        int distance;
    } cases[] = {{"", "", 0},          {"", "komi", 4},          {"komi", "komi", 0},         {"kom", "komi", 1},
                 {"komii", "komi", 1}, {"komo", "komi", 1},      {"kmoi", "komi", 1},         {"okim", "komi", 2},
                 {"play", "gtp", 4},   {"kitten", "sitting", 3}, {"self-play", "selfplay", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(word_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(word_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void test_long_words(void **state) {
    (void)state;
    char limit[NEAREST_WORD_MAX + 1], beyond[NEAREST_WORD_MAX + 2];
    memset(limit, 'x', sizeof limit - 1);
    limit[sizeof limit - 1] = '\0';
    memset(beyond, 'x', sizeof beyond - 1);
    beyond[sizeof beyond - 1] = '\0';
    assert_int_equal(word_distance(limit, ""), NEAREST_WORD_MAX);
    assert_int_equal(word_distance(limit, limit), 0);
    assert_int_equal(word_distance(beyond, beyond), NEAREST_WORD_MAX + 1);
    const char *const words[] = {beyond};
    assert_null(nearest_word(beyond, words, 1));
}

static void test_nearest(void **state) {
    (void)state;
    const char *const words[] = {"analyze", "komi", "komi-range", "match", "merge", "sims"};
    const int count = sizeof words / sizeof words[0];
    assert_string_equal(nearest_word("analyse", words, count), "analyze");
    assert_string_equal(nearest_word("kom", words, count), "komi");
    assert_string_equal(nearest_word("komirange", words, count), "komi-range");
    assert_string_equal(nearest_word("matc", words, count), "match");
    assert_string_equal(nearest_word("sism", words, count), "sims");
    assert_string_equal(nearest_word("ana", words, count), "analyze"); /* the beginning of a word */
    assert_string_equal(nearest_word("komi-", words, count), "komi");
    assert_null(nearest_word("an", words, count));
    assert_null(nearest_word("go", words, count));
    assert_null(nearest_word("", words, count));
    assert_null(nearest_word("kqmq", words, count)); /* half of it is wrong */
    assert_null(nearest_word("komi", words, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_distances), cmocka_unit_test(test_long_words),
                                       cmocka_unit_test(test_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
