/* The opening book on the board: what it says of a position, of its images and of other orders of its moves, and which
 * documents are refused. */
#include "tests/support/web_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static WebBook *book; /* of good_text, which asks are about */

#define HEAD(schema, version, game)                                                                                    \
    "{\"schema\": {\"name\": \"stigmergy-" schema "\", \"version\": " version "}, \"game\": \"" game                   \
    "\", \"size\": 3, \"books\": ["
#define PART(parity) "{\"parity\": \"" parity "\", \"nodes\": ["
#define VALUES(games, fair, low, high, exact)                                                                          \
    ", \"games\": " games ", \"fair_komi\": " fair ", \"ci95\": [" low ", " high "], \"exact\": " exact
#define NODE(number, line, values) "{\"node\": " number ", \"line\": \"" line "\"" values ", \"children\": ["
#define CHILD(move, node, share) "{\"move\": \"" move "\", \"node\": " node ", \"probability\": " share "}"
#define SOME VALUES("4", "1", "0", "2", "false")

/* Corners of hexhex-3 are e1, e3, c1, c5, a1 and a3; the ring around the centre c3 has d2 next to e1. */
static const char good_text[] = HEAD("book", "1",
                                     "stigmergy") PART("even") NODE("0", "", VALUES("60", "5.5", "4", "6.25", "false"))
    CHILD("c3", "1", "0.9") "," CHILD("e1", "2", "0.1") "]}," NODE(
        "1", "c3", VALUES("40", "5.5", "4", "6.25", "false") ", \"bracket\": true") "]}," NODE("2", "e1",
                                                                                               VALUES("20", "-1", "-4",
                                                                                                      "2", "false"))
        CHILD("d2", "5", "0.5") "," CHILD("d3", "7", "0.3") "," CHILD("c3", "8", "0.2") "]}," NODE(
            "5", "e1 d2",
            VALUES("5", "-1.5", "-3", "0",
                   "false")) "]}," NODE("7", "e1 d3",
                                        VALUES("7", "-2", "-2", "-2",
                                               "true")) "]}," NODE("8", "e1 c3", VALUES("8", "0.5", "-1", "2", "false"))
            CHILD("b4", "9", "1") "]}," NODE("9", "e1 c3 b4", VALUES("9", "3", "1", "5", "false")) "]}]}," PART("odd")
                NODE("0", "", VALUES("11", "4.5", "4", "5", "false"))
                    CHILD("take-button", "1", "1") "]}," NODE("1", "take-button", SOME) "]}]}]}";

static WebBook *parse(const char *text, Error *error) {
    return web_book_parse(text, strlen(text), "some.json", error);
}

static int open_book(void **state) {
    Error error;
    book = parse(good_text, &error);
    if (!book)
        print_error("%s\n", error.text);
    return book ? open_engine(state) : -1;
}

static int close_book(void **state) {
    web_book_free(book);
    return close_engine(state);
}

/* ---- What it says ---- */

static cJSON *told_of(const WebBook *of, int status, const char *method, const char *path, const char *body) {
    return told_as((WebCaller){.book = of}, status, method, path, body);
}

/* What the book knows after these moves, written as a part of JSON: "\"c3\", \"a1\"". */
static cJSON *known(int komi, const char *moves) {
    char body[160];
    snprintf(body, sizeof body, "{\"size\": 3, \"komi\": %d, \"moves\": [%s]}", komi, moves);
    return told_of(book, 200, "POST", "/api/book", body);
}

static const cJSON *position_of(const cJSON *answer) {
    const cJSON *position = json_get(answer, "position");
    assert_non_null(position);
    return position;
}

static double number_of(const cJSON *json, const char *key) {
    assert_true(cJSON_IsNumber(json_get(json, key)));
    return json_get(json, key)->valuedouble;
}

static void assert_values(const cJSON *json, int games, double fair_komi, double low, double high, bool exact) {
    const cJSON *ci95 = json_get(json, "ci95");
    assert_int_equal(number_of(json, "games"), games);
    assert_true(number_of(json, "fairKomi") == fair_komi);
    assert_true(ci95->child->valuedouble == low && ci95->child->next->valuedouble == high);
    assert_int_equal(cJSON_IsTrue(json_get(json, "exact")), exact);
}

/* The moves in their order: "c3; e1 e3 c1". */
static void assert_moves(const cJSON *position, const char *expected) {
    char text[160] = "";
    const cJSON *move, *alike;
    cJSON_ArrayForEach(move, json_get(position, "moves")) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? "; " : "", json_get(move, "action")->valuestring);
        cJSON_ArrayForEach(alike, json_get(move, "alike")) {
            const size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, " %s", alike->valuestring);
        }
    }
    assert_string_equal(text, expected);
}

static void test_start(void **state) {
    (void)state;
    cJSON *answer = known(4, "");
    const cJSON *position = position_of(answer), *best = json_get(position, "moves")->child;
    assert_values(position, 60, 5.5, 4, 6.25, false);
    assert_moves(position, "c3; e1 e3 c1 c5 a1 a3");
    assert_values(best, 40, 5.5, 4, 6.25, false);
    assert_true(number_of(best, "probability") == 0.9);
    assert_true(cJSON_IsTrue(json_get(best, "bracket")) && cJSON_IsFalse(json_get(position, "bracket")));
    assert_values(best->next, 20, -1, -4, 2, false);
    cJSON_Delete(answer);
    answer = known(5, ""); /* odd komi has a book of its own */
    assert_values(position_of(answer), 11, 4.5, 4, 5, false);
    assert_moves(position_of(answer), "take-button");
    cJSON_Delete(answer);
}

