/* Tests of the rules of Bug: the engine against the reference implementation, position by position.
 *
 * A Twin is one position held by both. `assert_same` compares everything that can be asked about it, and compares the
 * state with the same position set up from its stones alone. It is called at every stone of three sorts of random games
 * at every size: plain ones, games that prefer to grow large bugs, and games from random stones. Then follow the
 * positions, counts and facts of engine/docs/rules.md, the symmetries, the shapes, the texts, and the playouts of every
 * kernel. */
#include "engine/base/rng.h"
#include "engine/game/perft.h"
#include "engine/games/bug/bug.h"
#include "engine/games/bug/shape.h"
#include "engine/games/registry.h"
#include "tests/support/bug_reference.h"
#include "tests/support/same_playout.h"
#include "tests/support/wander.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { STONES_MAX = 1024 }; /* limit for a game, checked by an assertion; no game comes close */

static Game *games[BUG_MAX_SIZE + 1];

static int make_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++) {
        games[size] = game_new(&(GameOptions){.name = "bug", .size = size}, NULL);
        if (!games[size])
            return -1;
    }
    return 0;
}

static int free_games(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++)
        game_free(games[size]);
    return 0;
}

/* ---- One position, held by the engine and by the reference ---- */

typedef struct Twin {
    const Game *game;
    GameState state;
    BugReference reference;
} Twin;

static struct { long games, positions, bonus, standoffs, largest; } tally;

static char reference_stone_at(const Twin *twin, int cell) {
    char name[HEXHEX_NAME_SIZE];
    int q = 0, r = 0;
    hexhex_name(&twin->game->board, cell, name);
    assert_true(reference_find(twin->game->board.size, name, &q, &r));
    return twin->reference.stone[q + REFERENCE_REACH][r + REFERENCE_REACH];
}

static void twin_start(Twin *twin, int size) {
    twin->game = games[size];
    twin->game->rules->start(twin->game, &twin->state, 0);
    bug_reference_start(&twin->reference, size);
}

static void twin_set_up(Twin *twin, int size, const uint8_t *stones, Side side) {
    Error error;
    twin_start(twin, size);
    assert_true(twin->game->rules->set_up(twin->game, &twin->state, stones, side, 0, &error));
    twin->reference.side = side == BLACK ? 'B' : 'W';
    for (int cell = 0; cell < twin->game->board.cells; cell++) {
        char name[HEXHEX_NAME_SIZE];
        int q = 0, r = 0;
        hexhex_name(&twin->game->board, cell, name);
        assert_true(reference_find(size, name, &q, &r));
        twin->reference.stone[q + REFERENCE_REACH][r + REFERENCE_REACH] = ".BW"[stones[cell]];
    }
}

static int twin_legal(const Twin *twin, Action actions[GAME_LEGAL_MAX]) {
    return twin->game->rules->legal(twin->game, &twin->state, actions);
}

static void twin_apply(Twin *twin, Action action) {
    char text[GAME_TEXT_MAX];
    twin->game->rules->format(twin->game, &twin->state, action, text);
    twin->game->rules->apply(twin->game, &twin->state, action);
    assert_true(bug_reference_apply(&twin->reference, text));
}

static void assert_same_legal(const Twin *twin) {
    Action actions[GAME_LEGAL_MAX];
    ReferenceTurn cells[BUG_REFERENCE_CELLS];
    const int words = twin->game->board.words, count = twin_legal(twin, actions);
    assert_int_equal(count, bug_reference_legal(&twin->reference, cells));
    for (int i = 0; i < count; i++) {
        char text[GAME_TEXT_MAX];
        twin->game->rules->format(twin->game, &twin->state, actions[i], text);
        assert_string_equal(text, cells[i].text);
        assert_int_equal(actions[i] >= 64 * words, twin->reference.bonus);
        assert_true(i == 0 || actions[i] > actions[i - 1]);
        assert_true(game_is_legal(twin->game, &twin->state, actions[i]));
    }
}

/* The state depends only on stones, side and stage: the updated state equals one computed from scratch. */
static void assert_same_as_set_up(const Twin *twin) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    GameState fresh;
    twin->game->rules->stones(twin->game, &twin->state, stones);
    bug_set_up(twin->game, &fresh, stones, twin->game->rules->to_move(&twin->state),
               !twin->game->rules->turn_start(&twin->state));
    assert_memory_equal(&fresh, &twin->state, twin->game->state_bytes);
}

