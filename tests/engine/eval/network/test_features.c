/* What a network sees: the planes and globals of random positions against a slow computation by what features.h says,
 * from the stones alone. */
#include "engine/base/rng.h"
#include "engine/eval/network/features.h"
#include "engine/games/registry.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static Game *make_game(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

static FeatureEncoder make_encoder(const char *set, const Game *game) {
    Error error;
    FeatureEncoder encoder;
    const FeatureSet *features = feature_set(set, &error);
    assert_non_null(features);
    assert_true(feature_encoder_init(&encoder, features, game, &error));
    return encoder;
}

/* ---- The slow computation for Stigmergy ---- */

/* How many stones of a colour (1 Black, 2 White) a cell sees. */
static int seen(const Hexhex *board, const uint8_t *stones, int cell, int colour) {
    int count = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
        int c = board->neighbour[cell][d];
        while (c >= 0 && !stones[c])
            c = board->neighbour[c][d];
        count += c >= 0 && stones[c] == colour;
    }
    return count;
}

static bool controls(const Hexhex *board, const uint8_t *stones, int cell, int colour) {
    return 2 * seen(board, stones, cell, colour) > board->degree[cell];
}

/* The planes of stigmergy-1, as features.h lists them; the last one is 0. */
static const struct {
    const char *name;
    int least;
} stigmergy_planes[20] = {
    {"on", 1},          {"own", 1},           {"enemy", 1},      {"own_seen", 1},   {"own_seen", 2},
    {"own_seen", 3},    {"own_seen", 4},      {"own_seen", 5},   {"own_seen", 6},   {"enemy_seen", 1},
    {"enemy_seen", 2},  {"enemy_seen", 3},    {"enemy_seen", 4}, {"enemy_seen", 5}, {"enemy_seen", 6},
    {"own_control", 1}, {"enemy_control", 1}, {"edge", 1},       {"corner", 1},     {"none", 1}};

/* Plane `name` of a cell. */
static bool slow_plane(const Hexhex *board, const uint8_t *stones, int cell, const char *name, int least, int own) {
    return (!strcmp(name, "own_seen") && seen(board, stones, cell, own) >= least) ||
           (!strcmp(name, "enemy_seen") && seen(board, stones, cell, 3 - own) >= least) || !strcmp(name, "on") ||
           (!strcmp(name, "own") && stones[cell] == own) || (!strcmp(name, "enemy") && stones[cell] == 3 - own) ||
           (!strcmp(name, "own_control") && controls(board, stones, cell, own)) ||
           (!strcmp(name, "enemy_control") && controls(board, stones, cell, 3 - own)) ||
           (!strcmp(name, "edge") && board->degree[cell] < 6) || (!strcmp(name, "corner") && board->degree[cell] == 3);
}

static int limited(int number) {
    return number < -127 ? -127 : number > 127 ? 127 : number;
}

static void slow_globals(const Game *game, const GameState *state, const GameHistory *history, const uint8_t *stones,
                         int out[NETWORK_GLOBALS]) {
    const Hexhex *board = &game->board;
    const Side mover = game->rules->to_move(state);
    const int own = 1 + mover, komi = game->rules->komi(state), button = (int)game->rules->button(state);
    int lead = mover == WHITE ? 2 * komi : -2 * komi, empty = 0;
    for (int c = 0; c < board->cells; c++) {
        const bool mine = stones[c] == own || (!stones[c] && controls(board, stones, c, own));
        const bool theirs = stones[c] == 3 - own || (!stones[c] && controls(board, stones, c, 3 - own));
        lead += 2 * mine - 2 * theirs;
        empty += !stones[c];
    }
    lead += (button == 1 + own) - (button == 4 - own);
    const int expected[NETWORK_GLOBALS] = {64,
                                           limited(mover == WHITE ? 4 * komi : -4 * komi),
                                           limited(mover == WHITE ? komi : -komi),
                                           limited(lead),
                                           limited((lead + 4000) / 4 - 1000),
                                           button == 1 ? 64 : 0,
                                           button == 1 + own ? 64 : 0,
                                           button == 4 - own ? 64 : 0,
                                           komi % 2 ? 64 : 0,
                                           history->passes ? 64 : 0,
                                           0,
                                           16 * board->size - 96,
                                           (int)(127.0 * empty / board->cells + 0.5)};
    memcpy(out, expected, sizeof expected);
}

