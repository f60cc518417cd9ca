/* Tests of the solver: its values and carriers against brute force on the reference rules; limits, threads, moves. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/games/stigmergy/proof/carriers_internal.h"
#include "engine/games/stigmergy/stigmergy.h"
#include "engine/solver/proof_number_internal.h"
#include "engine/solver/solver_internal.h"
#include "tests/support/brute_force.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A position of the game and of the reference rules, with what solves it in each. */
typedef struct Twin {
    Game *game;
    Solver *solver;
    Solver *alpha_beta; /* with too little memory to answer single questions by carriers */
    void *memory;       /* for the proof-number search */
    ProofSearch *proofs;
    int carriers; /* number of carriers compared */
    BruteForce *brute;
    Reference reference;
    GameState state;
    int cells, q[HEXHEX_MAX_CELLS], r[HEXHEX_MAX_CELLS]; /* coordinates by cell number */
} Twin;

static void open_twin(Twin *twin, int size, int threads) {
    Error error;
    memset(twin, 0, sizeof *twin);
    twin->game = game_new(&(GameOptions){.size = size}, &error);
    assert_non_null(twin->game);
    twin->solver = solver_new(twin->game, &(SolverOptions){.memory = 12u << 20, .threads = threads}, &error);
    twin->alpha_beta = solver_new(twin->game, &(SolverOptions){.memory = 4u << 20, .threads = threads}, &error);
    assert_true(twin->solver && twin->alpha_beta);
    assert_true(solver_has_carriers(twin->solver) && !solver_has_carriers(twin->alpha_beta));
    const size_t memory = proof_search_least() + (8u << 20);
    twin->memory = calloc(1, memory);
    assert_non_null(twin->memory);
    twin->proofs = proof_search_new(&stigmergy_carriers, twin->game, twin->memory, memory);
    twin->brute = brute_force_new();
    assert_non_null(twin->brute);
    twin->cells = twin->game->board.cells;
    for (int c = 0; c < twin->cells; c++) {
        char name[HEXHEX_NAME_SIZE];
        hexhex_name(&twin->game->board, c, name);
        assert_true(reference_find(size, name, &twin->q[c], &twin->r[c]));
    }
}

static void close_twin(Twin *twin) {
    brute_force_free(twin->brute);
    free(twin->memory);
    solver_free(twin->alpha_beta);
    solver_free(twin->solver);
    game_free(twin->game);
}

static void set_up(Twin *twin, const uint8_t stones[HEXHEX_MAX_CELLS], Side side, int passes, GameButton button) {
    const int komi = button != BUTTON_NONE;
    stigmergy_set_up(twin->game, &twin->state, stones, side, passes, komi, button);
    reference_start(&twin->reference, twin->game->board.size, komi);
    for (int c = 0; c < twin->cells; c++)
        twin->reference.stone[twin->q[c] + REFERENCE_REACH][twin->r[c] + REFERENCE_REACH] = ".BW"[stones[c]];
    twin->reference.side = "BW"[side];
    twin->reference.passes = passes;
    twin->reference.button = "-tBW"[button];
}

static int brute_value(Twin *twin) {
    int value;
    assert_true(brute_force_value(twin->brute, &twin->reference, SIZE_MAX / 2, &value));
    return value;
}

/* ---- Proofs ---- */

/* Checks the answer of the proof-number search: whether the value is at least the threshold, also when asked again. The
 * winner's move keeps the win. The carrier is checked by alpha-beta, if alpha-beta can decide it. */
