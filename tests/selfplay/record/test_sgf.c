/* SGF and the other formats of games: what is written can be read again, and errors are named. */
#include "selfplay/io/json.h"
#include "selfplay/io/text.h"
#include "selfplay/record/game_tree.h"
#include "selfplay/record/record.h"
#include "selfplay/record/sgf.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const GameOptions options = {.name = "stigmergy", .size = 3};

static GameTree *read_text(const char *text) {
    Error error = {.text = ""};
    GameTree *tree = game_tree_read(text, strlen(text), "test", &options, &error);
    if (!tree)
        fail_msg("%s", error.text);
    return tree;
}

/* A game on a board of this size, where the text does not say. */
static GameTree *read_sized(const char *text, int size) {
    Error error = {.text = ""};
    GameTree *tree = game_tree_read(text, strlen(text), "test", &(GameOptions){.size = size}, &error);
    if (!tree)
        fail_msg("%s", error.text);
    return tree;
}

static void assert_refused(const char *text, const char *part) {
    Error error = {.text = ""};
    GameTree *tree = game_tree_read(text, strlen(text), "test", &options, &error);
    if (tree || !strstr(error.text, part))
        fail_msg("'%s': %s, expected '%s'", text, tree ? "accepted" : error.text, part);
}

static void assert_first_variation(const GameTree *tree, const char *expected) {
    char text[4096] = "";
    for (int i = game_tree_next(tree, 0); i >= 0; i = game_tree_next(tree, i)) {
        if (text[0])
            strcat(text, " ");
        strcat(text, tree->nodes[i].turn);
    }
    assert_string_equal(text, expected);
}

/* ---- The format alone ---- */

static void test_parse(void **state) {
    (void)state;
    SgfTree tree = {0};
    Error error;
    static const char text[] =
        "junk ( ; first (;FF[4]\n GaMe[a\\]b\\\\c\\\nd\te] [second];B[c3]C[](;W[a1])\n(;W[a2];B[]))(;X[])";
    /* "( ; first" begins no game: a lower-case letter is no name of a property. */
    assert_false(sgf_parse(&tree, text, strlen(text), "test", &error));
    assert_non_null(strstr(error.text, "test: line 1: expected a property"));
    assert_true(sgf_parse(&tree, text + 15, strlen(text) - 15, "test", &error));
    assert_int_equal(tree.node_count, 5);
    const SgfProperty *property = sgf_property(&tree, 0, "GM");
    assert_int_equal(property->values, 2);
    assert_string_equal(sgf_value(&tree, property, 0), "a]b\\cd e");
    assert_string_equal(sgf_value(&tree, property, 1), "second");
    assert_null(sgf_value(&tree, property, 2));
    assert_string_equal(sgf_get(&tree, 1, "C"), "");
    assert_null(sgf_get(&tree, 1, "W"));
    static const int parents[] = {-1, 0, 1, 1, 3};
    for (int i = 0; i < 5; i++)
        assert_int_equal(tree.nodes[i].parent, parents[i]);
    char *written = sgf_write(&tree);
    SgfTree again = {0};
    assert_true(sgf_parse(&again, written, strlen(written), "test", &error));
    char *twice = sgf_write(&again);
    assert_string_equal(written, twice);
    assert_int_equal(again.node_count, 5);
    free(written);
    free(twice);
    sgf_free(&again);
    sgf_free(&tree);
}

static void test_parse_errors(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"", "no game found"},
        {"(", "no game found"},
        {"(()", "no game found"},
        {"(;", "not closed"},
        {"(;B[c3", "expected ']'"},
        {"(;B[c3\\", "expected ']'"},
        {"(;\n\nB)", "line 3: a property has no value"},
        {"(;B", "a property has no value"},
        {"(;B[c3]()", "expected ';' after '('"},
        {"(;[c3])", "expected a property"},
        {"(;B[c3](;W[a1])C[x])", "after a variation"},
        {"(;B[c3]]", "expected a property"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        SgfTree tree = {0};
        Error error = {.text = ""};
        assert_false(sgf_parse(&tree, wrong[i][0], strlen(wrong[i][0]), "test", &error));
        if (!strstr(error.text, wrong[i][1]))
            fail_msg("'%s': %s, expected '%s'", wrong[i][0], error.text, wrong[i][1]);
        assert_null(tree.nodes);
    }
}

/* A game of a hundred thousand nested variations: neither reading nor writing recurses. */
static void test_deep(void **state) {
    (void)state;
    enum { DEPTH = 100000 };
    char *text = malloc(4 * DEPTH + 1);
    size_t length = 0;
    for (int i = 0; i < DEPTH; i++, length += 2)
        memcpy(text + length, "(;", 2);
    memset(text + length, ')', DEPTH);
    length += DEPTH;
    SgfTree tree = {0};
    Error error;
    assert_true(sgf_parse(&tree, text, length, "test", &error));
    assert_int_equal(tree.node_count, DEPTH);
    char *written = sgf_write(&tree);
    assert_int_equal(written[0], '(');
    free(written);
    free(text);
    sgf_free(&tree);
}

/* ---- Games as SGF ---- */

