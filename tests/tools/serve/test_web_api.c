/* What the page is told of games and positions, how games are loaded and saved, and what becomes of wrong requests. */
#include "selfplay/players/levels.h"
#include "selfplay/record/game_tree.h"
#include "tests/support/playout_player.h"
#include "tests/support/web_talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* The server and the page without one have the same defaults. */
static void test_defaults(void **state) {
    (void)state;
    Error error;
    Player player = playout_player();
    player.memory_mb = 7;
    QueryDefaults usual;
    assert_true(web_defaults(&player, 5, &usual, &error));
    assert_true(usual.has_levels && usual.seed == 5 && usual.game.size == 8);
    assert_true(usual.seconds_max == 86400 && usual.move_seconds == 60);
    assert_int_equal(usual.player.memory_mb, 7);
    for (int i = 0; i < LEVELS; i++) {
        Player level;
        assert_true(level_player(i + 1, &level, &error));
        assert_int_equal(usual.levels[i].memory_mb, 7);
        assert_true(usual.levels[i].simulations == level.simulations);
    }
}

static void test_setup(void **state) {
    (void)state;
    cJSON *setup = told(200, "GET", "/api/setup", "");
    assert_string_equal(text_of(item(setup, "games")->child, "name"), "stigmergy");
    assert_int_equal(item(item(setup, "games")->child, "usualSize")->valueint, 8);
    static const char *const variants[][2] = {{"", ""}, {"", "off"}, {"capture", "on"}}; /* of each game */
    for (int i = 0; i < 3; i++) {
        const cJSON *game = cJSON_GetArrayItem(item(setup, "games"), i);
        assert_int_equal(cJSON_IsTrue(item(game, "hasCapture")), *variants[i][0] != '\0');
        assert_string_equal(text_of(game, "pie"), variants[i][1]);
    }
    assert_int_equal(cJSON_GetArraySize(item(setup, "levels")), LEVELS);
    const cJSON *third = cJSON_GetArrayItem(item(setup, "levels"), 2);
    assert_int_equal(item(third, "level")->valueint, 3);
    assert_string_equal(item(third, "name")->valuestring, level_name(3));
    assert_int_equal(item(third, "elo")->valueint, level_elo(3));
    assert_string_equal(item(third, "title")->valuestring, "Stigmergy (casual)");
    cJSON_Delete(setup);
    cJSON *board = told(200, "GET", "/api/board/3", "");
    assert_int_equal(cJSON_GetArraySize(item(board, "cells")), 19);
    assert_string_equal(text_of(item(board, "cells")->child, "name"), "e1");
    cJSON_Delete(board);
}

/* A side controls a cell exactly where the cell sees as many of its stones as it needs. */
static void compare_sight(const cJSON *position) {
    const char *stones = text_of(position, "stones"), *control = text_of(position, "control");
    const cJSON *sight, *seen;
    int cell = 0;
    cJSON_ArrayForEach(sight, item(position, "sight")) {
        int count[2] = {0, 0};
        cJSON_ArrayForEach(seen, item(sight, "seen")) count[stones[seen->valueint] == 'W']++;
        const int needed = item(sight, "needed")->valueint;
        assert_int_equal(control[cell++], count[0] >= needed ? 'B' : count[1] >= needed ? 'W' : '.');
    }
}

/* What the page is told of a position is what the engine says, in positions of random games. */
static void compare_position(const GameLine *line, const cJSON *told_position) {
    const Game *game = line->game;
    uint8_t stones[HEXHEX_MAX_CELLS], control[HEXHEX_MAX_CELLS];
    game->rules->stones(game, &line->end, stones);
    for (int c = 0; c < game->board.cells; c++)
        assert_int_equal(text_of(told_position, "stones")[c], ".BW"[stones[c]]);
    if (game->rules->control) {
        game->rules->control(game, &line->end, control);
        for (int c = 0; c < game->board.cells; c++)
            assert_int_equal(text_of(told_position, "control")[c], ".BW"[control[c]]);
    }
    if (game->rules->sight)
        compare_sight(told_position);
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->over(&line->end) ? 0 : game->rules->legal(game, &line->end, legal);
    assert_int_equal(cJSON_GetArraySize(item(told_position, "legal")), count);
    int cells = 0, i = 0;
    const cJSON *action;
    cJSON_ArrayForEach(action, item(told_position, "legal")) {
        char text[GAME_TEXT_MAX];
        game->rules->format(game, &line->end, legal[i++], text);
        assert_string_equal(text_of(action, "action"), text);
        const bool has_cell = cJSON_IsNumber(item(action, "cell"));
        assert_true(has_cell ? cJSON_IsString(item(action, "effect")) : cJSON_IsNull(item(action, "effect")));
        cells += has_cell;
    }
    if (!game->rules->over(&line->end))
        assert_int_equal(cells + cJSON_GetArraySize(item(told_position, "forbidden")), game->board.cells);
    assert_int_equal(cJSON_IsTrue(item(told_position, "over")), game->rules->over(&line->end));
}

