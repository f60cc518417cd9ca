/* Bug as the solver sees it (engine/solver/model.h): the plain model with better keys and a better order of moves.
 *
 * A key is that of the canonical form, with the mover's stones first. So positions that differ only by a symmetry of
 * the board or by the names of the colours share a key.
 *
 * A player who cannot grow wins. So the first moves to try are those that leave the enemy many cells to grow on and the
 * mover few. */
#include "engine/base/bits.h"
#include "engine/games/bug/bug.h"
#include "engine/solver/canonical.h"

enum { GUESS_A_CELL = 16 }; /* weight of a cell to grow on, for the order of moves */

static const BugState *state_of(const SolverNode *node) {
    return (const BugState *)node;
}

static const uint64_t *set_of(const Game *game, const BugState *state, int set) {
    return state->set + set * game->board.words;
}

static int grow_cells(const Game *game, const BugState *state, Side side) {
    int count = game->board.cells;
    for (int i = 0; i < game->board.words; i++)
        count -= bits_count(bug_closed_word(state, side, i, game->board.words));
    return count;
}

static void look(const Game *game, SolverNode *node, SolverLook *look) {
    const BugState *state = state_of(node);
    const Side side = (Side)state->side;
    const int words = game->board.words;
    const size_t bytes = (size_t)words * sizeof(uint64_t);
    uint64_t sets[2 * BUG_WORDS_MAX];
    *look = (SolverLook){.side = side, .lower_half_points = -1, .upper_half_points = 1, .sign = side == BLACK ? 1 : -1};
    if (state->over)
        look->lower_half_points = look->upper_half_points = look->sign;
    look->guess = GUESS_A_CELL * (grow_cells(game, state, WHITE) - grow_cells(game, state, BLACK));
    memcpy(sets, set_of(game, state, BUG_STONES + side), bytes);
    memcpy(sets + words, set_of(game, state, BUG_STONES + side_opponent(side)), bytes);
    look->map = solver_canonical_form(&game->board, sets, 2);
    solver_make_key(sets, 2 * words, state->bonus + 2ull * state->pie, look->key);
}

const SolverModel bug_solver_model = {.open = solver_plain_open,
                                      .look = look,
                                      .moves = solver_plain_moves,
                                      .play = solver_plain_play,
                                      .round_up = solver_plain_round_up};
