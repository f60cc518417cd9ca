/* Tests of claims: lists of them against a plain model, and that every claim which searches keep is true. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "engine/solver/proof_number.h"
#include "engine/solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Lists ---- */

/* A random set of about so many of the first 37 cells. */
static uint64_t random_set(Rng *rng, uint32_t size) {
    uint64_t set = 0;
    for (uint32_t i = 0; i < size; i++)
        set |= 1ull << rng_below(rng, 37);
    return set;
}

static bool contains(uint64_t own, uint64_t cells, uint64_t other_own, uint64_t other) {
    return !(other_own & ~own) && !(other & ~cells);
}

static void add_random(ClaimList *list, Rng *rng) {
    const uint64_t claim = random_set(rng, 10 + rng_below(rng, 6)); /* so large that few contain others */
    claim_list_add(list, claim_list_kernel()->near, random_set(rng, 16), claim);
}

/* No claim of a list contains another. */
static void assert_no_containing(const ClaimList *list) {
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; k < list->count; k++)
            assert_true(i == k || !contains(list->own[i], list->cells[i], list->own[k], list->cells[k]));
}

static void test_list_keeps_the_smallest(void **unused) {
    (void)unused;
    ClaimList *list = calloc(1, sizeof *list);
    uint64_t *own = calloc(3000, sizeof *own), *cells = calloc(3000, sizeof *cells);
    assert_true(list && own && cells);
    Rng rng = rng_seed(5);
    for (int i = 0; i < 3000; i++) {
        cells[i] = random_set(&rng, 3 + rng_below(&rng, 8));
        own[i] = random_set(&rng, 16) & cells[i];
        claim_list_add(list, claim_list_kernel()->near, own[i], cells[i]);
    }
    assert_no_containing(list);
    assert_true(list->count > 100 && list->count < 3000);
    for (int i = 0; i < 3000; i++) { /* each is there, or one that it contains */
        bool found = false;
        for (uint32_t k = 0; k < list->count && !found; k++)
            found = contains(own[i], cells[i], list->own[k], list->cells[k]);
        assert_true(found);
    }
    claim_list_clear(list);
    assert_int_equal(list->count, 0);
    free(own);
    free(cells);
    free(list);
}

/* What a kernel picks is what one claim after the other is found to be. */
static void assert_near(ClaimList *list, ClaimListNear *near, uint64_t own, uint64_t enemy, uint64_t but) {
    static NearClaims found;
    near(list, own, enemy, but, &found);
    int count = 0;
    for (uint32_t i = 0; i < list->count && count < CLAIMS_NEAR; i++) {
        const uint64_t wrong = (list->own[i] & ~own) | (list->cells[i] & enemy);
        if (__builtin_popcountll(wrong) > 1 || wrong & ~but)
            continue;
        assert_true(count < found.count);
        assert_int_equal(found.claim[count].at, i);
        assert_true(found.claim[count].cells == list->cells[i] && found.claim[count].wrong == wrong);
        count++;
    }
    assert_int_equal(found.count, count);
}

/* Also lists that have been full for long. */
static void test_kernels_pick_alike(void **unused) {
    (void)unused;
    ClaimList *list = calloc(1, sizeof *list);
    assert_non_null(list);
    Rng rng = rng_seed(6);
    int full = 0;
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < round * 20; i++)
            add_random(list, &rng);
        full += list->count == CLAIM_LIST;
        for (int trial = 0; trial < 20; trial++) {
            const uint64_t own = random_set(&rng, 4 + rng_below(&rng, 30)), enemy = random_set(&rng, 12) & ~own;
            const uint64_t but[] = {0, ~0ull, random_set(&rng, 20)};
            for (int k = 0; claim_list_kernels[k]; k++)
                if (claim_list_kernels[k]->runs_here())
                    assert_near(list, claim_list_kernels[k]->near, own, enemy, but[trial % 3]);
        }
    }
    assert_true(full > 10);
    free(list);
}

/* ---- Searches ---- */

typedef struct Claims {
    Game *game;
    Solver *solver; /* alpha-beta alone */
    int checked[PHASES];
} Claims;

/* The winner has what he claims with enemy stones on all other cells, as alpha-beta has it; false where that takes it
 * too long. */
