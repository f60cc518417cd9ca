/* What a query is taken for: its positions and the limits of their searches. */
#include "selfplay/analysis/query_internal.h"
#include "tests/support/playout_player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* All cells are Black's: both may pass. */
#define FILLED                                                                                                         \
    ", \"size\": 2, \"initialStones\": [[\"B\", \"a1\"], [\"B\", \"a2\"], [\"B\", \"b2\"], [\"B\", \"c1\"], [\"B\", "  \
    "\"c2\"]]"
static const char finished[] = FILLED ", \"moves\": [\"pass\", \"pass\"]";
static Analysis *analysis;
static QueryDefaults defaults;

static int open_engine(void **state) {
    (void)state;
    Error error;
    defaults = (QueryDefaults){.game = {.size = 3}, .player = playout_player(), .seed = 1};
    defaults.player.simulations = 50;
    defaults.player.memory_mb = 1;
    analysis = analysis_new(&(AnalysisOptions){.workers = 1, .threads = 1}, &error);
    return analysis ? 0 : -1;
}

static int close_engine(void **state) {
    (void)state;
    analysis_free(analysis);
    return 0;
}

/* Reads a query with these keys; NULL with the error and the key that is wrong. */
static AnalysisQuery *read_query(const char *keys, char key[QUERY_KEY_MAX], Error *error) {
    char text[512];
    snprintf(text, sizeof text, "{\"id\": \"a\"%s}", keys);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    AnalysisQuery *query = query_read(json, analysis, &defaults, key, error);
    cJSON_Delete(json);
    return query;
}

/* The seconds that the query with these keys may take for its search, 0 for any number. */
static double seconds_of(const char *keys) {
    char key[QUERY_KEY_MAX];
    Error error;
    AnalysisQuery *query = read_query(keys, key, &error);
    if (!query)
        fail_msg("%s: %s", keys, error.text);
    const double seconds = query->task.seconds;
    assert_int_equal(query->task.simulations, seconds > 0 ? 0 : 50);
    query_free(query);
    return seconds;
}

static void see_error(const char *keys, const char *wrong_key, const char *part) {
    char key[QUERY_KEY_MAX];
    Error error;
    assert_null(read_query(keys, key, &error));
    if (strcmp(key, wrong_key) || !strstr(error.text, part))
        fail_msg("%s: %s (%s)", keys, error.text, key);
}

/* A period without a number of moves is for one move. */
static void test_periods(void **state) {
    (void)state;
    const double one = seconds_of(", \"clock\": {\"timeLeft\": 0, \"periodTime\": 10}");
    assert_true(one > 8 && one < 10);
    assert_float_equal(seconds_of(", \"clock\": {\"timeLeft\": 0, \"periodTime\": 10, \"periodMoves\": 1}"), one, 1e-9);
    assert_true(seconds_of(", \"clock\": {\"timeLeft\": 0, \"periodTime\": 10, \"periodMoves\": 2}") < 5);
    assert_true(seconds_of(", \"clock\": {\"timeLeft\": 2, \"increment\": 10, \"periodMoves\": 1}") <
                2); /* no period */
    see_error(", \"clock\": {\"timeLeft\": 0, \"periodTime\": 10, \"periodMoves\": 0}", "clock", "from 1");
}

/* What each turn gets anew counts once for all its actions. */
static void test_turn_that_has_begun(void **state) {
    (void)state;
    const double first = seconds_of(", \"clock\": {\"timeLeft\": 60, \"increment\": 10}");
    assert_float_equal(seconds_of(", \"clock\": {\"timeLeft\": 60, \"increment\": 10, \"spent\": 0}"), first, 1e-9);
    assert_true(seconds_of(", \"clock\": {\"timeLeft\": 48, \"increment\": 10, \"spent\": 12}") < first - 8);
    const double late = seconds_of(", \"clock\": {\"timeLeft\": 3, \"movesLeft\": 1, \"spent\": 7}");
    assert_true(late > 2 && late < 3);
    see_error(", \"clock\": {\"timeLeft\": 1, \"spent\": -1}", "clock", "from 0");
}

/* A clock is that of the position which is searched, and a game that is over needs no time. */
static void test_position_of_clock(void **state) {
    (void)state;
    char keys[400];
    const double begin = seconds_of(", \"size\": 8, \"clock\": {\"timeLeft\": 90}");
    const double middle = seconds_of(", \"size\": 8, \"moves\": [\"h8\"], \"analyzeTurns\": [0], \"clock\": "
                                     "{\"timeLeft\": 90}");
    assert_float_equal(middle, begin, 1e-9);
    snprintf(keys, sizeof keys, "%s, \"clock\": {\"timeLeft\": 90}", finished);
    assert_true(seconds_of(keys) == 0);
    snprintf(keys, sizeof keys, "%s, \"analyzeTurns\": [0], \"clock\": {\"timeLeft\": 90}", finished);
    assert_true(seconds_of(keys) > 1);
    see_error(", \"moves\": [\"c3\"], \"analyzeTurns\": [0, 1], \"clock\": {\"timeLeft\": 90}", "clock",
              "one turn in 'analyzeTurns'");
}

/* A turn that is complete belongs to the moves, or its position would be taken for the one before it. */
static void test_partial_turn(void **state) {
    (void)state;
    static const char wrong[] = "the turn is complete, expected it as the last of 'moves'";
    see_error(", \"partialTurn\": [\"c3\"]", "partialTurn", wrong);
    see_error(", \"game\": \"bug\", \"moves\": [\"c3\"], \"partialTurn\": [\"a1\"]", "partialTurn", wrong);
    see_error(FILLED ", \"moves\": [\"pass\"], \"partialTurn\": [\"pass\"]", "partialTurn", wrong);
    assert_true(seconds_of(", \"partialTurn\": []") == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_turn_that_has_begun),
        cmocka_unit_test(test_position_of_clock),
        cmocka_unit_test(test_partial_turn),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
