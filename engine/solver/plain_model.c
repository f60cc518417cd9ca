/* The model for every game (model.h): what the game interface says, and no more. A node is a GameState. */
#include "engine/solver/canonical.h"

static const GameState *state_of(const SolverNode *node) {
    return (const GameState *)node;
}

_Static_assert(sizeof(GameState) <= sizeof(SolverNode), "a state fits into a node");

void solver_plain_open(const Game *game, const GameState *state, SolverNode *node) {
    game_copy(game, (GameState *)node, state);
}

/* Black's margin of a finished game without komi. */
static int final_value(const Game *game, const GameState *state) {
    const GameRules *rules = game->rules;
    if (!game->has_points)
        return rules->result(game, state).winner == BLACK ? 1 : -1;
    int cells[2];
    rules->board_score(game, state, cells);
    return 2 * (cells[BLACK] - cells[WHITE]) + button_half_points(game_button(game, state));
}

/* A key of the game's hash, which has 64 bits, and of the stones. */
static void make_key(const Game *game, const GameState *state, uint64_t key[2]) {
    uint64_t stones[(HEXHEX_MAX_CELLS + 7) / 8] = {0}; /* a byte for each cell */
    game->rules->stones(game, state, (uint8_t *)stones);
    solver_make_key(stones, (game->board.cells + 7) / 8, game->rules->hash(state), key);
}

static void look_plain(const Game *game, SolverNode *node, SolverLook *look) {
    const GameState *state = state_of(node);
    const int most = game->has_points ? 2 * game->board.cells + 1 : 1;
    *look = (SolverLook){
        .side = game->rules->to_move(state), .lower_half_points = -most, .upper_half_points = most, .sign = 1};
    if (game->rules->over(state))
        look->lower_half_points = look->upper_half_points = final_value(game, state);
    make_key(game, state, look->key);
}

int solver_plain_moves(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]) {
    return game->rules->legal(game, state_of(node), out);
}

void solver_plain_play(const Game *game, const SolverNode *node, Action action, SolverNode *child) {
    game_copy(game, (GameState *)child, state_of(node));
    game->rules->apply(game, (GameState *)child, action);
}

int solver_plain_round_up(const Game *game, const SolverNode *node, int half_points) {
    (void)node;
    return game->has_points ? half_points : half_points > -1 ? 1 : -1;
}

const SolverModel solver_plain_model = {.open = solver_plain_open,
                                        .look = look_plain,
                                        .moves = solver_plain_moves,
                                        .play = solver_plain_play,
                                        .round_up = solver_plain_round_up};