static void assert_proof(Twin *twin, const GameState *state, int threshold, bool expected) {
    const StigmergyState *position = (const StigmergyState *)state;
    const Side winner = expected ? BLACK : WHITE;
    ProofResult result;
    for (int time = 0; time < 2; time++) {
        result = proof_search_ask(twin->proofs, state, threshold, &(ProofLimits){.nodes = 0});
        assert_int_equal(result.answer, expected ? PROOF_YES : PROOF_NO);
        if ((Side)position->side != winner)
            continue;
        GameState after = *state;
        assert_true(game_is_legal(twin->game, state, result.best));
        twin->game->rules->apply(twin->game, &after, result.best);
        if (proof_search_knows(&stigmergy_carriers, twin->game, &after)) {
            const ProofResult next = proof_search_ask(twin->proofs, &after, threshold, &(ProofLimits){.nodes = 0});
            assert_int_equal(next.answer, result.answer);
        }
    }
    uint8_t stones[HEXHEX_MAX_CELLS];
    for (int c = 0; c < twin->cells; c++) {
        const bool black = position->plane[0] >> c & 1, white = position->plane[1] >> c & 1;
        stones[c] = result.carrier >> c & 1 ? (uint8_t)(black ? 1 : white ? 2 : 0) : winner == BLACK ? 2 : 1;
    }
    GameState worst;
    stigmergy_set_up(twin->game, &worst, stones, position->side, 0, position->komi, (GameButton)position->button);
    const SolverResult confirmed =
        solver_compare(twin->alpha_beta, &worst, threshold, &(SolverLimits){.nodes = 1000000});
    twin->carriers += confirmed.proved;
    if (confirmed.proved)
        assert_int_equal(confirmed.lower_half_points >= threshold, expected);
}

static int button_of(const GameState *state) {
    return ((const StigmergyState *)state)->button;
}

/* A position of this value in half points, with questions about values around it. Only if both sides need a cell. */
static void assert_proofs(Twin *twin, const GameState *state, int value) {
    const int button = button_of(state), step = button == BUTTON_ON_TABLE ? 2 : 4;
    const int held = button == BUTTON_NONE ? 0 : button == BUTTON_BLACK ? 1 : -1;
    if (!proof_search_knows(&stigmergy_carriers, twin->game, state))
        return;
    for (int threshold = value - 2 * step; threshold <= value + 2 * step; threshold += step)
        if (threshold - held >= 4 - 2 * twin->cells && threshold - held <= 2 * twin->cells)
            assert_proof(twin, state, threshold, threshold <= value);
        else
            assert_int_equal(proof_search_ask(twin->proofs, state, threshold, &(ProofLimits){.nodes = 0}).answer,
                             PROOF_BEYOND);
}

/* ---- Values ---- */

/* Checks that a move keeps the value. */
static void assert_keeps(Twin *twin, Action best, int value) {
    assert_true(game_is_legal(twin->game, &twin->state, best));
    char text[GAME_TEXT_MAX];
    twin->game->rules->format(twin->game, &twin->state, best, text);
    const Reference before = twin->reference;
    assert_true(reference_apply(&twin->reference, text));
    assert_int_equal(brute_value(twin), value);
    twin->reference = before;
}

/* Checks both answers of a threshold question, at the value and above it. Returns the one that the side to move
 * wants. */
static SolverResult assert_compared(Twin *twin, Solver *solver, int value) {
    const SolverResult reached = solver_compare(solver, &twin->state, value, NULL);
    assert_true(reached.proved && reached.lower_half_points >= value);
    const SolverResult missed = solver_compare(solver, &twin->state, value + 1, NULL);
    assert_true(missed.proved && missed.upper_half_points <= value);
    const SolverResult wanted = twin->game->rules->to_move(&twin->state) == BLACK ? reached : missed;
    assert_true(wanted.has_best || twin->game->rules->over(&twin->state));
    return wanted;
}

/* Checks that the solver finds this value, that its move keeps it, and that alpha-beta agrees. */
static void assert_solved(Twin *twin, int value) {
    const SolverResult bounds = solver_bounds(twin->solver, &twin->state);
    assert_true(bounds.lower_half_points <= value && value <= bounds.upper_half_points);
    const SolverResult result = solver_value(twin->solver, &twin->state, NULL);
    assert_true(result.proved);
    assert_int_equal(result.lower_half_points, result.upper_half_points);
    assert_int_equal(result.lower_half_points, value);
    assert_proofs(twin, &twin->state, value);
    const SolverResult compared = assert_compared(twin, twin->alpha_beta, value);
    const bool over = twin->game->rules->over(&twin->state);
    assert_int_equal(result.has_best, !over);
    if (over)
        return;
    assert_keeps(twin, result.best, value);
    assert_keeps(twin, compared.best, value);
}

static bool may_follow_a_pass(const Reference *reference) {
    ReferenceTurn turns[REFERENCE_TURNS];
    Reference before = *reference;
    before.side = before.side == 'B' ? 'W' : 'B';
    before.passes = 0;
    const int count = reference_legal(&before, turns);
    for (int i = 0; i < count; i++)
        if (strcmp(turns[i].text, "pass") == 0)
            return true;
    return false;
}

