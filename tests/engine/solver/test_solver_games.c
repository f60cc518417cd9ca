/* The solver on Bug and Sgolte: compared with plain minimax by the game interface, without keys, symmetries or
 * order. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/solver/solver_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { POSITIONS_MAX = 1000 };

/* Who wins. *left is the number of positions that may still be visited. It is negative if they were not enough. */
static Side minimax(const Game *game, const GameState *state, int *left) {
    const GameRules *rules = game->rules;
    if (rules->over(state))
        return rules->result(game, state).winner;
    const Side side = rules->to_move(state);
    Action actions[GAME_LEGAL_MAX];
    const int count = rules->legal(game, state, actions);
    for (int i = 0; i < count && --*left >= 0; i++) {
        GameState next;
        game_copy(game, &next, state);
        rules->apply(game, &next, actions[i]);
        if (minimax(game, &next, left) == side)
            return side;
    }
    return side_opponent(side);
}

/* Compares value and best move of a position, if minimax can solve it. Returns whether it can. */
static bool compare(const Game *game, Solver *const solvers[2], const GameState *state) {
    int left = POSITIONS_MAX;
    const Side winner = minimax(game, state, &left);
    if (left < 0)
        return false;
    for (int i = 0; i < 2; i++) {
        const SolverResult result = solver_value(solvers[i], state, NULL);
        assert_true(result.proved);
        assert_int_equal(result.lower_half_points, winner == BLACK ? 1 : -1);
        assert_int_equal(result.has_best, !game->rules->over(state));
        if (!result.has_best || winner != game->rules->to_move(state))
            continue;
        GameState next;
        assert_true(game_is_legal(game, state, result.best));
        game_copy(game, &next, state);
        game->rules->apply(game, &next, result.best);
        left = 4 * POSITIONS_MAX; /* minimax may need longer for another winning move than its own */
        const Side after = minimax(game, &next, &left);
        assert_true(left < 0 || after == winner);
    }
    return true;
}

/* The ends of random games, from the last position back until minimax takes too long. Returns the number of
 * positions. */
static int compare_ends(const GameOptions *options, int games) {
    Error error;
    Game *game = game_new(options, &error);
    assert_non_null(game);
    const SolverOptions small = {.memory = 2u << 20, .threads = 1};
    Solver *const solvers[2] = {solver_new(game, &small, &error), solver_new_plain(game, &small, &error)};
    static GameState line[600];
    int compared = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)games; seed++) {
        Rng rng = rng_seed(seed);
        int length = 0;
        game->rules->start(game, &line[0], 0);
        while (!game->rules->over(&line[length])) {
            Action actions[GAME_LEGAL_MAX];
            const int count = game->rules->legal(game, &line[length], actions);
            assert_in_range(length, 0, 598);
            game_copy(game, &line[length + 1], &line[length]);
            game->rules->apply(game, &line[++length], actions[rng_below(&rng, (uint32_t)count)]);
        }
        while (length >= 0 && compare(game, solvers, &line[length])) {
            compared++;
            length--;
        }
    }
    solver_free(solvers[0]);
    solver_free(solvers[1]);
    game_free(game);
    return compared;
}

static void ends_of_bug(void **unused) {
    (void)unused;
    assert_true(compare_ends(&(GameOptions){.name = "bug", .size = 2, .pie = GAME_PIE_ON}, 50) > 250);
    assert_true(compare_ends(&(GameOptions){.name = "bug", .size = 3}, 60) > 250);
    assert_true(compare_ends(&(GameOptions){.name = "bug", .size = 4}, 15) > 50);
}

static void ends_of_sgolte(void **unused) {
    (void)unused;
    assert_true(compare_ends(&(GameOptions){.name = "sgolte", .size = 2, .pie = GAME_PIE_ON}, 50) > 250);
    assert_true(compare_ends(&(GameOptions){.name = "sgolte", .size = 3, .pie = GAME_PIE_OFF}, 30) > 150);
    assert_true(compare_ends(&(GameOptions){.name = "sgolte", .size = 3, .capture = GAME_CAPTURE_LINE}, 20) > 100);
    assert_true(compare_ends(&(GameOptions){.name = "sgolte", .size = 4}, 10) > 40);
}

/* The values that configs/exact has for hexhex-2. */
static void hexhex_2(void **unused) {
    (void)unused;
    static const struct {
        const char *name;
        int value;
    } cases[] = {{"bug", -1}, {"sgolte", 1}};
    for (int i = 0; i < 2; i++) {
        Error error;
        GameState state;
        Game *game = game_new(&(GameOptions){.name = cases[i].name, .size = 2, .pie = GAME_PIE_OFF}, &error);
        Solver *solver = solver_new(game, &(SolverOptions){.memory = 2u << 20, .threads = 1}, &error);
        game->rules->start(game, &state, 0);
        assert_int_equal(solver_value(solver, &state, NULL).lower_half_points, cases[i].value);
        solver_free(solver);
        game_free(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_of_bug), cmocka_unit_test(ends_of_sgolte),
                                       cmocka_unit_test(hexhex_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
