/* See run_play.h. */
#include "tests/support/run_play.h"

#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

void make_small(RunConfig *config, int games, Player *player) {
    config->games = games;
    config->first_round = 20;
    use_playouts(player);
    player->memory_mb = 1;
}

Run *make_run(const RunKind *kind, const RunConfig *config, ShardSpec shard) {
    Error error;
    Run *run = run_new(kind, config, shard, &error);
    if (!run)
        fail_msg("%s", error.text);
    return run;
}

bool lock_and_open(Run *run, const char *path, Error *error) {
    return run_lock(run, path, error) && run_open(run, error);
}

Run *open_run(const RunKind *kind, const RunConfig *config, const char *path) {
    Error error;
    Run *run = make_run(kind, config, (ShardSpec){0, 0});
    if (!lock_and_open(run, path, &error))
        fail_msg("%s", error.text);
    return run;
}

/* Ends a session after some games. */
typedef struct Stopper {
    StopFlag stop;
    int after, games;
} Stopper;

static bool count_games(void *user, const RunProgress *now, Error *error) {
    Stopper *stopper = user;
    (void)error;
    if (now->record && ++stopper->games == stopper->after)
        stop_flag_set(&stopper->stop);
    return true;
}

RunEnd play_open_run(Run *run, int threads, int stop_after, int *played) {
    Error error;
    Stopper stopper = {.after = stop_after};
    const RunSession session = {.threads = threads, .progress = count_games, .user = &stopper};
    run->stop = &stopper.stop;
    const RunEnd end = run_play(run, &session, &error);
    run->stop = NULL;
    if (end == RUN_FAILED)
        fail_msg("%s", error.text);
    if (played)
        *played = stopper.games;
    return end;
}

RunEnd play_run(const RunKind *kind, const RunConfig *config, const char *path, int threads, int stop_after,
                int *played) {
    Error error;
    Run *run = open_run(kind, config, path);
    const RunEnd end = play_open_run(run, threads, stop_after, played);
    if (!run_sort_records(run, &error))
        fail_msg("%s", error.text);
    run_free(run);
    return end;
}

void expect_run_refused(const RunKind *kind, const RunConfig *config, const char *path, const char *word) {
    Error error = {.text = ""};
    Run *run = run_new(kind, config, (ShardSpec){0, 0}, &error);
    assert_false(run && lock_and_open(run, path, &error));
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    run_free(run);
}

bool resumes(const RunKind *kind, const RunConfig *config, const char *path, DocumentContext *context, Error *error) {
    Run *run = make_run(kind, config, (ShardSpec){0, 0});
    const bool good = run_resume(run, path, context, error);
    run_free(run);
    return good;
}

cJSON *run_document(const Run *run) {
    const DocumentContext context = document_context();
    Error error = {.text = ""};
    cJSON *json = run->kind->document(run, &context, &error);
    if (!json)
        fail_msg("%s", error.text);
    return json;
}

char *comparable_document(const char *path) {
    static const char *const left_out[] = {"started", "seconds", "machine", "timing"};
    char *text = read_text(path);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        cJSON_DeleteItemFromObject(json, left_out[i]);
    free(text);
    text = cJSON_Print(json);
    cJSON_Delete(json);
    return text;
}

/* ---- The same records ---- */

static void expect_records(const char *path, const char *expected) {
    char *text = read_text(path);
    assert_string_equal(expected, text);
    free(text);
}

/* A crash in the middle of a write: the last record loses its end. */
static void tear(const char *path) {
    char *text = read_text(path);
    text[strlen(text) - 40] = '\0';
    write_text(path, text);
    free(text);
}

/* Plays to the end in short sessions; returns how many games are left of those played. */
static int play_in_pieces(const RunKind *kind, const RunConfig *config, const char *path) {
    int games = 0, played;
    RunEnd end = RUN_STOPPED;
    for (int session = 1; end != RUN_DONE && session < 100; session++) {
        end = play_run(kind, config, path, 2, 6, &played);
        games += played;
        if (session % 3 == 0 && end != RUN_DONE) {
            tear(path);
            games--;
        }
    }
    assert_int_equal(end, RUN_DONE);
    return games;
}

void expect_same_records(const RunKind *kind, const RunConfig *config, const char *path, int games, int64_t fewer,
                         int fewer_played) {
    int played;
    assert_int_equal(play_run(kind, config, path, 1, 0, &played), RUN_DONE);
    assert_int_equal(played, games);
    char *whole = read_text(path);

    unlink(path);
    assert_int_equal(play_run(kind, config, path, 3, 0, NULL), RUN_DONE);
    expect_records(path, whole);

    unlink(path);
    assert_int_equal(play_in_pieces(kind, config, path), games);
    expect_records(path, whole);
    assert_int_equal(play_run(kind, config, path, 2, 0, &played), RUN_DONE);
    assert_int_equal(played, 0);

    unlink(path);
    RunConfig *shorter = malloc(config->kind->size);
    memcpy(shorter, config, config->kind->size);
    shorter->games = fewer;
    play_run(kind, shorter, path, 2, 0, &played);
    assert_int_equal(played, fewer_played);
    play_run(kind, config, path, 2, 0, &played);
    assert_int_equal(played, games - fewer_played);
    expect_records(path, whole);
    free(shorter);
    free(whole);
}
