/* Sgolte as the solver sees it (engine/solver/model.h): the plain model with better keys and a better order of moves.
 *
 * A key is that of the canonical form, with the mover's stones first. So positions that differ only by a symmetry of
 * the board or by the names of the colours share a key.
 *
 * A stone may always be placed where it touches at most one group of its player. So the first moves to try are those
 * that leave the mover many such cells and the enemy few. */
#include "engine/games/sgolte/room.h"
#include "engine/solver/canonical.h"

enum { GUESS_A_CELL = 16 }; /* weight of a cell to place on, for the order of moves */

static const SgolteState *state_of(const SolverNode *node) {
    return (const SgolteState *)node;
}

/* The number of cells where a side may place without joining groups. */
static int free_cells(const SgolteTables *tables, const SgolteBoard *board, Side side) {
    SgolteFences fences;
    sgolte_fences(tables, &board->groups[side], SGOLTE_NONE, &fences);
    return set_count(sgolte_empty(tables, board) & ~fences.twice);
}

/* The key holds the mover's stones, the enemy's stones, and the rest of the group that is being captured from. For
 * captures along a line, the last stone and the direction matter too; such positions are not put in canonical form. */
static void make_key(const Game *game, const SgolteState *state, SolverLook *look) {
    const SgolteTurn *turn = &state->turn;
    const int words = game->board.words;
    const size_t bytes = (size_t)words * sizeof(uint64_t);
    uint64_t sets[3 * SGOLTE_WORDS];
    memcpy(sets, state->stones[turn->side], bytes);
    memcpy(sets + words, state->stones[side_opponent(turn->side)], bytes);
    memcpy(sets + 2 * words, state->target, bytes);
    if (turn->last == SGOLTE_NONE)
        look->map = solver_canonical_form(&game->board, sets, 3);
    const uint64_t other = turn->stage + 4ull * turn->pie + 8ull * turn->captured;
    solver_make_key(sets, 3 * words, other << 16 | (uint64_t)turn->last << 8 | turn->direction, look->key);
}

static void look(const Game *game, SolverNode *node, SolverLook *look) {
    const SgolteState *state = state_of(node);
    const SgolteTables *tables = sgolte_tables(game);
    const Side side = (Side)state->turn.side;
    SgolteBoard board;
    *look = (SolverLook){.side = side, .lower_half_points = -1, .upper_half_points = 1, .sign = side == BLACK ? 1 : -1};
    if (state->turn.over)
        look->lower_half_points = look->upper_half_points = -look->sign;
    sgolte_load(tables, state, &board);
    look->guess = GUESS_A_CELL * (free_cells(tables, &board, BLACK) - free_cells(tables, &board, WHITE));
    make_key(game, state, look);
}

const SolverModel sgolte_solver_model = {.open = solver_plain_open,
                                         .look = look,
                                         .moves = solver_plain_moves,
                                         .play = solver_plain_play,
                                         .round_up = solver_plain_round_up};