/* Way number `number` of the 3^cells ways to put stones on the board. */
static void number_stones(int number, int cells, uint8_t stones[HEXHEX_MAX_CELLS]) {
    memset(stones, 0, HEXHEX_MAX_CELLS);
    for (int c = 0; c < cells; c++, number /= 3)
        stones[c] = (uint8_t)(number % 3);
}

enum { BOARDS_2 = 2187 /* 3^7 */ };

/* Every board of hexhex-2, reachable or not, with either side to move, after a pass if that is possible, with the
 * button in all places. One solver has a table that becomes old, the other one forgets. */
static void test_all_of_hexhex_2(void **unused) {
    (void)unused;
    Twin twin;
    open_twin(&twin, 2, 1);
    for (int number = 0; number < BOARDS_2; number++) {
        uint8_t stones[HEXHEX_MAX_CELLS];
        number_stones(number, twin.cells, stones);
        if (number % 100 == 0)
            solver_clear(twin.solver);
        for (int button = BUTTON_NONE; button <= BUTTON_WHITE; button++)
            for (int side = BLACK; side <= WHITE; side++)
                for (int passes = 0; passes <= 2; passes++) {
                    set_up(&twin, stones, side, passes, (GameButton)button);
                    if (passes && !may_follow_a_pass(&twin.reference))
                        continue;
                    const int value = brute_value(&twin);
                    assert_solved(&twin, value);
                    assert_compared(&twin, twin.solver, value);
                }
    }
    close_twin(&twin);
}

/* The theorems of engine/games/stigmergy/proof/safe_stones_internal.h on every board of hexhex-2: a higher board, the
 * move and the button are never a disadvantage. */
static void test_more_is_never_worse(void **unused) {
    (void)unused;
    Twin twin;
    open_twin(&twin, 2, 1);
    static int value[4][2][BOARDS_2];
    for (int number = 0; number < BOARDS_2; number++)
        for (int button = 0; button < 4; button++)
            for (int side = 0; side < 2; side++) {
                uint8_t stones[HEXHEX_MAX_CELLS];
                number_stones(number, twin.cells, stones);
                set_up(&twin, stones, side, 0, (GameButton)button);
                value[button][side][number] = brute_value(&twin);
            }
    for (int number = 0; number < BOARDS_2; number++)
        for (int button = 0; button < 4; button++) {
            assert_true(value[button][BLACK][number] >= value[button][WHITE][number]);
            for (int side = 0; side < 2; side++) {
                const int here = value[button][side][number];
                for (int power = 1; power < BOARDS_2; power *= 3) {
                    const int stone = number / power % 3, empty = number - stone * power;
                    assert_true(here >= value[button][side][empty + 2 * power]);           /* W <= anything */
                    assert_true(stone == 2 || here <= value[button][side][empty + power]); /* empty <= B */
                    assert_true(stone != 1 || here >= value[button][side][empty]);         /* B >= empty */
                }
                if (button == BUTTON_ON_TABLE) {
                    assert_true(here <= value[BUTTON_BLACK][side][number]);
                    assert_true(here >= value[BUTTON_WHITE][side][number]);
                }
            }
        }
    close_twin(&twin);
}

/* Boards filled at random, with some cells empty. Returns how many were small enough for brute force. */
static int compare_random_boards(int size, int count, int empty, uint64_t seed) {
    int solved = 0;
    Twin twin;
    open_twin(&twin, size, 1);
    Rng rng = rng_seed(seed);
    for (int i = 0; i < count; i++) {
        uint8_t stones[HEXHEX_MAX_CELLS];
        const uint32_t black = 1 + rng_below(&rng, 3); /* of four stones */
        for (int c = 0; c < twin.cells; c++)
            stones[c] = rng_below(&rng, 4) < black ? 1 : 2;
        for (int k = 0; k < empty; k++)
            stones[rng_below(&rng, (uint32_t)twin.cells)] = 0;
        const Side side = (Side)rng_below(&rng, 2);
        const GameButton button = (GameButton)rng_below(&rng, 4);
        set_up(&twin, stones, side, 0, button);
        if (button != BUTTON_ON_TABLE && rng_below(&rng, 2) && may_follow_a_pass(&twin.reference))
            set_up(&twin, stones, side, 1, button);
        int value;
        if (!brute_force_value(twin.brute, &twin.reference, 2000, &value))
            continue;
        assert_solved(&twin, value);
        solved++;
    }
    close_twin(&twin);
    return solved;
}