static bool assert_claim(Claims *claims, uint64_t own, uint64_t cells, Side winner, Side to_move, Button button,
                         int threshold) {
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    for (int c = 0; c < claims->game->board.cells; c++)
        stones[c] = own >> c & 1 ? (uint8_t)(1 + winner) : cells >> c & 1 ? 0 : (uint8_t)(2 - winner);
    GameState worst;
    stigmergy_set_up(claims->game, &worst, stones, to_move, 0, button != BUTTON_NONE, button);
    const SolverResult result = solver_compare(claims->solver, &worst, threshold, &(SolverLimits){.nodes = 20000});
    if (result.proved)
        assert_int_equal(result.lower >= threshold, winner == BLACK);
    return result.proved;
}

static void assert_claims(Claims *claims, const ProofSearch *proofs, ClaimPhase phase, Button button, int threshold) {
    for (int side = 0; side < 2; side++)
        for (int to_move = 0; to_move < 2; to_move++) {
            const ClaimList *list = proof_search_claims(proofs, phase, (Side)side, (Side)to_move);
            for (uint32_t i = 0; i < list->count; i++)
                claims->checked[phase] +=
                    assert_claim(claims, list->own[i], list->cells[i], (Side)side, (Side)to_move, button, threshold);
        }
}

/* Asks whether Black is ahead by so many points at least, or with a button by half a point more, which is a question
 * about the button. */
static void ask_claims(Claims *claims, ProofSearch *proofs, const GameState *state, int margin, bool button) {
    const int threshold = 2 * margin + button;
    if (proof_search_ask(proofs, state, threshold, &(ProofLimits){.nodes = 20000}).answer == PROOF_BEYOND)
        return;
    assert_claims(claims, proofs, PHASE_CELLS, button ? BUTTON_WHITE : BUTTON_NONE, threshold);
    if (button) {
        assert_claims(claims, proofs, PHASE_BUTTON, BUTTON_ON_TABLE, threshold);
        assert_claims(claims, proofs, PHASE_EASED, BUTTON_BLACK, threshold);
    }
}

static bool is_on_table(const GameState *state) {
    return ((const StigmergyState *)state)->button == BUTTON_ON_TABLE;
}

/* Random positions, asked about several margins by one search. */
static void check_claims(int size, int games, int plies, bool button, uint64_t seed) {
    Error error;
    Claims claims = {.game = game_new(&(GameOptions){.size = size}, &error)};
    assert_non_null(claims.game);
    claims.solver = solver_new(claims.game, &(SolverOptions){.memory = 4u << 20, .threads = 1}, &error);
    const size_t bytes = proof_search_least() + (8u << 20);
    void *memory = calloc(1, bytes);
    assert_true(claims.solver && memory);
    assert_false(solver_has_claims(claims.solver)); /* with so little memory */
    Rng rng = rng_seed(seed);
    for (int game = 0; game < games; game++) {
        memset(memory, 0, bytes);
        ProofSearch *proofs = proof_search_new(claims.game, memory, bytes);
        GameState state;
        claims.game->rules->start(claims.game, &state, button);
        for (int ply = 0; ply < plies + game % 2; ply++) {
            Action legal[GAME_LEGAL_MAX];
            const uint32_t count = (uint32_t)claims.game->rules->legal(claims.game, &state, legal);
            claims.game->rules->apply(claims.game, &state, legal[rng_below(&rng, count)]);
        }
        if (!proof_search_knows(claims.game, &state))
            continue;
        static const int margins[] = {5, 1, 7, 3, -1};
        for (int i = 0; i < 5 && button == is_on_table(&state); i++)
            ask_claims(&claims, proofs, &state, margins[i], button);
    }
    print_message("claims of hexhex-%d: %d, %d with the button on the table, %d with Black having it\n", size,
                  claims.checked[PHASE_CELLS], claims.checked[PHASE_BUTTON], claims.checked[PHASE_EASED]);
    assert_true(claims.checked[PHASE_CELLS] > 200);
    assert_true(!button || (claims.checked[PHASE_BUTTON] > 200 && claims.checked[PHASE_EASED] > 20));
    free(memory);
    solver_free(claims.solver);
    game_free(claims.game);
}

static void test_claims_stand(void **unused) {
    (void)unused;
    check_claims(2, 40, 0, false, 40);
    check_claims(3, 12, 3, false, 41);
    check_claims(4, 4, 22, false, 42);
    check_claims(2, 40, 0, true, 43);
    check_claims(3, 24, 3, true, 44);
    check_claims(4, 12, 22, true, 45);
    check_claims(5, 6, 46, false, 46);
    check_claims(5, 12, 46, true, 47);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list_keeps_the_smallest),
                                       cmocka_unit_test(test_kernels_pick_alike), cmocka_unit_test(test_claims_stand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
