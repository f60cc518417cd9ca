/* Power is lost while documents and records are written (tests/support/power_loss.h). A document is the old one or the
 * new one. A line that was acknowledged is there. */
#include "selfplay/io/atomic_file.h"
#include "selfplay/io/line_file.h"
#include "selfplay/record/record_line.h"
#include "tests/support/fixtures.h"
#include "tests/support/power_loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Documents ---- */

enum { DOCUMENTS = 3 };

static const char *const documents[DOCUMENTS] = {"{\"first\": 1}\n", "{\"second\": 2, \"longer\": true}\n", "{}\n"};

static void expect_document(void *user, const PowerLoss *state) {
    const char *path = user;
    if (!file_exists(path)) {
        assert_int_equal(state->promise, 0);
        return;
    }
    char *text = read_text(path);
    const bool is_old = state->promise > 0 && !strcmp(text, documents[state->promise - 1]);
    const bool is_new = state->promise < DOCUMENTS && !strcmp(text, documents[state->promise]);
    if (!is_old && !is_new)
        fail_msg("%s: '%s', promised were %d documents", state->text, text, state->promise);
    free(text);
}

static void documents_are_old_or_new(void **unused) {
    (void)unused;
    char path[FIXTURE_PATH_MAX];
    Error error;
    in_folder(path, "document");
    power_loss_begin();
    for (int i = 0; i < DOCUMENTS; i++) {
        assert_true(file_write(path, documents[i], strlen(documents[i]), &error));
        power_loss_promise(i + 1);
    }
    power_loss_end();
    assert_true(power_loss_each(expect_document, path) > 3 * DOCUMENTS);
}

/* ---- Records ---- */

/* What is written into a file of lines. */
typedef struct Lines {
    char path[FIXTURE_PATH_MAX], text[128];
    size_t ends[5]; /* of what was promised */
} Lines;

/* Opens what a cut has left as a run does, and appends to it. */
static void expect_lines(void *user, const PowerLoss *state) {
    const Lines *lines = user;
    const size_t least = lines->ends[state->promise];
    LineFile file;
    Error error;
    size_t length;
    if (!line_file_open(&file, lines->path, &error))
        fail_msg("%s: %s", state->text, error.text);
    char *text = file_read(lines->path, &length, &error);
    assert_non_null(text);
    if (!record_lines_whole(lines->path, text, &length, &error))
        fail_msg("%s: %s", state->text, error.text);
    if (length < least || memcmp(text, lines->text, length) != 0)
        fail_msg("%s: '%s' is left, promised was '%.*s'", state->text, text, (int)least, lines->text);
    free(text);
    assert_true(line_file_cut(&file, length, &error));
    assert_true(line_file_append(&file, "next\n", 5, &error));
    assert_true(line_file_close(&file, &error));
}

/* In a file that has held `begin` for long, of which the first `whole` bytes are whole lines. */
static void expect_lines_stay(const char *begin, size_t whole) {
    Lines lines = {.ends = {whole}};
    LineFile file;
    Error error;
    in_folder(lines.path, "run.records.jsonl");
    if (*begin)
        write_text(lines.path, begin);
    power_loss_begin();
    assert_true(line_file_open(&file, lines.path, &error));
    assert_true(whole == strlen(begin) || line_file_cut(&file, whole, &error));
    memcpy(lines.text, begin, whole);
    for (int i = 1; i < 5; i++) {
        char *line = lines.text + lines.ends[i - 1];
        snprintf(line, 32, RECORD_LINE_BEGINNING "4-%d\"}\n", i);
        lines.ends[i] = strlen(lines.text);
        assert_true(line_file_append(&file, line, strlen(line), &error));
        power_loss_promise(i);
    }
    assert_true(line_file_close(&file, &error));
    power_loss_end();
    assert_true(power_loss_each(expect_lines, &lines) > 20);
}

static void acknowledged_lines_stay(void **unused) {
    (void)unused;
    static const char line[] = RECORD_LINE_BEGINNING "4-0\"}\n", torn[] = RECORD_LINE_BEGINNING "4-0\"}\n{\"torn";
    expect_lines_stay("", 0);
    expect_lines_stay(line, sizeof line - 1);
    expect_lines_stay(torn, sizeof line - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_old_or_new),
        cmocka_unit_test(acknowledged_lines_stay),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
