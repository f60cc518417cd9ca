/* The planes of positions: a small one by hand, and random ones of all games compared with the game interface. */
#include "engine/base/rng.h"
#include "engine/game/planes.h"
#include "engine/games/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A game that is being played. */
typedef struct Walk {
    Game *game;
    GameState state;
    GameHistory history;
    const char *names[PLANES_MAX];
    int planes;
    uint8_t out[PLANES_MAX * HEXHEX_MAX_CELLS];
    int16_t globals[GLOBAL_COUNT];
} Walk;

static void begin(Walk *walk, const char *name, int size, int komi) {
    Error error;
    memset(walk, 0, sizeof *walk);
    walk->game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(walk->game);
    walk->game->rules->start(walk->game, &walk->state, komi);
    walk->planes = planes_names(walk->game, walk->names);
}

static void take(Walk *walk, Action action) {
    walk->game->rules->apply(walk->game, &walk->state, action);
    game_history_add(walk->game, &walk->history, action, &walk->state);
}

static int look(Walk *walk, Action legal[GAME_LEGAL_MAX]) {
    const int count = walk->game->rules->legal(walk->game, &walk->state, legal);
    memset(walk->out, 0xff, sizeof walk->out); /* every byte must be written */
    planes_write(walk->game, &walk->state, &walk->history, legal, count, walk->out);
    planes_write_globals(walk->game, &walk->state, &walk->history, walk->globals);
    return count;
}

static const uint8_t *plane(const Walk *walk, const char *name) {
    for (int i = 0; i < walk->planes; i++)
        if (!strcmp(walk->names[i], name))
            return walk->out + i * walk->game->board.cells;
    fail_msg("no plane %s", name);
    return NULL;
}

static void assert_plane(const Walk *walk, const char *name, const char *expected) {
    const uint8_t *cells = plane(walk, name);
    for (int c = 0; c < walk->game->board.cells; c++)
        assert_int_equal(cells[c], expected[c] - '0');
}

static void no_places(const Game *game, const GameState *state, uint8_t closed[2][HEXHEX_MAX_CELLS],
                      uint8_t captures[2][HEXHEX_MAX_CELLS]) {
    (void)game, (void)state, (void)closed, (void)captures;
}

/* A game that has all that is optional has room for its planes. */
static void all_planes_have_room(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 2}, &error);
    assert_non_null(game);
    const GameRules *usual = game->rules;
    GameRules rules = *usual;
    const char *names[PLANES_MAX];
    rules.places = no_places;
    assert_non_null(rules.control);
    assert_non_null(rules.seen);
    game->rules = &rules;
    game->has_groups = true;
    assert_int_equal(planes_names(game, names), PLANES_MAX);
    game->rules = usual;
    game_free(game);
}

/* hexhex-2: cells 0 1 / 2 3 4 / 5 6. Black 3, White 0, Black 6, White takes the button. */
static void a_position_by_hand(void **unused) {
    (void)unused;
    Walk walk;
    Action legal[GAME_LEGAL_MAX];
    begin(&walk, "stigmergy", 2, 1);
    assert_int_equal(walk.planes, 11);
    take(&walk, 3);
    take(&walk, 0);
    take(&walk, 6);
    const int count = walk.game->rules->legal(walk.game, &walk.state, legal);
    int cell;
    for (int i = 0; i < count; i++)
        if (!strcmp(walk.game->rules->action_kind(walk.game, legal[i], &cell), "take-button")) {
            take(&walk, legal[i]);
            break;
        }
    look(&walk, legal);
    assert_plane(&walk, "black", "0001001");
    assert_plane(&walk, "white", "1000000");
    assert_plane(&walk, "black_seen", "1111221");
    assert_plane(&walk, "white_seen", "0111000");
    assert_plane(&walk, "last_1", "0000000");
    assert_plane(&walk, "last_2", "0000001");
    assert_plane(&walk, "last_3", "1000000");
    assert_plane(&walk, "turn", "0000000");
    static const int16_t globals[GLOBAL_COUNT] = {2, 1, 3, BLACK, 0, 0};
    for (int i = 0; i < GLOBAL_COUNT; i++)
        assert_int_equal(walk.globals[i], globals[i]);
    assert_string_equal(planes_global_name(GLOBAL_PASSES), "passes");
    game_free(walk.game);
}

static void assert_marks(const Walk *walk, const char *black, const char *white, const uint8_t *marks) {
    for (int c = 0; c < walk->game->board.cells; c++) {
        assert_int_equal(plane(walk, black)[c], marks[c] == 1);
        assert_int_equal(plane(walk, white)[c], marks[c] == 2);
    }
}

static int sum(const Walk *walk, const char *name) {
    int all = 0;
    for (int c = 0; c < walk->game->board.cells; c++)
        all += plane(walk, name)[c];
    return all;
}