/* Plays a game by the legal actions that the page is told, as the page does: action by action, turn by turn. */
static void play_as_the_page(const char *name, int size, int komi) {
    cJSON *request = cJSON_CreateObject(), *position = NULL;
    cJSON_AddStringToObject(request, "game", name);
    cJSON_AddNumberToObject(request, "size", size);
    cJSON_AddNumberToObject(request, "komi", komi);
    cJSON *moves = cJSON_AddArrayToObject(request, "moves"), *partial = cJSON_AddArrayToObject(request, "partialTurn");
    for (int step = 0; step < 2000; step++) {
        char *body = cJSON_PrintUnformatted(request);
        cJSON_Delete(position);
        position = told(200, "POST", "/api/position", body);
        GameLine line;
        JsonReader reader = json_open(request, "test");
        assert_true(game_line_read(&line, &reader, analysis, &defaults.game, 0));
        compare_position(&line, position);
        game_line_free(&line);
        free(body);
        const cJSON *completed = item(position, "completed"), *legal = item(position, "legal");
        if (cJSON_IsString(completed)) { /* the actions so far are a turn */
            cJSON_AddItemToArray(moves, cJSON_CreateString(completed->valuestring));
            cJSON_ReplaceItemInObjectCaseSensitive(request, "partialTurn", partial = cJSON_CreateArray());
            continue;
        }
        if (cJSON_IsTrue(item(position, "over")))
            break;
        const int count = cJSON_GetArraySize(legal);
        const cJSON *action = cJSON_GetArrayItem(legal, (step * 7 + 3) % count);
        cJSON_AddItemToArray(partial, cJSON_CreateString(text_of(action, "action")));
    }
    assert_true(cJSON_IsTrue(item(position, "over")));
    assert_int_equal(strlen(text_of(item(position, "score"), "winner")), 1);
    cJSON_Delete(position);
    cJSON_Delete(request);
}

static void test_positions(void **state) {
    (void)state;
    play_as_the_page("stigmergy", 3, 0);
    play_as_the_page("stigmergy", 4, 3);
    play_as_the_page("bug", 3, 0);
    play_as_the_page("sgolte", 3, 0);
}

