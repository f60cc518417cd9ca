/* Running networks: every kernel against the plain one, to the bit, over random networks that are lively, wild or have
 * the largest weights; boards of changing size with the same scratch memory; digests of outputs that may never change.
 * The plain kernel itself is tested against NumPy: see reference.py. */
#include "engine/base/rng.h"
#include "engine/eval/network/kernel.h"
#include "tests/support/random_network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Evaluates with new scratch memory. */
static void evaluate(const Network *network, const NetworkInput *input, NetworkOutput *output) {
    NetworkScratch *scratch = network_scratch_new(network);
    assert_non_null(scratch);
    memset(output, 0, sizeof *output);
    network_forward(network, input, scratch, output);
    network_scratch_free(scratch);
}

/* ---- Kernels ---- */

/* From 1 to `most`, a multiple of `unit`. */
static int random_multiple(int unit, int most, Rng *rng) {
    return unit * (1 + (int)rng_below(rng, (uint32_t)(most / unit)));
}

/* Of a layer of a head: mostly narrow, because that is faster. */
static int random_width(Rng *rng) {
    return random_multiple(16, rng_below(rng, 4) ? 64 : NETWORK_CHANNELS_MAX, rng);
}

static NetworkShape random_shape(Rng *rng) {
    const int channels = random_multiple(16, 80, rng), planes = random_multiple(4, NETWORK_PLANES_MAX, rng);
    NetworkShape shape = random_network_shape(planes, 1 + (int)rng_below(rng, 4), channels);
    shape.policy_channels = random_width(rng);
    shape.value_channels = random_width(rng);
    shape.value_units = random_width(rng);
    shape.kinds = 1 + (int)rng_below(rng, NETWORK_KINDS_MAX);
    shape.others = (int)rng_below(rng, NETWORK_OTHERS_MAX + 1);
    shape.pooled = rng_below(rng, 1u << shape.blocks);
    return shape;
}

static void compare_kernels(const NetworkShape *shape, RandomWeights weights, uint64_t seed) {
    NetworkInput input;
    static NetworkOutput expected[HEXHEX_MAX_SIZE + 1];
    size_t bytes;
    uint8_t *file = random_network(shape, weights, seed, &bytes);
    for (int k = 0; network_kernels[k]; k++) {
        if (!network_kernels[k]->runs_here())
            continue;
        Network *network = network_new(file, bytes, "random", network_kernels[k]->name, NULL);
        assert_non_null(network);
        for (int size = HEXHEX_MIN_SIZE; size <= HEXHEX_MAX_SIZE; size++) {
            NetworkOutput output;
            random_network_input(shape, size, seed + (uint64_t)size, &input);
            evaluate(network, &input, &output);
            if (k == 0) /* the plain one */
                expected[size] = output;
            assert_memory_equal(&output, &expected[size], sizeof output);
        }
        network_free(network);
    }
    free(file);
}

static void test_kernels_agree(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (uint64_t seed = 0; seed < 8; seed++) {
        const NetworkShape shape = random_shape(&rng);
        compare_kernels(&shape, RANDOM_LIVELY, seed);
        compare_kernels(&shape, RANDOM_WILD, seed);
        compare_kernels(&shape, RANDOM_LARGE, seed);
    }
}

/* The shapes that ship, and wide ones up to the widest. The plain kernel splits the inputs of a cell into two words
 * from 144 channels on; only with 256 both are full. */
static void test_common_shapes(void **state) {
    (void)state;
    static const int shapes[][2] = {{5, 32}, {6, 48}, {2, 64}, {1, 144}, {1, 240}, {1, NETWORK_CHANNELS_MAX}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const NetworkShape shape = random_network_shape(20, shapes[i][0], shapes[i][1]);
        compare_kernels(&shape, RANDOM_LIVELY, 100 + i);
        compare_kernels(&shape, RANDOM_LARGE, 100 + i);
    }
}

/* ---- What a network says ---- */