static void test_random_boards(void **unused) {
    (void)unused;
    assert_true(compare_random_boards(3, 1500, 4, 1) >= 800);
    assert_true(compare_random_boards(3, 300, 7, 2) >= 80);
    assert_true(compare_random_boards(4, 700, 4, 3) >= 60);
}

/* Asks both searches about a position. They must have the same answer with the same work. */
static void compare_proofs(const Twin *twin, ProofSearch *one, ProofSearch *other, int threshold) {
    const ProofLimits limits = {.nodes = 20000};
    const ProofResult a = proof_search_ask(one, &twin->state, threshold, &limits);
    const ProofResult b = proof_search_ask(other, &twin->state, threshold, &limits);
    assert_true(a.answer == b.answer && a.nodes == b.nodes && a.carrier == b.carrier);
}

/* A search that was cleared, however often, is as a new one. Both have so little memory that positions compete for it,
 * so what the old ones left there would change the work. */
static void test_cleared_proofs(void **unused) {
    (void)unused;
    enum { POSITIONS = 8, STONES = 4, GENERATIONS = 1 << 16 };
    Twin twin;
    open_twin(&twin, 4, 1);
    const size_t bytes = proof_search_least();
    void *memory = calloc(1, bytes), *fresh = malloc(bytes);
    assert_true(memory && fresh);
    ProofSearch *cleared = proof_search_new(&stigmergy_carriers, twin.game, memory, bytes);
    Rng rng = rng_seed(6);
    for (int i = 0; i < POSITIONS; i++) {
        uint8_t stones[HEXHEX_MAX_CELLS] = {0};
        for (int k = 0; k < STONES; k++)
            stones[rng_below(&rng, (uint32_t)twin.cells)] = (uint8_t)(1 + k % 2);
        set_up(&twin, stones, BLACK, 0, BUTTON_NONE);
        memset(fresh, 0, bytes);
        ProofSearch *new = proof_search_new(&stigmergy_carriers, twin.game, fresh, bytes);
        for (int k = i == POSITIONS / 2 ? GENERATIONS : 1; k > 0; k--)
            proof_search_clear(cleared);
        for (int threshold = -2; threshold <= 2; threshold += 4) /* the second finds what the first has left */
            compare_proofs(&twin, cleared, new, threshold);
    }
    free(fresh);
    free(memory);
    close_twin(&twin);
}

/* Random games, taken back turn by turn from their ends as far as brute force can follow. Returns the number of
 * positions compared. */
static int compare_random_games(int size, int games, size_t limit, uint64_t seed) {
    Twin twin;
    open_twin(&twin, size, 1);
    int compared = 0;
    for (int game = 0; game < games; game++) {
        enum { LENGTH = 400 };
        static Reference history[LENGTH];
        static GameState states[LENGTH];
        Rng rng = rng_seed(rng_split(seed, (uint64_t)game));
        reference_start(&history[0], size, game % 2);
        twin.game->rules->start(twin.game, &states[0], game % 2);
        int length = 0;
        while (!reference_over(&history[length]) && length + 1 < LENGTH) {
            ReferenceTurn turns[REFERENCE_TURNS];
            const int count = reference_legal(&history[length], turns);
            const char *text = turns[rng_below(&rng, (uint32_t)count)].text;
            history[length + 1] = history[length];
            states[length + 1] = states[length];
            length++;
            assert_true(reference_apply(&history[length], text));
            assert_true(game_play_text(twin.game, &states[length], text, NULL, NULL, NULL));
        }
        int value;
        for (; length >= 0; length--) {
            twin.reference = history[length];
            twin.state = states[length];
            if (!brute_force_value(twin.brute, &twin.reference, limit, &value))
                break;
            assert_solved(&twin, value);
            compared++;
        }
    }
    close_twin(&twin);
    return compared;
}

static void test_random_games(void **unused) {
    (void)unused;
    const int on_3 = compare_random_games(3, 120, 2000, 4), on_4 = compare_random_games(4, 120, 1000, 5);
    print_message("%d positions of hexhex-3, %d of hexhex-4\n", on_3, on_4);
    assert_true(on_3 > 1000 && on_4 > 1000);
}

