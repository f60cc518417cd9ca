/* The evaluator that plays games to their end: what it says of a leaf is the sum over single playouts. The numbers of
 * playouts are those around one batch of the kernel, around two, and the most. */
#include "engine/base/rng.h"
#include "engine/eval/playouts.h"
#include "engine/games/registry.h"
#include "tests/support/wander.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* What the single playouts of a leaf add up to. */
typedef struct Sums {
    int black, half_points, owners[HEXHEX_MAX_CELLS];
    AmafCounts amaf;
} Sums;

static bool contains(const uint64_t *set, int number) {
    return set[number / 64] >> (number % 64) & 1;
}

static void add(const Game *game, const PlayoutResult *result, Sums *sums) {
    const bool black_won = result->half_points > 0;
    sums->black += black_won;
    sums->half_points += result->half_points;
    sums->amaf.playouts++;
    for (int c = 0; c < game->board.cells; c++)
        sums->owners[c] += contains(result->black_owns, c);
    for (int side = 0; side < 2; side++)
        for (int action = 0; action < 64 * game->action_words; action++)
            if (contains(result->played[side], action)) {
                sums->amaf.taken[side][action]++;
                sums->amaf.taken_black_won[side][action] += black_won;
            }
}

static void assert_evaluation(const Game *game, const Evaluation *found, const Sums *sums) {
    const float playouts = (float)sums->amaf.playouts;
    const size_t actions = 64 * (size_t)game->action_words;
    assert_true(found->black == (float)sums->black / playouts);
    assert_true(found->margin == 0.5f * (float)sums->half_points / playouts);
    for (int c = 0; c < game->board.cells; c++)
        assert_true(found->owners[c] == (float)sums->owners[c] / playouts);
    assert_int_equal(found->amaf.playouts, sums->amaf.playouts);
    for (int side = 0; side < 2; side++) {
        assert_memory_equal(found->amaf.taken[side], sums->amaf.taken[side], actions);
        assert_memory_equal(found->amaf.taken_black_won[side], sums->amaf.taken_black_won[side], actions);
    }
}

/* Several leaves with one context, so that nothing may be left from the leaf before. */
static void check_leaves(const Game *game, int playouts, Rng *rng) {
    const PlayoutEvaluator settings = playout_evaluator(PLAYOUT_LIGHT, playouts, 0);
    const Evaluator *evaluator = &settings.evaluator;
    void *context = evaluator->new_context(evaluator, game, NULL);
    assert_non_null(context);
    for (int i = 0; i < 8; i++) {
        static Evaluation found;
        GameState state;
        const GameState *from = &state;
        Sums sums = {0};
        random_position(game, game->has_points ? 3 : 0, &state, rng);
        const Leaf leaf = {.state = &state, .seed = rng_next(rng)};
        memset(&found, 0xff, sizeof found); /* its contents do not count */
        evaluator->evaluate(context, &leaf, 1, &found);
        for (int k = 0; k < playouts; k++) {
            PlayoutResult result;
            const uint64_t seed = rng_split(leaf.seed, (uint64_t)k);
            game->rules->playouts(game, &from, &seed, 1, PLAYOUT_LIGHT, &result);
            add(game, &result, &sums);
        }
        assert_evaluation(game, &found, &sums);
    }
    evaluator->free_context(context);
}

static void test_sums_of_single_playouts(void **unused) {
    (void)unused;
    static const GameOptions options[] = {{.name = "stigmergy", .size = 3},
                                          {.name = "stigmergy", .size = 9},
                                          {.name = "bug", .size = 4, .pie = GAME_PIE_ON},
                                          {.name = "sgolte", .size = 5}};
    static const int playouts[] = {1, 15, 16, 17, 33, EVALUATION_PLAYOUTS_MAX};
    Rng rng = rng_seed(1);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        Game *game = game_new(&options[i], NULL);
        assert_non_null(game);
        for (size_t k = 0; k < sizeof playouts / sizeof *playouts; k++)
            check_leaves(game, playouts[k], &rng);
        game_free(game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums_of_single_playouts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
