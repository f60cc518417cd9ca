/* Tests of the searches behind the rules of Sgolte: cuts, room, and captures that split a group.
 *
 * Small positions are compared with trying all subsets. Cuts of large boards are compared with those of their images,
 * whose rows run in other directions. Then follow games that capture as much as they can, where the searches have most
 * to do. These games must end at all sizes. */
#include "engine/base/rng.h"
#include "engine/game/game.h"
#include "engine/games/registry.h"
#include "engine/games/sgolte/cut.h"
#include "engine/games/sgolte/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A board and the groups of one player on it. */
typedef struct Position {
    Hexhex board;
    SgolteTables tables;
    SgolteBoard stones;
    SgolteFences fences;
} Position;

/* Makes the tables of a board and the groups of Black's stones. */
static void set_up(Position *position, int size, CellSet black) {
    SgolteState state = {.turn = {.side = BLACK}};
    memset(position, 0, sizeof *position);
    hexhex_init(&position->board, size);
    sgolte_board_init(&position->tables, &position->board, false);
    set_store(state.stones[BLACK], black);
    sgolte_load(&position->tables, &state, &position->stones);
    sgolte_fences(&position->tables, &position->stones.groups[BLACK], SGOLTE_NONE, &position->fences);
}

/* Takes each cell of a board with `cells` cells, or of a set, with a probability in percent. */
static CellSet draw_cells(Rng *rng, int cells, CellSet from, uint32_t percent) {
    CellSet drawn = 0;
    for (int c = 0; c < cells; c++) {
        if (rng_below(rng, 100) < percent && set_has(from, c)) {
            drawn |= (CellSet)1 << c;
        }
    }
    return drawn;
}

/* The largest number of usable cells that can be filled without joining groups, by trying all subsets. */
static int most_by_trying(const SgolteTables *tables, const SgolteFences *fences, CellSet usable) {
    int cells[16], count = 0, most = 0;
    for (int c; set_take(&usable, &c);) {
        cells[count++] = c;
    }
    for (unsigned subset = 0; subset < 1u << count; subset++) {
        CellSet filled = 0;
        bool apart = true;
        for (int i = 0; i < count; i++) {
            filled |= subset >> i & 1 ? tables->bit[cells[i]] : 0;
        }
        for (CellSet rest = filled; rest && apart;) {
            const CellSet part = sgolte_flood(tables, rest, rest & -rest);
            int touched = 0;
            for (int i = 0; i < fences->count; i++) {
                touched += (part & fences->near[i]) != 0;
            }
            apart = touched <= 1;
            rest &= ~part;
        }
        if (apart && set_count(filled) > most) {
            most = set_count(filled);
        }
    }
    return most;
}

static void test_room(void **unused) {
    (void)unused;
    static Position position;
    long compared = 0, tight = 0;
    for (uint64_t i = 0; i < 4000; i++) {
        Rng rng = rng_seed(rng_split(2600, i));
        const int size = 3 + (int)(i % 5), cells = hexhex_cell_count(size);
        const CellSet black = draw_cells(&rng, cells, ~(CellSet)0, 10 + rng_below(&rng, 40));
        const CellSet empty = draw_cells(&rng, cells, ~black, size > 5 ? 25 : 50);
        set_up(&position, size, black);
        const SgolteFences *fences = &position.fences;
        const CellSet usable = empty & ~fences->twice;
        if (set_count(usable) > 13) {
            continue;
        }
        const int most = most_by_trying(&position.tables, fences, usable), needed = set_count(usable) - most;
        for (int k = 0; k <= set_count(empty) + 1; k++) {
            assert_int_equal(sgolte_room(&position.tables, fences, empty, k), k <= most);
        }
        for (int limit = 0; limit <= needed + 1; limit++) {
            const int cut = sgolte_cut(&position.tables, fences->near, fences->count, usable, limit);
            assert_int_equal(cut, needed <= limit ? needed : limit + 1);
        }
        assert_true(sgolte_room_bound(fences, empty) <= most);
        tight += most < set_count(usable);
        compared++;
    }
    print_message("%ld positions, in %ld some usable cells must stay empty\n", compared, tight);
    assert_true(tight > 500);
}

static CellSet image_of(const Hexhex *board, int map, CellSet set) {
    CellSet image = 0;
    for (int c; set_take(&set, &c);) {
        image |= (CellSet)1 << board->symmetry[map][c];
    }
    return image;
}