static void assert_same(const Twin *twin) {
    const GameRules *rules = twin->game->rules;
    uint8_t stones[HEXHEX_MAX_CELLS];
    rules->stones(twin->game, &twin->state, stones);
    for (int cell = 0; cell < twin->game->board.cells; cell++)
        assert_int_equal(".BW"[stones[cell]], reference_stone_at(twin, cell));
    assert_int_equal(rules->to_move(&twin->state), twin->reference.side == 'B' ? BLACK : WHITE);
    assert_int_equal(rules->turn_start(&twin->state), !twin->reference.bonus);
    assert_int_equal(rules->over(&twin->state), bug_reference_over(&twin->reference));
    assert_same_legal(twin);
    assert_same_as_set_up(twin);
    if (rules->over(&twin->state)) { /* a player who has no GROW cell wins */
        const GameResult result = rules->result(twin->game, &twin->state);
        assert_int_equal(result.winner, twin->reference.side == 'B' ? BLACK : WHITE);
        assert_int_equal(result.half_points, twin->reference.side == 'B' ? 1 : -1);
    }
    tally.positions++;
    tally.bonus += twin->reference.bonus;
}

/* ---- Termination ---- */

/* The number of bugs of each size. */
typedef struct Census {
    int of_size[BUG_REFERENCE_CELLS + 1];
} Census;

static Census take_census(const BugReference *position) {
    static ReferenceBug bugs[BUG_REFERENCE_CELLS];
    Census census = {{0}};
    const int count = bug_reference_bugs(position, bugs);
    for (int i = 0; i < count; i++) {
        census.of_size[bugs[i].size]++;
        tally.largest = bugs[i].size > tally.largest ? bugs[i].size : tally.largest;
    }
    return census;
}

/* Whether b comes after a in the lexicographic order of (number of bugs of the largest size, ..., number of single
 * stones). */
static bool has_grown(const Census *a, const Census *b) {
    int size = BUG_REFERENCE_CELLS;
    while (size > 0 && a->of_size[size] == b->of_size[size])
        size--;
    return size > 0 && a->of_size[size] < b->of_size[size];
}

/* ---- Games ---- */

/* If `greedy`, usually a cell that touches an own bug; otherwise any cell. */
static Action choose(const Twin *twin, const Action *actions, int count, bool greedy, Rng *rng) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    const Hexhex *board = &twin->game->board;
    const int own = twin->game->rules->to_move(&twin->state) == BLACK ? 1 : 2;
    twin->game->rules->stones(twin->game, &twin->state, stones);
    for (int attempt = 0; greedy && attempt < 6; attempt++) {
        const Action action = actions[rng_below(rng, (uint32_t)count)];
        for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
            const int next = board->neighbour[action % (64 * board->words)][d];
            if (next >= 0 && stones[next] == own)
                return action;
        }
    }
    return actions[rng_below(rng, (uint32_t)count)];
}

/* Plays to the end. Returns the number of stones placed. */
static int play_out(Twin *twin, bool greedy, Rng *rng) {
    Census before = take_census(&twin->reference);
    int length = 0;
    assert_same(twin);
    while (!twin->game->rules->over(&twin->state)) {
        Action actions[GAME_LEGAL_MAX];
        const int count = twin_legal(twin, actions);
        assert_true(count > 0 && length++ < STONES_MAX);
        twin_apply(twin, choose(twin, actions, count, greedy, rng));
        assert_same(twin);
        const Census after = take_census(&twin->reference);
        assert_true(has_grown(&before, &after));
        before = after;
    }
    tally.games++;
    return length;
}

static const int games_of_size[BUG_MAX_SIZE + 1] = {0, 0, 2000, 1000, 400, 100, 40, 20};

static void test_random_games(void **unused) {
    (void)unused;
    Rng rng = rng_seed(1);
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++)
        for (int i = 0; i < games_of_size[size]; i++) {
            Twin twin;
            twin_start(&twin, size);
            play_out(&twin, false, &rng);
        }
}

static void test_greedy_games(void **unused) {
    (void)unused;
    Rng rng = rng_seed(2);
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++)
        for (int i = 0; i < games_of_size[size] / 2; i++) {
            Twin twin;
            twin_start(&twin, size);
            play_out(&twin, true, &rng);
        }
    assert_true(tally.largest > 6); /* otherwise larger shapes would not be tested */
}

/* Starts from random stones, on up to all cells. So there are large bugs, and bugs that can eat at the start of a
 * turn. */
static void test_games_from_random_stones(void **unused) {
    (void)unused;
    Rng rng = rng_seed(3);
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++)
        for (int i = 0; i < games_of_size[size]; i++) {
            uint8_t stones[HEXHEX_MAX_CELLS] = {0};
            Twin twin;
            for (int left = (int)rng_below(&rng, (uint32_t)games[size]->board.cells + 1); left > 0; left--)
                stones[rng_below(&rng, (uint32_t)games[size]->board.cells)] = (uint8_t)(1 + rng_below(&rng, 2));
            twin_set_up(&twin, size, stones, (Side)rng_below(&rng, 2));
            play_out(&twin, i % 2, &rng);
        }
    print_message("%ld games, %ld positions (%ld with a BONUS stone due), bugs of up to %ld cells\n", tally.games,
                  tally.positions, tally.bonus, tally.largest);
}

