/* Runs of openings: which first moves are one; the same games whatever interrupts a run; what equal games count;
 * documents that say what the records say. */
#include "selfplay/io/exact_value.h"
#include "selfplay/io/file.h"
#include "selfplay/runs/openings/run.h"
#include "tests/support/fixtures.h"
#include "tests/support/near.h"
#include "tests/support/run_play.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- Runs ---- */

static OpeningsConfig small_config(const char *game) {
    OpeningsConfig config = openings_config_default(3);
    strcpy(config.run.game, game);
    config.effort.simulations = 5;
    make_small(&config.run, 60, &config.player);
    return config;
}

static Run *open_openings(const OpeningsConfig *config) {
    return open_run(&openings_kind, &config->run, records_path);
}

static void play(const OpeningsConfig *config, int *played) {
    assert_int_equal(play_run(&openings_kind, &config->run, records_path, 2, 0, played), RUN_DONE);
}

static void classes_are_orbits(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        int size, komi, classes, moves;
    } cases[] = {{"bug", 3, 0, 4, 19},        {"bug", 4, 0, 6, 37},       {"sgolte", 5, 0, 9, 61},
                 {"stigmergy", 3, 0, 4, 19},  {"stigmergy", 3, 1, 5, 20}, {"stigmergy", 2, -2, 2, 7},
                 {"stigmergy", 8, 0, 20, 169}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        OpeningsConfig config = small_config(cases[k].game);
        config.run.size = cases[k].size;
        config.komi = cases[k].komi;
        Run *run = open_openings(&config);
        const OpeningsState *state = openings_state(run);
        int moves = 0;
        for (int i = 0; i < state->count; i++) {
            moves += state->classes[i].count;
            for (int m = 1; m < state->classes[i].count; m++)
                assert_true(state->classes[i].action[m] > state->classes[i].action[m - 1]);
        }
        assert_int_equal(state->count, cases[k].classes);
        assert_int_equal(moves, cases[k].moves);
        run_free(run);
        drop_files(NULL);
    }
}

static void nothing_changes_the_games(void **unused) {
    (void)unused;
    static const char *const games[] = {"bug", "sgolte", "stigmergy"};
    for (int g = 0; g < 3; g++) {
        const OpeningsConfig config = small_config(games[g]);
        expect_same_records(&openings_kind, &config.run, records_path, 60, 30, 30);
        drop_files(NULL);
    }
}

static void a_sure_run_ends(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("stigmergy");
    config.run.size = 3; /* weak players win and lose after each first move */
    config.run.games = 100000;
    config.until_probability = 0.6;
    int played;
    play(&config, &played);
    assert_in_range(played, 20, 90000);
}

/* ---- Equal games ---- */

/* The standings of a run of 60 games on hexhex-2, where games repeat each other; to be freed. */
static OpeningsStanding *small_standings(OpeningsConfig config, int *count) {
    config.run.size = 2;
    play(&config, NULL);
    Error error;
    Run *run = open_openings(&config);
    OpeningsStanding *standings = openings_standings(run, &error);
    assert_non_null(standings);
    *count = openings_state(run)->count;
    run_free(run);
    return standings;
}

/* Games of a player with chance are independent draws, also equal ones: all count. */
static void equal_games_by_chance_count(void **unused) {
    (void)unused;
    int count, games = 0, distinct = 0;
    OpeningsStanding *standings = small_standings(small_config("stigmergy"), &count);
    for (int i = 0; i < count; i++) {
        const Interval all = wilson_interval(standings[i].wins, standings[i].games);
        const Interval interval = openings_interval(&standings[i]);
        assert_true(standings[i].effective_games == standings[i].games);
        assert_true(near(interval.low, all.low, 1e-12) && near(interval.high, all.high, 1e-12));
        games += standings[i].games;
        distinct += standings[i].distinct.games;
    }
    assert_true(games == 60 && distinct < games);
    free(standings);
}

/* A network that does not draw its moves plays one game after each first move: it is one draw. */
static void equal_games_without_chance_are_one(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("stigmergy");
    int count;
    config.player = player_default();
    config.player.draw = 0;
    config.player.memory_mb = 1;
    OpeningsStanding *standings = small_standings(config, &count);
    FairestMoveData data[GAME_LEGAL_MAX];
    double probability[GAME_LEGAL_MAX];
    Error error;
    for (int i = 0; i < count; i++) {
        assert_true(standings[i].games > 1 && standings[i].distinct.games == 1);
        assert_true(near(standings[i].effective_games, 1, 1e-12));
        data[i] = (FairestMoveData){1, standings[i].wins > 0};
        assert_int_equal(standings[i].distinct.wins, data[i].wins);
        const Interval interval = openings_interval(&standings[i]), one = wilson_interval(data[i].wins, 1);
        assert_true(near(interval.low, one.low, 1e-12) && near(interval.high, one.high, 1e-12));
    }
    assert_true(fairest_move_probabilities(data, count, probability, &error));
    for (int i = 0; i < count; i++)
        assert_true(near(standings[i].probability, probability[i], 1e-12));
    free(standings);
}