/* Positions that are too large for brute force: both searches agree, and the carriers hold. */
static void compare_searches(int size, int games, int plies, uint64_t seed) {
    Twin twin;
    open_twin(&twin, size, 1);
    Rng rng = rng_seed(seed);
    int compared = 0;
    for (int game = 0; game < games; game++) {
        GameState state;
        twin.game->rules->start(twin.game, &state, game % 2);
        for (int ply = 0; ply < plies + game % 4 && !twin.game->rules->over(&state); ply++) {
            Action legal[GAME_LEGAL_MAX];
            const uint32_t count = (uint32_t)twin.game->rules->legal(twin.game, &state, legal);
            twin.game->rules->apply(twin.game, &state, legal[rng_below(&rng, count)]);
        }
        if (!proof_search_knows(&stigmergy_carriers, twin.game, &state))
            continue;
        const SolverLimits limits = {.nodes = 200000};
        const SolverResult result = solver_value(twin.solver, &state, &limits);
        if (!result.proved)
            continue;
        assert_proofs(&twin, &state, result.lower_half_points);
        const SolverResult reached = solver_compare(twin.alpha_beta, &state, result.lower_half_points, &limits);
        const SolverResult missed = solver_compare(twin.alpha_beta, &state, result.lower_half_points + 1, &limits);
        assert_true(reached.upper_half_points >= result.lower_half_points &&
                    missed.lower_half_points <= result.lower_half_points);
        compared += reached.proved && missed.proved;
    }
    print_message("%d positions of hexhex-%d, %d carriers\n", compared, size, twin.carriers);
    assert_true(compared > games / 4 && twin.carriers >= 3 * compared);
    close_twin(&twin);
}

/* One question along games with the button. One solver answers it from the start on, as a player would ask it.
 * Alpha-beta must agree. */
static void test_along_games(void **unused) {
    (void)unused;
    Twin twin;
    open_twin(&twin, 3, 1);
    Rng rng = rng_seed(51);
    int compared = 0, taken[2] = {0, 0};
    for (int game = 0; game < 40; game++) {
        const int komi = 2 * (game % 5) - 3;
        solver_clear(twin.solver);
        twin.game->rules->start(twin.game, &twin.state, komi);
        for (int ply = 0; !twin.game->rules->over(&twin.state); ply++) {
            Action legal[GAME_LEGAL_MAX];
            const uint32_t count = (uint32_t)twin.game->rules->legal(twin.game, &twin.state, legal);
            const bool take = ply == 6 + game % 3 && button_of(&twin.state) == BUTTON_ON_TABLE;
            const Action action = take ? stigmergy_take_button(1) : legal[rng_below(&rng, count)];
            if (action == stigmergy_take_button(1))
                taken[twin.game->rules->to_move(&twin.state)]++;
            twin.game->rules->apply(twin.game, &twin.state, action);
            if (ply < 5)
                continue;
            const SolverLimits limits = {.nodes = 200000};
            const SolverResult kept = solver_compare(twin.solver, &twin.state, 2 * komi + 1, &limits);
            const SolverResult expected = solver_compare(twin.alpha_beta, &twin.state, 2 * komi + 1, &limits);
            if (!kept.proved || !expected.proved)
                continue;
            assert_int_equal(kept.lower_half_points > 2 * komi, expected.lower_half_points > 2 * komi);
            compared++;
        }
    }
    print_message("%d positions compared\n", compared);
    assert_true(compared > 400 && taken[BLACK] > 5 && taken[WHITE] > 5);
    close_twin(&twin);
}

static void test_searches_agree(void **unused) {
    (void)unused;
    compare_searches(3, 60, 6, 21);
    compare_searches(4, 30, 24, 22);
}

