/* Fair-komi runs: the same games whatever interrupts them and however many are played at a time; files that do not
 * belong together are refused; the document says what the records say. */
#include "selfplay/io/json.h"
#include "selfplay/runs/komi/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static KomiConfig small_config(void) {
    KomiConfig config = komi_config_default(3);
    config.ladder[0] = 4;
    config.ladder[1] = 12;
    config.rungs = 2;
    make_small(&config.run, 50, &config.player);
    return config;
}

static Run *open_komi(const KomiConfig *config) {
    return open_run(&komi_kind, &config->run, records_path);
}

static void play(const KomiConfig *config, int *played) {
    assert_int_equal(play_run(&komi_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}

/* ---- The same games ---- */

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    expect_same_records(&komi_kind, &config.run, records_path, 100, 30, 60);
}

static void rungs_can_be_added(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.run.games = 90;
    play(&config, NULL);
    char *whole = read_text(records_path);
    drop_files(NULL);
    config.run.games = 25;
    config.rungs = 1;
    int played;
    play(&config, &played);
    assert_int_equal(played, 25);
    config.rungs = 2;
    config.run.games = 90;
    play(&config, &played);
    assert_int_equal(played, 155);
    char *pieces = read_text(records_path);
    assert_string_equal(whole, pieces);
    free(whole);
    free(pieces);
}

/* A network has no chance in it, so the run lets its player draw moves, unless the description says otherwise. */
static void networks_do_not_repeat_their_games(void **unused) {
    (void)unused;
    Error error;
    KomiConfig config = komi_config_default(3), same;
    assert_true(run_config_check(&config.run, &error));
    assert_true(player_has_network(&config.player) && config.player.draw > 0);
    same = komi_config_default(3);
    same.player.draw = 0;
    assert_true(run_config_check(&same.run, &error));
    assert_int_equal(same.player.draw, 0);
    same = small_config();
    assert_true(run_config_check(&same.run, &error));
    assert_true(!player_has_network(&same.player) && same.player.draw <= 0);
}

static void narrow_interval_ends_a_rung(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.run.games = 100000;
    config.until_width = 3;
    int played;
    play(&config, &played);
    assert_in_range(played, 40, 2000);
    Error error;
    Run *run = open_komi(&config);
    for (int rung = 0; rung < 2; rung++) {
        FairKomi fair;
        assert_true(komi_run_estimate(run, rung, &fair, &error));
        assert_true(fair.combined_ci95.high - fair.combined_ci95.low < 3);
        assert_int_equal(run->groups[rung].played, run->groups[rung].planned);
    }
    run_free(run);
}

/* ---- What does not belong together ---- */

static void expect_refused(const KomiConfig *config, const char *word) {
    expect_run_refused(&komi_kind, &config->run, records_path, word);
}

static void foreign_records_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    KomiConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.player.params.rave_equivalence = 20;
    expect_refused(&other, "another run");
    other = config;
    other.run.size = 4;
    other.komi_range[0] = -37;
    other.komi_range[1] = 37;
    expect_refused(&other, "hexhex-4");
    other = config;
    strcpy(other.run.game, "chess");
    expect_refused(&other, "chess");

    char *text = read_text(records_path);
    char *second = strchr(text, '\n') + 1; /* without the first line the second round has no first one */
    write_text(records_path, second);
    expect_refused(&config, "not complete");
    memcpy(strstr(text, "\"id\":\"12-0\"") + 6, "12-1", 4); /* a number that another game has */
    write_text(records_path, text);
    expect_refused(&config, "expected");
    write_text(records_path, "{}\n");
    expect_refused(&config, "line 1");
    write_text(records_path, "not a record\n");
    expect_refused(&config, "line 1");
    free(text);
}

static void doubled_records_count_once(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    char *text = read_text(records_path);
    const size_t first = (size_t)(strchr(text, '\n') - text) + 1;
    char *doubled = malloc(strlen(text) + first + 1);
    strcpy(doubled, text);
    strncat(doubled, text, first);
    write_text(records_path, doubled);
    Error error;
    Run *run = open_komi(&config);
    assert_int_equal(run->records.repeated, 1);
    assert_int_equal(run->groups[0].played, 50);
    assert_true(run_sort_records(run, &error));
    run_free(run);
    char *sorted = read_text(records_path);
    assert_string_equal(sorted, text);
    free(sorted);
    free(doubled);
    free(text);
}

/* Power that was lost before a line was synced may leave its end without its beginning. */
static void damaged_last_line_is_played_again(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.rungs = 1;
    play(&config, NULL);
    char *text = read_text(records_path);
    char *last = text + strlen(text) - 1;
    while (last[-1] != '\n')
        last--;
    memset(last, '#', 30);
    write_text(records_path, text);
    free(text);
    int played;
    play(&config, &played);
    assert_int_equal(played, 1);
}

