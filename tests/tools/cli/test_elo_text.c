/* Elo as text: what was not measured is no number. */
#include "selfplay/stats/elo.h"
#include "tools/cli/elo_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_texts(double elo, Interval ci95, const char *text, const char *interval) {
    char out[ELO_TEXT_MAX];
    elo_text(elo, out);
    assert_string_equal(out, text);
    elo_text_interval(ci95, out);
    assert_string_equal(out, interval);
}

static void limits_are_words(void **unused) {
    (void)unused;
    assert_texts(12.4, (Interval){3.2, 20.6}, "+12", "+3, +21");
    assert_texts(-0.3, (Interval){-0.4, 137}, "+0", "+0, +137");
    assert_texts(-ELO_LIMIT, (Interval){-ELO_LIMIT, 249}, "lost all", "below +249");
    assert_texts(ELO_LIMIT, (Interval){-249, ELO_LIMIT}, "won all", "above -249");
    assert_texts(0, (Interval){-ELO_LIMIT, ELO_LIMIT}, "+0", "no bound");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits_are_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