static void test_sight(void **state) {
    (void)state;
    cJSON *position =
        told(200, "POST", "/api/position",
             "{\"size\": 3, \"komi\": 1, \"moves\": [\"take-button\"], \"initialStones\": [[\"B\", \"c1\"], "
             "[\"B\", \"c5\"], [\"B\", \"a1\"], [\"B\", \"e3\"], [\"W\", \"c3\"]]}");
    const cJSON *centre = cJSON_GetArrayItem(item(position, "sight"), 9);
    assert_int_equal(item(centre, "needed")->valueint, 4);
    static const int seen[] = {2, 7, 11, 16}; /* e3, c1, c5, a1 */
    assert_int_equal(cJSON_GetArraySize(item(centre, "seen")), 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(cJSON_GetArrayItem(item(centre, "seen"), i)->valueint, seen[i]);
    assert_int_equal(text_of(position, "control")[9], 'B');
    assert_string_equal(text_of(position, "button"), "B");
    assert_string_equal(text_of(position, "toMove"), "W");
    assert_non_null(strstr(text_of(item(position, "forbidden"), "9"), "White has a stone there already"));
    cJSON_Delete(position);
    position = told(200, "POST", "/api/position",
                    "{\"size\": 3, \"initialStones\": [[\"B\", \"c1\"], [\"B\", \"c5\"], [\"B\", \"a1\"], [\"B\", "
                    "\"e3\"], [\"W\", \"c3\"]], \"partialTurn\": [\"c3x\"]}");
    assert_string_equal(text_of(position, "completed"), "c3x");
    assert_int_equal(item(position, "changed")->child->valueint, 9);
    cJSON_Delete(position);
}

static void test_komi(void **state) {
    (void)state;
    cJSON *named = told(200, "POST", "/api/komi", "{\"size\": 2, \"level\": 1}");
    const int komi = item(named, "komi")->valueint;
    assert_true(komi >= -7 && komi <= 7);
    cJSON_Delete(named);
    static const int offers[] = {-5, 7};
    for (int i = 0; i < 2; i++) { /* the side that such a komi favours */
        char body[80];
        snprintf(body, sizeof body, "{\"size\": 2, \"level\": 2, \"komi\": %d}", offers[i]);
        cJSON *chosen = told(200, "POST", "/api/komi", body);
        assert_string_equal(text_of(chosen, "side"), offers[i] < 0 ? "B" : "W");
        cJSON_Delete(chosen);
    }
    cJSON_Delete(told(400, "POST", "/api/komi", "{\"game\": \"bug\", \"size\": 3}"));
    cJSON_Delete(told(400, "POST", "/api/komi", "{\"size\": 2, \"level\": 9}"));
}

/* What a path has no use for is no part of its question: the answer would be one to another. */
static void test_needless_fields(void **state) {
    (void)state;
    static const struct {
        const char *path, *body, *field, *part;
    } cases[] = {
        {"/api/komi", "{\"size\": 2, \"moves\": [\"a1\"]}", "moves", "unknown"},
        {"/api/komi", "{\"size\": 2, \"initialStones\": [[\"B\", \"a1\"]]}", "initialStones", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"size\": 3, \"moves\": [\"a1\", \"b1\"]}", "moves", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"size\": 3, \"partialTurn\": [\"a1\"]}", "partialTurn", "unknown"},
        {"/api/save", "{\"format\": \"sgf\", \"root\": {\"winrate\": 2}}", "root", "0 to 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *error = told(400, "POST", cases[i].path, cases[i].body);
        if (strcmp(text_of(error, "field"), cases[i].field) || !strstr(text_of(error, "error"), cases[i].part))
            fail_msg("%s: %s (%s)", cases[i].body, text_of(error, "error"), text_of(error, "field"));
        cJSON_Delete(error);
    }
}

/* A node has the keys that it may have, of the right types; the error says which node is wrong. */
static void test_wrong_nodes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"\"parent\": 0.5, \"turn\": \"a1\"", "'parent'"},
        {"\"parent\": 2, \"turn\": \"a1\"", "'parent'"},
        {"\"parent\": 1", "'turn'"},
        {"\"parent\": 1, \"turn\": 5", "'turn'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"foo\": 1", "'foo'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"winrate\": \"x\"", "'winrate'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"scoreLead\": 1e9", "'scoreLead'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"comment\": 5", "'comment'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"timeLeft\": -1", "'timeLeft'"},
        {"\"parent\": 1, \"turn\": \"a1\", \"periodsLeft\": 0.5", "'periodsLeft'"},
        {"\"parent\": 1, \"turn\": \"c3\"", "c3"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char body[240];
        snprintf(body, sizeof body,
                 "{\"format\": \"sgf\", \"size\": 3, \"nodes\": [{\"parent\": 0, \"turn\": \"c3\"}, {%s}]}",
                 wrong[i][0]);
        cJSON *error = told(400, "POST", "/api/save", body);
        const char *text = text_of(error, "error");
        if (strcmp(text_of(error, "field"), "nodes") || !strstr(text, "node 2") || !strstr(text, wrong[i][1]))
            fail_msg("%s: %s", body, text);
        cJSON_Delete(error);
    }
}

