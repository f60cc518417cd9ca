/* A second game with carriers (engine/solver/carriers.h). It shows what a game must supply. It is a connection game.
 *
 * Black and White take turns to place stones. Black wins if he connects two opposite edges of the board, White if he
 * prevents it. As in Hex there are no draws, and own stones never do harm. The solver is compared with minimax, and
 * carriers are checked with the loser's stones on all other cells. */
#include "engine/base/rng.h"
#include "engine/solver/carriers.h"
#include "engine/solver/model.h"
#include "engine/solver/proof_number_internal.h"
#include "engine/solver/solver.h"
#include "engine/solver/solver_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The game ---- */

typedef struct Connection {
    uint64_t stones[2];
    uint64_t side;
} Connection;

static const Connection *peek(const GameState *state) {
    return (const Connection *)state;
}

static uint64_t full_set(const Game *game) {
    return (1ull << game->board.cells) - 1;
}

/* The cells of one of the six edges. Edge e ^ 1 is opposite edge e. */
static uint64_t edge_set(const Hexhex *board, int edge) {
    uint64_t set = 0;
    for (int c = 0; c < board->cells; c++) {
        const int at = edge / 2 == 0 ? board->q[c] : edge / 2 == 1 ? board->r[c] : board->q[c] + board->r[c];
        set |= (uint64_t)(at == (edge % 2 ? 1 : -1) * (board->size - 1)) << c;
    }
    return set;
}

/* The cells of `within` that are connected to some cell of `set`. */
static uint64_t joined(const Hexhex *board, uint64_t set, uint64_t within) {
    uint64_t all = set & within, fresh = all;
    while (fresh) {
        uint64_t next = 0;
        for (; fresh; fresh &= fresh - 1)
            for (int d = 0; d < HEXHEX_DIRECTIONS; d++) {
                const int c = board->neighbour[__builtin_ctzll(fresh)][d];
                next |= c >= 0 ? 1ull << c : 0;
            }
        fresh = next & within & ~all;
        all |= fresh;
    }
    return all;
}

/* The stones that connect two opposite edges, or 0 if none do. */
static uint64_t connection(const Game *game, uint64_t stones) {
    for (int edge = 0; edge < 6; edge += 2) {
        const uint64_t from = joined(&game->board, edge_set(&game->board, edge), stones);
        const uint64_t to = edge_set(&game->board, edge + 1);
        if (from & to)
            return joined(&game->board, from & to, stones);
    }
    return 0;
}

/* Who has won, or NOBODY. */
static int winner_of(const Game *game, const uint64_t stones[2]) {
    return connection(game, stones[BLACK])                      ? BLACK
           : !connection(game, full_set(game) & ~stones[WHITE]) ? WHITE
                                                                : NOBODY;
}

static const Game *the_game; /* GameRules.over does not get the game */

static void start(const Game *game, GameState *state, int komi) {
    (void)game, (void)komi;
    *(Connection *)state = (Connection){.side = BLACK};
}

static GameState make_state(const uint64_t sets[2], Side side) {
    GameState state;
    memcpy(&state, &(Connection){.stones = {sets[BLACK], sets[WHITE]}, .side = (uint64_t)side}, sizeof(Connection));
    return state;
}

static Side to_move(const GameState *state) {
    return (Side)peek(state)->side;
}

static bool over(const GameState *state) {
    return winner_of(the_game, peek(state)->stones) != NOBODY;
}

static GameResult result(const Game *game, const GameState *state) {
    const Side winner = winner_of(game, peek(state)->stones);
    return (GameResult){.winner = winner, .half_points = winner == BLACK ? 1 : -1};
}

static int legal(const Game *game, const GameState *state, Action out[GAME_LEGAL_MAX]) {
    int count = 0;
    for (int c = 0; c < game->board.cells && !over(state); c++)
        if (!((peek(state)->stones[BLACK] | peek(state)->stones[WHITE]) >> c & 1))
            out[count++] = (Action)c;
    return count;
}

static void apply(const Game *game, GameState *state, Action cell) {
    (void)game;
    Connection *position = (Connection *)state;
    position->stones[position->side] |= 1ull << cell;
    position->side = 1 - position->side;
}

static uint64_t hash(const GameState *state) {
    const Connection *position = peek(state);
    return rng_mix(position->stones[0] + rng_mix(position->stones[1] + rng_mix(position->side)));
}