/* A position that is an image of one of the book has the images of its moves. */
static void test_images(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"\"e1\"", "d2; d3 c2; c3"}, {"\"e3\"", "d3; d2 c4; c3"}, {"\"c1\"", "c2; d2 b2; c3"},
        {"\"c5\"", "c4; d3 b3; c3"}, {"\"a1\"", "b2; c2 b3; c3"}, {"\"a3\"", "b3; c4 b2; c3"},
    };
    for (int i = 0; i < 6; i++) {
        cJSON *answer = known(4, cases[i][0]);
        const cJSON *position = position_of(answer), *second = json_get(position, "moves")->child->next;
        assert_values(position, 20, -1, -4, 2, false);
        assert_moves(position, cases[i][1]);
        assert_values(second, 7, -2, -2, -2, true);
        assert_values(second->next, 8, 0.5, -1, 2, false);
        cJSON_Delete(answer);
    }
}

/* The book has e1 c3 b4. Its position is found from b4 on, which the book has not, and where it is set up. */
static void test_transpositions(void **state) {
    (void)state;
    static const char *const lines[] = {
        "{\"size\": 3, \"moves\": [\"e1\", \"c3\", \"b4\"]}", "{\"size\": 3, \"moves\": [\"b4\", \"c3\", \"e1\"]}",
        "{\"size\": 3, \"moves\": [\"d1\", \"c3\", \"a3\"]}", /* an image of that */
        ("{\"size\": 3, \"initialStones\": [[\"W\", \"c3\"], [\"B\", \"b4\"], [\"B\", \"e1\"]], "
         "\"initialPlayer\": \"W\"}")};
    for (int i = 0; i < 4; i++) {
        cJSON *answer = told_of(book, 200, "POST", "/api/book", lines[i]);
        assert_values(position_of(answer), 9, 3, 1, 5, false);
        assert_moves(position_of(answer), ""); /* the book ends here */
        cJSON_Delete(answer);
    }
}

static void test_unknown(void **state) {
    (void)state;
    static const char *const lines[] = {
        "{\"size\": 3, \"moves\": [\"b4\"]}",
        "{\"size\": 3, \"moves\": [\"e1\", \"c3\", \"b3\"]}",
        "{\"size\": 3, \"komi\": 1, \"moves\": [\"c3\"]}",
        "{\"size\": 3, \"initialPlayer\": \"W\"}",
        "{\"size\": 4}",
        "{\"game\": \"bug\", \"size\": 3}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cJSON *answer = told_of(book, 200, "POST", "/api/book", lines[i]);
        assert_true(cJSON_IsNull(position_of(answer)));
        cJSON_Delete(answer);
    }
}

static void test_requests(void **state) {
    (void)state;
    cJSON *setup = told_of(book, 200, "GET", "/api/setup", "");
    char *subject = cJSON_PrintUnformatted(json_get(setup, "book"));
    assert_string_equal(subject, "{\"game\":\"stigmergy\",\"size\":3,\"parities\":[\"even\",\"odd\"]}");
    free(subject);
    cJSON_Delete(setup);
    setup = told_of(NULL, 200, "GET", "/api/setup", "");
    assert_true(cJSON_IsNull(json_get(setup, "book")));
    cJSON_Delete(setup);
    cJSON_Delete(told_of(NULL, 404, "POST", "/api/book", "{\"size\": 3}")); /* without a book */
    cJSON_Delete(told_of(book, 405, "GET", "/api/book", ""));
    cJSON *error = told_of(book, 400, "POST", "/api/book", "{\"size\": 3, \"moves\": [\"z9\"]}");
    assert_string_equal(json_get(error, "field")->valuestring, "moves");
    cJSON_Delete(error);
}

/* ---- Bad documents ---- */

static void test_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "some.json: "},
        {"[]", "is not a result of an opening book"},
        {HEAD("komi", "1", "stigmergy") "]}", "is not a result of an opening book"},
        {HEAD("book", "2", "stigmergy") "]}", "has schema version 2, expected 1"},
        {HEAD("book", "1", "chess") "]}", "chess"},
        {"{\"schema\": {\"name\": \"stigmergy-book\", \"version\": 1}, \"game\": \"stigmergy\", \"size\": 3}",
         "'books'"},
        {HEAD("book", "1", "stigmergy") "{\"parity\": \"even\"}]}", "'nodes'"},
        {HEAD("book", "1", "stigmergy") "{\"nodes\": []}]}", "'parity'"},
        {HEAD("book", "1", "stigmergy") PART("even") "]}," PART("even") "]}]}", "'parity'"},
        {HEAD("book", "1", "stigmergy") PART("even") "3]}]}", "'node'"},
        {HEAD("book", "1", "stigmergy") PART("even") NODE("0", "c3 c3", SOME) "]}]}]}", "'line'"},
        {HEAD("book", "1", "stigmergy") PART("even") NODE("0", "", SOME) CHILD("c3", "1", "1") "]}]}]}", "'children'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        WebBook *bad = parse(cases[i][0], &error);
        if (bad || !strstr(error.text, cases[i][1]) || !strstr(error.text, "some.json") || strchr(error.text, '\n'))
            fail_msg("%s: %s", cases[i][0], bad ? "accepted" : error.text);
    }
    Error error;
    assert_null(web_book_read("/nowhere/book.json", &error));
    assert_non_null(strstr(error.text, "/nowhere/book.json: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),   cmocka_unit_test(test_images),   cmocka_unit_test(test_transpositions),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_requests), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_book, close_book);
}