static void test_sgf_game(void **state) {
    (void)state;
    static const char text[] = "(;FF[4]GM[Stigmergy]SZ[3]KM[1.0]PB[Ann \\[1\\]]PW[Bob]DT[2024-05-01]C[hello\nworld]"
                               ";B[c3];W[take-button](;B[a1]C[corner];W[e1])(;B[c1]))";
    GameTree *tree = read_text(text);
    assert_int_equal(tree->game->board.size, 3);
    assert_int_equal(tree->komi, 1);
    assert_string_equal(tree->players[BLACK], "Ann [1]");
    assert_string_equal(tree->players[WHITE], "Bob");
    assert_string_equal(tree->date, "2024-05-01");
    assert_string_equal(tree->nodes[0].comment, "hello\nworld");
    assert_first_variation(tree, "c3 take-button a1 e1");
    assert_int_equal(tree->count, 6);
    assert_string_equal(tree->nodes[3].comment, "corner");
    Error error;
    char *written = game_tree_to_sgf(tree, &error);
    GameTree *again = read_text(written);
    char *twice = game_tree_to_sgf(again, &error);
    assert_string_equal(written, twice);
    assert_non_null(strstr(written, "GM[stigmergy]SZ[3]KM[1]PB[Ann [1\\]]PW[Bob]"));
    game_tree_free(again);
    game_tree_free(tree);
    free(written);
    free(twice);
}

/* Comments of one position that stand in several nodes are kept, each once. */
static void test_sgf_comments(void **state) {
    (void)state;
    GameTree *tree = read_text("(;SZ[3]C[root];C[second](;C[third];B[a1]C[x];N[no turn]C[y])(;B[a1]C[x]))");
    assert_int_equal(tree->count, 2);
    assert_string_equal(tree->nodes[0].comment, "root\nsecond\nthird");
    assert_string_equal(tree->nodes[1].comment, "x\ny\nx");
    game_tree_free(tree);
}

/* Text of SGF without CA is ISO 8859-1, and lines may end as on any system; what is written is UTF-8 with line feeds.
 */
static void test_sgf_characters(void **state) {
    (void)state;
    GameTree *tree = read_text("(;SZ[3]PB[Jos\xe9 \xff]PW[\xc3\xa9\xe9]C[a\rb\r\nc\n\rd\\\re\\\r\nf\r];B[c3])");
    assert_string_equal(tree->players[BLACK], "Jos\xc3\xa9 \xc3\xbf");
    assert_string_equal(tree->players[WHITE], "\xc3\xa9\xc3\xa9");
    assert_string_equal(tree->nodes[0].comment, "a\nb\nc\ndef\n");
    Error error;
    char *written = game_tree_to_sgf(tree, &error);
    assert_non_null(strstr(written, "CA[UTF-8]"));
    assert_null(text_find_foreign(written, strlen(written)));
    free(written);
    game_tree_free(tree);
}

/* What an analysis found: Black's chance as Sabaki keeps it, and the lead. What is no such number is left out. */
static void test_sgf_findings(void **state) {
    (void)state;
    GameTree *tree = read_text("(;GM[Stigmergy]SZ[3]KM[2]SBKV[61.25]V[1.5];B[c3]SBKV[7];W[a1]SBKV[140]V[x])");
    assert_float_equal(tree->nodes[0].chance, 0.6125, 1e-9);
    assert_float_equal(tree->nodes[0].lead, 1.5, 1e-9);
    assert_float_equal(tree->nodes[1].chance, 0.07, 1e-9);
    assert_true(isnan(tree->nodes[1].lead) && isnan(tree->nodes[2].chance) && isnan(tree->nodes[2].lead));
    Error error;
    char *written = game_tree_to_sgf(tree, &error);
    assert_non_null(strstr(written, "SBKV[61.25]V[1.5]"));
    assert_non_null(strstr(written, "B[c3]SBKV[7.00]"));
    free(written);
    game_tree_free(tree);
}