static void stones(const Game *game, const GameState *state, uint8_t out[HEXHEX_MAX_CELLS]) {
    for (int c = 0; c < game->board.cells; c++)
        out[c] = (uint8_t)((peek(state)->stones[BLACK] >> c & 1) + 2 * (peek(state)->stones[WHITE] >> c & 1));
}

static Action symmetry(const Game *game, int map, Action cell) {
    return (Action)game->board.symmetry[map][cell];
}

/* ---- Its carriers ---- */

static bool knows(const Game *game, const GameState *state) {
    (void)game, (void)state;
    return true;
}

static bool open(const Game *game, const GameState *state, int threshold, ProofQuestion *question,
                 ProofPosition *position) {
    *question = (ProofQuestion){.game = game, .full = full_set(game), .goal = 1};
    *position = (ProofPosition){.side = to_move(state), .set = {peek(state)->stones[0], peek(state)->stones[1]}};
    return threshold > -1 && threshold <= 1;
}

static uint64_t moves(const ProofQuestion *question, const ProofPosition *position) {
    return question->full & ~(position->set[BLACK] | position->set[WHITE]);
}

static int other_turn(const ProofPosition *position, uint64_t cells) {
    (void)position, (void)cells;
    return PROOF_NO_TURN;
}

static void play(const ProofQuestion *question, const ProofPosition *position, int cell, ProofPosition *next) {
    (void)question;
    *next = *position;
    next->set[position->side] |= 1ull << cell;
    next->side = side_opponent(position->side);
}

static void look(const ProofQuestion *question, const ProofPosition *position, ProofStatus *status) {
    status->winner = winner_of(question->game, position->set);
    status->carrier = status->winner == BLACK ? connection(question->game, position->set[BLACK]) : position->set[WHITE];
    status->phi = status->delta = 1;
}

static uint64_t before_move(const ProofQuestion *question, const ProofPosition *position, int cell, uint64_t after) {
    (void)question, (void)position;
    return after | 1ull << cell;
}

static uint64_t before_defeats(const ProofQuestion *question, const ProofPosition *position, uint64_t after,
                               uint64_t left) {
    (void)question, (void)position;
    return after | left; /* stones of the winner */
}

static Action action(const Game *game, const GameState *state, int cell) {
    (void)game, (void)state;
    return (Action)cell;
}

static const SolverCarriers carriers = {.canonical_stones = 4,
                                        .knows = knows,
                                        .open = open,
                                        .moves = moves,
                                        .other_turn = other_turn,
                                        .play = play,
                                        .look = look,
                                        .before_move = before_move,
                                        .before_defeats = before_defeats,
                                        .action = action};

static void look_plain(const Game *game, SolverNode *node, SolverLook *out) {
    solver_plain_model.look(game, node, out);
}

static const SolverModel model = {.open = solver_plain_open,
                                  .look = look_plain,
                                  .moves = solver_plain_moves,
                                  .play = solver_plain_play,
                                  .round_up = solver_plain_round_up,
                                  .carriers = &carriers};

static void make_game(Game *game, int size) {
    static const GameRules rules = {.start = start,
                                    .to_move = to_move,
                                    .over = over,
                                    .result = result,
                                    .legal = legal,
                                    .apply = apply,
                                    .hash = hash,
                                    .stones = stones,
                                    .symmetry = symmetry,
                                    .solver = &model};
    *game = (Game){.name = "connection", .rules = &rules, .state_bytes = sizeof(Connection), .action_words = 1};
    hexhex_init(&game->board, size);
    the_game = game;
}

/* ---- Tests ---- */

/* Who wins, by trying everything. */
static Side minimax(const Game *game, const GameState *state) {
    if (over(state))
        return result(game, state).winner;
    const Side side = to_move(state);
    Action actions[GAME_LEGAL_MAX];
    const int count = legal(game, state, actions);
    for (int i = 0; i < count; i++) {
        GameState next = *state;
        apply(game, &next, actions[i]);
        if (minimax(game, &next) == side)
            return side;
    }
    return side_opponent(side);
}

typedef struct Solvers {
    Game game;
    Solver *solver; /* with carriers */
    ProofSearch *proofs;
    void *memory; /* for `proofs` */
} Solvers;

static void open_solvers(Solvers *solvers, int size, int threads) {
    Error error;
    make_game(&solvers->game, size);
    solvers->solver = solver_new(&solvers->game, &(SolverOptions){.memory = 12u << 20, .threads = threads}, &error);
    assert_non_null(solvers->solver);
    solvers->solver->budget = 50;
    const size_t bytes = proof_search_least() + (4u << 20);
    solvers->memory = calloc(1, bytes);
    assert_true(solvers->solver && solvers->memory && solver_has_carriers(solvers->solver));
    solvers->proofs = proof_search_new(&carriers, &solvers->game, solvers->memory, bytes);
}

