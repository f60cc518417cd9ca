/* The playout kernels. The plain one is compared with playouts that this file plays with the game interface alone, as
 * engine/games/stigmergy/scalar.h defines them. Every other kernel that runs here is compared with the plain one, bit
 * for bit. The priors of every kernel are compared with what each cell sees. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "tests/support/same_playout.h"
#include "tests/support/wander.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { BATCH = 100, POSITIONS = 12 };

/* ---- Positions ---- */

static Game *make_game(int size, const char *kernel) {
    Error error;
    const GameOptions options = {.size = size, .kernel = kernel};
    Game *game = game_new(&options, &error);
    assert_non_null(game);
    return game;
}

/* The same stones after one pass, for a position without a button on the table. */
static void after_pass(const Game *game, GameState *state, int komi, GameButton button) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    const Side side = game->rules->to_move(state);
    game->rules->stones(game, state, stones);
    stigmergy_set_up(game, state, stones, side, 1, komi, button);
}

/* The start position with an even and an odd komi, and positions from all stages of a game: with either side to move,
 * after a pass or not, the button on the table or with either side. */
static void make_positions(const Game *game, GameState positions[POSITIONS], uint64_t seed) {
    static const int komis[] = {0, 3, -1, -4};
    Rng rng = rng_seed(seed);
    for (int i = 0; i < POSITIONS; i++) {
        const int komi = komis[i % 4], cells = game->board.cells;
        game->rules->start(game, &positions[i], komi);
        if (i >= 2)
            wander(game, &positions[i], (int)rng_below(&rng, (uint32_t)(i % 3 ? cells : 2 * cells)), &rng);
        if (i >= POSITIONS - 4)
            after_pass(game, &positions[i], komi,
                       komi % 2 == 0            ? BUTTON_NONE
                       : rng_below(&rng, 2) > 0 ? BUTTON_BLACK
                                                : BUTTON_WHITE);
    }
}

/* ---- The playout by the interface ---- */

/* The candidates of a policy: cell actions by ascending cell, then the button. */
static int candidates(const Game *game, const GameState *state, PlayoutPolicy policy, Action out[GAME_LEGAL_MAX]) {
    const int words = game->board.words;
    const uint64_t *control = stigmergy_control(game, state, game->rules->to_move(state));
    Action legal[GAME_LEGAL_MAX], at[HEXHEX_MAX_CELLS];
    bool is_candidate[HEXHEX_MAX_CELLS] = {false}, button = false;
    const int legal_count = game->rules->legal(game, state, legal);
    for (int i = 0; i < legal_count; i++) {
        const int c = legal[i] % (64 * words);
        button = button || legal[i] == stigmergy_take_button(words);
        if (legal[i] >= stigmergy_pass(words))
            continue;
        const bool own_controlled = legal[i] < 64 * words && (control[c / 64] >> (c % 64) & 1);
        is_candidate[c] = policy == PLAYOUT_UNIFORM || !own_controlled;
        at[c] = legal[i];
    }
    int count = 0;
    for (int c = 0; c < game->board.cells; c++)
        if (is_candidate[c])
            out[count++] = at[c];
    if (button && (policy == PLAYOUT_UNIFORM || count == 0))
        out[count++] = stigmergy_take_button(words);
    return count;
}

/* The flips among the candidates, if there are any and the tactical policy takes them for this number; otherwise
 * all. */
static int prefer_flips(const Game *game, uint32_t number, int count, Action *list) {
    const int flip = 64 * game->board.words, flip_end = 2 * flip;
    int flips = 0;
    if ((number >> 8) % 256 >= STIGMERGY_FLIP_CHANCE)
        return count;
    for (int i = 0; i < count; i++)
        if (list[i] >= flip && list[i] < flip_end)
            flips++;
    if (flips == 0)
        return count;
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (list[i] >= flip && list[i] < flip_end)
            list[kept++] = list[i];
    return kept;
}

