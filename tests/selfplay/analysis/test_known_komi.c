/* What is known of the fair komi of a board: proved values, and published results that are those of selfplay/results.
 *
 *     test_known_komi RESULTS     that folder */
#include "engine/games/registry.h"
#include "selfplay/analysis/known_komi.h"
#include "selfplay/analysis/komi_offer.h"
#include "selfplay/io/json.h"
#include "tests/support/fixtures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *results;

static Game *board(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

static double chance_at(const Game *game, int komi) {
    double chance;
    bool known;
    Error error;
    assert_true(known_chance(game, komi, &chance, &known, &error) && known);
    return chance;
}

/* Black wins up to this komi, White from the next one. */
static void test_solved(void **state) {
    (void)state;
    static const int last[] = {6, 4};
    for (int size = 2; size <= 3; size++) {
        Game *game = board("stigmergy", size);
        int komi;
        bool known;
        Error error;
        assert_true(known_komi(game, &komi, &known, &error) && known);
        assert_int_equal(komi, last[size - 2]);
        for (int k = -game->board.cells; k <= game->board.cells; k++)
            assert_true(chance_at(game, k) == (k <= komi));
        game_free(game);
    }
}

static void test_unknown(void **state) {
    (void)state;
    Game *game = board("bug", 4);
    int komi;
    double chance;
    bool known;
    Error error;
    assert_true(known_komi(game, &komi, &known, &error) && !known);
    assert_true(known_chance(game, 3, &chance, &known, &error) && !known);
    game_free(game);
}

/* Writes the proved value of hexhex-2 with one parity of komi; "-button" is the odd one. */
static void prove(const char *parity, int value) {
    char file[FIXTURE_PATH_MAX], name[64], text[80];
    snprintf(name, sizeof name, "exact/stigmergy-2%s.json", parity);
    snprintf(text, sizeof text, "{\"moves\": \"\", \"proved\": true, \"value\": %d}", value);
    in_folder(file, name);
    write_text(file, text);
}

static void unprove(const char *parity) {
    char file[FIXTURE_PATH_MAX], name[64];
    snprintf(name, sizeof name, "exact/stigmergy-2%s.json", parity);
    in_folder(file, name);
    assert_int_equal(unlink(file), 0);
}

/* Where one parity is proved, the other one is not: what the highest komi is at which Black wins stays unknown. */
static void test_half_solved(void **state) {
    (void)state;
    Game *game = board("stigmergy", 2);
    char data[FIXTURE_PATH_MAX];
    in_folder(data, "exact");
    assert_int_equal(mkdir(data, 0755), 0);
    assert_int_equal(setenv("STIGMERGY_DATA", folder, 1), 0);
    for (int i = 0; i < 3; i++) {
        int komi;
        bool known;
        Error error;
        if (i != 0)
            prove("", 3);
        if (i != 1)
            prove("-button", 2);
        assert_true(known_komi(game, &komi, &known, &error));
        assert_int_equal(known, i == 2);
        assert_true(!known || komi == 2);
        if (i == 0)
            unprove("-button");
    }
    unprove("");
    unprove("-button");
    assert_int_equal(rmdir(data), 0);
    assert_int_equal(unsetenv("STIGMERGY_DATA"), 0);
    game_free(game);
}

/* Where a search must tell and none can be made, the reason is named. */
static void test_no_search(void **state) {
    (void)state;
    Game *game = board("stigmergy", 2);
    const Player unsettled = player_default();
    Error error;
    Analysis *analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    const KomiOffer offer = {.analysis = analysis, .game = game, .player = &unsettled};
    int komi;
    double chance;
    Side side;
    assert_int_equal(setenv("STIGMERGY_DATA", folder, 1), 0);
    assert_named(komi_offer_name(&offer, &komi, &chance, &error), &error, "is not settled");
    assert_named(komi_offer_choose(&offer, 3, &side, &chance, &error), &error, "is not settled");
    assert_int_equal(unsetenv("STIGMERGY_DATA"), 0);
    analysis_free(analysis);
    game_free(game);
}

/* By the files of an odd komi, from which the search for the fair one starts on this board. */
static void expect_unreadable(const Game *game, const char *name) {
    int komi;
    double chance;
    bool known;
    Error error = {.text = ""};
    assert_named(known_komi(game, &komi, &known, &error), &error, name);
    error = (Error){.text = ""};
    assert_named(known_chance(game, game->board.cells, &chance, &known, &error), &error, name);
}

/* What is there and cannot be read is an error. What is not there is not known. */
static void test_unreadable(void **state) {
    (void)state;
    static const char *const names[] = {"exact/stigmergy-2-button.json", "fair/stigmergy-2.json"};
    Game *game = board("stigmergy", 2);
    int komi;
    bool known;
    Error error;
    assert_int_equal(setenv("STIGMERGY_DATA", folder, 1), 0);
    assert_true(known_komi(game, &komi, &known, &error) && !known);
    for (int i = 0; i < 2; i++) {
        char data[FIXTURE_PATH_MAX], file[FIXTURE_PATH_MAX];
        in_folder(data, i == 0 ? "exact" : "fair");
        in_folder(file, names[i]);
        assert_int_equal(mkdir(data, 0755), 0);
        assert_true(known_komi(game, &komi, &known, &error) && !known);
        write_text(file, "{\"moves\": \"\", \"val");
        expect_unreadable(game, names[i]);
        assert_int_equal(unlink(file), 0);
        assert_int_equal(symlink(strrchr(file, '/') + 1, file), 0); /* a link to itself */
        expect_unreadable(game, names[i]);
        assert_int_equal(unlink(file), 0);
        assert_int_equal(rmdir(data), 0);
    }
    assert_int_equal(unsetenv("STIGMERGY_DATA"), 0);
    game_free(game);
}

static cJSON *read_published(int size) {
    char path[FILE_PATH_MAX];
    Error error;
    snprintf(path, sizeof path, "%s/hexhex-%d.json", results, size);
    cJSON *json = json_load(path, &error);
    if (!json)
        fail_msg("%s", error.text);
    return json;
}

/* The part `fair_komi` of the rung of a document that the published result is of. */
static const cJSON *fair_komi_of(const cJSON *document, const cJSON *known) {
    const cJSON *rung, *wanted = cJSON_GetObjectItem(known, "simulations");
    cJSON_ArrayForEach(rung, cJSON_GetObjectItem(document, "ladder")) {
        if (cJSON_Compare(cJSON_GetObjectItem(rung, "simulations"), wanted, true))
            return cJSON_GetObjectItem(rung, "fair_komi");
    }
    return NULL;
}

/* The curves that are fitted to the games cross one half at the fair komi, and the whole komi that is named is near. */
static void check_published(int size) {
    Game *game = board("stigmergy", size);
    cJSON *json = read_published(size);
    char name[32], path[FILE_PATH_MAX];
    Error error;
    int komi;
    snprintf(name, sizeof name, "stigmergy-%d", size);
    cJSON *known = json_load_config("fair", name, path, &error);
    if (!known)
        fail_msg("%s", error.text);
    const cJSON *fair = fair_komi_of(json, known);
    assert_true(cJSON_Compare(cJSON_GetObjectItem(known, "fair_komi"), fair, true)); /* else: publish.py */
    const double estimate = cJSON_GetObjectItem(cJSON_GetObjectItem(fair, "combined"), "estimate")->valuedouble;
    bool is_known;
    assert_true(known_komi(game, &komi, &is_known, &error) && is_known);
    assert_int_equal(komi, cJSON_GetObjectItem(fair, "recommended")->valueint);
    assert_true(fabs(komi - estimate) <= 1.5);
    const double rate = cJSON_GetObjectItem(fair, "win_rate_at_recommended")->valuedouble;
    assert_true(fabs(chance_at(game, komi) - rate) < 1e-9);
    const int distance = size < 10 ? 6 : 10; /* on hexhex-10 a point decides little yet */
    assert_true(chance_at(game, (int)ceil(estimate) - distance) > 0.6);
    assert_true(chance_at(game, (int)floor(estimate) + distance) < 0.4);
    for (int k = 2 - game->board.cells; k <= game->board.cells; k++)
        assert_true(chance_at(game, k) <= chance_at(game, k - 2));
    cJSON_Delete(known);
    cJSON_Delete(json);
    game_free(game);
}

static void test_published(void **state) {
    (void)state;
    for (int size = 4; size <= 10; size++)
        check_published(size);
}

static void in_fair(char file[FIXTURE_PATH_MAX], int size) {
    char name[64];
    snprintf(name, sizeof name, "fair/stigmergy-%d.json", size);
    in_folder(file, name);
}

/* A published result with this fair komi, and curves that cross one half there. */
static void publish(int size, int komi) {
    char file[FIXTURE_PATH_MAX], text[400], curve[120];
    snprintf(curve, sizeof curve, "{\"location\": %d, \"slope\": 0.5, \"lapse_low\": 0, \"lapse_high\": 0}", komi);
    snprintf(text, sizeof text,
             "{\"fair_komi\": {\"recommended\": %d, \"model\": {\"even\": %s, \"odd_with_button\": %s}}}", komi, curve,
             curve);
    in_fair(file, size);
    write_text(file, text);
}

static void withdraw(int size) {
    char file[FIXTURE_PATH_MAX];
    in_fair(file, size);
    assert_int_equal(unlink(file), 0);
}

/* Without a result of its own, a board has the komi of the line through those of smaller boards: two at least. */
static void test_extrapolated(void **state) {
    (void)state;
    static const int published[] = {5, 6, 9, 10}; /* hexhex-4 to -7 */
    static const int expected[] = {0, 7, 11, 12};
    char data[FIXTURE_PATH_MAX];
    in_folder(data, "fair");
    assert_int_equal(mkdir(data, 0755), 0);
    assert_int_equal(setenv("STIGMERGY_DATA", folder, 1), 0);
    for (int i = 0; i < 4; i++) {
        publish(4 + i, published[i]);
        Game *game = board("stigmergy", 5 + i);
        int komi;
        bool known;
        Error error;
        assert_true(known_komi(game, &komi, &known, &error));
        assert_int_equal(known, i > 0);
        assert_true(!known || (komi == expected[i] && fabs(chance_at(game, komi) - 0.5) < 1e-9));
        assert_true(!known || (chance_at(game, komi - 1) > 0.55 && chance_at(game, komi + 1) < 0.45));
        game_free(game);
    }
    for (int i = 0; i < 4; i++)
        withdraw(4 + i);
    assert_int_equal(rmdir(data), 0);
    assert_int_equal(unsetenv("STIGMERGY_DATA"), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solved),      cmocka_unit_test(test_unknown),
                                       cmocka_unit_test(test_unreadable),  cmocka_unit_test(test_half_solved),
                                       cmocka_unit_test(test_no_search),   cmocka_unit_test(test_published),
                                       cmocka_unit_test(test_extrapolated)};
    if (argc != 2)
        return 2;
    results = argv[1];
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
