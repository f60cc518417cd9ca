/* Fair-komi runs that are read again: the same document, from plain and packed records, and from games that this
 * version would not have planned; what does not belong together is refused. */
#include "selfplay/io/file.h"
#include "selfplay/io/json.h"
#include "selfplay/io/zstd_file.h"
#include "selfplay/runs/komi/reread.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static KomiConfig small_config(bool first_moves) {
    KomiConfig config = komi_config_default(first_moves ? 2 : 3);
    config.ladder[0] = 2;
    config.ladder[1] = 8;
    config.rungs = 2;
    config.first_moves = first_moves;
    make_small(&config.run, 60, &config.player);
    return config;
}

/* Plays a run, writes its document, and returns that. */
static cJSON *play(const KomiConfig *config) {
    Error error;
    assert_int_equal(play_run(&komi_kind, &config->run, records_path, 2, 0, NULL), RUN_DONE);
    Run *run = open_run(&komi_kind, &config->run, records_path);
    const DocumentContext context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};
    cJSON *json = run_document(run, &context, &error);
    run_free(run);
    document_write(cJSON_Duplicate(json, true), result_path, &error);
    return json;
}

/* The document that the files give again. */
static cJSON *reread(void) {
    Error error = {""};
    cJSON *document;
    Run *run = komi_reread(result_path, &document, &error);
    if (!run)
        fail_msg("%s", error.text);
    cJSON *json = komi_reread_document(run, document, &error);
    run_free(run);
    cJSON_Delete(document);
    return json;
}

static void expect_same(cJSON *again, const cJSON *document) {
    char *a = cJSON_Print(again), *b = cJSON_Print(document);
    assert_string_equal(a, b);
    free(a);
    free(b);
    cJSON_Delete(again);
}

static void document_is_made_again(void **unused) {
    (void)unused;
    for (int first_moves = 0; first_moves < 2; first_moves++) {
        const KomiConfig config = small_config(first_moves);
        cJSON *document = play(&config);
        expect_same(reread(), document);
        cJSON_Delete(document);
        drop_files(NULL);
    }
}

/* Replaces the records by packed ones. */
static void pack(char packed[FIXTURE_PATH_MAX]) {
    Error error;
    char *text = read_text(records_path);
    snprintf(packed, FIXTURE_PATH_MAX, "%s.zst", records_path);
    assert_true(zstd_file_write(packed, text, strlen(text), &error));
    free(text);
    assert_int_equal(unlink(records_path), 0);
}

static void packed_records_are_read(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    char packed[FIXTURE_PATH_MAX];
    cJSON *document = play(&config);
    char *text = read_text(records_path);
    pack(packed);
    expect_same(reread(), document);
    assert_false(file_exists(records_path)); /* it was only read */
    int played;
    assert_int_equal(play_run(&komi_kind, &config.run, records_path, 2, 0, &played), RUN_DONE);
    assert_int_equal(played, 0); /* the run goes on from the packed games */
    char *unpacked = read_text(records_path);
    assert_string_equal(unpacked, text);
    free(unpacked);
    free(text);
    cJSON_Delete(document);
    unlink(packed);
}

/* Without every second game of the first rung no plan of this version has led to the others. */
static void plans_do_not_matter(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(true);
    cJSON_Delete(play(&config));
    char *text = read_text(records_path), *kept = calloc(1, strlen(text) + 1);
    int games = 0, number = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (number++ % 2 == 0) {
            strcat(strcat(kept, line), "\n");
            games++;
        }
    write_text(records_path, kept);
    expect_run_refused(&komi_kind, &config.run, records_path, "not complete");
    cJSON *json = reread();
    const cJSON *rung;
    double counted = 0;
    cJSON_ArrayForEach(rung, cJSON_GetObjectItemCaseSensitive(json, "ladder")) counted +=
        cJSON_GetObjectItemCaseSensitive(rung, "games")->valuedouble;
    assert_true(counted == games);
    cJSON_Delete(json);
    free(kept);
    free(text);
}

static void expect_refused(const char *word) {
    Error error = {""};
    cJSON *document;
    Run *run = komi_reread(result_path, &document, &error);
    assert_null(document);
    assert_named(run != NULL, &error, word);
}

static void others_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config(false);
    expect_refused("run.json");
    cJSON *document = play(&config);
    char *text = read_text(records_path);
    write_text(records_path, "");
    expect_refused("has no games");
    drop_checksums(text);
    memcpy(strstr(text, "\"seed\":\"") + 8, "0", 1);
    write_text(records_path, text);
    expect_refused("has the seed");
    free(text);
    Error error;
    cJSON_ReplaceItemInObjectCaseSensitive(document, "run", cJSON_CreateString("0123456789abcdef"));
    assert_true(document_write(document, result_path, &error));
    expect_refused("another run");
    write_text(result_path, "{\"schema\": {\"name\": \"stigmergy-match\", \"version\": 1}}");
    expect_refused("not a result of a komi run");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(document_is_made_again, drop_files),
        cmocka_unit_test_teardown(packed_records_are_read, drop_files),
        cmocka_unit_test_teardown(plans_do_not_matter, drop_files),
        cmocka_unit_test_teardown(others_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