/* Several threads together get the right values, also if questions are given up after a few nodes. */
static void test_teams(void **unused) {
    (void)unused;
    Error error;
    Twin twin;
    open_twin(&twin, 3, 1);
    Rng rng = rng_seed(31);
    for (int trial = 0; trial < 12; trial++) { /* no button, taken, none, on the table */
        const int threads = 1 + trial % 3;
        Solver *team = solver_new(twin.game, &(SolverOptions){.memory = 32u << 20, .threads = threads}, &error);
        assert_non_null(team);
        team->budget = 50;
        GameState state;
        twin.game->rules->start(twin.game, &state, trial % 2);
        for (int ply = 0; ply < 6; ply++) {
            Action legal[GAME_LEGAL_MAX];
            const uint32_t count = (uint32_t)twin.game->rules->legal(twin.game, &state, legal);
            const Action action = ply == 1 && trial % 4 == 1 ? stigmergy_take_button(1) : legal[rng_below(&rng, count)];
            if (game_is_legal(twin.game, &state, action))
                twin.game->rules->apply(twin.game, &state, action);
        }
        const SolverResult value = solver_value(twin.solver, &state, NULL);
        const SolverResult result = solver_value(team, &state, NULL);
        assert_true(value.proved && result.proved && result.has_best);
        assert_int_equal(result.lower_half_points, value.lower_half_points);
        assert_int_equal(result.upper_half_points, value.lower_half_points);
        twin.state = state;
        assert_compared(&twin, twin.alpha_beta, value.lower_half_points);
        assert_int_equal(solver_value(team, &state, NULL).lower_half_points,
                         value.lower_half_points); /* in the same table */
        twin.game->rules->apply(twin.game, &state, result.best);
        assert_int_equal(solver_value(twin.solver, &state, NULL).lower_half_points, value.lower_half_points);
        solver_free(team);
    }
    close_twin(&twin);
}

/* The model for all games on the same positions. */
static void test_plain_model(void **unused) {
    (void)unused;
    Error error;
    Twin twin;
    open_twin(&twin, 2, 1);
    solver_free(twin.solver);
    twin.solver = solver_new_plain(twin.game, &(SolverOptions){.memory = 32u << 20, .threads = 1}, &error);
    assert_non_null(twin.solver);
    for (int number = 0; number < BOARDS_2; number += 7) {
        uint8_t stones[HEXHEX_MAX_CELLS];
        number_stones(number, twin.cells, stones);
        for (int button = BUTTON_NONE; button <= BUTTON_WHITE; button++) {
            set_up(&twin, stones, number % 2, 0, (GameButton)button);
            assert_solved(&twin, brute_value(&twin));
        }
    }
    close_twin(&twin);
}

/* Several threads get the right values of the start positions. */
static void test_threads(void **unused) {
    (void)unused;
    for (int threads = 1; threads <= 4; threads++)
        for (int komi = 0; komi < 2; komi++) {
            Twin twin;
            open_twin(&twin, 2, threads);
            twin.game->rules->start(twin.game, &twin.state, komi);
            reference_start(&twin.reference, 2, komi);
            assert_solved(&twin, brute_value(&twin));
            close_twin(&twin);
        }
}

/* hexhex-3 is worth 5 points to Black. Solved by two threads. */
static void test_hexhex_3(void **unused) {
    (void)unused;
    Error error;
    Twin twin;
    open_twin(&twin, 3, 2);
    twin.game->rules->start(twin.game, &twin.state, 1);
    assert_true(game_play_text(twin.game, &twin.state, "c3", NULL, NULL, &error));
    assert_compared(&twin, twin.solver, 9); /* this decides who gets the last half point of the button */
    twin.game->rules->start(twin.game, &twin.state, 0);
    const SolverResult result = solver_value(twin.solver, &twin.state, NULL);
    assert_true(result.proved);
    assert_int_equal(result.lower_half_points, 10);
    assert_int_equal(result.upper_half_points, 10);
    assert_true(result.has_best);
    assert_compared(&twin, twin.alpha_beta, 10);
    close_twin(&twin);
}

/* A search ends at its limit; the children of one node may go beyond it. */
enum { NODES_BEYOND = 64 };

/* A move for a bound that no search has found is sought within the limit, too: its questions share it. On the empty
 * board nobody's first move can be a burden, so that Black wins at komi 0; but with which move? */
static void test_limit_of_best_moves(void **unused) {
    (void)unused;
    Error error;
    int searched = 0;
    for (int size = 4; size <= 8; size++) {
        Game *game = game_new(&(GameOptions){.size = size}, &error);
        assert_non_null(game);
        Solver *solver = solver_new(game, &(SolverOptions){.memory = 16u << 20, .threads = 1}, &error);
        assert_non_null(solver);
        for (uint64_t limit = 100; limit < 20000; limit *= 3) {
            GameState state;
            game->rules->start(game, &state, 0);
            solver_clear(solver);
            const SolverResult bounds = solver_bounds(solver, &state);
            const SolverResult result =
                solver_compare(solver, &state, bounds.lower_half_points, &(SolverLimits){.nodes = limit});
            assert_true(result.proved && result.nodes < limit + 2 * NODES_BEYOND);
            searched += result.nodes >= limit;
        }
        solver_free(solver);
        game_free(game);
    }
    assert_true(searched > 0);
}

