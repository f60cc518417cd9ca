/* Power is lost at any moment while a data set is made (tests/support/power_loss.h), of games that are played or of
 * those of other folders: games in the open file, packed games, arrays, manifest. Each state that a cut may leave goes
 * on, has every game that was reported as finished, and ends with the set of the undisturbed run. */
#include "selfplay/dataset/dataset.h"
#include "selfplay/dataset/manifest.h"
#include "selfplay/runs/generate/session.h"
#include "selfplay/runs/generate/sources.h"
#include "tests/support/fixtures.h"
#include "tests/support/playout_player.h"
#include "tests/support/power_loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GAMES_MAX = 8, SOURCES_MAX = 2 };

static const DocumentContext fixed_context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};

/* The undisturbed run. */
typedef struct Whole {
    SelfplayConfig config;
    char set[FIXTURE_PATH_MAX], manifest[FIXTURE_PATH_MAX];
    char *end;                   /* the manifest, which has the hashes of all files */
    int64_t reported[GAMES_MAX]; /* the games in the order in which they were reported */
    int count;
    char sources[SOURCES_MAX][FIXTURE_PATH_MAX]; /* folders with the records of all games; of none: they are played */
    const char *paths[SOURCES_MAX];              /* the same */
    int source_count;
} Whole;

static SelfplaySources sources_of(const Whole *whole) {
    return (SelfplaySources){whole->paths, whole->source_count};
}

static void set_up(Whole *whole, int games) {
    Error error;
    SelfplayConfig *config = &whole->config;
    *config = selfplay_config_default();
    config->sizes[0] = (SelfplaySize){.size = 2, .weight = 1, .auto_komi = true};
    config->size_count = 1;
    use_playouts(&config->player);
    config->player.simulations = 4;
    config->player.memory_mb = 1;
    config->opening_turns[1] = 1;
    config->referee_simulations = 2;
    config->run.games = games;
    config->rows = 20;
    if (!run_config_check(&config->run, &error))
        fail_msg("%s", error.text);
    in_folder(whole->set, "set");
    in_folder(whole->manifest, "set/manifest.json");
}

static bool report(void *user, const RunProgress *now, Error *error) {
    Whole *whole = user;
    (void)error;
    if (!now->record)
        return true;
    assert_true(whole->count < GAMES_MAX);
    whole->reported[whole->count++] = selfplay_game_number(now->record->id);
    power_loss_promise(whole->count);
    return true;
}

/* Plays the games that are missing, or takes them over. */
static bool fill_store(const Whole *whole, Run *run, const RunSession *session, Error *error) {
    const SelfplaySources sources = sources_of(whole);
    return whole->source_count > 0 ? selfplay_sources_take(&sources, run, NULL, error)
                                   : run_play(run, session, error) == RUN_DONE;
}

static bool check_sources(const Whole *whole, Run *run, Error *error) {
    const SelfplaySources sources = sources_of(whole);
    return whole->source_count == 0 || selfplay_sources_check(&sources, run, NULL, error);
}

/* Builds the set, if it is not there. */
static bool make_set(const Whole *whole, Run *run, SelfplayDocument *document, const RunSession *session,
                     Error *error) {
    Dataset dataset = {.folder = whole->set, .boards = &selfplay_state(run)->boards, .document = document};
    GameStore *store = &selfplay_state(run)->store;
    Error damage;
    bool complete;
    if (!dataset_resume(whole->set, document, store->played, &complete, &damage, error))
        return false;
    assert_string_equal(damage.text, "");
    if (store->played >= selfplay_run_wanted(run) && complete)
        return game_store_finish(store, error);
    const bool good = check_sources(whole, run, error) && dataset_invalidate(whole->set, error) &&
                      selfplay_document_write(whole->set, document, error) && fill_store(whole, run, session, error) &&
                      game_store_finish(store, error) && selfplay_document_write(whole->set, document, error) &&
                      dataset_build(&dataset, error);
    for (int i = 0; good && i < DATASET_TEXTS; i++)
        assert_string_equal(dataset.kept[i].text, "");
    dataset_free(&dataset);
    return good;
}