/* Random networks are worth testing only if what they say depends on the input and is not cut off. */
static void test_lively(void **state) {
    (void)state;
    const NetworkShape shape = random_network_shape(20, 5, 32);
    Network *network = random_network_load(&shape, RANDOM_LIVELY, 7, NULL);
    int different = 0, cut = 0, logits = 0;
    int16_t last = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        NetworkInput input;
        NetworkOutput output;
        random_network_input(&shape, 5, seed, &input);
        evaluate(network, &input, &output);
        different += output.win != last;
        last = output.win;
        for (int c = 0; c < 61; c++, logits++)
            cut += output.cells[0][c] == INT16_MAX || output.cells[0][c] == INT16_MIN ||
                   output.cells[0][c] == output.cells[0][(c + 1) % 61];
    }
    network_free(network);
    assert_true(different > 45);
    assert_true(cut < logits / 20);
}

/* Scratch memory of one size after another says what new memory says. */
static void test_sizes_in_turn(void **state) {
    (void)state;
    static const int sizes[] = {10, 2, 5, 5, 3, 9, 4, 10};
    const NetworkShape shape = random_network_shape(20, 3, 32);
    Network *network = random_network_load(&shape, RANDOM_LIVELY, 3, NULL);
    NetworkScratch *scratch = network_scratch_new(network);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        NetworkInput input;
        NetworkOutput expected, output = {0};
        random_network_input(&shape, sizes[i], i, &input);
        evaluate(network, &input, &expected);
        network_forward(network, &input, scratch, &output);
        assert_memory_equal(&output, &expected, sizeof output);
        network_forward(network, &input, scratch, &output);
        assert_memory_equal(&output, &expected, sizeof output);
    }
    network_scratch_free(scratch);
    network_free(network);
}

/* ---- What may not change ---- */

static uint64_t add(uint64_t digest, const int16_t *numbers, int count) {
    for (int i = 0; i < count; i++)
        digest = rng_mix(digest + (uint16_t)numbers[i] + 1);
    return digest;
}

static uint64_t digest_of(const NetworkShape *shape, RandomWeights weights, int size) {
    Network *network = random_network_load(shape, weights, 42, NULL);
    NetworkInput input;
    NetworkOutput output;
    random_network_input(shape, size, 42, &input);
    evaluate(network, &input, &output);
    network_free(network);
    const int cells = hexhex_cell_count(size);
    uint64_t digest = add(0, (const int16_t[]){output.win, output.score, output.spread}, 3);
    digest = add(digest, output.others, shape->others);
    for (int kind = 0; kind < shape->kinds; kind++)
        digest = add(digest, output.cells[kind], cells);
    return add(digest, output.owner, cells);
}

static void test_digests(void **state) {
    (void)state;
    static const struct {
        RandomWeights weights;
        int size;
        uint64_t digest;
    } golden[] = {
        {RANDOM_LIVELY, 2, 0x40c3426e65e576fa},  {RANDOM_LIVELY, 5, 0x30b321a15d9b82b5},
        {RANDOM_LIVELY, 10, 0xa915b6cd1a991b9f}, {RANDOM_WILD, 5, 0xce710e6ba0447b94},
        {RANDOM_LARGE, 7, 0xdbc39768f43572eb},
    };
    const NetworkShape shape = random_network_shape(20, 2, 16);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        assert_int_equal(digest_of(&shape, golden[i].weights, golden[i].size), golden[i].digest);
}

/* Says which kernels could not be compared. */
static void name_skipped(void) {
    for (int k = 0; network_kernels[k]; k++)
        if (!network_kernels[k]->runs_here())
            print_message("test_forward: skipped: the kernel %s, which this processor cannot run\n",
                          network_kernels[k]->name);
}

int main(void) {
    name_skipped();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_agree), cmocka_unit_test(test_common_shapes), cmocka_unit_test(test_lively),
        cmocka_unit_test(test_sizes_in_turn), cmocka_unit_test(test_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