/* The clock, with and without overtime. What the program does not know is no clock. */
static void test_sgf_clock(void **state) {
    (void)state;
    static const struct {
        const char *text, *written; /* NULL: nothing */
        GameTreeClock clock;
    } cases[] = {
        {"TM[600]OT[1x30 byo-yomi]", "TM[600]OT[1x30 byo-yomi]", {.main_time = 600, .period = 30, .periods = 1}},
        {"TM[0]OT[1x2.5 byo-yomi]", "TM[0]OT[1x2.5 byo-yomi]", {.period = 2.5, .periods = 1}},
        {"TM[90.5]OT[]", "TM[90.5]", {.main_time = 90.5}},
        {"TM[600]OT[5x30 byo-yomi]", "TM[600]OT[5x30 byo-yomi]", {.main_time = 600, .period = 30, .periods = 5}},
        {"TM[300]OT[7.5 Fischer]", "TM[300]OT[7.5 fischer]", {.main_time = 300, .increment = 7.5}},
        {"TM[600]OT[1x30 byo-yomi, or so]", NULL, {.periods = 0}},
        {"TM[600]OT[25/300 canadian]", NULL, {.periods = 0}},
        {"TM[600]OT[1xnan byo-yomi]", NULL, {.periods = 0}},
        {"TM[600]OT[0x30 byo-yomi]", NULL, {.periods = 0}},
        {"TM[600]OT[2.5x30 byo-yomi]", NULL, {.periods = 0}},
        {"TM[600]OT[1001x30 byo-yomi]", NULL, {.periods = 0}},
        {"TM[600]OT[-1 fischer]", NULL, {.periods = 0}},
        {"TM[600]OT[inf fischer]", NULL, {.periods = 0}},
        {"TM[-1]", NULL, {.periods = 0}},
        {"TM[long]OT[1x-1 byo-yomi]", NULL, {.periods = 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[100];
        Error error;
        snprintf(text, sizeof text, "(;GM[Stigmergy]SZ[3]%s;B[c3])", cases[i].text);
        GameTree *tree = read_text(text);
        const GameTreeClock *clock = &cases[i].clock;
        assert_true(tree->clock.main_time == clock->main_time && tree->clock.period == clock->period &&
                    tree->clock.periods == clock->periods && tree->clock.increment == clock->increment);
        char *written = game_tree_to_sgf(tree, &error);
        assert_true(cases[i].written ? strstr(written, cases[i].written) != NULL : !strstr(written, "TM["));
        assert_true(clock->period > 0 || clock->increment > 0 || !strstr(written, "OT["));
        free(written);
        game_tree_free(tree);
    }
}

/* Names, dates and results are one line. */
static void test_sgf_names_in_one_line(void **state) {
    (void)state;
    GameTree *tree = read_text("(;GM[Stigmergy]SZ[3]PB[Ann\n\nClub A]PW[a\tb\x7f]DT[2026\n]RE[B+\n\nR];B[c3])");
    assert_string_equal(tree->players[BLACK], "Ann  Club A");
    assert_string_equal(tree->players[WHITE], "a b ");
    assert_string_equal(tree->date, "2026 ");
    assert_string_equal(tree->result, "B+  R");
    assert_string_equal(tree->dropped, "");
    game_tree_free(tree);
}

/* What the clock showed after each turn, to the one who made it. */
static void test_sgf_time_left(void **state) {
    (void)state;
    GameTree *tree =
        read_text("(;GM[Stigmergy]SZ[3]TM[60]OT[3x10 byo-yomi]BL[60];B[c3]BL[41.25]WL[60];W[a1]WL[9.5]OW[2]"
                  ";B[e3]BL[-1]OB[x];W[a3]WL[soon];C[a remark]BL[5];B[c5]OB[3])");
    const GameTreeNode *nodes = tree->nodes;
    assert_true(isnan(nodes[0].time_left));
    assert_true(nodes[1].time_left == 41.25 && nodes[1].periods_left == 0);
    assert_true(nodes[2].time_left == 9.5 && nodes[2].periods_left == 2);
    for (int i = 3; i < tree->count; i++)
        assert_true(isnan(nodes[i].time_left) && nodes[i].periods_left == 0);
    Error error;
    char *written = game_tree_to_sgf(tree, &error);
    assert_non_null(strstr(written, ";B[c3]BL[41.25];W[a1]WL[9.5]OW[2];B[e3];W[a3]C[a remark];B[c5])"));
    free(written);
    game_tree_free(tree);
    /* With another overtime they are moves, which are not kept. */
    tree = read_text("(;GM[Stigmergy]SZ[3]TM[60]OT[25/300 Canadian];B[c3]BL[41.25]OB[20])");
    assert_true(tree->nodes[1].time_left == 41.25 && tree->nodes[1].periods_left == 0);
    assert_string_equal(tree->dropped, "OT");
    game_tree_free(tree);
    /* After a swap the colours are those of the stones. */
    tree = read_text("(;GM[Sgolte]SZ[3];B[c3]BL[3];W[swap]WL[2];W[a1]WL[1])");
    written = game_tree_to_sgf(tree, &error);
    assert_non_null(strstr(written, ";B[c3]BL[3];W[swap]WL[2];W[a1]WL[1])"));
    free(written);
    game_tree_free(tree);
}

static void test_sgf_set_up(void **state) {
    (void)state;
    /* c3 sees four black stones: White's stone there can be flipped. */
    GameTree *tree = read_text("(;SZ[3]AB[c1][c5][a1][e3]AW[c3]PL[B];B[c3])");
    assert_true(tree->set_up);
    assert_string_equal(tree->nodes[1].turn, "c3x");
    Error error;
    char *written = game_tree_to_sgf(tree, &error);
    assert_non_null(strstr(written, "AB[e3][c1][c5][a1]AW[c3]PL[B]"));
    assert_null(game_tree_to_record(tree, &error));
    assert_non_null(strstr(error.text, "set up by hand"));
    assert_null(game_tree_to_list(tree, &error));
    free(written);
    game_tree_free(tree);
    uint8_t stones[HEXHEX_MAX_CELLS] = {1, 2};
    tree = read_text("(;SZ[3];B[c3])");
    assert_false(game_tree_set_up(tree, stones, WHITE, &error));
    assert_non_null(strstr(error.text, "before the first turn, and this game has 1"));
    game_tree_free(tree);
    tree = game_tree_new(&(GameOptions){.size = 3}, 0, &error);
    stones[1] = 3;
    assert_false(game_tree_set_up(tree, stones, WHITE, &error));
    assert_non_null(strstr(error.text, "3 is no stone"));
    game_tree_free(tree);
    tree = read_text("(;SZ[3]PL[w];W[a1])");
    assert_int_equal(tree->first, WHITE);
    game_tree_free(tree);
    tree = read_text("(;SZ[3]PL[B];B[a1])"); /* the usual start */
    assert_false(tree->set_up);
    written = game_tree_to_list(tree, &error);
    assert_non_null(written);
    free(written);
    game_tree_free(tree);
}

/* Komi changes as long as there is nothing but the empty board. */
static void test_set_komi(void **state) {
    (void)state;
    Error error;
    GameTree *tree = read_text("(;SZ[3]KM[2])");
    assert_true(game_tree_set_komi(tree, 5, &error));
    assert_int_equal(tree->komi, 5);
    assert_int_equal(tree->game->rules->komi(&tree->nodes[0].state), 5);
    assert_false(game_tree_set_komi(tree, -20, &error));
    assert_string_equal(error.text, "komi: -20, expected a whole number from -19 to 19");
    assert_int_equal(game_tree_add(tree, 0, "c3", &error), 1);
    assert_false(game_tree_set_komi(tree, 3, &error));
    assert_int_equal(tree->komi, 5);
    assert_int_equal(tree->game->rules->komi(&tree->nodes[1].state), 5);
    game_tree_free(tree);
    tree = read_text("(;SZ[3]AB[c3])");
    assert_false(game_tree_set_komi(tree, 3, &error));
    assert_string_equal(error.text, "komi: 3, but it is set before all turns and stones");
    game_tree_free(tree);
}

/* A variant that is the usual one of the game is not written, also where it was named. */
static void test_usual_variants(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"(;GM[sgolte]SZ[3]RU[pie=on capture=free])", NULL},
                                           {"(;GM[sgolte]SZ[3]RU[pie=off capture=free])", "RU[pie=off]"},
                                           {"(;GM[bug]SZ[3]RU[pie=off])", NULL},
                                           {"(;GM[bug]SZ[3]RU[pie=on])", "RU[pie=on]"},
                                           {"(;SZ[3]RU[pie=off])", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        GameTree *tree = read_text(cases[i][0]);
        char *written = game_tree_to_sgf(tree, &error);
        assert_non_null(written);
        assert_true(strstr(written, cases[i][1] ? cases[i][1] : "RU[") ? cases[i][1] != NULL : cases[i][1] == NULL);
        free(written);
        game_tree_free(tree);
    }
}

static void test_sgf_errors(void **state) {
    (void)state;
    assert_refused("(;GM[stigmergy])", "SZ is missing");
    assert_refused("(;SZ[x])", "SZ is 'x'");
    assert_refused("(;SZ[5\x1b[31m])", "SZ is '5?[31m'");
    assert_refused("(;SZ[5\xc2\x9b\x33\xc3\xa4])", "SZ is '5??3\xc3\xa4'"); /* C1 goes, letters stay */
    assert_refused("(;SZ[1])", "size");
    assert_refused("(;SZ[3]GM[1])", "this is a game of Go (GM[1]), expected one of");
    assert_refused("(;SZ[3]GM[2])", "'2' is not known");
    assert_refused("(;SZ[3]KM[6.5])", "KM is '6.5'");
    assert_refused("(;GM[sgolte]SZ[3]RU[capture=lines pie=on])", "RU has 'capture=lines', expected");
    assert_refused("(;GM[sgolte]SZ[3]RU[other\npie=])", "RU has 'pie=', expected");
    static const char *const variants[] = {"RU[capture=free]", "RU[other rules]", "GM[sgolte]RU[Capture=line,pie=OFF]"};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "(;SZ[3]%s)", variants[i]);
        GameTree *tree = read_text(text);
        assert_int_equal(tree->game->capture, i == 2 ? GAME_CAPTURE_LINE : GAME_CAPTURE_DEFAULT);
        game_tree_free(tree);
    }
    assert_refused("(;SZ[3]KM[20])", "komi: 20, expected a whole number from -19 to 19");
    assert_refused("(;SZ[3];B[c3];B[c4])", "node 3: a move of Black out of turn");
    assert_refused("(;SZ[3];B[c3];W[c3])", "node 3: c3");
    assert_refused("(;SZ[3];B[c3]W[c4])", "moves of both sides");
    assert_refused("(;SZ[3];AB[c3])", "expected them at its root");
    assert_refused("(;SZ[3]AB[z9])", "AB has 'z9'");
    assert_refused("(;SZ[3]AB[c3]AW[c3])", "two stones");
    assert_refused("(;SZ[3]PL[black])", "PL is 'black'");
}