/* Whatever ends a search, the bounds are correct, and they never get wider with more nodes. */
static void test_limits(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 3}, &error);
    assert_non_null(game);
    GameState start;
    game->rules->start(game, &start, 0);
    for (int nodes = 1; nodes <= 1 << 16; nodes *= 4) { /* alpha-beta: too little memory for proofs */
        Solver *solver = solver_new(game, &(SolverOptions){.memory = 4u << 20, .threads = 1}, &error);
        assert_non_null(solver);
        const SolverResult result = solver_value(solver, &start, &(SolverLimits){.nodes = (uint64_t)nodes});
        assert_false(result.proved);
        assert_true(result.lower_half_points <= 10 && result.upper_half_points >= 10);
        assert_true(result.nodes < (uint64_t)nodes + NODES_BEYOND);
        const SolverResult compared = solver_compare(solver, &start, 10, &(SolverLimits){.nodes = (uint64_t)nodes});
        assert_false(compared.proved);
        assert_true(compared.lower_half_points <= 10 && compared.upper_half_points >= 10);
        solver_free(solver);
    }
    for (int nodes = 1 << 10; nodes <= 1 << 18; nodes *= 4) { /* proofs; the first question has 50 nodes */
        Solver *solver = solver_new(game, &(SolverOptions){.memory = 16u << 20, .threads = 1}, &error);
        assert_non_null(solver);
        solver->budget = 50;
        const SolverResult result = solver_value(solver, &start, &(SolverLimits){.nodes = (uint64_t)nodes});
        assert_false(result.proved);
        assert_true(result.lower_half_points <= 10 && result.upper_half_points >= 10);
        assert_true(result.nodes >= (uint64_t)nodes && result.nodes < (uint64_t)nodes + NODES_BEYOND);
        solver_free(solver);
    }
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 16u << 20, .threads = 2}, &error);
    assert_non_null(solver);
    solver->budget = 50;
    assert_false(solver_value(solver, &start, &(SolverLimits){.seconds = 0.05}).proved);
    solver_free(solver);
    solver = solver_new(game, &(SolverOptions){.memory = 4u << 20, .threads = 2}, &error);
    assert_non_null(solver);
    StopFlag stop = {0};
    stop_flag_set(&stop);
    assert_false(solver_value(solver, &start, &(SolverLimits){.stop = &stop}).proved);
    assert_false(solver_value(solver, &start, &(SolverLimits){.seconds = 1e-9}).proved);
    assert_false(solver_value(solver, &start, &(SolverLimits){.seconds = -1}).proved);
    solver_free(solver);
    game_free(game);
}

/* What a theorem proves needs no search, but the move that achieves it does. */
static void test_proved_without_best(void **unused) {
    (void)unused;
    Error error;
    Game *game = game_new(&(GameOptions){.size = 6}, &error);
    assert_non_null(game);
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 16u << 20, .threads = 1}, &error);
    assert_non_null(solver);
    GameState start;
    game->rules->start(game, &start, 0);
    const SolverResult result = solver_compare(solver, &start, 1, &(SolverLimits){.nodes = 5000});
    assert_true(result.proved && result.lower_half_points >= 1 && !result.has_best);
    solver_free(solver);
    game_free(game);
}

/* After a pass a second pass may win at once. That is found without a search, though the value is a theorem's and the
 * pass comes after all stones. */
