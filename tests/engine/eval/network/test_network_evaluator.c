/* The evaluator that asks a network: what it makes of the network's outputs, searches with it, and networks that are
 * not for the game. */
#include "engine/base/rng.h"
#include "engine/eval/network/features.h"
#include "engine/eval/network/network_evaluator.h"
#include "engine/eval/network/orientation.h"
#include "engine/games/registry.h"
#include "tests/support/random_network.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static Game *make_game(const char *name, int size) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size}, &error);
    assert_non_null(game);
    return game;
}

static float chance_of(int logit) {
    return (float)(1 / (1 + exp(-logit / 256.0)));
}

/* An evaluator's answer against the network's own, for both sides to move. */
static void check_position(NetworkEvaluator *evaluator, const Game *game, const GameState *state,
                           const GameHistory *history) {
    static Evaluation evaluation;
    static NetworkInput input, turned;
    static NetworkOutput output;
    static Orientations orientations;
    Error error;
    FeatureEncoder encoder;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal), words = game->board.words;
    void *context = evaluator->evaluator.new_context(&evaluator->evaluator, game, &error);
    NetworkScratch *scratch = network_scratch_new(evaluator->network);
    assert_non_null(context);
    evaluator->evaluator.evaluate(context, &(Leaf){state, 0, history, legal, count}, 1, &evaluation);
    assert_true(feature_encoder_init(&encoder, feature_set("stigmergy-1", &error), game, &error));
    feature_encode(&encoder, state, history, legal, count, &input);
    orientations_init(&orientations, &game->board);
    const int16_t *to = game->board.symmetry[orientation_turn(&orientations, 20, &input, &turned)];
    network_forward(evaluator->network, &turned, scratch, &output);
    const int sign = game->rules->to_move(state) == BLACK ? 1 : -1;
    assert_float_equal(evaluation.black, chance_of(sign * output.win), 2e-7);
    assert_float_equal(evaluation.margin, (float)(sign * output.score) / 16, 0);
    const double deviation = exp2(output.spread / 256.0);
    assert_true(fabs((double)evaluation.deviation - deviation) < 1e-6 * deviation);
    for (int c = 0; c < game->board.cells; c++)
        assert_float_equal(evaluation.owners[c], chance_of(sign * output.owner[to[c]]), 2e-7);
    for (int i = 0; i < count; i++) {
        const int a = legal[i];
        const int16_t logit = a < 64 * words    ? output.cells[0][to[a]]
                              : a < 128 * words ? output.cells[1][to[a - 64 * words]]
                                                : output.others[a - 128 * words]; /* pass, take-button */
        assert_float_equal(evaluation.logits[i], (float)logit / 256, 0);
    }
    network_scratch_free(scratch);
    evaluator->evaluator.free_context(context);
}

/* A small network for `evaluator`, to be freed by the caller. */
static Network *load_lively(NetworkEvaluator *evaluator, uint64_t seed) {
    const NetworkShape shape = random_network_shape(20, 2, 16);
    Network *network = random_network_load(&shape, RANDOM_LIVELY, seed, NULL);
    network_evaluator_init(evaluator, network);
    return network;
}

static void test_answers(void **state) {
    (void)state;
    NetworkEvaluator evaluator;
    Network *network = load_lively(&evaluator, 11);
    Rng rng = rng_seed(3);
    for (int size = 2; size <= 8; size++) {
        Game *game = make_game("stigmergy", size);
        GameState position;
        GameHistory history = {0};
        game->rules->start(game, &position, size);
        for (int i = 0; i < 30 && !game->rules->over(&position); i++) {
            Action legal[GAME_LEGAL_MAX];
            check_position(&evaluator, game, &position, &history);
            const Action action = legal[rng_below(&rng, (uint32_t)game->rules->legal(game, &position, legal))];
            game->rules->apply(game, &position, action);
            game_history_add(game, &history, action, &position);
        }
        game_free(game);
    }
    network_free(network);
}

/* ---- Images of a position ---- */

static void evaluate(void *context, const NetworkEvaluator *evaluator, const Game *game, const GameState *state,
                     Evaluation *out) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    evaluator->evaluator.evaluate(context, &(Leaf){state, 0, &(GameHistory){.known = 0}, legal, count}, 1, out);
}

