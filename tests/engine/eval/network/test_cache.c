/* The cache of a network's answers: what is stored is found, nothing else is, also by several threads; and an evaluator
 * with a cache answers as one without. */
#include "engine/base/rng.h"
#include "engine/eval/network/cache.h"
#include "engine/eval/network/network_evaluator.h"
#include "engine/games/registry.h"
#include "engine/search/search.h"
#include "tests/support/random_network.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static NetworkOutput random_output(uint64_t seed) {
    NetworkOutput output;
    Rng rng = rng_seed(seed);
    int16_t *numbers = (int16_t *)&output;
    for (size_t i = 0; i < sizeof output / sizeof *numbers; i++)
        numbers[i] = (int16_t)(rng_next(&rng) >> 48);
    return output;
}

/* Whether all is the same that a board of `cells` and the game have. */
static bool same(const NetworkShape *shape, int cells, const NetworkOutput *a, const NetworkOutput *b) {
    bool equal = a->win == b->win && a->score == b->score && a->spread == b->spread;
    for (int i = 0; i < shape->others; i++)
        equal = equal && a->others[i] == b->others[i];
    for (int c = 0; c < cells; c++) {
        equal = equal && a->owner[c] == b->owner[c];
        for (int kind = 0; kind < shape->kinds; kind++)
            equal = equal && a->cells[kind][c] == b->cells[kind][c];
    }
    return equal;
}

static void stored_answers_are_found(void **state) {
    (void)state;
    const NetworkShape shape = random_network_shape(20, 1, 16);
    for (int size = 2; size <= 10; size += 4) {
        const int cells = 3 * size * (size - 1) + 1;
        NetworkCache *cache = network_cache_new(&shape, cells, 1 << 20);
        assert_non_null(cache);
        int found = 0;
        for (uint64_t i = 0; i < 200; i++) {
            const NetworkKey key = {rng_mix(i), rng_mix(1000 + i)};
            NetworkOutput in = random_output(i), out;
            assert_false(network_cache_find(cache, key, &out));
            network_cache_store(cache, key, &in);
            assert_true(network_cache_find(cache, key, &out) && same(&shape, cells, &in, &out));
            assert_false(network_cache_find(cache, (NetworkKey){key.place, key.check + 1}, &out));
        }
        for (uint64_t i = 0; i < 200; i++) {
            NetworkOutput in = random_output(i), out;
            if (!network_cache_find(cache, (NetworkKey){rng_mix(i), rng_mix(1000 + i)}, &out))
                continue; /* another one has its place */
            found++;
            assert_true(same(&shape, cells, &in, &out));
        }
        assert_in_range(found, 150, 200);
        network_cache_free(cache);
    }
    assert_null(network_cache_new(&shape, 61, 100));
}

/* The key differs wherever an input does. */
static void keys_tell_inputs_apart(void **state) {
    (void)state;
    const NetworkShape shape = random_network_shape(20, 1, 16);
    NetworkInput input;
    random_network_input(&shape, 3, 7, &input);
    const NetworkKey key = network_key(&shape, 19, &input);
    for (int i = 0; i < 19 * shape.planes + NETWORK_GLOBALS; i++) {
        NetworkInput other = input;
        if (i < 19 * shape.planes)
            other.planes[i] ^= 64;
        else
            other.globals[i - 19 * shape.planes] ^= 1;
        const NetworkKey changed = network_key(&shape, 19, &other);
        assert_true(changed.place != key.place && changed.check != key.check);
    }
}

/* Threads that store different answers in the same entry find one of them whole, or none. */
static void threads_share_a_cache(void **state) {
    (void)state;
    const NetworkShape shape = random_network_shape(20, 1, 16);
    NetworkCache *cache = network_cache_new(&shape, 37, 512); /* one entry */
    int wrong = 0, found = 0;
#pragma omp parallel for num_threads(2) schedule(static, 1) reduction(+ : wrong, found)
    for (int thread = 0; thread < 2; thread++) {
        const NetworkKey key = {1, (uint64_t)thread};
        const NetworkOutput in = random_output((uint64_t)thread);
        for (int i = 0; i < 20000; i++) {
            NetworkOutput out;
            network_cache_store(cache, key, &in);
            if (!network_cache_find(cache, key, &out))
                continue;
            found++;
            wrong += !same(&shape, 37, &in, &out);
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(found > 0);
    network_cache_free(cache);
}

/* A digest of a search, and of another after it in the same searcher. */
static uint64_t digest_of_search(const Network *network, size_t cache_bytes) {
    Error error;
    NetworkEvaluator evaluator;
    network_evaluator_init(&evaluator, network);
    evaluator.cache_bytes = cache_bytes;
    Game *game = game_new(&(GameOptions){.name = "stigmergy", .size = 3}, &error);
    SearchOptions options = {.params = search_default_params(),
                             .evaluator = &evaluator.evaluator,
                             .threads = 1,
                             .memory = 4 << 20,
                             .seed = 1};
    options.params.selection = SELECTION_PUCT;
    options.params.solver_share = 0;
    Search *search = search_new(game, &options, &error);
    assert_non_null(search);
    uint64_t digest = 0;
    for (int i = 0; i < 2; i++) {
        GameState start;
        SearchMove moves[GAME_LEGAL_MAX];
        game->rules->start(game, &start, 4);
        search_set_position(search, &start);
        search_run(search, &(SearchLimits){.simulations = 300});
        const int count = search_moves(search, moves, GAME_LEGAL_MAX);
        for (int m = 0; m < count; m++) {
            uint64_t margin;
            memcpy(&margin, &moves[m].margin, sizeof margin);
            digest = rng_mix(digest ^ margin ^ moves[m].visits << 16 ^ moves[m].action);
        }
    }
    search_free(search);
    game_free(game);
    return digest;
}

static void a_cache_changes_no_search(void **state) {
    (void)state;
    const NetworkShape shape = random_network_shape(20, 1, 16);
    Network *network = random_network_load(&shape, RANDOM_LIVELY, 3, NULL);
    const uint64_t without = digest_of_search(network, 0);
    assert_int_equal(digest_of_search(network, 1 << 20), without);
    assert_int_equal(digest_of_search(network, 1000), without); /* a few entries */
    network_free(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored_answers_are_found), cmocka_unit_test(keys_tell_inputs_apart),
        cmocka_unit_test(threads_share_a_cache), cmocka_unit_test(a_cache_changes_no_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