static void second_process_is_locked_out(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    Run *run = open_komi(&config);
    const pid_t child = fork(); /* locks are between processes */
    if (child == 0) {
        Error refused = {""};
        const bool opened = run_open(make_run(&komi_kind, &config.run, (ShardSpec){0, 0}), records_path, &refused);
        _exit(opened ? 1 : strstr(refused.text, "another process") ? 0 : 2);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    run_free(run);
}

/* ---- The document ---- */

static double number_at(const cJSON *json, const char *object, const char *key) {
    const cJSON *parent = object ? cJSON_GetObjectItemCaseSensitive(json, object) : json;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(parent, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void check_points(const cJSON *points, double games) {
    double sum = 0;
    for (const cJSON *point = points->child; point; point = point->next) {
        const double n = number_at(point, NULL, "games"), wins = number_at(point, NULL, "black_wins");
        assert_true(wins >= 0 && wins <= n && number_at(point, NULL, "distinct_games") <= n);
        const double rate = number_at(point, NULL, "win_rate") - wins / n;
        assert_true(rate < 1e-4 && rate > -1e-4);
        const cJSON *button = cJSON_GetObjectItemCaseSensitive(point, "button");
        assert_int_equal(cJSON_IsTrue(button), (int)number_at(point, NULL, "komi") % 2 != 0);
        sum += n;
    }
    assert_true(sum == games);
}

static void document_is_complete(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    play(&config, NULL);
    Error error;
    Run *run = open_komi(&config); /* from the records alone */
    const DocumentContext context = document_context();
    cJSON *json = run_document(run, &context, &error);
    assert_non_null(json);
    static const char *const keys[] = {"schema", "program",   "game",    "size",    "player",
                                       "seed",   "games",     "started", "seconds", "machine",
                                       "points", "fair_komi", "ladder",  "drift",   "duplicate_share"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(cJSON_GetObjectItemCaseSensitive(json, keys[i]));
    assert_true(number_at(json, NULL, "games") == 50);
    check_points(cJSON_GetObjectItemCaseSensitive(json, "points"), 50);
    const cJSON *fair = cJSON_GetObjectItemCaseSensitive(json, "fair_komi");
    static const char *const curves[] = {"even", "odd_with_button", "combined"};
    for (int i = 0; i < 3; i++) {
        const cJSON *curve = cJSON_GetObjectItemCaseSensitive(fair, curves[i]);
        const cJSON *interval = cJSON_GetObjectItemCaseSensitive(curve, "ci95");
        const double estimate = number_at(curve, NULL, "estimate");
        assert_int_equal(cJSON_GetArraySize(interval), 2);
        assert_true(cJSON_GetArrayItem(interval, 0)->valuedouble <= estimate);
        assert_true(cJSON_GetArrayItem(interval, 1)->valuedouble >= estimate);
    }
    const cJSON *ladder = cJSON_GetObjectItemCaseSensitive(json, "ladder");
    assert_int_equal(cJSON_GetArraySize(ladder), 2);
    assert_true(number_at(cJSON_GetArrayItem(ladder, 1), NULL, "simulations") == 12);
    assert_true(number_at(json, "player", "simulations") == 12);
    assert_true(number_at(json, "exact", "even") == 5 && number_at(json, "exact", "odd_with_button") == 4.5);
    cJSON_Delete(json);
    run_free(run);
}

static void margins_lose_komi_and_button(void **unused) {
    (void)unused;
    KomiConfig config = small_config();
    config.rungs = 1;
    play(&config, NULL);
    Error error;
    Run *run = open_komi(&config);
    KomiPoint *points;
    const int count = komi_run_points(run, 0, &points, &error);
    assert_true(count > 1);
    for (int i = 0; i < count; i++) {
        const KomiPoint *point = &points[i];
        if (point->games == (int)point->data.games) { /* the button is half a point a game at most, komi the rest */
            const double difference = point->data.margin_sum - point->margin_sum - point->games * point->data.komi;
            const double limit = point->data.komi % 2 ? 0.5 * point->games : 0;
            assert_true(difference <= limit && difference >= -limit);
        }
    }
    free(points);
    run_free(run);
}

static bool resume(const KomiConfig *config, DocumentContext *context, Error *error) {
    return resumes(&komi_kind, &config->run, result_path, context, error);
}

static void other_documents_are_refused(void **unused) {
    (void)unused;
    const KomiConfig config = small_config();
    Error error;
    DocumentContext context = {.seconds = -1};
    assert_true(resume(&config, &context, &error)); /* none there */
    Run *run = open_komi(&config);
    context = document_context();
    context.seconds = 12.5;
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    DocumentContext read = {.seconds = 0};
    assert_true(resume(&config, &read, &error));
    assert_true(read.seconds == 12.5);
    assert_string_equal(read.started, context.started);
    KomiConfig other = config;
    other.run.seed = 4;
    assert_false(resume(&other, &read, &error));
    assert_non_null(strstr(error.text, "'seed'"));
    static const struct {
        const char *text, *word;
    } cases[] = {{"{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 2}}", "version 2, expected 1"},
                 {"{\"schema\": {\"name\": \"other\"}}", "not a result of a komi run"},
                 {"{\"schema\": {\"name\": \"stigmergy-komi\", \"version\": 1}}", "missing"},
                 {"[1, 2]", "not a result"},
                 {"{", "JSON"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_text(result_path, cases[i].text);
        assert_false(resume(&config, &read, &error));
        if (!strstr(error.text, cases[i].word))
            fail_msg("'%s' is not in: %s", cases[i].word, error.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(rungs_can_be_added, drop_files),
        cmocka_unit_test(networks_do_not_repeat_their_games),
        cmocka_unit_test_teardown(narrow_interval_ends_a_rung, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(doubled_records_count_once, drop_files),
        cmocka_unit_test_teardown(damaged_last_line_is_played_again, drop_files),
        cmocka_unit_test_teardown(second_process_is_locked_out, drop_files),
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(margins_lose_komi_and_button, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