/* The number of an action among the legal ones. */
static int find_legal(const Game *game, const GameState *state, Action action) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == action)
            return i;
    fail();
    return -1;
}

/* The answers for a position and for its image by a symmetry of the board: equal, each cell where the symmetry puts it.
 */
static void check_image(void *context, const NetworkEvaluator *evaluator, const Game *game, const GameState *state,
                        const GameState *image, int map) {
    static Evaluation plain, turned;
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, state, legal);
    evaluate(context, evaluator, game, state, &plain);
    evaluate(context, evaluator, game, image, &turned);
    assert_float_equal(plain.black, turned.black, 0);
    assert_float_equal(plain.margin, turned.margin, 0);
    for (int c = 0; c < game->board.cells; c++)
        assert_float_equal(plain.owners[c], turned.owners[game->board.symmetry[map][c]], 0);
    for (int i = 0; i < count; i++) {
        const int there = find_legal(game, image, game->rules->symmetry(game, map, legal[i]));
        assert_float_equal(plain.logits[i], turned.logits[there], 0);
    }
}

static void test_images_are_judged_alike(void **state) {
    (void)state;
    NetworkEvaluator evaluator;
    Network *network = load_lively(&evaluator, 12);
    Rng rng = rng_seed(4);
    for (int map = 0; map < HEXHEX_SYMMETRIES; map++) {
        Game *game = make_game("stigmergy", 4 + map % 3);
        Error error;
        void *context = evaluator.evaluator.new_context(&evaluator.evaluator, game, &error);
        GameState position, image;
        game->rules->start(game, &position, 3);
        game->rules->start(game, &image, 3);
        for (int i = 0; i < 20; i++) {
            Action legal[GAME_LEGAL_MAX];
            const Action action = legal[rng_below(&rng, (uint32_t)game->rules->legal(game, &position, legal))];
            game->rules->apply(game, &position, action);
            game->rules->apply(game, &image, game->rules->symmetry(game, map, action));
            if (i >= 6) /* a position that is its own image has several answers, turned into each other */
                check_image(context, &evaluator, game, &position, &image, map);
        }
        evaluator.evaluator.free_context(context);
        game_free(game);
    }
    network_free(network);
}

/* ---- Swaps ---- */

/* A game with or without the pie rule, and the position after a first stone on the cell. */
static Game *after_first_stone(const char *name, int size, GamePie pie, int cell, GameState *state) {
    Error error;
    Game *game = game_new(&(GameOptions){.name = name, .size = size, .pie = pie}, &error);
    assert_non_null(game);
    game->rules->start(game, state, 0);
    game->rules->apply(game, state, (Action)cell);
    return game;
}

static void assert_same(const Game *game, const Evaluation *one, const Evaluation *other) {
    assert_float_equal(one->black, other->black, 0);
    assert_float_equal(one->margin, other->margin, 0);
    for (int c = 0; c < game->board.cells; c++)
        assert_float_equal(one->owners[c], other->owners[c], 0);
}

/* The probability that the policy gives to an action. */
static double share_of(const Evaluation *evaluation, int count, int action) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += exp2((double)evaluation->logits[i]);
    return exp2((double)evaluation->logits[action]) / sum;
}

/* The answers for a first stone that may be answered with a swap: those for the stone in a game without the pie rule,
 * or those after the swap, whichever is better for the second player. The swap is best with the chance that the
 * stone wins, and the other actions are as without it. Returns whether the swap is better. */
static bool check_swap(const NetworkEvaluator *evaluator, const char *name, int size, int cell) {
    static Evaluation open, kept, swapped;
    Error error;
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    Game *games[2] = {after_first_stone(name, size, GAME_PIE_OFF, cell, &state)};
    void *contexts[2] = {evaluator->evaluator.new_context(&evaluator->evaluator, games[0], &error)};
    evaluate(contexts[0], evaluator, games[0], &state, &kept);
    games[1] = after_first_stone(name, size, GAME_PIE_ON, cell, &state);
    contexts[1] = evaluator->evaluator.new_context(&evaluator->evaluator, games[1], &error);
    evaluate(contexts[1], evaluator, games[1], &state, &open);
    const int count = games[1]->rules->legal(games[1], &state, legal);
    games[1]->rules->apply(games[1], &state, legal[count - 1]);
    assert_int_equal(game_colour(games[1], &state, BLACK), WHITE);
    evaluate(contexts[1], evaluator, games[1], &state, &swapped);
    const bool swaps = swapped.black < kept.black;
    assert_float_equal(kept.black, 1 - swapped.black, 1e-7);
    assert_same(games[1], &open, swaps ? &swapped : &kept);
    assert_float_equal(share_of(&open, count, count - 1), kept.black, 0.02);
    assert_memory_equal(open.logits, kept.logits, (size_t)(count - 1) * sizeof *open.logits);
    for (int i = 0; i < 2; i++) {
        evaluator->evaluator.free_context(contexts[i]);
        game_free(games[i]);
    }
    return swaps;
}