static void test_pass_after_a_pass(void **unused) {
    (void)unused;
    const char *line =
        "e2 f5 i3 f3 a2 h4 b7 h2 g8 c1 k5 j5 j6 f11 f10 e4 g10 i2 c8 h6 g5 k2 j4 b6 f7 d8 g2 c7 e1 b5 b4 f9 j3 h5 d5 "
        "g4 d2 c2 d3 e9 k1 i1 j5x g3 c5 g5x i7 e6 h8 d4 i8 f2 d1 e10 g1 j2 f8 h1 f11x f4 c4 f7x g7 e5 a6 g6 a5 d5x k3 "
        "f6 f2x j1 f1 e3 k6 b1 c3 c8x h9 k1x b2 pass";
    Error error;
    Game *game = game_new(&(GameOptions){.size = 6}, &error);
    assert_non_null(game);
    Solver *solver = solver_new(game, &(SolverOptions){.memory = 16u << 20, .threads = 1}, &error);
    assert_non_null(solver);
    GameState state;
    game->rules->start(game, &state, 2);
    char turn[GAME_TEXT_MAX];
    while (game_next_turn(&line, turn))
        assert_true(game_play_text(game, &state, turn, NULL, NULL, &error));
    const SolverResult result = solver_compare(solver, &state, 5, &(SolverLimits){.nodes = 1100});
    assert_true(result.proved && result.lower_half_points >= 5 && result.has_best);
    game->rules->apply(game, &state, result.best);
    assert_true(game->rules->over(&state) && game->rules->result(game, &state).winner == BLACK);
    solver_free(solver);
    game_free(game);
}

/* A table that is far too small for the tree gives no wrong value. */
static void test_small_table(void **unused) {
    (void)unused;
    Error error;
    Twin twin;
    open_twin(&twin, 3, 1);
    solver_free(twin.solver);
    const size_t memory = 1500 << 10; /* little more than the minimum; too little for proof-number search */
    twin.solver = solver_new(twin.game, &(SolverOptions){.memory = memory, .threads = 1}, &error);
    assert_non_null(twin.solver);
    Rng rng = rng_seed(9);
    int solved = 0;
    for (int i = 0; i < 100; i++) {
        uint8_t stones[HEXHEX_MAX_CELLS];
        for (int c = 0; c < twin.cells; c++)
            stones[c] = rng_below(&rng, 4) ? (uint8_t)(1 + rng_below(&rng, 2)) : 0;
        set_up(&twin, stones, (Side)rng_below(&rng, 2), 0, (GameButton)rng_below(&rng, 4));
        int value;
        if (!brute_force_value(twin.brute, &twin.reference, 3000, &value))
            continue;
        assert_solved(&twin, value);
        solved++;
    }
    assert_true(solved >= 20);
    close_twin(&twin);
}

static void assert_refused(const Game *game, size_t memory, int threads, const char *text) {
    Error error = {.text = ""};
    assert_null(solver_new(game, &(SolverOptions){.memory = memory, .threads = threads}, &error));
    assert_non_null(strstr(error.text, text));
}

static void test_bad_options(void **unused) {
    (void)unused;
    Game *game = game_new(&(GameOptions){.size = 5}, NULL);
    assert_non_null(game);
    assert_refused(game, 64u << 20, 0, "threads: 0");
    assert_refused(game, 64u << 20, SOLVER_THREADS_MAX + 1, "threads");
    assert_refused(game, 0, 1, "expected at least");
    assert_refused(game, 4u << 20, 8, "8 threads");
    game_free(game);
}

int main(int argc, char **argv) {
    if (argc == 4) { /* a longer comparison: test_solver SIZE GAMES SEED */
        const int size = atoi(argv[1]), games = atoi(argv[2]);
        const uint64_t seed = strtoull(argv[3], NULL, 10);
        printf("%d positions of random games compared\n", compare_random_games(size, games, 20000, seed));
        printf("%d random boards compared\n", compare_random_boards(size, 100 * games, size == 3 ? 5 : 4, seed));
        return 0;
    }
    const struct CMUnitTest threads[] = {
        cmocka_unit_test(test_teams),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_hexhex_3),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limit_of_best_moves),
    };
    if (argc == 2 && !strcmp(argv[1], "threads")) /* only these, for ThreadSanitizer */
        return cmocka_run_group_tests(threads, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_of_hexhex_2),   cmocka_unit_test(test_more_is_never_worse),
        cmocka_unit_test(test_random_boards),     cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_searches_agree),    cmocka_unit_test(test_along_games),
        cmocka_unit_test(test_plain_model),       cmocka_unit_test(test_small_table),
        cmocka_unit_test(test_bad_options),       cmocka_unit_test(test_proved_without_best),
        cmocka_unit_test(test_pass_after_a_pass), cmocka_unit_test(test_cleared_proofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
