/* Tests of lists of carriers: compared with a plain model, and all kernels with each other. */
#include "engine/base/rng.h"
#include "engine/solver/carrier_list_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* A random set of about `size` of the first 37 cells. */
static uint64_t random_set(Rng *rng, uint32_t size) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < size; i++)
        set |= 1ull << rng_below(rng, 37);
    return set;
}

static bool contains(uint64_t own, uint64_t cells, uint64_t other_own, uint64_t other) {
    return !(other_own & ~own) && !(other & ~cells);
}

static void add_random(CarrierList *list, Rng *rng) {
    const uint64_t carrier = random_set(rng, 10 + rng_below(rng, 6)); /* large, so few contain others */
    carrier_list_add(list, carrier_list_kernel()->near, random_set(rng, 16), carrier);
}

/* No carrier of a list contains another. */
static void assert_no_containing(const CarrierList *list) {
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->count; k++)
            assert_true(i == k || !contains(list->own[i], list->cells[i], list->own[k], list->cells[k]));
}

static void test_list_keeps_the_smallest(void **unused) {
    (void)unused;
    CarrierList *list = calloc(1, sizeof *list);
    uint64_t *own = calloc(3000, sizeof *own), *cells = calloc(3000, sizeof *cells);
    assert_true(list && own && cells);
    Rng rng = rng_seed(5);
    for (int i = 0; i < 3000; i++) {
        cells[i] = random_set(&rng, 3 + rng_below(&rng, 8));
        own[i] = random_set(&rng, 16) & cells[i];
        carrier_list_add(list, carrier_list_kernel()->near, own[i], cells[i]);
    }
    assert_no_containing(list);
    assert_true(list->count > 100 && list->count < 3000);
    for (int i = 0; i < 3000; i++) { /* each carrier is in the list, or one that it contains */
        bool found = false;
        for (uint32_t k = 0; k < list->count && !found; k++)
            found = contains(own[i], cells[i], list->own[k], list->cells[k]);
        assert_true(found);
    }
    carrier_list_clear(list);
    assert_int_equal(list->count, 0);
    free(own);
    free(cells);
    free(list);
}

/* A kernel picks the same carriers as a test of one carrier after the other. */
static void assert_near(CarrierList *list, CarrierListNear *near, uint64_t own, uint64_t enemy, uint64_t fixable) {
    static NearCarriers found;
    near(list, own, enemy, fixable, &found);
    int count = 0;
    for (uint32_t i = 0; i < list->count && count < CARRIERS_NEAR; i++) {
        const uint64_t wrong = (list->own[i] & ~own) | (list->cells[i] & enemy);
        if (__builtin_popcountll(wrong) > 1 || wrong & ~fixable)
            continue;
        assert_true(count < found.count);
        assert_int_equal(found.carrier[count].at, i);
        assert_true(found.carrier[count].cells == list->cells[i] && found.carrier[count].wrong == wrong);
        count++;
    }
    assert_int_equal(found.count, count);
}

/* Includes lists that have been full for a long time. */
static void test_kernels_pick_alike(void **unused) {
    (void)unused;
    CarrierList *list = calloc(1, sizeof *list);
    assert_non_null(list);
    Rng rng = rng_seed(6);
    int full = 0;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < round * 20; i++)
            add_random(list, &rng);
        full += list->count == CARRIER_LIST;
        for (int trial = 0; trial < 20; trial++) {
            const uint64_t own = random_set(&rng, 4 + rng_below(&rng, 30)), enemy = random_set(&rng, 12) & ~own;
            const uint64_t fixable[] = {0, ~0ull, random_set(&rng, 20)};
            for (int k = 0; carrier_list_kernels[k]; k++)
                if (carrier_list_kernels[k]->runs_here())
                    assert_near(list, carrier_list_kernels[k]->near, own, enemy, fixable[trial % 3]);
        }
    }
    assert_true(full > 10);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list_keeps_the_smallest),
                                       cmocka_unit_test(test_kernels_pick_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
