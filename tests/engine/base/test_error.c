/* Tests of errors: what is put before one, or copied, leaves its cause as it was. */
#include "engine/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_prefix(void **unused) {
    (void)unused;
    Error error;
    error_set(&error, "out of memory for %d bytes", 7);
    assert_false(error_prefix(&error, "%s: game %d: ", "a\nfile", 3));
    assert_string_equal(error.text, "a?file: game 3: out of memory for 7 bytes");
    assert_true(error.no_memory && error.passing);
    error_set(&error, "cannot write");
    error.passing = true;                    /* as where a disk is full */
    error_prefix(&error, "out of memory: "); /* which are the words of a caller */
    assert_true(!error.no_memory && error.passing);
    error_set(&error, "no such file");
    error_prefix(&error, "%s", "");
    assert_string_equal(error.text, "no such file");
    assert_true(!error.no_memory && !error.passing);
    assert_false(error_prefix(NULL, "%s: ", "file"));
}

/* Whether error_prefix writes what error_set does with all of it. */
static void check_long(size_t words, size_t cause) {
    char before[400] = "", behind[400] = "";
    Error error, whole;
    memset(before, 'a', words);
    memset(behind, 'b', cause);
    error_set(&error, "%s", behind);
    error_set(&whole, "%s: %s", before, error.text);
    error_prefix(&error, "%s: ", before);
    assert_string_equal(error.text, whole.text);
}

static void test_long_texts(void **unused) {
    (void)unused;
    const size_t room = sizeof((Error *)NULL)->text;
    for (size_t words = 0; words < room + 5; words++)
        for (size_t cause = 0; cause < room + 5; cause += 3)
            check_long(words, cause);
}

/* A text that is too long keeps its beginning and its end, in whole characters. */
static void test_middle(void **unused) {
    (void)unused;
    Error error;
    char path[2000];
    for (int shift = 0; shift < 4; shift++) {
        char expected[90];
        path[0] = '\0';
        for (int i = 0; i < shift; i++)
            strcat(path, "x");
        for (int i = 0; i < 600; i++)
            strcat(path, "\xe2\x82\xac");
        const int begin = shift + 3 * ((80 - shift) / 3);
        snprintf(expected, sizeof expected, "%.*s...\xe2", begin, path);
        error_set(&error, "%s: line %d is no record", path, 7);
        assert_memory_equal(error.text, expected, strlen(expected));
        assert_non_null(strstr(error.text, "\xac: line 7 is no record"));
        assert_true(strlen(error.text) >= sizeof error.text - 5);
        error_set(&error, "line %d is no record", 7);
        error_prefix(&error, "%s: ", path);
        assert_memory_equal(error.text, expected, strlen(expected));
        assert_non_null(strstr(error.text, "\xac: line 7 is no record"));
    }
}

static void test_pass(void **unused) {
    (void)unused;
    Error kept, error;
    error_set(&kept, "out of memory");
    assert_false(error_pass(&error, &kept));
    assert_string_equal(error.text, kept.text);
    assert_true(error.no_memory && error.passing);
    assert_false(error_pass(&error, NULL));
    assert_string_equal(error.text, kept.text);
    assert_false(error_pass(NULL, &kept));
}

static void test_cleaning(void **state) {
    (void)state;
    Error error;
    error_set(&error, "%.4s is no file\n\x1b[2J", "na\xc3\xaf\xc3\xaf"); /* whole characters stay */
    assert_string_equal(error.text, "na\xc3\xaf is no file??[2J");
    error_set(&error, "'%.5s' is no file", "na\xc3\xaf\xe2\x82\xac"); /* cut after the first of three bytes */
    assert_string_equal(error.text, "'na\xc3\xaf?' is no file");
    error_set(&error, "caf\xe9"); /* Latin-1 */
    assert_string_equal(error.text, "caf?");
    error_set(&error, "\xc2\x9b"
                      "2J"); /* a control character of two bytes */
    assert_string_equal(error.text, "??2J");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prefix),   cmocka_unit_test(test_long_texts), cmocka_unit_test(test_middle),
        cmocka_unit_test(test_cleaning), cmocka_unit_test(test_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