static void the_most_probable_is_the_fairest(void **unused) {
    (void)unused;
    const OpeningsConfig config = small_config("stigmergy");
    Run *run = open_openings(&config);
    const int count = openings_state(run)->count;
    for (int best = 0; best < count; best++) {
        OpeningsStanding standings[GAME_LEGAL_MAX] = {{0}};
        for (int i = 0; i < count; i++)
            standings[i].probability = i == best ? 0.5 : 0.1;
        assert_int_equal(openings_fairest(run, standings), best);
    }
    run_free(run);
}

/* ---- What does not belong together ---- */

static void expect_refused(const OpeningsConfig *config, const char *word) {
    expect_run_refused(&openings_kind, &config->run, records_path, word);
}

static void foreign_records_are_refused(void **unused) {
    (void)unused;
    const OpeningsConfig config = small_config("stigmergy");
    play(&config, NULL);
    OpeningsConfig other = config;
    other.run.seed = 2;
    expect_refused(&other, "another run");
    other = config;
    other.effort.simulations = 6;
    expect_refused(&other, "another run");
    other = config;
    other.komi = 2;
    expect_refused(&other, "another run");
    other.komi = 20;
    expect_refused(&other, "komi: 20 on hexhex-3, expected a whole number from -19 to 19");
    strcpy(other.run.game, "bug");
    expect_refused(&other, "komi: 20 on hexhex-3, expected 0, for bug has no points");
    strcpy(other.run.game, "chess");
    expect_refused(&other, "chess");
    char *text = read_text(records_path);
    drop_checksums(text);
    char *second = strchr(text, '\n') + 1; /* without the first line the second round has no first one */
    write_text(records_path, second);
    expect_refused(&config, "not complete");
    /* Two games of different openings change their numbers. */
    char *first_move = strstr(text, "\"moves\":[") + 9, *line = second;
    while (!strncmp(strstr(line, "\"moves\":[") + 9, first_move, 5))
        line = strchr(line, '\n') + 1;
    char *number = strstr(line, "\"id\":\"5-") + 8;
    assert_in_range(*number, '1', '9');
    assert_true(number[1] == '"');
    strstr(text, "\"id\":\"5-0\"")[8] = *number;
    *number = '0';
    write_text(records_path, text);
    expect_refused(&config, "does not begin as planned, expected");
    free(text);
}

/* ---- The document ---- */