/* A game can have more turns than the board has cells. */
static void test_long_games(void **unused) {
    (void)unused;
    Rng rng = rng_seed(4);
    const GameRules *rules = games[3]->rules;
    int longest = 0;
    for (int i = 0; i < 20000; i++) {
        GameState state;
        int turns = 0;
        rules->start(games[3], &state, 0);
        while (!rules->over(&state)) {
            Action actions[GAME_LEGAL_MAX];
            const int count = rules->legal(games[3], &state, actions);
            turns += rules->turn_start(&state);
            rules->apply(games[3], &state, actions[rng_below(&rng, (uint32_t)count)]);
        }
        longest = turns > longest ? turns : longest;
    }
    assert_true(longest > games[3]->board.cells);
}

/* ---- The positions and counts of engine/docs/rules.md ---- */

/* Puts the stones named in `cells` ("a1 c4") on the board. */
static void put_stones(const Game *game, const char *cells, uint8_t stone, uint8_t *stones) {
    for (const char *next = cells; *next; next += *next == ' ')
        stones[hexhex_parse(&game->board, next, &next)] = stone;
}

typedef struct TurnList {
    int count, longest;
    char text[2000];
} TurnList;

/* Appends the turns that begin with `turn` (of `length` actions) to the list, with a blank after each. */
static void list_turns(const Game *game, const GameState *from, const GameState *state, Action *turn, int length,
                       TurnList *list) {
    if (length > 0 && game->rules->turn_start(state)) {
        char text[GAME_TEXT_MAX];
        game->rules->format_turn(game, from, turn, length, text);
        const size_t used = strlen(list->text);
        assert_true(used + strlen(text) + 2 < sizeof list->text);
        sprintf(list->text + used, "%s ", text);
        list->count++;
        list->longest = length > list->longest ? length : list->longest;
        return;
    }
    Action actions[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, actions);
    for (int i = 0; i < count; i++) {
        GameState next = *state;
        turn[length] = actions[i];
        game->rules->apply(game, &next, actions[i]);
        list_turns(game, from, &next, turn, length + 1, list);
    }
}

/* All turns of Black that begin with a stone on `grow`. */
static TurnList turns_from(const char *own, const char *enemy, const char *grow) {
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    const Game *game = games[3];
    TurnList list = {0};
    Action turn[GAME_TURN_MAX];
    const char *end;
    Twin twin;
    put_stones(game, own, 1, stones);
    put_stones(game, enemy, 2, stones);
    twin_set_up(&twin, 3, stones, BLACK);
    const GameState from = twin.state;
    turn[0] = (Action)hexhex_parse(&game->board, grow, &end);
    twin_apply(&twin, turn[0]);
    assert_same(&twin);
    list_turns(game, &from, &twin.state, turn, 1, &list);
    return list;
}

static void test_positions_of_the_rules(void **unused) {
    (void)unused;
    assert_string_equal(turns_from("a1 c4 d4", "b3", "a3").text, "a3 ");
    assert_string_equal(turns_from("c5", "c3 e3", "d3").text, "d3,e2 d3,e3 d3,d2 d3,c3 ");
    const TurnList list = turns_from("c4", "a3 c5 d2 d3", "a1");
    assert_int_equal(list.count, 28);
    for (const char *turn = list.text; *turn; turn = strchr(turn, ' ') + 1)
        assert_true(turn[2] == ',' && turn[5] == ',' && turn[8] == ' '); /* each turn eats twice */
    assert_string_equal(turns_from("e2", "b3 c2 c4 d2 e3", "d4").text, "d4,e1,d1 d4,e1,d2 d4,c5,c4 d4,c5,b4 ");
}

static void test_perft(void **unused) {
    (void)unused;
    static const uint64_t expected[4][3] = {[2] = {7, 108, 498}, [3] = {19, 660, 13002}};
    for (int size = 2; size <= 3; size++) {
        GameState start;
        games[size]->rules->start(games[size], &start, 0);
        for (int depth = 1; depth <= 3; depth++)
            assert_int_equal(perft(games[size], &start, depth), expected[size][depth - 1]);
    }
}

/* Compares every game of hexhex-2 with the reference, to the end. */
static uint64_t compare_all(Twin *twin, int depth) {
    Action actions[GAME_LEGAL_MAX];
    uint64_t positions = 1;
    assert_same(twin);
    if (depth == 0 || twin->game->rules->over(&twin->state))
        return 1;
    const int count = twin_legal(twin, actions);
    for (int i = 0; i < count; i++) {
        Twin next = *twin;
        twin_apply(&next, actions[i]);
        positions += compare_all(&next, depth - 1);
    }
    return positions;
}

static void test_all_games_of_hexhex_2(void **unused) {
    (void)unused;
    Twin twin;
    twin_start(&twin, 2);
    assert_true(compare_all(&twin, 5) > 1000);
}

/* ---- Symmetries and hashes ---- */

/* The image of a position under a map of the board. If `exchange`, the colours are exchanged too. */
static void make_image(const Game *game, const GameState *state, int map, bool exchange, GameState *image) {
    uint8_t stones[HEXHEX_MAX_CELLS], mapped[HEXHEX_MAX_CELLS];
    const Side side = game->rules->to_move(state);
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++)
        mapped[game->board.symmetry[map][c]] = (uint8_t)(exchange && stones[c] ? 3 - stones[c] : stones[c]);
    bug_set_up(game, image, mapped, exchange ? side_opponent(side) : side, !game->rules->turn_start(state));
}