/* Plays until two passes, with every policy. */
static PlayoutResult play_by_interface(const Game *game, const GameState *from, uint64_t seed, PlayoutPolicy policy) {
    PlayoutResult result = {0};
    GameState state = *from;
    Rng rng = rng_seed(seed);
    const Action pass = stigmergy_pass(game->board.words);
    int last_passes = 0;
    uint64_t random = 0;
    for (int k = 0; !game->rules->over(&state); k++) {
        Action list[GAME_LEGAL_MAX];
        int count = candidates(game, &state, policy, list);
        random = k % 2 ? random << 32 : rng_next(&rng);
        if (policy == PLAYOUT_TACTICAL)
            count = prefer_flips(game, (uint32_t)(random >> 32), count, list);
        const Action action = count ? list[(random >> 32) * (uint64_t)count >> 32] : pass;
        assert_true(game_is_legal(game, &state, action));
        last_passes = action == pass ? last_passes + 1 : 0;
        playout_take(game, &state, action, &result);
    }
    if (policy != PLAYOUT_UNIFORM)
        result.length = (uint16_t)(result.length - last_passes);
    playout_end(game, &state, &result);
    return result;
}

/* ---- Tests ---- */

/* A game has the kernel that was asked for, or the last one of all, and an error names all of them. */
static void test_kernels_are_chosen(void **unused) {
    (void)unused;
    Game *usual = make_game(5, NULL);
    char names[200] = "expected ";
    const char *kernel, *last = NULL;
    for (int i = 0; (kernel = game_kernel(usual, i)) != NULL; i++) {
        Game *game = make_game(5, kernel);
        assert_string_equal(game->kernel, kernel);
        assert_int_equal(game->kernel_index, i);
        strcat(strcat(names, i == 0 ? "" : game_kernel(usual, i + 1) ? ", " : " or "), kernel);
        last = kernel;
        game_free(game);
    }
    assert_string_equal(usual->kernel, last);
    assert_string_equal(game_kernel(usual, usual->kernel_index), last);
    game_free(usual);
    Error error;
    assert_null(game_new(&(GameOptions){.size = 5, .kernel = "none"}, &error));
    const char *listed = strstr(error.text, "expected");
    assert_non_null(listed);
    assert_string_equal(listed, names);
}

static void test_plain_is_as_defined(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Game *game = make_game(size, "plain");
        for (uint64_t set = 0; set < (size <= 5 ? 12 : 2); set++) {
            GameState positions[POSITIONS];
            make_positions(game, positions, set);
            for (int i = 0; i < POSITIONS; i++)
                for (PlayoutPolicy policy = PLAYOUT_UNIFORM; policy <= PLAYOUT_TACTICAL; policy++) {
                    const GameState *state = &positions[i];
                    const uint64_t seed = rng_split(set, (uint64_t)i);
                    PlayoutResult result;
                    game->rules->playouts(game, &state, &seed, 1, policy, &result);
                    const PlayoutResult expected = play_by_interface(game, state, seed, policy);
                    assert_same_playout(game, &expected, &result);
                }
        }
        game_free(game);
    }
}

/* Runs a batch in pieces of `piece` playouts with both games. The results contain `junk` before. */
static void compare_batch(const Game *plain, const Game *other, const GameState *const states[BATCH],
                          const uint64_t seeds[BATCH], int piece, PlayoutPolicy policy) {
    PlayoutResult expected[BATCH], results[BATCH];
    const unsigned char junk = 0xa5;
    memset(results, junk, sizeof results);
    plain->rules->playouts(plain, states, seeds, BATCH, policy, expected);
    for (int i = 0; i < BATCH; i += piece) {
        const int count = piece < BATCH - i ? piece : BATCH - i;
        other->rules->playouts(other, states + i, seeds + i, count, policy, results + i);
    }
    for (int i = 0; i < BATCH; i++) {
        assert_same_playout(plain, &expected[i], &results[i]);
        for (int word = plain->action_words; word < GAME_ACTION_WORDS; word++)
            assert_int_equal(results[i].played[WHITE][word], 0xa5a5a5a5a5a5a5a5);
        for (int word = plain->board.words; word < HEXHEX_WORDS; word++)
            assert_int_equal(results[i].black_owns[word], 0xa5a5a5a5a5a5a5a5);
    }
}