/* Whatever the format, an error begins with the name of what was read. */
static void test_errors_name_their_source(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"{\"game\":\"stigmergy\",\"moves\":[]}", "test: 'size' is missing"},
        {"{\"game\":\"stigmergy\",\"size\":\"5\",\"moves\":[]}", "test: 'size' is wrong, expected a whole number"},
        {"{\"game\":3,\"size\":5,\"moves\":[]}", "test: 'game' is wrong, expected a string"},
        {"{\"game\":\"stigmergy\",\"size\":11,\"moves\":[]}", "test: size: 11 is not a board"},
        {"{\"game\":\"chess\",\"size\":8,\"moves\":[]}", "test: game: 'chess' is not known"},
        {"{\"game\":\"stigmergy\",\"size\":5,\"pie\":\"on\",\"moves\":[]}", "test: pie: stigmergy is played without"},
        {"1. 99 play-second 2. c3", "test: komi: 99, expected a whole number from -19 to 19"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error = {.text = ""};
        assert_null(game_tree_read(cases[i][0], strlen(cases[i][0]), "test", &options, &error));
        if (strncmp(error.text, cases[i][1], strlen(cases[i][1])))
            fail_msg("%s: %s, expected '%s'", cases[i][0], error.text, cases[i][1]);
    }
}

/* What says two things is not read as one of them; lists may be long, and what this program does not know may be so. */
static void test_sgf_said_twice(void **state) {
    (void)state;
    assert_refused("(;SZ[3]SZ[4])", "test: node 1: SZ is given twice, expected once");
    assert_refused("(;SZ[3];B[c3][c2])", "test: node 2: B has 2 values, expected one");
    assert_refused("(;SZ[3];B[c3](;W[c2])(;W[c1]C[x]C[y]))", "node 4: C is given twice");
    assert_refused("(;SZ[3]AB[c3]AB[c2])", "node 1: AB is given twice");
    game_tree_free(read_text("(;SZ[3]AB[c3][c2]AW[a1][a2]LB[a1:x][a2:y]LB[a3:z]XX[1]XX[2])"));
    static const char *const values[][2] = {{"(;SZ[3];B[c3", "])"}, {"(;SZ[3];B[c3\\", "])"}};
    for (int i = 0; i < 2; i++) {
        char text[40];
        Error error = {.text = ""};
        memcpy(text, values[i][0], strlen(values[i][0]) + 1); /* with the byte at its end */
        strcpy(text + strlen(values[i][0]) + 1, values[i][1]);
        const size_t length = strlen(values[i][0]) + 1 + strlen(values[i][1]);
        assert_null(game_tree_read(text, length, "test", &options, &error));
        assert_string_equal(error.text, "test: line 1: node 2: a value of B has a NUL byte, expected text");
    }
}