static void test_symmetries(void **unused) {
    (void)unused;
    Rng rng = rng_seed(5);
    for (int i = 0; i < 3000; i++) {
        const Game *game = games[2 + i % 6];
        const int map = (int)rng_below(&rng, HEXHEX_SYMMETRIES);
        const bool exchange = rng_below(&rng, 2) > 0;
        GameState state, image, after;
        Action actions[GAME_LEGAL_MAX];
        random_position(game, 0, &state, &rng);
        make_image(game, &state, map, exchange, &image);
        const int count = game->rules->legal(game, &state, actions);
        const Action action = actions[rng_below(&rng, (uint32_t)count)];
        for (int k = 0; k < count; k++)
            assert_true(game_is_legal(game, &image, game->rules->symmetry(game, map, actions[k])));
        assert_int_equal(count, game->rules->legal(game, &image, actions));
        game->rules->apply(game, &state, action);
        game->rules->apply(game, &image, game->rules->symmetry(game, map, action));
        make_image(game, &state, map, exchange, &after);
        assert_memory_equal(&image, &after, game->state_bytes);
    }
}

/* The number of cells that a side could grow on if it were to move. */
static int growable(const Game *game, const GameState *state, Side side) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    GameState turn;
    Action actions[GAME_LEGAL_MAX];
    game->rules->stones(game, state, stones);
    bug_set_up(game, &turn, stones, side, false);
    return game->rules->over(&turn) ? 0 : game->rules->legal(game, &turn, actions);
}

/* The static evaluation favours the player with more cells to grow on. It is the same under symmetries, and a BONUS
 * stone that is still to come is a disadvantage. */
static void test_static_eval(void **unused) {
    (void)unused;
    Rng rng = rng_seed(55);
    int bonuses = 0;
    for (int i = 0; i < 3000; i++) {
        const Game *game = games[2 + i % 6];
        const GameRules *rules = game->rules;
        GameState state, image, turn;
        uint8_t stones[HEXHEX_MAX_CELLS];
        random_position(game, 0, &state, &rng);
        const float black = rules->static_eval(game, &state);
        make_image(game, &state, (int)rng_below(&rng, HEXHEX_SYMMETRIES), false, &image);
        assert_true(rules->static_eval(game, &image) == black);
        make_image(game, &state, (int)rng_below(&rng, HEXHEX_SYMMETRIES), true, &image);
        assert_true(rules->static_eval(game, &image) == -black);
        rules->stones(game, &state, stones);
        bug_set_up(game, &turn, stones, rules->to_move(&state), false);
        const float even = rules->static_eval(game, &turn);
        const int more = growable(game, &state, BLACK) - growable(game, &state, WHITE);
        assert_true(more > 0 ? even > 0 : more < 0 ? even < 0 : even == 0);
        if (!rules->turn_start(&state)) {
            assert_true(rules->to_move(&state) == BLACK ? black < even : black > even);
            bonuses++;
        }
    }
    assert_true(bonuses > 20);
}

typedef struct Hashed {
    uint64_t hash, position; /* position: a number made from stones, side and stage */
} Hashed;

static int by_hash(const void *left, const void *right) {
    const Hashed *a = left, *b = right;
    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
                              : (a->position > b->position) - (a->position < b->position);
}

static int by_position(const void *left, const void *right) {
    const Hashed *a = left, *b = right;
    return a->position != b->position ? (a->position > b->position) - (a->position < b->position) : by_hash(a, b);
}

static Hashed number_position(const Game *game, const GameState *state) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    Hashed hashed = {.hash = game->rules->hash(state)};
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++)
        hashed.position = 3 * hashed.position + stones[c];
    hashed.position =
        4 * hashed.position + 2 * (uint64_t)game->rules->turn_start(state) + (uint64_t)game->rules->to_move(state);
    return hashed;
}

/* Equal positions have equal hashes and different positions have different ones, whatever moves led to them. */
static void check_hashes(const Game *game, Rng *rng) {
    enum { SAMPLES = 30000 };
    static Hashed seen[SAMPLES];
    int again = 0;
    for (int i = 0; i < SAMPLES; i++) {
        GameState state;
        random_position(game, 0, &state, rng);
        seen[i] = number_position(game, &state);
    }
    qsort(seen, SAMPLES, sizeof seen[0], by_hash);
    for (int i = 1; i < SAMPLES; i++)
        if (seen[i].hash == seen[i - 1].hash) {
            assert_true(seen[i].position == seen[i - 1].position);
            again++;
        }
    qsort(seen, SAMPLES, sizeof seen[0], by_position);
    for (int i = 1; i < SAMPLES; i++)
        if (seen[i].position == seen[i - 1].position)
            assert_true(seen[i].hash == seen[i - 1].hash);
    assert_true(again > SAMPLES / 50); /* otherwise the test would show nothing */
}