/* A random network for a game with the kinds of action that Bug and Sgolte have: some on each cell, and the swap. */
static Network *load_for(const char *name, const char *features, int kinds, uint64_t seed,
                         NetworkEvaluator *evaluator) {
    Error error;
    NetworkShape shape = random_network_shape(feature_set_planes(feature_set(features, &error)), 2, 16);
    strncpy(shape.game, name, sizeof shape.game); /* fills up with zeros, as the file must */
    strncpy(shape.features, features, sizeof shape.features);
    shape.kinds = kinds;
    shape.others = 1;
    Network *network = random_network_load(&shape, RANDOM_LIVELY, seed, NULL);
    network_evaluator_init(evaluator, network);
    return network;
}

static void test_swap(void **state) {
    (void)state;
    int count = 0, swaps = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        NetworkEvaluator evaluator;
        Network *network = load_for("sgolte", "groups-3", 3, seed, &evaluator);
        for (int cell = 0; cell < 19; cell += 3, count++)
            swaps += check_swap(&evaluator, "sgolte", 3, cell);
        network_free(network);
        network = load_for("bug", "bug-2", 2, seed, &evaluator);
        for (int cell = 0; cell < 19; cell += 3, count++)
            swaps += check_swap(&evaluator, "bug", 3, cell);
        network_free(network);
    }
    assert_true(swaps > 0 && swaps < count); /* both come up */
}

/* Fails unless a context for the game is refused with this error. */
static void refused_by(const NetworkShape *shape, const Game *game, const char *expected) {
    Network *network = random_network_load(shape, RANDOM_LIVELY, 1, NULL);
    NetworkEvaluator evaluator;
    Error error = {.text = ""};
    network_evaluator_init(&evaluator, network);
    assert_null(evaluator.evaluator.new_context(&evaluator.evaluator, game, &error));
    assert_non_null(strstr(error.text, expected));
    network_free(network);
}

static void refused(const NetworkShape *shape, const char *game_name, const char *expected) {
    Game *game = make_game(game_name, 4);
    refused_by(shape, game, expected);
    game_free(game);
}

/* Five kinds of action on each cell. */
static const char *five_kinds(const Game *game, Action action, int *cell) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    *cell = action / 5;
    return *cell < game->board.cells ? names[action % 5] : NULL;
}

/* A game with more kinds of action than there is room for is refused, also by a network for as many as there is. */
static void test_too_many_kinds(void **state) {
    (void)state;
    Game *game = make_game("stigmergy", 4);
    GameRules rules = *game->rules;
    rules.action_kind = five_kinds;
    game->rules = &rules;
    NetworkShape shape = random_network_shape(20, 1, 16);
    shape.kinds = NETWORK_KINDS_MAX;
    shape.others = 0;
    refused_by(&shape, game, "stigmergy has more than 4 kinds of action with a cell");
    game_free(game);
}

static void test_wrong_networks(void **state) {
    (void)state;
    NetworkShape shape = random_network_shape(20, 1, 16);
    refused(&shape, "bug", "a network for the game stigmergy cannot play bug");
    shape.kinds = 1;
    refused(&shape, "stigmergy", "1 kinds of action with a cell and 2 without, but the game stigmergy has 2 and 2");
    shape = random_network_shape(16, 1, 16);
    refused(&shape, "stigmergy", "16 input planes, but its feature set stigmergy-1 has 20");
    strcpy(shape.features, "stigmergy-7");
    refused(&shape, "stigmergy", "no feature set \"stigmergy-7\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_images_are_judged_alike),
                                       cmocka_unit_test(test_swap), cmocka_unit_test(test_wrong_networks),
                                       cmocka_unit_test(test_too_many_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
