/* The parser of weights files: what a good file holds, and that every bad one is refused with a line that says why. */
#include "engine/eval/network/weights.h"
#include "tests/support/random_network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Bytes {
    uint8_t *bytes;
    size_t size;
} Bytes;

static Bytes small_file(void) {
    const NetworkShape shape = random_network_shape(20, 2, 16);
    Bytes file;
    file.bytes = random_network(&shape, RANDOM_LIVELY, 5, &file.size);
    return file;
}

/* Fails unless the file is refused with an error that contains `expected`. */
static void refused(const uint8_t *bytes, size_t size, const char *expected) {
    static NetworkFile file;
    Error error = {.text = ""};
    assert_false(network_file_read(bytes, size, "a.net", &file, &error));
    if (!strstr(error.text, expected) || strncmp(error.text, "a.net: ", 7) != 0)
        fail_msg("\"%s\", expected \"%s\"", error.text, expected);
}

/* Field by field: between them may be bytes that hold anything. */
static void assert_same_shape(const NetworkShape *a, const NetworkShape *b) {
    assert_string_equal(a->game, b->game);
    assert_string_equal(a->features, b->features);
    assert_int_equal(a->planes, b->planes);
    assert_int_equal(a->blocks, b->blocks);
    assert_int_equal(a->channels, b->channels);
    assert_int_equal(a->policy_channels, b->policy_channels);
    assert_int_equal(a->value_channels, b->value_channels);
    assert_int_equal(a->value_units, b->value_units);
    assert_int_equal(a->kinds, b->kinds);
    assert_int_equal(a->others, b->others);
    assert_int_equal(a->pooled, b->pooled);
    assert_int_equal(a->min_size, b->min_size);
    assert_int_equal(a->max_size, b->max_size);
}

static void test_good(void **state) {
    (void)state;
    static NetworkFile file;
    Bytes good = small_file();
    Error error;
    assert_true(network_file_read(good.bytes, good.size, "a.net", &file, &error));
    const NetworkShape shape = random_network_shape(20, 2, 16);
    assert_same_shape(&file.shape, &shape);
    assert_int_equal(file.layer[LAYER_STEM].shape.ins, 20);
    assert_int_equal(file.layer[network_block(0, BLOCK_POOL)].shape.outs, 0);
    assert_int_equal(file.layer[network_block(1, BLOCK_POOL)].shape.outs, 16);
    assert_int_equal(file.layer[network_head(&shape, HEAD_CELLS)].shape.outs, 3);
    assert_ptr_equal(file.layer[network_head(&shape, HEAD_VALUE_OUT)].shift + 3,
                     good.bytes + good.size - NETWORK_HASH_BYTES);
    free(good.bytes);
}

static void test_truncated_and_longer(void **state) {
    (void)state;
    Bytes good = small_file();
    for (size_t size = 0; size < good.size; size += size < 200 ? 1 : 97) {
        uint8_t *cut = malloc(size + 1); /* its own memory: reading behind it is found out */
        memcpy(cut, good.bytes, size);
        cut = realloc(cut, size ? size : 1);
        refused(cut, size, size < 8 ? "not a network" : "truncated network");
        free(cut);
    }
    good.bytes = realloc(good.bytes, good.size + 1);
    refused(good.bytes, good.size + 1, "damaged network");
    free(good.bytes);
}

static void test_damaged(void **state) {
    (void)state;
    Bytes good = small_file();
    for (size_t at = 0; at < good.size; at += at < 200 ? 1 : 61) {
        static NetworkFile file;
        Error error = {.text = ""};
        good.bytes[at] ^= 0x10;
        assert_false(network_file_read(good.bytes, good.size, "a.net", &file, &error));
        assert_true(strlen(error.text) > 20);
        good.bytes[at] ^= 0x10;
    }
    good.bytes[good.size / 2] ^= 1;
    refused(good.bytes, good.size, "SHA-256");
    free(good.bytes);
}

/* Wrong in itself although the SHA-256 is right. */
static void test_wrong_fields(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        const char *expected;
    } wrong[] = {
        {0, 'X', "does not begin with STGNET01"},
        {8, 2, "format version 2, this program reads version 1"},
        {14, 0x40, "bytes of provenance"},
        {16, 0, "names no game"},
        {20, 0, "names no game"},
        {33, '%', "no feature set"},
        {56, 22, "22 input planes, expected a multiple of 4 from 4 to 64"},
        {57, 1, "276 input planes"},
        {58, 15, "15 globals"},
        {60, 0, "0 blocks"},
        {60, 33, "33 blocks"},
        {62, 24, "24 channels, expected a multiple of 16"},
        {63, 2, "528 channels"},
        {64, 0, "0 policy channels"},
        {66, 8, "8 value channels"},
        {68, 0, "0 value units"},
        {70, 5, "5 kinds of action with a cell"},
        {72, 17, "17 actions without a cell"},
        {74, 1, "smallest board"},
        {74, 11, "smallest board"},
        {76, 11, "largest board"},
        {78, 1, "unused bytes"},
        {80, 6, "pools in blocks"},
        {95, 1, "unused bytes"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Bytes file = small_file();
        file.bytes[wrong[i].at] = wrong[i].value;
        random_network_sign(file.bytes, file.size);
        refused(file.bytes, file.size, wrong[i].expected);
        free(file.bytes);
    }
}

static void test_wrong_layers(void **state) {
    (void)state;
    Bytes good = small_file();
    const size_t out = good.size - NETWORK_HASH_BYTES - 3; /* the three shifts of the last layer */
    const struct {
        size_t at;
        uint8_t value;
        const char *expected;
    } wrong[] = {
        {out, NETWORK_SHIFT_MAX + 1, "shift 25, expected 0 to 24"},
        {out + 2, 0xff, "shift -1"},
        {out - 1, 0x70, "bias"},
        {out - 9, 0x80, "bias"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const uint8_t before = good.bytes[wrong[i].at];
        good.bytes[wrong[i].at] = wrong[i].value;
        random_network_sign(good.bytes, good.size);
        refused(good.bytes, good.size, wrong[i].expected);
        good.bytes[wrong[i].at] = before;
    }
    free(good.bytes);
}

static void test_kernel_names(void **state) {
    (void)state;
    Bytes good = small_file();
    Error error;
    Network *network = network_new(good.bytes, good.size, "a.net", "plain", &error);
    assert_string_equal(network_kernel_name(network), "plain");
    network_free(network);
    assert_null(network_new(good.bytes, good.size, "a.net", "abacus", &error));
    assert_non_null(strstr(error.text, "plain"));
    assert_null(network_new(good.bytes, good.size - 1, "a.net", NULL, &error));
    assert_non_null(strstr(error.text, "truncated"));
    free(good.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),         cmocka_unit_test(test_truncated_and_longer),
        cmocka_unit_test(test_damaged),      cmocka_unit_test(test_wrong_fields),
        cmocka_unit_test(test_wrong_layers), cmocka_unit_test(test_kernel_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