/* ---- Records and lists ---- */

/* A whole game on hexhex-2. Each action is the first legal one. */
static GameTree *whole_game(int komi) {
    Error error;
    GameTree *tree = game_tree_new(&(GameOptions){.size = 2}, komi, &error);
    for (int node = 0; !tree->game->rules->over(&tree->nodes[node].state);) {
        Action legal[GAME_LEGAL_MAX];
        char text[GAME_TEXT_MAX];
        tree->game->rules->legal(tree->game, &tree->nodes[node].state, legal);
        tree->game->rules->format(tree->game, &tree->nodes[node].state, legal[0], text);
        node = game_tree_add(tree, node, text, &error);
        assert_true(node > 0);
    }
    return tree;
}

static void assert_same_game(const GameTree *a, const GameTree *b) {
    assert_int_equal(a->komi, b->komi);
    assert_int_equal(a->count, b->count);
    for (int i = 1; i < a->count; i++)
        assert_string_equal(a->nodes[i].turn, b->nodes[i].turn);
}

static void test_round_trips(void **state) {
    (void)state;
    for (int komi = -1; komi <= 2; komi++) {
        GameTree *tree = whole_game(komi);
        Error error;
        char *texts[] = {game_tree_to_record(tree, &error), game_tree_to_list(tree, &error),
                         game_tree_to_sgf(tree, &error)};
        for (int i = 0; i < 3; i++) {
            assert_non_null(texts[i]);
            GameTree *again = game_tree_read(texts[i], strlen(texts[i]), "test", &(GameOptions){.size = 2}, &error);
            if (!again)
                fail_msg("%s", error.text);
            assert_same_game(tree, again);
            game_tree_free(again);
            free(texts[i]);
        }
        game_tree_free(tree);
    }
}

/* A record has shorter names than a game tree: they are cut between characters. */
static void test_long_names(void **state) {
    (void)state;
    char text[400] = "(;GM[stigmergy]SZ[2]KM[1]PB[xx", player[128] = "\"black\":\"xx";
    for (int i = 0; i < 40; i++)
        strcat(text, "\xd1\x8f"); /* a letter of two bytes */
    for (int i = 0; i < (RECORD_NAME_MAX - 3) / 2; i++)
        strcat(player, "\xd1\x8f");
    strcat(text, "]RE[B+R];B[b2];W[take-button])");
    strcat(player, "\"");
    GameTree *tree = read_text(text);
    Error error;
    char *record = game_tree_to_record(tree, &error);
    assert_non_null(record);
    if (!strstr(record, player))
        fail_msg("no %s in %s", player, record);
    free(record);
    game_tree_free(tree);
}

static void test_record_without_points(void **state) {
    (void)state;
    GameTree *tree = read_text("(;GM[bug]SZ[2];B[b1];W[b3];B[a2,b3];W[c1,c2,b1];B[b2];W[a2];B[b3])");
    Error error;
    char *record = game_tree_to_record(tree, &error);
    assert_non_null(strstr(record, "\"reason\":\"no-move\""));
    GameTree *again = read_text(record);
    assert_same_game(tree, again);
    game_tree_free(again);
    game_tree_free(tree);
    free(record);
}

/* A forfeited game is a record, too. There Black is who began, while RE names the colour that has won. */
static void test_forfeited(void **state) {
    (void)state;
    static const struct {
        const char *text, *winner, *reason, *result;
    } cases[] = {
        {"(;GM[stigmergy]SZ[3]RE[W+Resign];B[c3])", "W", "resign", "W+R"},
        {"(;GM[stigmergy]SZ[3]RE[B+T];B[c3])", "B", "time", "B+T"},
        {"(;GM[bug]SZ[3]RU[pie=on]RE[B+R];B[c3];W[swap];W[a1])", "W", "resign", "B+R"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GameTree *tree = read_text(cases[i].text);
        Error error;
        char *record = game_tree_to_record(tree, &error), wanted[32];
        assert_non_null(record);
        snprintf(wanted, sizeof wanted, "\"winner\":\"%s\"", cases[i].winner);
        assert_non_null(strstr(record, wanted));
        snprintf(wanted, sizeof wanted, "\"reason\":\"%s\"", cases[i].reason);
        assert_non_null(strstr(record, wanted));
        if (i < 2) { /* whoever reads the third must know that there was a pie rule */
            GameTree *again = read_text(record);
            assert_string_equal(again->result, cases[i].result);
            game_tree_free(again);
        }
        game_tree_free(tree);
        free(record);
    }
}

/* A text of several games: their number, and where each begins. Only SGF has several. */
static void test_several_games(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int games;
    } cases[] = {
        {"(;SZ[3];B[c3])", 1},
        {" \n(;SZ[3]C[)(;\\](;\\\\];B[c3](;W[a1])(;W[e1]))\n text ( \n(;SZ[4]) (; SZ[5])", 3},
        {"(;SZ[3];B[c3](;W[a1])", 1}, /* an error, when it is read */
        {"3 d4 c3 e4", 1},
        {"{\"a\": \"(;)(;)\"}", 1},
        {"", 1},
    };
    size_t begin;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(game_tree_count(cases[i].text, strlen(cases[i].text), 1, &begin), cases[i].games);
        assert_int_equal(begin, 0);
    }
    for (int number = 2; number <= 3; number++) {
        assert_int_equal(game_tree_count(cases[1].text, strlen(cases[1].text), number, &begin), 3);
        GameTree *tree = read_text(cases[1].text + begin);
        assert_int_equal(tree->game->board.size, number + 2);
        game_tree_free(tree);
    }
}