/* A lead that comes without a chance stays. */
static void test_lead_alone(void **state) {
    (void)state;
    cJSON *tree = told(200, "POST", "/api/load", "{\"text\": \"(;SZ[3];B[c3]V[2.5])\"}");
    const cJSON *node = item(tree, "nodes")->child;
    assert_true(item(node, "scoreLead")->valuedouble == 2.5 && !cJSON_HasObjectItem(node, "winrate"));
    assert_string_equal(text_of(node, "toMove"), "W");
    cJSON_Delete(tree);
}

static void test_load_and_save(void **state) {
    (void)state;
    cJSON *tree = told(
        200, "POST", "/api/load",
        "{\"text\": \"(;SZ[3]KM[1]PB[Ann]TM[60]OT[3x5 "
        "byo-yomi]SBKV[52.00];B[c3]BL[4.5]OB[2]SBKV[55.00]V[-1.5];W[take-button]WL[50](;)(;B[a1]C[x])(;B[a2]))\"}");
    assert_int_equal(cJSON_GetArraySize(item(tree, "nodes")), 4);
    assert_string_equal(text_of(tree, "black"), "Ann");
    static const char *const formats[] = {"sgf", "list"};
    for (int i = 0; i < 2; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(tree, "format");
        cJSON_AddStringToObject(tree, "format", formats[i]);
        char *body = cJSON_PrintUnformatted(tree);
        cJSON *saved = told(200, "POST", "/api/save", body), *again = cJSON_CreateObject();
        cJSON_AddStringToObject(again, "text", text_of(saved, "text"));
        cJSON_AddNumberToObject(again, "size", 3);
        char *reload = cJSON_PrintUnformatted(again);
        cJSON *loaded = told(200, "POST", "/api/load", reload);
        assert_int_equal(item(loaded, "komi")->valueint, 1);
        const cJSON *clock = json_get(loaded, "clock"); /* a list of moves has none */
        assert_true(i ? !clock
                      : item(clock, "main")->valueint == 60 && item(clock, "byoyomi")->valueint == 5 &&
                            item(clock, "periods")->valueint == 3);
        const cJSON *first = item(loaded, "nodes")->child;
        assert_true(
            i ? !cJSON_HasObjectItem(first, "timeLeft")
              : item(first, "timeLeft")->valuedouble == 4.5 && item(first, "periodsLeft")->valueint == 2 &&
                    item(first->next, "timeLeft")->valueint == 50 && !cJSON_HasObjectItem(first->next, "periodsLeft") &&
                    item(item(loaded, "root"), "winrate")->valuedouble == 0.52 &&
                    item(first, "winrate")->valuedouble == 0.55 && item(first, "scoreLead")->valuedouble == -1.5);
        assert_int_equal(cJSON_GetArraySize(item(loaded, "nodes")), i ? 2 : 4);
        assert_true(i || (cJSON_IsTrue(item(first->next, "ends")) && !cJSON_HasObjectItem(first, "ends")));
        cJSON_Delete(loaded);
        cJSON_Delete(again);
        cJSON_Delete(saved);
        free(reload);
        free(body);
    }
    cJSON_Delete(tree);
    cJSON *error = told(400, "POST", "/api/save", "{\"format\": \"record\", \"size\": 3, \"nodes\": []}");
    assert_non_null(strstr(text_of(error, "error"), "not over"));
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save", "{\"format\": \"sgf\", \"nodes\": [{\"parent\": 1, \"turn\": \"c3\"}]}");
    assert_string_equal(text_of(error, "field"), "nodes");
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save", "{\"format\": \"sgf\", \"nodes\": [], \"clock\": {\"main\": -1}}");
    assert_string_equal(text_of(error, "field"), "clock");
    cJSON_Delete(error);
    error = told(400, "POST", "/api/save",
                 "{\"format\": \"sgf\", \"nodes\": [], \"clock\": {\"byoyomi\": 1, \"increment\": 1}}");
    assert_non_null(strstr(text_of(error, "error"), "byoyomi or increment, not both"));
    cJSON_Delete(error);
}