/* A session as the command has it (tools/cli/dataset_session.c). The first `promised` games must be there. */
static void play_session(const Whole *whole, const RunSession *session, int promised, const char *when) {
    static SelfplayDocument document;
    SelfplaySession of_run;
    Error error;
    document = (SelfplayDocument){.config = whole->config, .context = fixed_context, .command = "a test"};
    if (!selfplay_session_open(&of_run, whole->set, &document, &error))
        fail_msg("%s: %s", when, error.text);
    assert_string_equal(of_run.aside.text, "");
    Run *run = of_run.run;
    for (int i = 0; i < promised && i < whole->count; i++)
        if (!game_store_has(&selfplay_state(run)->store, whole->reported[i]))
            fail_msg("%s: game %d was reported as finished and is lost", when, (int)whole->reported[i]);
    if (!make_set(whole, run, &document, session, &error) || !run_close(run, &error))
        fail_msg("%s: %s", when, error.text);
    run_free(run);
}

static void expect_end(const Whole *whole, const char *when) {
    static SelfplayDocument document;
    SelfplayBoards boards;
    Dataset dataset;
    Error error;
    if (!dataset_check(&dataset, whole->set, &boards, &document, &error))
        fail_msg("%s: %s", when, error.text);
    dataset_free(&dataset);
    selfplay_boards_close(&boards);
    char *manifest = read_text(whole->manifest);
    if (strcmp(manifest, whole->end) != 0)
        fail_msg("%s: the end is\n%s\nexpected\n%s", when, manifest, whole->end);
    free(manifest);
}

static void go_on(void *user, const PowerLoss *state) {
    const Whole *whole = user;
    if (state->promise > whole->count)
        expect_end(whole, state->text);
    play_session(whole, &(RunSession){.threads = 1}, state->promise, state->text);
    expect_end(whole, state->text);
}

static void expect_to_go_on(Whole *whole) {
    const RunSession session = {.threads = 1, .progress = report, .user = whole};
    power_loss_begin();
    play_session(whole, &session, 0, "undisturbed");
    power_loss_promise(whole->count + 1); /* the end */
    power_loss_end();
    whole->end = read_text(whole->manifest);
    expect_end(whole, "undisturbed");
    assert_true(power_loss_each(go_on, whole) > 10 * whole->count);
    free(whole->end);
}

static void sets_go_on_from_every_cut(void **unused) {
    (void)unused;
    Whole whole = {.count = 0};
    set_up(&whole, 3);
    expect_to_go_on(&whole);
}

/* A whole set gets more games: its manifest goes, its packed games and its last arrays are replaced. */
static void extended_sets_go_on_from_every_cut(void **unused) {
    (void)unused;
    Whole whole = {.count = 0};
    set_up(&whole, 1);
    play_session(&whole, &(RunSession){.threads = 1}, 0, "before");
    whole.config.run.games = 2;
    expect_to_go_on(&whole);
}

/* Plays the games of a shard in a folder of its own, from which they are to be taken over. */
static void add_source(Whole *whole, const char *name, ShardSpec shard) {
    Error error;
    char *path = whole->sources[whole->source_count];
    whole->paths[whole->source_count++] = path;
    in_folder(path, name);
    Run *run = run_new(&selfplay_kind, &whole->config.run, shard, &error);
    if (!run || !selfplay_run_open(run, path, &error) ||
        run_play(run, &(RunSession){.threads = 1}, &error) != RUN_DONE ||
        !game_store_finish(&selfplay_state(run)->store, &error) || !run_close(run, &error))
        fail_msg("%s", error.text);
    run_free(run);
}

/* A set of the records of another one. */
static void sets_of_records_go_on_from_every_cut(void **unused) {
    (void)unused;
    Whole whole = {.count = 0};
    set_up(&whole, 4);
    add_source(&whole, "old", (ShardSpec){0, 0});
    expect_to_go_on(&whole);
}

/* A set of shards, which is there in part. */
static void merged_sets_go_on_from_every_cut(void **unused) {
    (void)unused;
    Whole whole = {.count = 0};
    set_up(&whole, 1);
    play_session(&whole, &(RunSession){.threads = 1}, 0, "before");
    whole.config.run.games = 6;
    add_source(&whole, "shard-0", (ShardSpec){0, 2});
    add_source(&whole, "shard-1", (ShardSpec){1, 2});
    expect_to_go_on(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_go_on_from_every_cut),
        cmocka_unit_test(extended_sets_go_on_from_every_cut),
        cmocka_unit_test(sets_of_records_go_on_from_every_cut),
        cmocka_unit_test(merged_sets_go_on_from_every_cut),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder_with_contents);
}