/* Turns that follow the end of the game are read and written, but are none of its main line. */
static void test_turns_after_the_end(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"(;SZ[3]RE[B+R];B[c3];W[a1](;)(;B[e3]C[taken back])(;B[a3]))", "c3 a1"},
        {"(;SZ[3]RE[W+R](;)(;B[c3];W[a1];B[e3]))", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        GameTree *tree = read_text(cases[i][0]);
        char *sgf = game_tree_to_sgf(tree, NULL), *list = game_tree_to_list(tree, NULL);
        GameTree *again = read_text(sgf), *listed = read_text(list);
        assert_first_variation(tree, cases[i][1]);
        assert_first_variation(again, cases[i][1]);
        assert_first_variation(listed, cases[i][1]);
        assert_int_equal(again->count, tree->count);
        assert_string_equal(again->result, tree->result);
        Error error;
        char *record = game_tree_to_record(tree, &error);
        assert_non_null(record);
        assert_null(strstr(record, "e3"));
        free(record);
        free(list);
        free(sgf);
        game_tree_free(listed);
        game_tree_free(again);
        game_tree_free(tree);
    }
}

static void test_unfinished(void **state) {
    (void)state;
    GameTree *tree = read_text("c3 a1");
    Error error;
    assert_null(game_tree_to_record(tree, &error));
    assert_non_null(strstr(error.text, "not over"));
    char *list = game_tree_to_list(tree, &error);
    assert_string_equal(list, "1. 0 play-second\n2. c3 a1\n");
    free(list);
    game_tree_free(tree);
}

/* An empty node before the others says that the line ends there; not where a variation before it went on. */
static void test_end_marks(void **state) {
    (void)state;
    static const struct {
        const char *text, *first;
    } cases[] = {{"(;GM[stigmergy]SZ[3](;B[a1](;)(;W[c1]))(;B[a1];W[b1]))", "a1"},
                 {"(;GM[stigmergy]SZ[3](;B[a1];W[b1])(;B[a1](;)(;W[c1])))", "a1 b1"},
                 /* nor does a later variation go on with the first one */
                 {"(;GM[stigmergy]SZ[3]RE[W+R](;B[c3])(;B[c3];W[b1]))", "c3"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Error error;
        GameTree *tree = read_text(cases[i].text);
        assert_first_variation(tree, cases[i].first);
        char *saved = game_tree_to_sgf(tree, &error);
        GameTree *again = read_text(saved);
        assert_first_variation(again, cases[i].first);
        game_tree_free(again);
        free(saved);
        game_tree_free(tree);
    }
}

static void test_lists(void **state) {
    (void)state;
    static const char *const lists[] = {
        "1. 3 pie\n2. c3 button\n3. a1 e1", "3, pie, c3, button, a1, e1", "3\npie\nC3\nbutton\na1\ne1\n",
        "3 c3 take-button 2.a1 e1",         "3 | c3 button | a1 e1",      "\xef\xbb\xbf 1) 3 - 2) c3 button 3) a1 e1"};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        GameTree *tree = read_text(lists[i]);
        assert_int_equal(tree->komi, 3);
        assert_first_variation(tree, "c3 take-button a1 e1");
        game_tree_free(tree);
    }
    assert_refused("", "no moves found");
    assert_refused(" \n", "no moves found");
    assert_refused("3 pie c3 pie", "move 2: 'pie' is not a move");
    assert_refused("c3 pie a1", "move 2: 'pie' is not a move"); /* it answers a komi, and is no swap */
    assert_refused("c3 play-second a1", "move 2: 'play-second' is not a move");
    Error error;
    assert_null(game_tree_read("c3\0a1 b1", 9, "test", &options, &error));
    assert_string_equal(error.text, "test: word 1 has a NUL byte, expected text");
    static const char *const misplaced[] = {"3.5 c3", "c3 3 d4", "3 c3 4", "komi 3 c3", "c3 komi=3", "c3 -2"};
    for (size_t i = 0; i < sizeof misplaced / sizeof misplaced[0]; i++)
        assert_refused(misplaced[i], "expected the komi as the first word of the list, a whole number");
    assert_refused("c3 3 d4", "word 2: '3'");
    assert_refused("40 c3", "komi: 40");
    assert_refused("c3 c3", "move 2: c3");
    assert_refused("3 a1 abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
                   "is not a move");
}

