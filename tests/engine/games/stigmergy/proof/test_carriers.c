/* Tests of Stigmergy's carriers: each carrier that a search stores is true. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/proof/carriers_internal.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "engine/solver/proof_number_internal.h"
#include "engine/solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Checker {
    Game *game;
    Solver *solver; /* alpha-beta only */
    int checked[PHASES];
} Checker;

/* By alpha-beta, the winner wins with enemy stones on all cells outside the carrier. False if alpha-beta takes too
 * long. */
static bool assert_carrier(Checker *checker, uint64_t own, uint64_t cells, Side winner, Side to_move, GameButton button,
                           int threshold) {
    uint8_t stones[HEXHEX_MAX_CELLS] = {0};
    for (int c = 0; c < checker->game->board.cells; c++)
        stones[c] = own >> c & 1 ? (uint8_t)(1 + winner) : cells >> c & 1 ? 0 : (uint8_t)(2 - winner);
    GameState worst;
    stigmergy_set_up(checker->game, &worst, stones, to_move, 0, button != BUTTON_NONE, button);
    const SolverResult result = solver_compare(checker->solver, &worst, threshold, &(SolverLimits){.nodes = 20000});
    if (result.proved)
        assert_int_equal(result.lower_half_points >= threshold, winner == BLACK);
    return result.proved;
}

static void assert_carriers(Checker *checker, const ProofSearch *proofs, int phase, GameButton button, int threshold) {
    for (int side = 0; side < 2; side++)
        for (int to_move = 0; to_move < 2; to_move++) {
            const CarrierList *list = proof_search_carriers(proofs, phase, (Side)side, (Side)to_move);
            for (uint32_t i = 0; i < list->count; i++)
                checker->checked[phase] +=
                    assert_carrier(checker, list->own[i], list->cells[i], (Side)side, (Side)to_move, button, threshold);
        }
}

/* Asks whether Black is ahead by at least `margin` points. With a button, half a point is added, so the question is
 * about the button. */
static void ask_margin(Checker *checker, ProofSearch *proofs, const GameState *state, int margin, bool button) {
    const int threshold = 2 * margin + button;
    if (proof_search_ask(proofs, state, threshold, &(ProofLimits){.nodes = 20000}).answer == PROOF_BEYOND)
        return;
    assert_carriers(checker, proofs, PHASE_CELLS, button ? BUTTON_WHITE : BUTTON_NONE, threshold);
    if (button) {
        assert_carriers(checker, proofs, PHASE_BUTTON, BUTTON_ON_TABLE, threshold);
        assert_carriers(checker, proofs, PHASE_EASED, BUTTON_BLACK, threshold);
    }
}

static bool is_on_table(const GameState *state) {
    return ((const StigmergyState *)state)->button == BUTTON_ON_TABLE;
}

/* Random positions. One search is asked about several margins in each. */
static void check_carriers(int size, int games, int plies, bool button, uint64_t seed) {
    Error error;
    Checker checker = {.game = game_new(&(GameOptions){.size = size}, &error)};
    assert_non_null(checker.game);
    checker.solver = solver_new(checker.game, &(SolverOptions){.memory = 4u << 20, .threads = 1}, &error);
    const size_t bytes = proof_search_least() + (8u << 20);
    void *memory = calloc(1, bytes);
    assert_true(checker.solver && memory);
    assert_false(solver_has_carriers(checker.solver)); /* it has too little memory */
    Rng rng = rng_seed(seed);
    for (int game = 0; game < games; game++) {
        memset(memory, 0, bytes);
        ProofSearch *proofs = proof_search_new(&stigmergy_carriers, checker.game, memory, bytes);
        GameState state;
        checker.game->rules->start(checker.game, &state, button);
        for (int ply = 0; ply < plies + game % 2; ply++) {
            Action legal[GAME_LEGAL_MAX];
            const uint32_t count = (uint32_t)checker.game->rules->legal(checker.game, &state, legal);
            checker.game->rules->apply(checker.game, &state, legal[rng_below(&rng, count)]);
        }
        if (!proof_search_knows(&stigmergy_carriers, checker.game, &state))
            continue;
        static const int margins[] = {5, 1, 7, 3, -1};
        for (int i = 0; i < 5 && button == is_on_table(&state); i++)
            ask_margin(&checker, proofs, &state, margins[i], button);
    }
    print_message("carriers of hexhex-%d: %d, %d with the button on the table, %d with Black having it\n", size,
                  checker.checked[PHASE_CELLS], checker.checked[PHASE_BUTTON], checker.checked[PHASE_EASED]);
    assert_true(checker.checked[PHASE_CELLS] > 200);
    assert_true(!button || (checker.checked[PHASE_BUTTON] > 200 && checker.checked[PHASE_EASED] > 20));
    free(memory);
    solver_free(checker.solver);
    game_free(checker.game);
}

static void test_carriers_hold(void **unused) {
    (void)unused;
    check_carriers(2, 40, 0, false, 40);
    check_carriers(3, 12, 3, false, 41);
    check_carriers(4, 4, 22, false, 42);
    check_carriers(2, 40, 0, true, 43);
    check_carriers(3, 24, 3, true, 44);
    check_carriers(4, 12, 22, true, 45);
    check_carriers(5, 6, 46, false, 46);
    check_carriers(5, 12, 46, true, 47);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_carriers_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