/* Open areas with a few stones, where the cut is large: up to hexhex-7. */
static void test_cuts_of_images(void **unused) {
    (void)unused;
    static Position position;
    int largest = 0;
    for (uint64_t i = 0; i < 60; i++) {
        Rng rng = rng_seed(rng_split(2610, i));
        const int size = 4 + (int)(i % 4), cells = hexhex_cell_count(size);
        CellSet black = 0;
        int first = -1;
        set_up(&position, size, 0);
        for (int tries = 0; tries < cells; tries++) {
            const int c = (int)rng_below(&rng, (uint32_t)cells);
            black |= sgolte_near(&position.tables, position.tables.adjacent[c]) & black ? 0 : (CellSet)1 << c;
        }
        const CellSet empty = draw_cells(&rng, cells, ~black, size > 5 ? 70 : 85);
        for (int map = 0; map < HEXHEX_SYMMETRIES; map += 5) {
            set_up(&position, size, image_of(&position.board, map, black));
            const SgolteFences *fences = &position.fences;
            const CellSet usable = image_of(&position.board, map, empty) & ~fences->twice;
            const int cut = sgolte_cut(&position.tables, fences->near, fences->count, usable, SGOLTE_CELLS);
            assert_true(first < 0 || cut == first);
            first = cut;
        }
        largest = first > largest ? first : largest;
    }
    print_message("largest cut: %d cells\n", largest);
    assert_true(largest > 20);
}

/* ---- Captures that split ---- */

/* A connected set of about `count` cells that are not `taken`. */
static CellSet grow(const SgolteTables *tables, Rng *rng, CellSet taken, int count) {
    CellSet group = tables->bit[rng_below(rng, (uint32_t)tables->cells)] & ~taken;
    for (int tries = 0; tries < 1000 && group && set_count(group) < count; tries++) {
        const int c = (int)rng_below(rng, (uint32_t)tables->cells);
        if (sgolte_near(tables, group) & ~taken & tables->bit[c]) {
            group |= tables->bit[c];
        }
    }
    return group;
}

static bool is_connected(const SgolteTables *tables, CellSet set) {
    return !set || sgolte_flood(tables, set, set & -set) == set;
}

/* Whether some subset of the target splits it and has room, by trying all subsets. */
static bool can_split_by_trying(const SgolteCaptures *captures, const SgolteTarget *target) {
    int stones[16], count = 0;
    CellSet rest = target->group;
    for (int c; set_take(&rest, &c);) {
        stones[count++] = c;
    }
    for (unsigned subset = 1; subset < 1u << count; subset++) {
        CellSet set = 0;
        for (int i = 0; i < count; i++) {
            set |= subset >> i & 1 ? captures->tables->bit[stones[i]] : 0;
        }
        if (!is_connected(captures->tables, target->group & ~set) &&
            sgolte_room(captures->tables, &captures->fences, target->empty | set, target->k + set_count(set))) {
            return true;
        }
    }
    return false;
}

/* Questions about one position, at its limit of room and near it, in all orders, because answers may use earlier
 * ones. */
static struct { long asked, impossible, tight; } tally;

static void compare_splits(const Position *position, CellSet group, CellSet empty, int k) {
    const SgolteTables *tables = &position->tables;
    SgolteCaptures captures = {.tables = tables, .fences = position->fences, .empty = empty};
    captures.bound = sgolte_room_bound(&captures.fences, empty);
    const bool tight = !sgolte_room(tables, &captures.fences, empty, k + 1);
    for (int c = -1; c < tables->cells; c++) {
        SgolteTarget target = {group, empty, k}, rest = target;
        if (c >= 0 && (!set_has(group, c) || sgolte_is_cut(tables, group, c))) {
            continue;
        }
        if (c >= 0) {
            rest = (SgolteTarget){group & ~tables->bit[c], empty | tables->bit[c], k + 1};
        }
        const bool expected = can_split_by_trying(&captures, &rest);
        assert_int_equal(sgolte_can_split(&captures, &target, c < 0 ? SGOLTE_NONE : c), expected);
        tally.asked++;
        tally.impossible += !expected;
        tally.tight += !expected && tight && sgolte_room(tables, &captures.fences, rest.empty, rest.k);
    }
}