static double number_at(const cJSON *json, const char *key) {
    const cJSON *item = json_get(json, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const char *text_at(const cJSON *json, const char *key) {
    const cJSON *item = json_get(json, key);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static cJSON *document_of(const OpeningsConfig *config) {
    Run *run = open_openings(config); /* from the records alone */
    cJSON *json = run_document(run);
    run_free(run);
    return json;
}

static void document_is_complete(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("stigmergy");
    config.komi = 4;
    cJSON *empty = document_of(&config);
    assert_true(cJSON_IsNull(json_get(empty, "fairest")));
    cJSON_Delete(empty);
    play(&config, NULL);
    cJSON *json = document_of(&config);
    static const char *const keys[] = {"schema",          "program",  "game",    "size",    "komi",
                                       "player",          "seed",     "started", "seconds", "games",
                                       "duplicate_share", "openings", "fairest", "exact"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(json_get(json, keys[i]));
    double games = 0, probability = 0;
    const cJSON *entry, *fairest = json_get(json, "fairest");
    cJSON_ArrayForEach(entry, json_get(json, "openings")) {
        const double n = number_at(entry, "games"), wins = number_at(entry, "first_player_wins");
        assert_true(wins <= n && number_at(entry, "distinct_games") <= n);
        assert_true(near(number_at(entry, "win_rate"), wins / n, 1e-4));
        assert_string_equal(text_at(entry, "move"), cJSON_GetArrayItem(json_get(entry, "moves"), 0)->valuestring);
        /* hexhex-3: the first move in the centre is worth 5 points, the others at most 1 */
        assert_string_equal(text_at(entry, "exact_winner"), strcmp(text_at(entry, "move"), "c3") ? "W" : "B");
        assert_true(number_at(entry, "fairest_probability") <= number_at(fairest, "probability"));
        games += n;
        probability += number_at(entry, "fairest_probability");
    }
    assert_true(games == 60 && number_at(json, "games") == 60 && near(probability, 1, 1e-3));
    assert_string_equal(text_at(json_get(json, "exact"), "winner"), "B");
    cJSON_Delete(json);
}

/* What the document says of a first move is what its games say. */
static void expect_played(const cJSON *entry, const Run *run, int number) {
    double games = 0, wins = 0, margin = 0, actions = 0;
    for (int i = 0; i < run->groups[0].planned; i++) {
        const RunGame *game = run_game(run, (GameId){0, i});
        if (game->plan != number)
            continue;
        games++;
        wins += game->margin_half_points > 0;
        margin += game->margin_half_points / 2.0;
        actions += game->actions;
    }
    assert_true(number_at(entry, "games") == games && number_at(entry, "first_player_wins") == wins);
    assert_true(near(number_at(entry, "mean_margin"), margin / games, 1e-4));
    assert_true(near(number_at(entry, "mean_actions"), actions / games, 1e-4));
}

static void document_says_what_was_played(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("stigmergy");
    config.komi = 3;
    play(&config, NULL);
    cJSON *json = document_of(&config);
    const cJSON *openings = json_get(json, "openings"), *fairest = json_get(json, "fairest"), *entry;
    Run *run = open_openings(&config);
    for (int i = 0; i < openings_state(run)->count; i++)
        expect_played(cJSON_GetArrayItem(openings, i), run, i);
    cJSON_ArrayForEach(entry, openings) {
        if (strcmp(text_at(entry, "move"), text_at(fairest, "move")) != 0)
            continue;
        assert_true(near(number_at(fairest, "win_rate"), number_at(entry, "win_rate"), 1e-12));
        assert_true(cJSON_Compare(json_get(fairest, "ci95"), json_get(entry, "ci95"), true));
        assert_true(near(number_at(fairest, "probability"), number_at(entry, "fairest_probability"), 1e-12));
    }
    run_free(run);
    cJSON_Delete(json);
}

static bool resume(const OpeningsConfig *config, DocumentContext *context, Error *error) {
    return resumes(&openings_kind, &config->run, result_path, context, error);
}

static void other_documents_are_refused(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("bug");
    Error error;
    DocumentContext context = document_context(), read;
    context.seconds = 12.5;
    Run *run = open_openings(&config);
    assert_true(run_write(run, &context, result_path, &error));
    run_free(run);
    assert_true(resume(&config, &read, &error));
    assert_true(read.seconds == 12.5);
    config.run.seed = 3;
    assert_false(resume(&config, &read, &error));
    assert_non_null(strstr(error.text, "'seed'"));
    write_text(result_path, "{\"schema\": {\"name\": \"other\"}}");
    assert_false(resume(&config, &read, &error));
    assert_non_null(strstr(error.text, "not a result of a run of openings"));
}

/* ---- Exact values ---- */

static void exact_winners_are_known(void **unused) {
    (void)unused;
    Side winner = WHITE;
    Error error;
    cJSON *json;
    assert_true(exact_document("stigmergy", 3, 0, &json, &error));
    assert_true(exact_winner(json, NULL, 4, &winner) && winner == BLACK);
    assert_true(exact_winner(json, NULL, 5, &winner) && winner == WHITE);
    assert_true(exact_winner(json, "c3", 4, &winner) && winner == BLACK);
    assert_true(exact_winner(json, "e1", -2, &winner) && winner == BLACK);
    assert_true(exact_winner(json, "e1", 0, &winner) && winner == WHITE);
    assert_false(exact_winner(json, "z9", 0, &winner));
    cJSON_Delete(json);
    assert_false(exact_winner(NULL, NULL, 0, &winner));
    static const char *const games[] = {"bug", "sgolte"};
    for (int i = 0; i < 2; i++)
        for (int size = 2; size <= 3; size++) {
            assert_true(exact_document(games[i], size, 0, &json, &error));
            assert_true(exact_winner(json, NULL, 0, &winner));
            cJSON_Delete(json);
        }
    assert_true(exact_document("bug", 7, 0, &json, &error));
    assert_null(json);
}

/* What is proved is of the usual rules. */
static void variants_have_no_exact_winner(void **unused) {
    (void)unused;
    OpeningsConfig config = small_config("sgolte");
    for (int line = 0; line <= 1; line++) {
        config.run.capture = line ? GAME_CAPTURE_LINE : GAME_CAPTURE_DEFAULT;
        cJSON *json = document_of(&config);
        assert_int_equal(cJSON_HasObjectItem(json, "exact"), !line);
        cJSON_Delete(json);
        drop_files(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(classes_are_orbits, drop_files),
        cmocka_unit_test_teardown(nothing_changes_the_games, drop_files),
        cmocka_unit_test_teardown(a_sure_run_ends, drop_files),
        cmocka_unit_test_teardown(equal_games_by_chance_count, drop_files),
        cmocka_unit_test_teardown(equal_games_without_chance_are_one, drop_files),
        cmocka_unit_test_teardown(the_most_probable_is_the_fairest, drop_files),
        cmocka_unit_test_teardown(foreign_records_are_refused, drop_files),
        cmocka_unit_test_teardown(document_is_complete, drop_files),
        cmocka_unit_test_teardown(document_says_what_was_played, drop_files),
        cmocka_unit_test_teardown(other_documents_are_refused, drop_files),
        cmocka_unit_test(exact_winners_are_known),
        cmocka_unit_test_teardown(variants_have_no_exact_winner, drop_files),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