static void check_stigmergy(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history) {
    const Game *game = encoder->game;
    static NetworkInput input;
    Action legal[GAME_LEGAL_MAX];
    uint8_t stones[HEXHEX_MAX_CELLS];
    int globals[NETWORK_GLOBALS];
    memset(&input, 0xff, sizeof input);
    feature_encode(encoder, state, history, legal, game->rules->legal(game, state, legal), &input);
    game->rules->stones(game, state, stones);
    assert_int_equal(input.size, game->board.size);
    for (int c = 0; c < game->board.cells; c++)
        for (int p = 0; p < 20; p++) {
            const bool on = slow_plane(&game->board, stones, c, stigmergy_planes[p].name, stigmergy_planes[p].least,
                                       1 + game->rules->to_move(state));
            assert_int_equal(input.planes[20 * c + p], on ? 64 : 0);
        }
    slow_globals(game, state, history, stones, globals);
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        assert_int_equal(input.globals[i], globals[i]);
}

/* ---- Random games ---- */

typedef void Check(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history);

static int play_random_game(const FeatureEncoder *encoder, int komi, Rng *rng, Check *check) {
    const Game *game = encoder->game;
    GameState state;
    GameHistory history = {0};
    int positions = 0;
    game->rules->start(game, &state, komi);
    for (int i = 0; i < 150 && !game->rules->over(&state); i++) {
        Action legal[GAME_LEGAL_MAX];
        check(encoder, &state, &history);
        positions++;
        const int count = game->rules->legal(game, &state, legal);
        const Action action = legal[rng_below(rng, 5) ? rng_below(rng, (uint32_t)count) : (uint32_t)count - 1];
        game->rules->apply(game, &state, action);
        game_history_add(game, &history, action, &state);
    }
    return positions;
}

static void test_stigmergy(void **state) {
    (void)state;
    static const int komis[] = {0, 3, -5, 40, -63};
    Rng rng = rng_seed(9);
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Game *game = make_game("stigmergy", size);
        const FeatureEncoder encoder = make_encoder("stigmergy-1", game);
        int positions = 0;
        for (size_t i = 0; i < sizeof komis / sizeof *komis; i++)
            positions += play_random_game(&encoder, komis[i], &rng, check_stigmergy);
        assert_true(positions > 20);
        game_free(game);
    }
}

/* ---- Games with groups, and with turns of several actions ---- */

/* Marks the group of a stone: spreads it until nothing changes. Returns its size, 0 on an empty cell. */
static int group_size(const Game *game, const uint8_t *stones, int cell, bool in[HEXHEX_MAX_CELLS]) {
    int size = stones[cell] != 0, before = 0;
    memset(in, 0, HEXHEX_MAX_CELLS * sizeof *in);
    for (in[cell] = size; before < size;) {
        before = size;
        for (int c = 0; c < game->board.cells; c++)
            for (int d = 0; d < HEXHEX_DIRECTIONS && in[c]; d++) {
                const int next = game->board.neighbour[c][d];
                if (next >= 0 && stones[next] == stones[cell] && !in[next]) {
                    in[next] = true;
                    size++;
                }
            }
    }
    return size;
}

/* Groups of a colour next to an empty cell: of each, the neighbour with the lowest direction counts. */
static int groups_touched(const Game *game, const uint8_t *stones, int cell, int colour) {
    bool in[HEXHEX_MAX_CELLS];
    int count = 0;
    for (int d = 0; d < HEXHEX_DIRECTIONS && !stones[cell]; d++) {
        const int next = game->board.neighbour[cell][d];
        if (next < 0 || stones[next] != colour)
            continue;
        group_size(game, stones, next, in);
        bool first = true;
        for (int e = 0; e < d; e++)
            first = first && (game->board.neighbour[cell][e] < 0 || !in[game->board.neighbour[cell][e]]);
        count += first;
    }
    return count;
}

/* A position, and what the side to move may do in it. */
typedef struct Turn {
    const Game *game;
    const GameHistory *history;
    uint8_t stones[HEXHEX_MAX_CELLS];
    int own;                                                            /* the stones of the side to move: 1 or 2 */
    uint8_t closed[2][HEXHEX_MAX_CELLS], captures[2][HEXHEX_MAX_CELLS]; /* GameRules.places, by colour */
    Action legal[GAME_LEGAL_MAX];
    int count;
} Turn;

/* Whether a cell is free for the stones 1 or 2: by GameRules.places, in games without them by the groups around it. */
static bool is_free(const Turn *turn, int cell, int colour) {
    if (turn->game->rules->places)
        return turn->closed[colour - 1][cell] > 0;
    return turn->stones[cell] == 0 && groups_touched(turn->game, turn->stones, cell, colour) <= 1;
}

static bool is_legal_on(const Turn *turn, int c) {
    for (int i = 0; i < turn->count; i++) {
        int cell;
        turn->game->rules->action_kind(turn->game, turn->legal[i], &cell);
        if (cell == c)
            return true;
    }
    return false;
}