/* Batches of playouts from different positions, and from one position. */
static void compare_kernels(const Game *plain, const Game *other, uint64_t set) {
    static const int pieces[] = {1, 2, 3, 8, 19, BATCH};
    GameState positions[POSITIONS];
    make_positions(plain, positions, set);
    for (int mixed = 0; mixed < 2; mixed++) {
        const GameState *states[BATCH];
        uint64_t seeds[BATCH];
        for (int i = 0; i < BATCH; i++) {
            states[i] = &positions[mixed ? (uint64_t)i % POSITIONS : set % POSITIONS];
            seeds[i] = rng_split(set, (uint64_t)i);
        }
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            compare_batch(plain, other, states, seeds, pieces[i], PLAYOUT_UNIFORM);
            compare_batch(plain, other, states, seeds, pieces[i], PLAYOUT_LIGHT);
            compare_batch(plain, other, states, seeds, pieces[i], PLAYOUT_TACTICAL);
        }
    }
}

static void test_kernels_agree(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        Game *plain = make_game(size, "plain");
        for (int i = 0; stigmergy_kernels[i]; i++) {
            const StigmergyKernel *kernel = stigmergy_kernels[i];
            if (!kernel->runs_here())
                continue;
            Game *other = make_game(size, kernel->name);
            for (uint64_t set = 0; set < (size <= 5 ? 12 : 3); set++)
                compare_kernels(plain, other, set);
            game_free(other);
        }
        game_free(plain);
    }
}

/* ---- Priors ---- */

/* The sum that the priors weigh, computed from what each cell sees. */
static int standing_by_sight(const Game *game, const GameState *state, Side side) {
    uint8_t stones[HEXHEX_MAX_CELLS];
    const uint8_t own = side == BLACK ? 1 : 2;
    int sum = 0;
    game->rules->stones(game, state, stones);
    for (int c = 0; c < game->board.cells; c++) {
        int16_t seen[HEXHEX_DIRECTIONS];
        int needed = 0, own_seen = 0, enemy_seen = 0;
        const int count = game->rules->sight(game, state, c, seen, &needed);
        for (int i = 0; i < count; i++)
            *(stones[seen[i]] == own ? &own_seen : &enemy_seen) += 1;
        const bool enemy_controls = enemy_seen >= needed, enemy_near = enemy_seen == needed - 1;
        const bool own_controls = own_seen >= needed, own_near = own_seen == needed - 1;
        if (stones[c] == 0)
            sum += enemy_controls ? -11 : enemy_near && !own_controls ? -6 : 0;
        else if (stones[c] == own)
            sum += enemy_controls ? -37 : enemy_near ? -9 : 0;
        else
            sum += own_controls ? 22 : own_near ? 9 : 0;
    }
    return sum;
}

static void assert_priors(const Game *game, const GameState *state) {
    Action actions[GAME_LEGAL_MAX];
    float logits[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, actions), words = game->board.words;
    const Side side = game->rules->to_move(state);
    const int before = standing_by_sight(game, state, side);
    game->rules->priors(game, state, actions, count, logits);
    for (int i = 0; i < count; i++) {
        GameState after = *state;
        game->rules->apply(game, &after, actions[i]);
        const int flip = actions[i] >= 64 * words ? 13 : 0;
        const int tenths = actions[i] < 128 * words ? standing_by_sight(game, &after, side) - before + flip : -7;
        assert_true(logits[i] == 0.1f * (float)tenths);
    }
}

static void test_priors_are_as_defined_by_every_kernel(void **unused) {
    (void)unused;
    for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
        for (int i = 0; stigmergy_kernels[i]; i++) {
            const StigmergyKernel *kernel = stigmergy_kernels[i];
            if (!kernel->runs_here())
                continue;
            Game *game = make_game(size, kernel->name);
            for (uint64_t set = 0; set < (size <= 5 ? 4 : 1); set++) {
                GameState positions[POSITIONS];
                make_positions(game, positions, set);
                for (int k = 0; k < POSITIONS; k++)
                    assert_priors(game, &positions[k]);
            }
            game_free(game);
        }
    }
}

/* Says which kernels could not be compared. */
static void name_skipped(void) {
    for (int k = 0; stigmergy_kernels[k]; k++)
        if (!stigmergy_kernels[k]->runs_here())
            print_message("test_kernels: skipped: the kernel %s, which this processor cannot run\n",
                          stigmergy_kernels[k]->name);
}

int main(void) {
    name_skipped();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_are_chosen),
        cmocka_unit_test(test_plain_is_as_defined),
        cmocka_unit_test(test_kernels_agree),
        cmocka_unit_test(test_priors_are_as_defined_by_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