static void test_hashes(void **unused) {
    (void)unused;
    Rng rng = rng_seed(6);
    check_hashes(games[2], &rng);
    check_hashes(games[3], &rng);
}

/* ---- Shapes ---- */

enum { SHAPE_CELLS = 6, SHAPES_MAX = 100 };

typedef struct Shape {
    uint64_t cells[BUG_WORDS_MAX];
} Shape;

static bool shape_has(const Shape *shape, int c) {
    return shape->cells[c >> 6] >> (c & 63) & 1;
}

static void shape_add(Shape *shape, int c) {
    shape->cells[c >> 6] |= 1ull << (c & 63);
}

/* Moves a shape by a map of the board and a translation. False if the result is not on the board. */
static bool move_shape(const Hexhex *board, const Shape *shape, int map, int q, int r, Shape *moved) {
    *moved = (Shape){{0}};
    for (int c = 0; c < board->cells; c++) {
        if (!shape_has(shape, c))
            continue;
        const int image = board->symmetry[map][c], to = hexhex_cell(board, board->q[image] + q, board->r[image] + r);
        if (to < 0)
            return false;
        shape_add(moved, to);
    }
    return true;
}

/* Makes all free polyhexes of n cells from those of n - 1. bug_congruent tells them apart. */
static int extend_shapes(const Hexhex *board, const Shape *smaller, int count, Shape *out) {
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < board->cells; c++) {
            Shape shape = smaller[i];
            bool fresh = false;
            for (int d = 0; d < HEXHEX_DIRECTIONS; d++)
                fresh = fresh || (board->neighbour[c][d] >= 0 && shape_has(&shape, board->neighbour[c][d]));
            if (!fresh || shape_has(&shape, c))
                continue;
            shape_add(&shape, c);
            for (int k = 0; k < found && fresh; k++)
                fresh = !bug_congruent(board, shape.cells, out[k].cells);
            assert_true(found < SHAPES_MAX);
            if (fresh)
                out[found++] = shape;
        }
    return found;
}

/* The shape code that the engine stores for a bug. */
static unsigned code_of(const Game *game, const Shape *shape) {
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    GameState state;
    int cell = -1;
    for (int c = 0; c < game->board.cells; c++)
        if (shape_has(shape, c))
            stones[cell = c] = 1;
    bug_set_up(game, &state, stones, BLACK, false);
    BugState position;
    memcpy(&position, &state, sizeof position);
    unsigned code = 0;
    for (int bit = 0; bit < BUG_CODE_BITS; bit++) {
        const uint64_t *set = position.set + (BUG_SHAPE + bit) * game->board.words;
        code |= (unsigned)(set[cell >> 6] >> (cell & 63) & 1) << bit;
    }
    return code;
}

/* A shape is congruent to all its images and has the same code, wherever and however it stands. */
static void assert_images(const Game *game, const Shape *shape) {
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++)
        for (int q = -6; q <= 6; q += 3)
            for (int r = -6; r <= 6; r += 2) {
                Shape image;
                if (!move_shape(&game->board, shape, map, q, r, &image))
                    continue;
                assert_true(bug_congruent(&game->board, shape->cells, image.cells));
                assert_int_equal(code_of(game, shape), code_of(game, &image));
            }
}

/* Puts two different shapes next to each other as bugs of the two sides, and tries all that can follow. The engine must
 * eat nothing that the reference does not eat. */
static void assert_strangers(const Shape *a, const Shape *b) {
    const Game *game = games[7];
    for (int q = -5; q <= 5; q++)
        for (int r = -5; r <= 5; r++) {
            uint8_t stones[HEXHEX_MAX_CELLS] = {0};
            bool apart = true, adjacent = false;
            Shape moved;
            if (!move_shape(&game->board, b, 0, q, r, &moved))
                continue;
            for (int c = 0; c < game->board.cells; c++) {
                apart = apart && !(shape_has(a, c) && shape_has(&moved, c));
                stones[c] = shape_has(a, c) ? 1 : shape_has(&moved, c) ? 2 : 0;
                for (int d = 0; d < HEXHEX_DIRECTIONS && shape_has(a, c); d++)
                    adjacent = adjacent ||
                               (game->board.neighbour[c][d] >= 0 && shape_has(&moved, game->board.neighbour[c][d]));
            }
            if (!apart || !adjacent)
                continue;
            Action actions[GAME_LEGAL_MAX];
            Twin twin;
            twin_set_up(&twin, 7, stones, BLACK);
            twin_legal(&twin, actions);
            twin_apply(&twin, actions[0]);
            assert_same(&twin);
            assert_int_equal(twin.game->rules->to_move(&twin.state), WHITE); /* nothing to eat */
        }
}