static void test_report(void **state) {
    (void)state;
    GameTree *tree =
        read_text("{\"header\": {\"game\": {\"name\": \"Stigmergy\", \"variants\": [\"size-7\"]}, "
                  "\"players\": [{\"name\": \"Ann\"}, {\"name\": \"Bob\"}]}, "
                  "\"moves\": [[\"4\", \"pie\"], [{\"move\": \"g7\"}, \"a1\"], [{\"move\": \"a2\"}, null]]}");
    assert_int_equal(tree->game->board.size, 7);
    assert_int_equal(tree->komi, 4);
    assert_string_equal(tree->players[WHITE], "Bob");
    assert_first_variation(tree, "g7 a1 a2");
    game_tree_free(tree);
    /* The words of the site's own reports: who makes the first move instead of play-second has the black stones. */
    static const char *const answers[2] = {"\"play-second\"], [\"c3\", \"d4\"]", "\"c3\"], [\"d4\"]"};
    for (int i = 0; i < 2; i++) {
        char report[400];
        snprintf(report, sizeof report,
                 "{\"header\": {\"game\": {\"name\": \"Stigmergy\", \"variants\": [\"Larger board (base 9)\", \"Komi "
                 "offer\"]}, \"players\": [{\"name\": \"Ann\"}, {\"name\": \"Bob\"}]}, \"moves\": [[\"5\", %s, "
                 "[\"take-button\"]]}",
                 answers[i]);
        tree = read_text(report);
        assert_int_equal(tree->game->board.size, 9);
        assert_int_equal(tree->komi, 5);
        assert_string_equal(tree->players[BLACK], i == 0 ? "Ann" : "Bob");
        assert_first_variation(tree, "c3 d4 take-button");
        game_tree_free(tree);
    }
    assert_refused("{\"header\": {\"game\": {\"name\": \"Stigmergy\", \"variants\": [\"Tumpletore\"]}}, \"moves\": "
                   "[[\"3\", \"play-second\"]]}",
                   "'Tumpletore' has other rules");
    assert_refused("{\"a\": 1}", "no game in this JSON, expected a record");
    assert_refused("{\"a\": 1}\n{\"a\": 2}\n", "has a game on each line, expected one game");
    assert_refused("{\"a\": 1\n{\"a\": 2}\n", "line 2 is not valid JSON");
    assert_refused("{\"header\": {}, \"moves\": [[1]]}", "'moves' is wrong");
    assert_refused("{\"header\": {}, \"moves\": [\"3\", 1]}", "'moves' is wrong");
    assert_refused("{\"header\": {}}", "no moves found");
    assert_refused("{\"game\": \"stigmergy\"}", "size");
    assert_refused("{\"game\": \"stigmergy\", \"size\": 3}", "'id' is missing");
    assert_refused("{", "not valid JSON");
}

/* AbstractPlay's words of today in the list that is saved, flips and the button included. */
static void test_saved_list(void **state) {
    (void)state;
    GameTree *tree = read_sized("1 a1 b1 c2 a2 take-button a1x", 2);
    Error error;
    char *list = game_tree_to_list(tree, &error);
    assert_string_equal(list, "1. 1 play-second\n2. a1 b1\n3. c2 a2\n4. take-button a1x\n");
    free(list);
    game_tree_free(tree);
}

/* The value of a key in the last entry of a state's stack. */
static double last_number(const cJSON *state, const char *key, int index) {
    const cJSON *stack = json_get(state, "stack");
    const cJSON *item = json_get(cJSON_GetArrayItem(stack, cJSON_GetArraySize(stack) - 1), key);
    return (index >= 0 ? cJSON_GetArrayItem(item, index) : item)->valuedouble;
}

/* States of AbstractPlay's site: what is written is read again, on its own and within an export of the Playground. */
static void test_states(void **state) {
    (void)state;
    Error error;
    for (int size = 7; size <= 10; size++) {
        GameTree *tree = read_sized("3 a1 b1 take-button c1", size);
        char *text = game_tree_to_state(tree, &error);
        cJSON *json = cJSON_Parse(text), *export = cJSON_CreateObject();
        char variant[16];
        snprintf(variant, sizeof variant, "\"size-%d\"", size);
        assert_int_equal(strstr(text, variant) != NULL, size != 8);
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "stack")), 7);
        assert_int_equal((int)last_number(json, "komi", -1), 3);
        assert_int_equal((int)last_number(json, "buttontaker", -1), 1);
        assert_int_equal((int)last_number(json, "currplayer", -1), 1);
        assert_int_equal((int)last_number(json, "scores", 0), 1);
        assert_int_equal((int)last_number(json, "scores", 1), 2);
        assert_int_equal(cJSON_GetArraySize(json_get(json, "winner")), 0);
        cJSON_AddStringToObject(export, "format", "abstractplay-playground");
        cJSON_AddStringToObject(export, "state", text);
        char *texts[] = {text, cJSON_PrintUnformatted(export)};
        for (int i = 0; i < 2; i++) {
            GameTree *again = read_sized(texts[i], 2);
            assert_same_game(tree, again);
            assert_int_equal(again->game->board.size, size);
            game_tree_free(again);
            free(texts[i]);
        }
        cJSON_Delete(json);
        cJSON_Delete(export);
        game_tree_free(tree);
    }
    GameTree *small = read_sized("3 a1", 6);
    assert_null(game_tree_to_state(small, &error));
    assert_non_null(strstr(error.text, "boards of size 7 to 10"));
    game_tree_free(small);
    assert_refused("{\"game\": \"stigmergy\", \"stack\": [{}, {}]}", "'stack' is wrong");
    assert_refused("{\"game\": \"stigmergy\", \"stack\": []}", "no moves found");
    assert_refused("{\"state\": \"x\"}", "not valid JSON");
    assert_refused("{\"game\": \"stigmergy\", \"variants\": [\"tumpletore\"], \"stack\": [{}, {\"lastmove\": "
                   "\"3\"}]}",
                   "has other rules");
}

static void test_variations(void **state) {
    (void)state;
    Error error;
    GameTree *tree = game_tree_new(&options, 0, &error);
    const int first = game_tree_add(tree, 0, "c3", &error);
    assert_int_equal(game_tree_add(tree, 0, "C3", &error), first);
    assert_int_equal(game_tree_add(tree, first, "c3", &error), -1);
    const int second = game_tree_add(tree, 0, "c1", &error);
    assert_int_equal(tree->nodes[first].next_sibling, second);
    assert_int_equal(tree->nodes[0].last_child, second);
    assert_true(game_tree_comment(tree, second, "a", &error));
    assert_true(game_tree_comment(tree, second, NULL, &error));
    assert_null(tree->nodes[second].comment);
    assert_null(game_tree_new(&options, 20, &error));
    assert_non_null(strstr(error.text, "komi"));
    game_tree_free(tree);
}