/* What can be loaded can be saved, however long a comment is. */
static void test_long_comment(void **state) {
    (void)state;
    enum { LENGTH = 1 << 20 };
    char *letters = malloc(LENGTH + 1), *text = malloc(LENGTH + 100);
    assert_true(letters && text);
    memset(letters, 'x', LENGTH);
    letters[LENGTH] = '\0';
    snprintf(text, LENGTH + 100, "{\"text\": \"(;SZ[3]C[first];B[c3]C[%s])\"}", letters);
    cJSON *tree = told(200, "POST", "/api/load", text);
    cJSON_AddStringToObject(tree, "format", "sgf");
    char *body = cJSON_PrintUnformatted(tree);
    cJSON *saved = told(200, "POST", "/api/save", body);
    assert_non_null(strstr(text_of(saved, "text"), letters));
    cJSON_Delete(saved);
    free(body);
    cJSON_Delete(tree);
    free(text);
    free(letters);
}

/* The games of a text are loaded one at a time, and each can be saved again as it came. */
static void test_load_several(void **state) {
    (void)state;
    for (int number = 1; number <= 2; number++) {
        char body[160];
        snprintf(body, sizeof body, "{\"text\": \"(;SZ[3];B[c3])(;SZ[4];B[d4])\", \"number\": %d}", number);
        cJSON *tree = told(200, "POST", "/api/load", body);
        assert_int_equal(item(tree, "games")->valueint, 2);
        assert_int_equal(item(tree, "size")->valueint, number + 2);
        cJSON_AddStringToObject(tree, "format", "sgf");
        char *again = cJSON_PrintUnformatted(tree);
        cJSON_Delete(told(200, "POST", "/api/save", again));
        free(again);
        cJSON_Delete(tree);
    }
    cJSON *error = told(400, "POST", "/api/load", "{\"text\": \"(;SZ[3])\", \"number\": 2}");
    assert_string_equal(text_of(error, "field"), "number");
    cJSON_Delete(error);
}

/* A name that is too long is cut between two characters. */
static void test_long_name(void **state) {
    (void)state;
    char name[GAME_TREE_NAME_MAX], body[2 * GAME_TREE_NAME_MAX], part[2 * GAME_TREE_NAME_MAX];
    memset(name, 'a', sizeof name);
    name[GAME_TREE_NAME_MAX - 2] = '\0';
    snprintf(body, sizeof body, "{\"format\": \"sgf\", \"size\": 3, \"nodes\": [], \"black\": \"%s\u00e9\"}", name);
    snprintf(part, sizeof part, "PB[%s]", name);
    cJSON *saved = told(200, "POST", "/api/save", body);
    if (!strstr(text_of(saved, "text"), part))
        fail_msg("%s", text_of(saved, "text"));
    cJSON_Delete(saved);
}

/* A game is saved with its variant and loaded as that, in the formats that can say it. */
static void test_save_variants(void **state) {
    (void)state;
    static const char *const formats[] = {"sgf", "record"};
    for (int i = 0; i < 2; i++) {
        char body[160];
        snprintf(body, sizeof body,
                 "{\"format\": \"%s\", \"game\": \"bug\", \"size\": 2, \"pie\": \"on\", \"result\": \"B+R\","
                 " \"nodes\": [{\"parent\": 0, \"turn\": \"c1\"}, {\"parent\": 1, \"turn\": \"swap\"}]}",
                 formats[i]);
        cJSON *saved = told(200, "POST", "/api/save", body);
        char *reload = cJSON_PrintUnformatted(saved);
        cJSON *loaded = told(200, "POST", "/api/load", reload);
        assert_string_equal(text_of(loaded, "pie"), "on");
        assert_int_equal(cJSON_GetArraySize(item(loaded, "nodes")), 2);
        cJSON_Delete(loaded);
        cJSON_Delete(saved);
        free(reload);
    }
}

/* A list of moves names no variant: the request does. A text that names its own, or another game, does not heed it.
 * The answer names no variant that is the usual one of the game. */
