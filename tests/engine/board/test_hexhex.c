/* Tests of the board at every size: cell numbers, names, neighbours, and the group of its twelve symmetries. */
#include "engine/board/hexhex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Hexhex boards[HEXHEX_MAX_SIZE + 1];

static int init_boards(void **state) {
    (void)state;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        hexhex_init(&boards[size], size);
    }
    return 0;
}

/* Runs a check for each board. */
static void at_every_size(void (*check)(const Hexhex *board)) {
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        check(&boards[size]);
    }
}

/* The number of steps between two cells: the larger of |dq|, |dr| and |dq + dr|. */
static int distance(const Hexhex *board, int a, int b) {
    const int dq = abs(board->q[a] - board->q[b]), dr = abs(board->r[a] - board->r[b]);
    const int ds = abs(board->q[a] + board->r[a] - board->q[b] - board->r[b]);
    return dq > dr ? (dq > ds ? dq : ds) : (dr > ds ? dr : ds);
}

static void check_cells(const Hexhex *board) {
    const int size = board->size;
    assert_int_equal(board->cells, 3 * size * (size - 1) + 1);
    assert_int_equal(board->words, (board->cells + 63) / 64);
    int cell = 0;
    for (int r = -(size - 1); r <= size - 1; r++) {
        for (int q = -(size - 1); q <= size - 1; q++) {
            if (abs(q + r) > size - 1) {
                assert_int_equal(hexhex_cell(board, q, r), -1);
                continue;
            }
            assert_int_equal(hexhex_cell(board, q, r), cell);
            assert_int_equal(board->q[cell], q);
            assert_int_equal(board->r[cell], r);
            cell++;
        }
    }
    assert_int_equal(cell, board->cells);
    for (int far = size; far <= 1000; far += 7) {
        assert_int_equal(hexhex_cell(board, far, 0), -1);
        assert_int_equal(hexhex_cell(board, -far, 0), -1);
        assert_int_equal(hexhex_cell(board, 0, far), -1);
        assert_int_equal(hexhex_cell(board, far, -far), -1);
    }
}

static void test_cells(void **state) {
    (void)state;
    static const int cells[] = {0, 0, 7, 19, 37, 61, 91, 127, 169, 217, 271};
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        assert_int_equal(boards[size].size, size);
        assert_int_equal(boards[size].cells, cells[size]);
    }
    assert_int_equal(boards[HEXHEX_MAX_SIZE].cells, HEXHEX_MAX_CELLS);
    assert_int_equal(boards[HEXHEX_MAX_SIZE].words, HEXHEX_WORDS);
    at_every_size(check_cells);
}

static void check_opposite(const Hexhex *board) {
    for (int cell = 0; cell < board->cells; cell++) {
        assert_int_equal(hexhex_cell(board, -board->q[cell], -board->r[cell]), board->cells - 1 - cell);
    }
}

static void test_opposite(void **state) {
    (void)state;
    at_every_size(check_opposite);
}

/* Names. */

static void test_names_of_small_boards(void **state) {
    (void)state;
    static const char *const two[] = {"c1", "c2", "b1", "b2", "b3", "a1", "a2"};
    static const char *const three[] = {"e1", "e2", "e3", "d1", "d2", "d3", "d4", "c1", "c2", "c3",
                                        "c4", "c5", "b1", "b2", "b3", "b4", "a1", "a2", "a3"};
    char name[HEXHEX_NAME_SIZE];
    for (int cell = 0; cell < 7; cell++) {
        assert_int_equal(hexhex_name(&boards[2], cell, name), 2);
        assert_string_equal(name, two[cell]);
    }
    for (int cell = 0; cell < 19; cell++) {
        assert_int_equal(hexhex_name(&boards[3], cell, name), 2);
        assert_string_equal(name, three[cell]);
    }
    assert_int_equal(hexhex_name(&boards[10], 135, name), 3);
    assert_string_equal(name, "j10"); /* the centre */
    assert_int_equal(hexhex_name(&boards[10], 0, name), 2);
    assert_string_equal(name, "s1");
    assert_int_equal(hexhex_name(&boards[10], 9, name), 3);
    assert_string_equal(name, "s10");
    assert_int_equal(hexhex_name(&boards[10], 270, name), 3);
    assert_string_equal(name, "a10");
}

/* Every name can be read again, in upper case too, and leaves `end` behind it. Names are row and column. */
static void check_round_trip(const Hexhex *board) {
    int row = board->r[0], column = 0;
    for (int cell = 0; cell < board->cells; cell++) {
        char name[HEXHEX_NAME_SIZE], text[HEXHEX_NAME_SIZE + 2], expected[32];
        const char *end = NULL;
        column = board->r[cell] == row ? column + 1 : 1;
        row = board->r[cell];
        snprintf(expected, sizeof expected, "%c%d", 'a' + board->size - 1 - row, column);
        const size_t length = hexhex_name(board, cell, name);
        assert_string_equal(name, expected);
        assert_int_equal(length, strlen(name));

        assert_int_equal(hexhex_parse(board, name, &end), cell);
        assert_ptr_equal(end, name + length);
        assert_int_equal(hexhex_named(board, name), cell);
        snprintf(text, sizeof text, "%sx", name);
        assert_int_equal(hexhex_parse(board, text, &end), cell);
        assert_ptr_equal(end, text + length);
        assert_int_equal(hexhex_named(board, text), -1);
        text[0] = (char)(text[0] - 'a' + 'A');
        text[length] = ',';
        assert_int_equal(hexhex_parse(board, text, &end), cell);
        assert_ptr_equal(end, text + length);
    }
}

static void test_round_trip(void **state) {
    (void)state;
    at_every_size(check_round_trip);
}

