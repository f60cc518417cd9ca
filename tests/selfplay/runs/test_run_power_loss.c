/* Power is lost at any moment of a whole run (tests/support/power_loss.h): its record file and its document, from the
 * first game to the sorted end. Each state that a cut may leave goes on, has every game that was reported as finished,
 * and ends with the files of the undisturbed run. */
#include "selfplay/runs/komi/run.h"
#include "selfplay/runs/match/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/power_loss.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { GAMES_MAX = 8 };

static const DocumentContext fixed_context = {.started = "2026-01-02T03:04:05Z", .seconds = 12.5};

/* The undisturbed run. */
typedef struct Whole {
    const RunKind *kind;
    const RunConfig *config;
    char *records, *document;
    GameId reported[GAMES_MAX]; /* the games in the order in which they were reported */
    int count;
} Whole;

static GameId id_of(const Run *run, const char *id) {
    for (int group = 0; group < run->group_count; group++) {
        const size_t length = strlen(run->groups[group].name);
        if (!strncmp(id, run->groups[group].name, length) && id[length] == '-')
            return (GameId){group, atoi(id + length + 1)};
    }
    fail_msg("game %s is of no group", id);
    return (GameId){0, 0};
}

/* Reports a game, and writes the document behind every other one and behind each round. */
static bool report(void *user, const RunProgress *now, Error *error) {
    Whole *whole = user;
    if (now->record) {
        assert_true(whole->count < GAMES_MAX);
        whole->reported[whole->count++] = id_of(now->run, now->record->id);
        power_loss_promise(whole->count);
    }
    return (now->record && whole->count % 2 == 0) || run_write(now->run, &fixed_context, result_path, error);
}

/* A session as the commands have it (tools/cli/run_session.c), on a run that is open. */
static bool play_session(Run *run, const RunSession *session, Error *error) {
    return run_write(run, &fixed_context, result_path, error) && run_play(run, session, error) == RUN_DONE &&
           run_sort_records(run, error) && run_write(run, &fixed_context, result_path, error);
}

static void play_undisturbed(Whole *whole) {
    Error error;
    const RunSession session = {.threads = 1, .progress = report, .user = whole};
    power_loss_begin();
    Run *run = open_run(whole->kind, whole->config, records_path);
    if (!play_session(run, &session, &error))
        fail_msg("%s", error.text);
    power_loss_promise(whole->count + 1); /* the end */
    run_free(run);
    power_loss_end();
    whole->records = read_text(records_path);
    whole->document = comparable_document(result_path);
}

static void expect_same(char *text, const char *expected, const PowerLoss *state) {
    if (strcmp(text, expected) != 0)
        fail_msg("%s: the end is\n%s\nexpected\n%s", state->text, text, expected);
    free(text);
}

static void expect_end(const Whole *whole, const PowerLoss *state) {
    expect_same(read_text(records_path), whole->records, state);
    expect_same(comparable_document(result_path), whole->document, state);
}

static void go_on(void *user, const PowerLoss *state) {
    const Whole *whole = user;
    const RunSession session = {.threads = 1};
    DocumentContext context = fixed_context;
    Error error;
    if (state->promise > whole->count)
        expect_end(whole, state);
    Run *run = make_run(whole->kind, whole->config, (ShardSpec){0, 0});
    if (!run_claim(run, result_path, records_path, &context, &error) || !run_open(run, &error) ||
        !run_set_aside(run, result_path, &error))
        fail_msg("%s: %s", state->text, error.text);
    for (int i = 0; i < state->promise && i < whole->count; i++)
        if (!run_game(run, whole->reported[i]))
            fail_msg("%s: game %d was reported as finished and is lost", state->text, whole->reported[i].number);
    assert_string_equal(run->damage.text, "");
    if (!play_session(run, &session, &error))
        fail_msg("%s: %s", state->text, error.text);
    run_free(run);
    expect_end(whole, state);
}

static void expect_to_go_on(const RunKind *kind, const RunConfig *config, int games) {
    Whole whole = {.kind = kind, .config = config};
    play_undisturbed(&whole);
    assert_int_equal(whole.count, games);
    assert_true(power_loss_each(go_on, &whole) > 6 * games);
    free(whole.records);
    free(whole.document);
}

/* Two rounds, one game behind the other. */
static void komi_goes_on_from_every_cut(void **unused) {
    (void)unused;
    KomiConfig config = komi_config_default(2);
    config.ladder[0] = 2;
    config.rungs = 1;
    make_small(&config.run, 7, &config.player);
    config.run.first_round = 4;
    expect_to_go_on(&komi_kind, &config.run, 7);
}

/* Three pairings in turn: in the end the record file is put in order. */
static void match_goes_on_from_every_cut(void **unused) {
    (void)unused;
    MatchConfig config = match_config_default(2);
    Error error;
    for (int i = 1; i <= 3; i++) {
        char player[100];
        snprintf(player, sizeof player,
                 "{\"name\": \"p%d\", \"simulations\": %d, \"network\": \"none\", \"memory_mb\": 1}", i, i);
        if (!match_config_add_player(&config, player, "test", &error))
            fail_msg("%s", error.text);
    }
    config.run.games = 2;
    config.openings.simulations = 2;
    if (!run_config_check(&config.run, &error))
        fail_msg("%s", error.text);
    expect_to_go_on(&match_kind, &config.run, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(komi_goes_on_from_every_cut),
        cmocka_unit_test(match_goes_on_from_every_cut),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