static void close_solvers(Solvers *solvers) {
    solver_free(solvers->solver);
    free(solvers->memory);
}

/* The winner wins with the loser's stones on all cells outside the carrier. */
static void assert_carrier(const Game *game, const GameState *state, Side winner, uint64_t carrier) {
    assert_true((peek(state)->stones[1 - winner] & carrier) == 0);
    uint64_t sets[2];
    sets[winner] = peek(state)->stones[winner] & carrier;
    sets[1 - winner] = full_set(game) & ~carrier;
    const GameState worst = make_state(sets, to_move(state));
    assert_int_equal(minimax(game, &worst), winner);
}

/* Checks all answers about a position that is not over. */
static void assert_solved(const Solvers *solvers, const GameState *state, Side winner) {
    const SolverResult value = solver_value(solvers->solver, state, NULL);
    assert_true(value.proved && value.has_best);
    assert_int_equal(value.lower_half_points, winner == BLACK ? 1 : -1);
    const SolverResult compared = solver_compare(solvers->solver, state, 1, NULL);
    assert_true(compared.proved && (compared.lower_half_points == 1) == (winner == BLACK));
    const ProofResult proof = proof_search_ask(solvers->proofs, state, 1, &(ProofLimits){.nodes = 0});
    assert_int_equal(proof.answer, winner == BLACK ? PROOF_YES : PROOF_NO);
    assert_carrier(&solvers->game, state, winner, proof.carrier);
    if (winner != to_move(state))
        return;
    GameState after = *state;
    apply(&solvers->game, &after, proof.best);
    assert_int_equal(minimax(&solvers->game, &after), winner);
}

/* Every board of hexhex-2 with either side to move. */
static void test_all_of_hexhex_2(void **unused) {
    (void)unused;
    Solvers solvers;
    open_solvers(&solvers, 2, 1);
    int wins[2] = {0, 0};
    for (int number = 0; number < 2 * 2187; number++) {
        uint64_t sets[2] = {0, 0};
        for (int c = 0, rest = number / 2; c < 7; c++, rest /= 3)
            if (rest % 3)
                sets[rest % 3 - 1] |= 1ull << c;
        const GameState state = make_state(sets, number % 2);
        if (over(&state))
            continue;
        const Side winner = minimax(&solvers.game, &state);
        assert_solved(&solvers, &state, winner);
        wins[winner]++;
    }
    assert_true(wins[BLACK] > 100 && wins[WHITE] > 100);
    close_solvers(&solvers);
}

/* Random boards of hexhex-3 with 7 to 9 empty cells, by one thread and by two. White needs more stones. */
static void test_random_boards(void **unused) {
    (void)unused;
    Rng rng = rng_seed(1);
    for (int threads = 1; threads <= 2; threads++) {
        Solvers solvers;
        open_solvers(&solvers, 3, threads);
        int wins[2] = {0, 0};
        for (int trial = 0; trial < 60; trial++) {
            uint64_t sets[2] = {0, 0};
            for (int stones_left = 10 + trial % 3; stones_left > 0;) {
                const int c = (int)rng_below(&rng, 19);
                if ((sets[BLACK] | sets[WHITE]) >> c & 1)
                    continue;
                sets[rng_below(&rng, 4) ? WHITE : BLACK] |= 1ull << c;
                stones_left--;
            }
            const GameState state = make_state(sets, trial / 3 % 2);
            if (over(&state))
                continue;
            const Side winner = minimax(&solvers.game, &state);
            assert_solved(&solvers, &state, winner);
            wins[winner]++;
        }
        assert_true(wins[BLACK] > 5 && wins[WHITE] > 5);
        close_solvers(&solvers);
    }
}

/* The empty board of hexhex-3: the first player wins. Without carriers, three times as many nodes do not prove it. */
static void test_hexhex_3(void **unused) {
    (void)unused;
    Solvers solvers;
    GameState state;
    open_solvers(&solvers, 3, 1);
    start(&solvers.game, &state, 0);
    const SolverResult value = solver_value(solvers.solver, &state, &(SolverLimits){.nodes = 1500000});
    assert_true(value.proved && value.has_best && value.lower_half_points == 1);
    close_solvers(&solvers);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_of_hexhex_2), cmocka_unit_test(test_random_boards),
                                       cmocka_unit_test(test_hexhex_3)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
