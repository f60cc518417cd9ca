/* What the solver does when there is too little room for the way down: it says so, with the bounds proved so far, and
 * its stack is large enough until then. A toy game has ways that are too long, or nodes with too many children. */
#include "engine/base/rng.h"
#include "engine/solver/solver.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* ---- The game ---- */

/* Each turn has `moves` actions, which all lead on. Black may also end the game with his first one, and then has the
 * margin STOP. If nobody does, the game is over after `length` turns, and even. */
typedef struct Toy {
    uint64_t turn, length, moves, stopped;
} Toy;

enum {
    SIZE = 3,
    STOP = 4,               /* half points */
    OTHER_STACK = 512 << 10 /* what the program gives a thread beside SOLVER_STACK (tools/cli/stack.h) */
};

static const Toy *peek(const GameState *state) {
    return (const Toy *)state;
}

static Side to_move(const GameState *state) {
    return peek(state)->turn % 2 ? WHITE : BLACK;
}

static bool over(const GameState *state) {
    return peek(state)->stopped || peek(state)->turn == peek(state)->length;
}

static int legal(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]) {
    (void)game;
    const int count = over(state) ? 0 : (int)peek(state)->moves + (peek(state)->turn == 0);
    for (int i = 0; i < count; i++)
        out[i] = (Action)i;
    return count;
}

static void apply(const Game *game, GameState *state, Action action) {
    (void)game;
    Toy *toy = (Toy *)state;
    toy->stopped = action == toy->moves;
    toy->turn = 1 + toy->turn;
}

static uint64_t hash(const GameState *state) {
    return rng_mix(2 * peek(state)->turn + peek(state)->stopped);
}

static void stones(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    (void)state;
    for (int c = 0; c < game->board.cells; c++)
        out[c] = 0;
}

static void board_score(const Game *game, const GameState *state, int cells[2]) {
    (void)game;
    cells[BLACK] = peek(state)->stopped ? STOP / 2 : 0;
    cells[WHITE] = 0;
}

/* ---- Tests ---- */

static void make_toy(Game *game, GameState *start, uint64_t length, uint64_t moves) {
    static const GameRules rules = {.to_move = to_move,
                                    .over = over,
                                    .legal = legal,
                                    .apply = apply,
                                    .hash = hash,
                                    .stones = stones,
                                    .board_score = board_score};
    *game = (Game){.name = "toy", .rules = &rules, .state_bytes = sizeof(Toy), .action_words = 1, .has_points = true};
    hexhex_init(&game->board, SIZE);
    *(Toy *)start = (Toy){.length = length, .moves = moves};
}

/* The solver cannot see to the end, but it knows what Black has for certain. */
static void expect_no_room(uint64_t length, uint64_t moves, int threads) {
    Error error;
    Game game;
    GameState start;
    make_toy(&game, &start, length, moves);
    Solver *solver = solver_new(&game, &(SolverOptions){.memory = 8u << 20, .threads = threads}, &error);
    assert_non_null(solver);
    const SolverLimits limits = {.seconds = 100}; /* it ends long before */
    const SolverResult value = solver_value(solver, &start, &limits);
    assert_true(value.no_room && !value.proved && value.seconds < 50);
    assert_int_equal(value.lower_half_points, STOP);
    assert_true(value.has_best && value.best == moves);
    const SolverResult more = solver_compare(solver, &start, STOP + 1, &limits);
    assert_true(more.no_room && !more.proved && !more.has_best);
    const SolverResult enough = solver_compare(solver, &start, STOP, &limits);
    assert_true(enough.proved && !enough.no_room && enough.has_best);
    solver_free(solver);
}

static void ways_are_too_long(void **unused) {
    (void)unused;
    expect_no_room(100000, 1, 1);
    expect_no_room(100000, 1, 2);
}

static void nodes_have_too_many_children(void **unused) {
    (void)unused;
    expect_no_room(100, 300, 1);
    expect_no_room(100, 300, 2);
}

typedef struct Question {
    Solver *solver;
    GameState start;
    SolverResult result;
} Question;

static void *ask(void *user) {
    Question *question = user;
    question->result = solver_compare(question->solver, &question->start, STOP + 1, NULL);
    return NULL;
}

/* The longest way down fits on the stack that a thread is promised; one that did not would end this program. */
static void the_stack_is_large_enough(void **unused) {
    (void)unused;
    Error error;
    Game game;
    Question question;
    make_toy(&game, &question.start, 100000, 1);
    question.solver = solver_new(&game, &(SolverOptions){.memory = 8u << 20, .threads = 1}, &error);
    assert_non_null(question.solver);
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SOLVER_STACK + OTHER_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, ask, &question), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_true(question.result.no_room && question.result.nodes >= SOLVER_PLIES_MAX);
    solver_free(question.solver);
}

/* A limit that is met is not a lack of room. */
static void limits_are_told_apart(void **unused) {
    (void)unused;
    Error error;
    Game game;
    GameState start;
    make_toy(&game, &start, 100, 300);
    Solver *solver = solver_new(&game, &(SolverOptions){.memory = 8u << 20, .threads = 1}, &error);
    assert_non_null(solver);
    const SolverResult value = solver_value(solver, &start, &(SolverLimits){.nodes = 1000});
    assert_false(value.proved || value.no_room);
    StopFlag stop = {0};
    stop_flag_set(&stop);
    const SolverResult stopped = solver_compare(solver, &start, STOP + 1, &(SolverLimits){.stop = &stop});
    assert_false(stopped.proved || stopped.no_room);
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_are_too_long), cmocka_unit_test(nodes_have_too_many_children),
        cmocka_unit_test(the_stack_is_large_enough), cmocka_unit_test(limits_are_told_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