static void test_splits(void **unused) {
    (void)unused;
    static Position position;
    memset(&tally, 0, sizeof tally);
    for (uint64_t i = 0; i < 5000; i++) {
        Rng rng = rng_seed(rng_split(2620, i));
        const int size = 3 + (int)(i % 3), cells = hexhex_cell_count(size);
        const CellSet black = draw_cells(&rng, cells, ~(CellSet)0, 15 + rng_below(&rng, 30));
        const CellSet empty = draw_cells(&rng, cells, ~black, rng_below(&rng, i % 2 ? 12 : 30));
        set_up(&position, size, black);
        const CellSet group = grow(&position.tables, &rng, black | empty, 4 + (int)(i % 9));
        int most = 0;
        while (sgolte_room(&position.tables, &position.fences, empty, most + 1)) {
            most++;
        }
        for (int k = most > 1 ? most - 2 : 0; k <= most && group && black; k++) {
            compare_splits(&position, group, empty, k);
        }
    }
    print_message("%ld questions, %ld without a way, %ld of them where there is room for those captured and no more\n",
                  tally.asked, tally.impossible, tally.tight);
    assert_true(tally.tight > 1000);
}

/* The stones in a picture, row by row: B own, # of the group, . empty. */
static CellSet read_cells(const char *picture, char kind) {
    CellSet set = 0;
    int cell = 0;
    for (; *picture; picture++) {
        if (*picture != ' ') {
            set |= *picture == kind ? (CellSet)1 << cell : 0;
            cell++;
        }
    }
    return set;
}

/* A position that depends on the edge of the board: a curve goes from it to the hole in the middle and back. */
static void test_split_at_the_edge(void **unused) {
    (void)unused;
    static const char picture[] = ".BBB .BBBB ##BBBB #####BB B#.B## #B##B ##B#";
    static Position position;
    memset(&tally, 0, sizeof tally);
    set_up(&position, 4, read_cells(picture, 'B'));
    compare_splits(&position, read_cells(picture, '#'), read_cells(picture, '.'), 2);
    assert_true(tally.asked > tally.impossible);
}

/* ---- Games ---- */

/* The legal action with this number, or the last one. */
static Action pick(const Game *game, const GameState *state, int number) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    assert_true(count > 0);
    return legal[number < 0 ? count - 1 : number % count];
}

static SgolteTurn turn_of(const GameState *state) {
    return ((const SgolteState *)state)->turn;
}

static Game *new_game(int size, GameCapture capture) {
    Game *game =
        game_new(&(GameOptions){.name = "sgolte", .size = size, .capture = capture, .pie = GAME_PIE_OFF}, NULL);
    assert_non_null(game);
    return game;
}

/* Placements and re-placements are random. Captures are always the first or the last legal one, so that they go on as
 * long as there is room. */
static void test_greedy_captures(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= SGOLTE_MAX_SIZE; size++) {
        int most = 0;
        for (uint64_t i = 0; i < 8; i++) {
            Game *game = new_game(size, i % 4 == 3 ? GAME_CAPTURE_LINE : GAME_CAPTURE_FREE);
            Rng rng = rng_seed(rng_split(2630 + (uint64_t)size, i));
            GameState state;
            game->rules->start(game, &state, 0);
            while (!game->rules->over(&state)) {
                const SgolteTurn turn = turn_of(&state);
                const int chance = (int)rng_below(&rng, GAME_LEGAL_MAX);
                const int choice = turn.stage == SGOLTE_CAPTURE ? -(int)(i % 2) : chance;
                game->rules->apply(game, &state, pick(game, &state, choice));
                most = turn.captured > most ? turn.captured : most;
            }
            game_free(game);
        }
        print_message("hexhex-%d: up to %d captures in a turn\n", size, most);
    }
}

/* A game that once took hours, with a search that branched on the cells of paths. All actions but one at the beginning
 * are the first legal ones. */
static void test_first_actions(void **unused) {
    (void)unused;
    Game *game = game_new(&(GameOptions){.name = "sgolte", .size = 7, .capture = GAME_CAPTURE_FREE}, NULL);
    GameState state;
    assert_non_null(game);
    game->rules->start(game, &state, 0);
    for (int i = 0; !game->rules->over(&state); i++) {
        game->rules->apply(game, &state, pick(game, &state, i == 0 ? 223 : 0));
    }
    game_free(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_cuts_of_images),
        cmocka_unit_test(test_splits),
        cmocka_unit_test(test_split_at_the_edge),
        cmocka_unit_test(test_greedy_captures),
        cmocka_unit_test(test_first_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
