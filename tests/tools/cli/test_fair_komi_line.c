/* Lines that name a fair komi: what they print. */
#include "tests/support/fixtures.h"
#include "tools/cli/fair_komi_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Prints both kinds of lines of these numbers into a file, and returns what is there, to be freed. */
static char *printed(double value, Interval ci95) {
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_non_null(freopen(result_path, "w", stdout));
    fair_komi_line_begin("even komi", (KomiEstimate){value, ci95, false});
    putchar('\n');
    fair_komi_line_gap(value, ci95);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return read_text(result_path);
}

static void nothing_is_minus_zero(void **unused) {
    (void)unused;
    char *text = printed(-0.004, (Interval){-1.25, -0.0049});
    assert_string_equal(text,
                        "    even komi          0.00   95% interval [-1.25, 0.00]\n"
                        "    even above odd     0.00   95% interval [-1.25, 0.00], with perfect play -0.5 or 0.5\n");
    free(text);
    text = printed(-0.006, (Interval){-0.5, 0.004});
    assert_non_null(strstr(text, "-0.01   95% interval [-0.50, 0.00]"));
    free(text);
}

static void perfect_play_may_contradict(void **unused) {
    (void)unused;
    const ExactValues exact = {.known = true, .even = 5, .odd = 4.5};
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    assert_non_null(freopen(result_path, "w", stdout));
    fair_komi_line_perfect_play(&exact, false, false);
    fair_komi_line_perfect_play(&exact, false, true);
    fair_komi_line_perfect_play(&exact, true, true);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    char *text = read_text(result_path);
#define VALUES "  perfect play: Black is ahead by 5, with the button (odd komi) by 4.5, so no whole komi is fair\n"
    assert_string_equal(
        text, VALUES VALUES
        "  so these games are misleading: the interval of odd komi does not contain the proved value\n" VALUES
        "  so these games are misleading: the interval of each kind of komi does not contain the proved value\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(nothing_is_minus_zero, drop_files),
                                       cmocka_unit_test_teardown(perfect_play_may_contradict, drop_files)};
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