static void test_shapes(void **unused) {
    (void)unused;
    static const int free_polyhexes[SHAPE_CELLS + 1] = {0, 1, 1, 3, 7, 22, 82};
    static Shape shapes[SHAPE_CELLS + 1][SHAPES_MAX];
    const Game *game = games[7];
    shape_add(&shapes[1][0], game->board.cells / 2);
    int alike = 0;
    for (int n = 1; n <= SHAPE_CELLS; n++) {
        const int count = n == 1 ? 1 : extend_shapes(&game->board, shapes[n - 1], free_polyhexes[n - 1], shapes[n]);
        assert_int_equal(count, free_polyhexes[n]);
        for (int i = 0; i < count; i++) {
            assert_images(game, &shapes[n][i]);
            for (int k = 0; k < i; k++) {
                if (code_of(game, &shapes[n][i]) != code_of(game, &shapes[n][k]))
                    continue;
                assert_true(n > 4); /* up to BUG_CODE_EXACT cells all codes differ */
                if (alike++ < 6)
                    assert_strangers(&shapes[n][i], &shapes[n][k]);
            }
        }
    }
    assert_true(alike > 0);
}

/* ---- Text ---- */

/* Parses a turn in a twin's position. Returns the text of the error, or "" if there is none. */
static const char *parse_error(const Twin *twin, const char *text) {
    static Error error;
    const GameState before = twin->state;
    Action turn[GAME_TURN_MAX];
    strcpy(error.text, "");
    const int count = twin->game->rules->parse(twin->game, &twin->state, text, turn, &error);
    assert_memory_equal(&before, &twin->state, twin->game->state_bytes);
    assert_int_equal(count < 0, error.text[0] != '\0');
    assert_int_equal(twin->game->rules->parse(twin->game, &twin->state, text, turn, NULL), count);
    return error.text;
}

static void assert_refused(const Twin *twin, const char *text, const char *expected) {
    const char *error = parse_error(twin, text);
    if (!strstr(error, expected))
        fail_msg("'%s' is answered by '%s', not by '%s'", text, error, expected);
}

/* A line of 11 stones has eaten one of the same shape: the message does not name all of its 26 growth cells, and says
 * so. */
static void test_many_bonus_cells(void **unused) {
    (void)unused;
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    Twin twin;
    put_stones(games[7], "g2 g3 g4 g5 g6 g7 g8 g9 g10 g11", 1, stones);
    put_stones(games[7], "f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11", 2, stones);
    twin_set_up(&twin, 7, stones, BLACK);
    assert_refused(&twin, "g12", "expected a BONUS stone on ");
    assert_refused(&twin, "g12", " or another cell");
}