/* What the planes of a cell must be. Returns their number. */
static int expect_planes(const Turn *turn, int c, uint8_t expected[40]) {
    const Game *game = turn->game;
    const uint8_t *stones = turn->stones;
    const int own = turn->own, degree = game->board.degree[c], mine = stones[c] == own, theirs = stones[c] == 3 - own;
    bool in[HEXHEX_MAX_CELLS];
    int n = 0;
    expected[n++] = 64;
    expected[n++] = mine ? 64 : 0;
    expected[n++] = theirs ? 64 : 0;
    for (int size = 2; size <= 6; size++)
        expected[n++] = mine && group_size(game, stones, c, in) >= size ? 64 : 0;
    for (int size = 2; size <= 6; size++)
        expected[n++] = theirs && group_size(game, stones, c, in) >= size ? 64 : 0;
    for (int touched = 1; touched <= 3; touched++)
        expected[n++] = groups_touched(game, stones, c, own) >= touched ? 64 : 0;
    for (int touched = 1; touched <= 3; touched++)
        expected[n++] = groups_touched(game, stones, c, 3 - own) >= touched ? 64 : 0;
    expected[n++] = turn->history->turn_cells[c / 64] >> (c % 64) & 1 ? 64 : 0;
    expected[n++] = is_legal_on(turn, c) ? 64 : 0;
    if (game->rules->places) {
        for (int side = 0; side < 2; side++)
            for (int closed = 1; closed <= 6; closed++)
                expected[n++] = turn->closed[side ? 2 - own : own - 1][c] >= closed ? 64 : 0;
        expected[n++] = turn->captures[own - 1][c] ? 64 : 0;
        expected[n++] = turn->captures[2 - own][c] ? 64 : 0;
    }
    expected[n++] = degree < 6 ? 64 : 0;
    expected[n++] = degree == 3 ? 64 : 0;
    return n;
}

/* The globals that count cells. */
static void check_counts(const Turn *turn, const NetworkInput *input) {
    int empty = 0, both = 0, own = 0, other = 0, own_captures = 0, captures = 0;
    for (int c = 0; c < turn->game->board.cells; c++) {
        const bool mine = is_free(turn, c, turn->own), theirs = is_free(turn, c, 3 - turn->own);
        own_captures += turn->captures[turn->own - 1][c];
        captures += turn->captures[2 - turn->own][c];
        empty += turn->stones[c] == 0;
        own += mine;
        other += theirs;
        both += mine && theirs;
    }
    const int expected[8] = {own,
                             other,
                             limited(8 * (own - other)),
                             64 * (empty % 2),
                             both,
                             64 * (both % 2),
                             64 * (own % 2),
                             64 * (other % 2)};
    for (int i = 0; i < 8; i++)
        assert_int_equal(input->globals[i < 6 ? 1 + i : 8 + i], expected[i]);
    assert_int_equal(input->globals[7], limited(16 * own_captures));
    assert_int_equal(input->globals[8], limited(16 * captures));
}

static void check_turn(const FeatureEncoder *encoder, const GameState *state, const GameHistory *history) {
    const Game *game = encoder->game;
    static NetworkInput input;
    Turn turn = {.game = game, .history = history, .own = 1 + game_colour(game, state, game->rules->to_move(state))};
    turn.count = game->rules->legal(game, state, turn.legal);
    game->rules->stones(game, state, turn.stones);
    if (game->rules->places)
        game->rules->places(game, state, turn.closed, turn.captures);
    feature_encode(encoder, state, history, turn.legal, turn.count, &input);
    const int planes = game->rules->places ? 40 : 24;
    assert_int_equal(encoder->planes, planes);
    for (int c = 0; c < game->board.cells; c++) {
        uint8_t expected[40] = {0};
        assert_true(expect_planes(&turn, c, expected) <= planes);
        assert_memory_equal(input.planes + planes * c, expected, (size_t)planes);
    }
    check_counts(&turn, &input);
    assert_int_equal(input.globals[10], game->rules->turn_start(state) ? 0 : 64);
    assert_int_equal(input.globals[13], limited(16 * history->turn_actions));
}

static void test_turns(void **state) {
    (void)state;
    Rng rng = rng_seed(4);
    for (int i = 0; i < 6; i++) {
        Game *game = make_game(i % 2 ? "bug" : "sgolte", 3 + i / 2);
        const FeatureEncoder encoder = make_encoder(i % 2 ? "bug-2" : "groups-3", game);
        assert_true(play_random_game(&encoder, 0, &rng, check_turn) > 10);
        game_free(game);
    }
}

/* ---- Errors ---- */

static void test_errors(void **state) {
    (void)state;
    Error error;
    FeatureEncoder encoder;
    Game *bug = make_game("bug", 4);
    assert_null(feature_set("stigmergy-99", &error));
    assert_non_null(strstr(error.text, "\"stigmergy-99\" in this program, expected stigmergy-1, groups-3 or bug-2"));
    assert_false(feature_encoder_init(&encoder, feature_set("stigmergy-1", &error), bug, &error));
    assert_non_null(strstr(error.text, "own_seen\", which the game bug has not"));
    game_free(bug);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stigmergy), cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