static void check_bad_names(const Hexhex *board) {
    static const char *const bad[] = {"",
                                      "a",
                                      "1",
                                      " a1",
                                      "a 1",
                                      "a-1",
                                      "a+1",
                                      "a0",
                                      "a00",
                                      "aa",
                                      "11",
                                      "a99",
                                      "a272",
                                      "a300",
                                      "a257",
                                      "a4294967297",
                                      "t1",
                                      "z1",
                                      "`1",
                                      "{1",
                                      "@1",
                                      "[1",
                                      "?1",
                                      "\xe1z",
                                      "pass",
                                      "a",
                                      "ax",
                                      "a.1",
                                      "-a1",
                                      "\n",
                                      "a\n1",
                                      "A",
                                      "A0",
                                      "T1",
                                      "b0",
                                      "#",
                                      "a999999999999999999999999999999999999999999999999999999999999999999999999999"};
    const char *end;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hexhex_parse(board, bad[i], &end), -1);
        assert_int_equal(hexhex_named(board, bad[i]), -1);
    }
    for (int row = 0; row < 26; row++) { /* one past the right end of each row, and rows above the top */
        const int length = 2 * board->size - 1 - abs(row - (board->size - 1));
        char text[16];
        snprintf(text, sizeof text, "%c%d", 'a' + row, length < 0 ? 1 : length + 1);
        assert_int_equal(hexhex_parse(board, text, &end), -1);
    }
}

static void test_bad_names(void **state) {
    (void)state;
    at_every_size(check_bad_names);
}

/* Neighbours. */

static void check_neighbours(const Hexhex *board) {
    int with_degree[HEXHEX_DIRECTIONS + 1] = {0};
    for (int cell = 0; cell < board->cells; cell++) {
        int degree = 0;
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            const int neighbour = board->neighbour[cell][d];
            assert_int_equal(neighbour,
                             hexhex_cell(board, board->q[cell] + hexhex_step_q[d], board->r[cell] + hexhex_step_r[d]));
            if (neighbour >= 0) {
                degree++;
                assert_int_equal(board->neighbour[neighbour][d ^ 1], cell);
                assert_int_equal(distance(board, cell, neighbour), 1);
                assert_true(d % 2 == 0 ? neighbour > cell : neighbour < cell);
            }
        }
        assert_int_equal(board->degree[cell], degree);
        with_degree[degree]++;
    }
    assert_int_equal(with_degree[3], 6);
    assert_int_equal(with_degree[4], 6 * (board->size - 2));
    assert_int_equal(with_degree[6], board->cells - 6 * (board->size - 1));
}

static void test_neighbours(void **state) {
    (void)state;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) { /* the six directions of engine/docs/rules.md, each once */
        const int q = hexhex_step_q[d], r = hexhex_step_r[d];
        assert_true(abs(q) <= 1 && abs(r) <= 1 && abs(q + r) <= 1 && (q != 0 || r != 0));
        for (int e = 0; e < d; e++) {
            assert_true(hexhex_step_q[e] != q || hexhex_step_r[e] != r);
        }
    }
    at_every_size(check_neighbours);
}

/* Symmetries. */

static bool same_map(const Hexhex *board, const int16_t *a, const int16_t *b) {
    return memcmp(a, b, (size_t)board->cells * sizeof *a) == 0;
}

/* The symmetry that results from a followed by b. */
static int composed(const Hexhex *board, int a, int b) {
    int16_t both[HEXHEX_MAX_CELLS];
    for (int cell = 0; cell < board->cells; cell++) {
        both[cell] = board->symmetry[b][board->symmetry[a][cell]];
    }
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        if (same_map(board, both, board->symmetry[map])) {
            return map;
        }
    }
    return -1;
}

/* Each map is a bijection that keeps all distances. So it keeps adjacency and straight lines too. */
static void check_maps(const Hexhex *board) {
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        bool met[HEXHEX_MAX_CELLS] = {false};
        const int16_t *to = board->symmetry[map];
        for (int cell = 0; cell < board->cells; cell++) {
            assert_in_range(to[cell], 0, board->cells - 1);
            assert_false(met[to[cell]]);
            met[to[cell]] = true;
            for (int other = 0; other < cell; other++) {
                assert_int_equal(distance(board, to[cell], to[other]), distance(board, cell, other));
            }
        }
        for (int other = 0; other < map; other++) {
            assert_false(same_map(board, to, board->symmetry[other]));
        }
    }
}

/* The twelve maps are distinct, 0 is the identity, and they are closed under composition: they form a group. The first
 * six are the rotations: their composition is commutative, and two reflections always make a rotation. */
static void check_group(const Hexhex *board) {
    for (int cell = 0; cell < board->cells; cell++) {
        assert_int_equal(board->symmetry[0][cell], cell);
    }
    for (int a = 0; a < HEXHEX_SYMMETRIES; a++) {
        bool met[HEXHEX_SYMMETRIES] = {false};
        for (int b = 0; b < HEXHEX_SYMMETRIES; b++) {
            const int c = composed(board, a, b);
            assert_in_range(c, 0, HEXHEX_SYMMETRIES - 1);
            assert_false(met[c]);
            met[c] = true;
            assert_int_equal(c < 6, (a < 6) == (b < 6));
            if (a < 6 && b < 6) {
                assert_int_equal(c, composed(board, b, a));
            }
        }
        if (a >= 6) { /* each reflection is its own inverse */
            assert_int_equal(composed(board, a, a), 0);
        }
    }
}

static void test_symmetries(void **state) {
    (void)state;
    at_every_size(check_maps);
    at_every_size(check_group);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_opposite),
        cmocka_unit_test(test_names_of_small_boards),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_bad_names),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_symmetries),
    };
    return cmocka_run_group_tests(tests, init_boards, NULL);
}