static void test_texts(void **unused) {
    (void)unused;
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    const char *const bad[] = {"",       " ",   "c",    "c0",  "c6",   "f1",      "c5d3",  "c5,", ",c5", "c5,,d3",
                               "c5, d3", "d3 ", "d3,x", "c5x", "pass", "swap,c5", "c5;d3", "-1",  "c55", "resign"};
    Twin twin;
    put_stones(games[3], "c5", 1, stones);
    put_stones(games[3], "c3 e3", 2, stones);
    twin_set_up(&twin, 3, stones, BLACK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_refused(&twin, bad[i], "is no turn: expected cells of hexhex-3 (a1 to row e)");
    assert_string_equal(parse_error(&twin, "d3,c3"), "");
    assert_string_equal(parse_error(&twin, "D3,E2"), "");
    assert_string_equal(parse_error(&twin, "a1"), "");
    assert_refused(&twin, "d3", "d3: the turn is not over while a bug can eat, expected a BONUS stone on e2 or e3 or ");
    assert_refused(&twin, "d3,a1",
                   "d3,a1: no bug can eat and grow there, expected a BONUS stone on e2 or e3 or d2 or c3");
    assert_refused(&twin, "a1,b1", "a1: no bug can eat after that, expected the end of the turn");
    assert_refused(&twin, "d3,c3,b1", "d3,c3: no bug can eat after that, expected the end of the turn");
    assert_refused(&twin, "swap", "swap: it may only answer Black's first stone, and only with the pie rule");
    assert_refused(&twin, "c3", "c3: there is a stone already");
    assert_refused(&twin, "c5", "c5: there is a stone already");
    assert_refused(&twin, "c4",
                   "c4: touches an own bug of the largest size, expected a GROW stone that touches no own "
                   "bug or one of fewer than 1 cells");
    put_stones(games[3], "d4", 1, stones);
    put_stones(games[3], "b3", 1, stones);
    twin_set_up(&twin, 3, stones, BLACK);
    assert_refused(&twin, "c4", "c4: touches several own bugs, expected a GROW stone that touches at most one");
}

static void test_texts_of_a_finished_game(void **unused) {
    (void)unused;
    Rng rng = rng_seed(7);
    Twin twin;
    twin_start(&twin, 2);
    play_out(&twin, false, &rng);
    assert_refused(&twin, "b2", "the game is over");
}

/* Actions that end within a turn are written as far as they go. */
static void test_text_of_an_unfinished_turn(void **unused) {
    (void)unused;
    const Game *game = games[4];
    const GameRules *rules = game->rules;
    GameState state, after;
    Action turn[1 + GAME_LEGAL_MAX];
    char text[GAME_TEXT_MAX];
    rules->start(game, &state, 0);
    rules->apply(game, &state, (Action)hexhex_named(&game->board, "d4"));
    turn[0] = (Action)hexhex_named(&game->board, "d5"); /* it must eat d4 and grow */
    game_copy(game, &after, &state);
    rules->apply(game, &after, turn[0]);
    assert_true(rules->legal(game, &after, turn + 1) > 0);
    assert_int_equal(game_format_turn(game, &state, turn, 1, text), 1);
    assert_string_equal(text, "d5");
    assert_false(rules->turn_start(&state));
    assert_int_equal(game_format_turn(game, &state, turn + 1, 1, text), 1);
}

/* Each text is either rejected with a reason or equals the text of the turn that was read. */
static void test_random_texts(void **unused) {
    (void)unused;
    static const char letters[] = "abcdefgABC1234567,,,,, x0";
    Rng rng = rng_seed(8);
    int read = 0;
    for (int i = 0; i < 30000; i++) {
        Twin twin = {.game = games[2 + i % 4]};
        char text[200] = "", out[GAME_TEXT_MAX];
        Action turn[GAME_TURN_MAX];
        Error error;
        do
            random_position(twin.game, 0, &twin.state, &rng);
        while (!twin.game->rules->turn_start(&twin.state));
        const uint32_t pieces = rng_below(&rng, 6);
        for (uint32_t k = 0; k <= pieces; k++) {
            char name[HEXHEX_NAME_SIZE] = {0};
            hexhex_name(&twin.game->board, (int)rng_below(&rng, (uint32_t)twin.game->board.cells), name);
            strcat(text, k ? "," : "");
            strcat(text, name);
        }
        if (i % 3 == 0)
            text[rng_below(&rng, (uint32_t)strlen(text))] = letters[rng_below(&rng, sizeof letters - 1)];
        parse_error(&twin, text);
        const int count = twin.game->rules->parse(twin.game, &twin.state, text, turn, &error);
        if (count < 0)
            continue;
        for (char *c = text; *c; c++)
            *c = *c >= 'A' && *c <= 'G' ? (char)(*c - 'A' + 'a') : *c;
        assert_int_equal(game_format_turn(twin.game, &twin.state, turn, count, out), count);
        assert_true(twin.game->rules->turn_start(&twin.state));
        assert_string_equal(out, text);
        read++;
    }
    assert_true(read > 100);
}

/* ---- Playouts ---- */

/* The playout that engine/games/bug/playout.h defines, with the game interface alone. */
static PlayoutResult play_by_interface(const Game *game, const GameState *from, uint64_t seed) {
    PlayoutResult result = {0};
    GameState state = *from;
    Rng rng = rng_seed(seed);
    while (!game->rules->over(&state))
        playout_take(game, &state, game_random_action(game, &state, &rng), &result);
    playout_end(game, &state, &result);
    return result;
}

/* Playouts of a kernel from positions of all stages, as a batch. The results contain `junk` before. */
static void check_playouts(const Game *game, PlayoutPolicy policy, Rng *rng) {
    enum { COUNT = 40 };
    static GameState states[COUNT];
    static PlayoutResult results[COUNT];
    const GameState *from[COUNT];
    uint64_t seeds[COUNT];
    memset(results, 0xa5, sizeof results);
    for (int i = 0; i < COUNT; i++) {
        random_position(game, 0, &states[i], rng);
        from[i] = &states[i];
        seeds[i] = rng_next(rng);
    }
    game->rules->playouts(game, from, seeds, COUNT, policy, results);
    for (int i = 0; i < COUNT; i++) {
        const PlayoutResult expected = play_by_interface(game, from[i], seeds[i]);
        assert_same_playout(game, &expected, &results[i]);
        for (int side = 0; side < 2; side++)
            for (int word = game->action_words; word < GAME_ACTION_WORDS; word++)
                assert_true(results[i].played[side][word] == 0xa5a5a5a5a5a5a5a5);
        for (int word = game->board.words; word < HEXHEX_WORDS; word++)
            assert_true(results[i].black_owns[word] == 0xa5a5a5a5a5a5a5a5);
    }
}

static void check_kernel(int size, const char *kernel, GamePie pie, Rng *rng) {
    const GameOptions options = {.name = "bug", .size = size, .kernel = kernel, .pie = pie};
    Game *game = game_new(&options, NULL);
    assert_non_null(game);
    assert_string_equal(game->kernel, kernel);
    for (int set = 0; set < 4; set++)
        for (PlayoutPolicy policy = PLAYOUT_UNIFORM; policy <= PLAYOUT_TACTICAL; policy++)
            check_playouts(game, policy, rng);
    for (int i = 0; i < 100; i++) {
        GameState state;
        random_position(game, 0, &state, rng);
        assert_true(game->rules->static_eval(game, &state) == games[size]->rules->static_eval(games[size], &state));
    }
    game_free(game);
}

static void test_playouts(void **unused) {
    (void)unused;
    Rng rng = rng_seed(9);
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++)
        for (int i = 0; bug_kernels[games[size]->board.words][i]; i++) {
            const BugKernel *kernel = bug_kernels[games[size]->board.words][i];
            if (!kernel->runs_here())
                continue;
            check_kernel(size, kernel->name, GAME_PIE_OFF, &rng);
            check_kernel(size, kernel->name, GAME_PIE_ON, &rng);
        }
}

