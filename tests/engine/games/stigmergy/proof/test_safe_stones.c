/* Tests of unconditional safety by the reference rules: it is sound, and it finds every safe cell. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "tests/support/reference.h"
#include "tests/support/safe_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct Board {
    Game *game;
    int cells, q[HEXHEX_MAX_CELLS], r[HEXHEX_MAX_CELLS];
} Board;

static void open_board(Board *board, int size) {
    Error error;
    board->game = game_new(&(GameOptions){.size = size}, &error);
    assert_non_null(board->game);
    board->cells = board->game->board.cells;
    for (int c = 0; c < board->cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        hexhex_name(&board->game->board, c, name);
        assert_true(reference_find(size, name, &board->q[c], &board->r[c]));
    }
}

static char stone_at(const Board *board, const Reference *reference, int c) {
    return reference_stone(reference, board->q[c], board->r[c]);
}

/* The answer of safe_cells for a colour on a board of the reference. */
static void find_safe(const Board *board, const Reference *reference, char colour, bool safe[HEXHEX_MAX_CELLS]) {
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    uint64_t set[HEXHEX_WORDS];
    GameState state;
    for (int c = 0; c < board->cells; c++)
        stones[c] = stone_at(board, reference, c) == 'B' ? 1 : stone_at(board, reference, c) == 'W' ? 2 : 0;
    stigmergy_set_up(board->game, &state, stones, BLACK, 0, 0, BUTTON_NONE);
    safe_cells(board->game, &state, colour == 'B' ? BLACK : WHITE, set);
    for (int c = 0; c < board->cells; c++)
        safe[c] = set[c / 64] >> (c % 64) & 1;
}

static bool owned(const Board *board, const Reference *reference, int c, char colour) {
    const char stone = stone_at(board, reference, c);
    return stone == colour || (stone == '.' && reference_controller(reference, board->q[c], board->r[c]) == colour);
}

/* Safe cells are owned now, and they stay safe after every placement and flip of either side. If that holds in all
 * positions, they are owned for ever, whatever is played. */
static void assert_safe_for_ever(const Board *board, const Reference *reference) {
    static const char colours[] = "BW";
    for (int i = 0; i < 2; i++) {
        bool safe[HEXHEX_MAX_CELLS], later[HEXHEX_MAX_CELLS];
        find_safe(board, reference, colours[i], safe);
        for (int c = 0; c < board->cells; c++)
            assert_true(!safe[c] || owned(board, reference, c, colours[i]));
        for (int mover = 0; mover < 2; mover++) {
            Reference from = *reference;
            ReferenceTurn turns[REFERENCE_TURNS];
            from.side = colours[mover];
            const int count = reference_legal(&from, turns);
            for (int k = 0; k < count; k++) {
                Reference next = from;
                assert_true(reference_apply(&next, turns[k].text));
                find_safe(board, &next, colours[i], later);
                for (int c = 0; c < board->cells; c++)
                    assert_true(!safe[c] || later[c]);
            }
        }
    }
}

/* The opponent moves alone in random order. This takes every cell that is not safe, and no safe cell. */
static void assert_others_are_lost(const Board *board, const Reference *reference, Rng *rng) {
    static const char colours[] = "BW";
    for (int i = 0; i < 2; i++) {
        bool safe[HEXHEX_MAX_CELLS];
        find_safe(board, reference, colours[i], safe);
        Reference alone = *reference;
        for (;;) {
            ReferenceTurn turns[REFERENCE_TURNS];
            alone.side = colours[1 - i];
            alone.passes = 0;
            int count = reference_legal(&alone, turns);
            if (count > 0 && strcmp(turns[count - 1].text, "pass") == 0)
                count--;
            if (count == 0)
                break;
            assert_true(reference_apply(&alone, turns[rng_below(rng, (uint32_t)count)].text));
        }
        for (int c = 0; c < board->cells; c++)
            assert_int_equal(safe[c], stone_at(board, &alone, c) != colours[1 - i]);
    }
}

static void put(const Board *board, Reference *reference, int c, char stone) {
    reference->stone[board->q[c] + REFERENCE_REACH][board->r[c] + REFERENCE_REACH] = stone;
}

/* Every board of hexhex-2. So the steps of assert_safe_for_ever cover all games from all positions. */
static void test_all_of_hexhex_2(void **unused) {
    (void)unused;
    Board board;
    Rng rng = rng_seed(1);
    open_board(&board, 2);
    for (int number = 0; number < 2187; number++) {
        Reference reference;
        reference_start(&reference, 2, 0);
        for (int c = 0, rest = number; c < board.cells; c++, rest /= 3)
            put(&board, &reference, c, ".BW"[rest % 3]);
        assert_safe_for_ever(&board, &reference);
        assert_others_are_lost(&board, &reference, &rng);
    }
    game_free(board.game);
}

/* Random boards of all sizes. */
static void test_random_boards(void **unused) {
    (void)unused;
    static const int count[HEXHEX_MAX_SIZE + 1] = {0, 0, 0, 200, 60, 12, 4, 2, 1, 1, 1};
    for (int size = 3; size <= HEXHEX_MAX_SIZE; size++) {
        Board board;
        Rng rng = rng_seed((uint64_t)size);
        open_board(&board, size);
        for (int i = 0; i < count[size]; i++) {
            Reference reference;
            const uint32_t black = 2 + rng_below(&rng, 7), empty = rng_below(&rng, 5); /* tenths, eighths */
            reference_start(&reference, size, 0);
            for (int c = 0; c < board.cells; c++)
                put(&board, &reference, c, rng_below(&rng, 8) < empty ? '.' : rng_below(&rng, 10) < black ? 'B' : 'W');
            if (size <= 5)
                assert_safe_for_ever(&board, &reference);
            assert_others_are_lost(&board, &reference, &rng);
        }
        game_free(board.game);
    }
}

static int count_safe(const Board *board, const Reference *reference) {
    bool safe[HEXHEX_MAX_CELLS];
    int count = 0;
    find_safe(board, reference, 'B', safe);
    for (int c = 0; c < board->cells; c++)
        count += safe[c];
    return count;
}

/* Four black stones in a corner of hexhex-4 protect each other. White never sees more than one of the corner's three
 * neighbours, two of four from the edges, and three of six from the inner stone. This also holds with the corner empty,
 * because nothing lies behind it. Without the inner stone nothing is safe. */
static void test_corner(void **unused) {
    (void)unused;
    Board board;
    Reference reference;
    bool safe[HEXHEX_MAX_CELLS];
    open_board(&board, 4);
    reference_start(&reference, 4, 0);
    static const int stones[] = {0, 1, 4, 5}; /* g1, g2, f1, f2 */
    for (int i = 0; i < 4; i++)
        put(&board, &reference, stones[i], 'B');
    find_safe(&board, &reference, 'B', safe);
    for (int i = 0; i < 4; i++)
        assert_true(safe[stones[i]]);
    assert_int_equal(count_safe(&board, &reference), 4);
    put(&board, &reference, 0, '.');
    assert_int_equal(count_safe(&board, &reference), 4);
    put(&board, &reference, 5, '.');
    assert_int_equal(count_safe(&board, &reference), 0);
    game_free(board.game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_hexhex_2),
        cmocka_unit_test(test_random_boards),
        cmocka_unit_test(test_corner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