/* Adds the first turn, in the order of the game, as text. The new node is the newest one. */
static int add_first_turn(GameTree *tree, int node) {
    const Game *game = tree->game;
    Action turn[GAME_TURN_MAX], legal[GAME_LEGAL_MAX];
    GameState state;
    Error error;
    char text[GAME_TEXT_MAX];
    int count = 0;
    game_copy(game, &state, &tree->nodes[node].state);
    do {
        assert_true(game->rules->legal(game, &state, legal) > 0);
        turn[count] = legal[0];
        game->rules->apply(game, &state, turn[count++]);
    } while (!game->rules->over(&state) && !game->rules->turn_start(&state));
    game_copy(game, &state, &tree->nodes[node].state);
    game_format_turn(game, &state, turn, count, text);
    return game_tree_add(tree, node, text, &error);
}

static int number_at(const cJSON *json, const char *key) {
    assert_true(cJSON_IsNumber(json_get(json, key)));
    return json_get(json, key)->valueint;
}

/* The site is told what each turn did. The komi has the other sign until it is chosen who moves first. */
static void test_states_tell_turns(void **state) {
    (void)state;
    Error error;
    GameTree *tree = game_tree_new(&(GameOptions){.size = 7}, 4, &error);
    int node = 0, flips = 0;
    while (node >= 0 && !tree->game->rules->over(&tree->nodes[node].state))
        node = add_first_turn(tree, node);
    assert_true(node > 0);
    const Side winner = tree->game->rules->result(tree->game, &tree->nodes[node].state).winner;
    char *text = game_tree_to_state(tree, &error);
    cJSON *json = cJSON_Parse(text);
    const cJSON *stack = json_get(json, "stack"), *last = cJSON_GetArrayItem(stack, cJSON_GetArraySize(stack) - 1);
    assert_int_equal(number_at(cJSON_GetArrayItem(stack, 1), "komi"), -4);
    assert_int_equal(number_at(cJSON_GetArrayItem(stack, 2), "komi"), 4);
    for (const cJSON *entry = cJSON_GetArrayItem(stack, 3); entry; entry = entry->next) {
        const char *turn = json_get(entry, "lastmove")->valuestring;
        const cJSON *did = json_get(entry, "_results")->child;
        const bool passes = !strcmp(turn, "pass"), flip = turn[strlen(turn) - 1] == 'x';
        assert_string_equal(json_get(did, "type")->valuestring, passes ? "pass" : flip ? "capture" : "place");
        if (!passes)
            assert_int_equal(strlen(json_get(did, "where")->valuestring), strlen(turn) - flip);
        assert_int_equal(cJSON_GetArraySize(json_get(entry, "_results")), entry == last ? 3 : 1);
        flips += flip;
    }
    assert_true(flips > 0 && cJSON_IsTrue(json_get(json, "gameover")));
    assert_int_equal(json_get(json, "winner")->child->valueint, winner == BLACK ? 1 : 2);
    cJSON_Delete(json);
    free(text);
    game_tree_free(tree);
}

/* The result names the colour that has won, whichever player has that colour after a swap. */
static void test_result_after_swap(void **state) {
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        Error error;
        GameTree *tree = game_tree_new(&(GameOptions){.name = "sgolte", .size = 2}, 0, &error);
        const Game *game = tree->game;
        int node = game_tree_add(tree, 0, "b2", &error);
        if (swap)
            node = game_tree_add(tree, node, "swap", &error);
        while (node >= 0 && !game->rules->over(&tree->nodes[node].state))
            node = add_first_turn(tree, node);
        assert_true(node > 0);
        /* The colour that cannot place a stone has lost. */
        const GameState *end = &tree->nodes[node].state;
        const Side loser = game_colour(game, end, game->rules->to_move(end));
        /* So do the names: who began has White after a swap. */
        snprintf(tree->players[BLACK], GAME_TREE_NAME_MAX, "Ann");
        snprintf(tree->players[WHITE], GAME_TREE_NAME_MAX, "Bob");
        char *text = game_tree_to_sgf(tree, &error);
        assert_non_null(strstr(text, loser == BLACK ? "RE[W+]" : "RE[B+]"));
        assert_non_null(strstr(text, swap ? "PB[Bob]PW[Ann]" : "PB[Ann]PW[Bob]"));
        GameTree *again = read_text(text);
        assert_string_equal(again->players[BLACK], "Ann");
        assert_string_equal(again->players[WHITE], "Bob");
        game_tree_free(again);
        free(text);
        game_tree_free(tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_parse_errors),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_sgf_game),
        cmocka_unit_test(test_sgf_comments),
        cmocka_unit_test(test_sgf_characters),
        cmocka_unit_test(test_sgf_findings),
        cmocka_unit_test(test_sgf_clock),
        cmocka_unit_test(test_sgf_names_in_one_line),
        cmocka_unit_test(test_sgf_time_left),
        cmocka_unit_test(test_sgf_set_up),
        cmocka_unit_test(test_usual_variants),
        cmocka_unit_test(test_set_komi),
        cmocka_unit_test(test_sgf_errors),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_long_names),
        cmocka_unit_test(test_record_without_points),
        cmocka_unit_test(test_forfeited),
        cmocka_unit_test(test_several_games),
        cmocka_unit_test(test_turns_after_the_end),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_end_marks),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_errors_name_their_source),
        cmocka_unit_test(test_sgf_said_twice),
        cmocka_unit_test(test_saved_list),
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_states_tell_turns),
        cmocka_unit_test(test_variations),
        cmocka_unit_test(test_result_after_swap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