/* ---- The pie rule ---- */

static void assert_swap(const Game *game, int first) {
    const GameRules *rules = game->rules;
    const Action swap = bug_swap(game->board.words);
    uint8_t before[HEXHEX_MAX_CELLS] = {0}, after[HEXHEX_MAX_CELLS] = {0}, mirrored[HEXHEX_MAX_CELLS] = {0};
    GameState state, expected;
    Action actions[GAME_LEGAL_MAX];
    rules->start(game, &state, 0);
    assert_false(game_is_legal(game, &state, swap));
    rules->apply(game, &state, (Action)first);
    rules->stones(game, &state, before);
    assert_int_equal(rules->legal(game, &state, actions), game->board.cells);
    assert_int_equal(actions[game->board.cells - 1], swap);
    assert_true(game_play_text(game, &state, "swap", NULL, NULL, NULL));
    rules->stones(game, &state, after);
    assert_memory_equal(before, after, (size_t)game->board.cells); /* the board does not change */
    assert_true(rules->turn_start(&state));
    assert_int_equal(rules->to_move(&state), BLACK); /* the player who began, who now has White's stones */
    assert_int_equal(game_colour(game, &state, BLACK), WHITE);
    assert_int_equal(game_colour(game, &state, WHITE), BLACK);
    mirrored[first] = 2;
    bug_set_up(game, &expected, mirrored, BLACK, false); /* the game continues with colours exchanged */
    assert_true(rules->hash(&expected) == rules->hash(&state));
    assert_int_equal(rules->legal(game, &state, actions), game->board.cells - 1);
    for (int i = 0; i < game->board.cells - 1; i++)
        assert_true(game_is_legal(game, &expected, actions[i]));
    rules->apply(game, &state, actions[0]);
    assert_false(game_is_legal(game, &state, swap));
}

static void test_pie_rule(void **unused) {
    (void)unused;
    GameState state;
    for (int size = HEXHEX_MIN_SIZE; size <= BUG_MAX_SIZE; size++) {
        Game *game = game_new(&(GameOptions){.name = "bug", .size = size, .pie = GAME_PIE_ON}, NULL);
        assert_non_null(game);
        for (int first = 0; first < game->board.cells; first += 3)
            assert_swap(game, first);
        Error error;
        game->rules->start(game, &state, 0);
        assert_false(game_play_text(game, &state, "zz", NULL, NULL, &error));
        assert_non_null(strstr(error.text, "is no turn: expected cells of"));
        game->rules->apply(game, &state, 0);
        assert_false(game_play_text(game, &state, "zz", NULL, NULL, &error));
        assert_non_null(strstr(error.text, "is no turn: expected swap, or cells of"));
        game->rules->start(game, &state, 0);
        for (int i = 0; i < 2; i++) { /* after the second player's first stone it is too late to swap */
            Action actions[GAME_LEGAL_MAX];
            game->rules->legal(game, &state, actions);
            game->rules->apply(game, &state, actions[0]);
        }
        assert_false(game_is_legal(game, &state, bug_swap(game->board.words)));
        game->rules->apply(game, &state, (Action)(game->board.cells / 2));
        assert_false(game_is_legal(game, &state, bug_swap(game->board.words)));
        game_free(game);
        games[size]->rules->start(games[size], &state, 0); /* the default is off */
        games[size]->rules->apply(games[size], &state, 0);
        assert_false(game_is_legal(games[size], &state, bug_swap(games[size]->board.words)));
    }
}

static void test_what_is_refused(void **unused) {
    (void)unused;
    Error error;
    assert_null(game_new(&(GameOptions){.name = "bug", .size = 8}, &error));
    assert_string_equal(error.text, "size: 8 is not a board of bug, expected 2 to 7");
    assert_null(game_new(&(GameOptions){.name = "bug", .size = 4, .kernel = "chess"}, &error));
    assert_non_null(strstr(error.text, "kernel: there is no 'chess' for this size"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_of_the_rules),
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_all_games_of_hexhex_2),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_greedy_games),
        cmocka_unit_test(test_games_from_random_stones),
        cmocka_unit_test(test_long_games),
        cmocka_unit_test(test_symmetries),
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_many_bonus_cells),
        cmocka_unit_test(test_texts_of_a_finished_game),
        cmocka_unit_test(test_text_of_an_unfinished_turn),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_static_eval),
        cmocka_unit_test(test_playouts),
        cmocka_unit_test(test_pie_rule),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, make_games, free_games);
}