static void test_load_variants(void **state) {
    (void)state;
    static const struct {
        const char *body, *capture, *pie; /* "": the answer has none */
        int nodes;
    } cases[] = {
        {"{\"text\": \"1. c4 swap\\n2. a1 e1\", \"game\": \"bug\", \"size\": 3, \"pie\": \"on\"}", "", "on", 4},
        {"{\"text\": \"c3 a1\", \"game\": \"sgolte\", \"size\": 3, \"capture\": \"line\", \"pie\": \"off\"}", "line",
         "off", 2},
        {"{\"text\": \"c3 a1\", \"game\": \"sgolte\", \"size\": 3, \"capture\": \"free\", \"pie\": \"on\"}", "", "", 2},
        {"{\"text\": \"(;GM[sgolte]SZ[3];B[c3];W[swap])\", \"game\": \"sgolte\", \"capture\": \"line\", \"pie\": "
         "\"off\"}",
         "", "", 2},
        {"{\"text\": \"{\\\"header\\\": {\\\"game\\\": {\\\"name\\\": \\\"Bug\\\"}}, \\\"moves\\\": [[\\\"c3\\\"]]}\", "
         "\"game\": \"sgolte\", \"size\": 3, \"capture\": \"line\"}",
         "", "", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *loaded = told(200, "POST", "/api/load", cases[i].body);
        const cJSON *capture = json_get(loaded, "capture"), *pie = json_get(loaded, "pie");
        assert_string_equal(capture ? capture->valuestring : "", cases[i].capture);
        assert_string_equal(pie ? pie->valuestring : "", cases[i].pie);
        assert_int_equal(cJSON_GetArraySize(item(loaded, "nodes")), cases[i].nodes);
        cJSON_Delete(loaded);
    }
    static const char *const wrong[][2] = {{"\"game\": \"sgolte\", \"capture\": \"all\"", "capture"},
                                           {"\"game\": \"bug\", \"pie\": 1", "pie"}};
    for (int i = 0; i < 2; i++) {
        char body[120];
        snprintf(body, sizeof body, "{\"text\": \"c3\", \"size\": 3, %s}", wrong[i][0]);
        cJSON *error = told(400, "POST", "/api/load", body);
        assert_string_equal(text_of(error, "field"), wrong[i][1]);
        cJSON_Delete(error);
    }
}

static void test_bad_requests(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *method, *path, *body;
    } cases[] = {
        {404, "GET", "/api/nothing", ""},
        {405, "HEAD", "/api/position", ""},
        {404, "HEAD", "/api/nothing", ""},
        {404, "GET", "/api", ""},
        {404, "POST", "/etc/passwd", "{}"},
        {405, "POST", "/api/setup", "{}"},
        {405, "GET", "/api/position", ""},
        {405, "PUT", "/api/load", "{}"},
        {400, "GET", "/api/board/11", ""},
        {400, "GET", "/api/board/", ""},
        {400, "GET", "/api/board/3x", ""},
        {404, "GET", "/api/board/../3/", ""},
        {404, "GET", "/api/board/foo/3", ""},
        {404, "GET", "/api/setup/", ""},
        {400, "POST", "/api/position", ""},
        {400, "POST", "/api/position", "[]"},
        {400, "POST", "/api/position", "{\"moves\": [\"zz\"]}"},
        {400, "POST", "/api/position", "{\"unknown\": 1}"},
        {400, "POST", "/api/load", "{}"},
        {400, "POST", "/api/load", "{\"text\": 5}"},
        {400, "POST", "/api/load", "{\"text\": \"(;SZ[99])\"}"},
        {400, "POST", "/api/save", "{\"format\": \"png\"}"},
        {400, "POST", "/api/save", "{}"},
        {400, "POST", "/api/analysis", "{}"},
        {400, "POST", "/api/analysis", "{\"id\": \"a\", \"level\": 99}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *answer = told(cases[i].status, cases[i].method, cases[i].path, cases[i].body);
        assert_true(strlen(text_of(answer, "error")) > 0);
        cJSON_Delete(answer);
    }
    cJSON *answer = told(400, "POST", "/api/position", "{\"\xff\": 1}");
    assert_non_null(strstr(text_of(answer, "error"), "not UTF-8"));
    cJSON_Delete(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_setup),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_sight),
        cmocka_unit_test(test_komi),
        cmocka_unit_test(test_load_and_save),
        cmocka_unit_test(test_lead_alone),
        cmocka_unit_test(test_long_comment),
        cmocka_unit_test(test_load_several),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_save_variants),
        cmocka_unit_test(test_load_variants),
        cmocka_unit_test(test_needless_fields),
        cmocka_unit_test(test_wrong_nodes),
        cmocka_unit_test(test_bad_requests),
    };
    return cmocka_run_group_tests(tests, open_engine, close_engine);
}