/* The stones seen are those that `sight` finds cell by cell. */
static void assert_seen(const Walk *walk, const uint8_t *stones) {
    for (int c = 0; c < walk->game->board.cells; c++) {
        int16_t seen[HEXHEX_DIRECTIONS];
        int needed, by_colour[3] = {0};
        const int count = walk->game->rules->sight(walk->game, &walk->state, c, seen, &needed);
        for (int i = 0; i < count; i++)
            by_colour[stones[seen[i]]]++;
        assert_int_equal(plane(walk, "black_seen")[c], by_colour[1]);
        assert_int_equal(plane(walk, "white_seen")[c], by_colour[2]);
    }
}

/* The cells where a side could begin a turn, were it to move. Returns their number. */
static int legal_cells(const Game *game, const uint8_t *stones, Side side, GameState *state, bool out[]) {
    Error error;
    Action legal[GAME_LEGAL_MAX];
    memset(out, 0, HEXHEX_MAX_CELLS * sizeof *out);
    assert_true(game->rules->set_up(game, state, stones, side, 0, &error));
    const int count = game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++) {
        int cell;
        game->rules->action_kind(game, legal[i], &cell);
        out[cell] = true;
    }
    return count;
}

/* A cell where a stone can begin a turn says how many such cells there are fewer behind it, and whether the turn goes
 * on. Returns how often it does. */
static int assert_places(const Walk *walk, const uint8_t *stones) {
    static const char *const names[2][2] = {{"black_place", "black_capture"}, {"white_place", "white_capture"}};
    const Game *game = walk->game;
    int captures = 0;
    for (Side side = BLACK; side <= WHITE; side++) {
        GameState state, after, unused;
        bool open[HEXHEX_MAX_CELLS], left[HEXHEX_MAX_CELLS];
        uint8_t then[HEXHEX_MAX_CELLS];
        const int count = legal_cells(game, stones, side, &state, open);
        for (int c = 0; c < game->board.cells; c++) {
            int closed = 0, more = 0;
            if (open[c]) {
                game_copy(game, &after, &state);
                game->rules->apply(game, &after, (Action)c);
                game->rules->stones(game, &after, then);
                closed = count - legal_cells(game, then, side, &unused, left);
                more = !game->rules->turn_start(&after);
            }
            assert_int_equal(plane(walk, names[side][0])[c], closed);
            assert_int_equal(plane(walk, names[side][1])[c], more);
            captures += more;
        }
    }
    return captures;
}

static void random_positions_of_all_games(void **unused) {
    (void)unused;
    static const char *const games[] = {"stigmergy", "bug", "sgolte"};
    Rng rng = rng_seed(5);
    int long_turns = 0, double_passes = 0, captures = 0;
    for (int i = 0; i < 60; i++) {
        Walk walk;
        Action legal[GAME_LEGAL_MAX];
        uint8_t marks[HEXHEX_MAX_CELLS];
        int in_turn = 0, passes = 0, cell = -1;
        begin(&walk, games[i % 3], 3 + i % 2, 0);
        for (int ply = 0; !walk.game->rules->over(&walk.state) && ply < 40; ply++) {
            const int count = look(&walk, legal);
            walk.game->rules->stones(walk.game, &walk.state, marks);
            assert_marks(&walk, "black", "white", marks);
            if (walk.game->rules->sight)
                assert_seen(&walk, marks);
            if (walk.game->rules->places)
                captures += assert_places(&walk, marks);
            if (walk.game->rules->control) {
                walk.game->rules->control(walk.game, &walk.state, marks);
                assert_marks(&walk, "black_control", "white_control", marks);
            }
            assert_int_equal(sum(&walk, "last_1"), ply > 0 && cell >= 0);
            if (cell >= 0)
                assert_int_equal(plane(&walk, "last_1")[cell], 1);
            assert_int_equal(walk.globals[GLOBAL_TURN_ACTIONS], in_turn);
            assert_int_equal(walk.globals[GLOBAL_PASSES], passes);
            assert_true(sum(&walk, "turn") <= in_turn && (sum(&walk, "turn") > 0 || in_turn == 0));
            long_turns += in_turn > 0;
            for (int k = 0; k < count; k++) {
                walk.game->rules->action_kind(walk.game, legal[k], &cell);
                assert_true(cell < 0 || plane(&walk, "legal")[cell] == 1);
            }
            const Action action = legal[rng_below(&rng, (uint32_t)count)];
            passes = strcmp(walk.game->rules->action_kind(walk.game, action, &cell), "pass") ? 0 : passes + 1;
            take(&walk, action);
            in_turn = walk.game->rules->turn_start(&walk.state) ? 0 : in_turn + 1;
        }
        assert_int_equal(walk.history.passes, passes);
        double_passes += passes == 2;
        game_free(walk.game);
    }
    assert_true(long_turns > 10 && double_passes > 3 && captures > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_planes_have_room),
        cmocka_unit_test(a_position_by_hand),
        cmocka_unit_test(random_positions_of_all_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
