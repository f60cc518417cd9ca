/* See make.h: the value of a position and its winning moves. */
#include "selfplay/truth/make.h"

/* Narrows the bounds by questions of four half points from the guess to the value, then between these. */
static bool find_value(Solver *solver, const GameState *state, const SolverLimits *limits, int guess,
                       TruthPosition *position) {
    const SolverResult known = solver_bounds(solver, state);
    int lower = known.lower_half_points, upper = known.upper_half_points, threshold = guess;
    while (lower < upper) {
        threshold = threshold <= lower ? lower + 1 : threshold > upper ? upper : threshold;
        const SolverResult answer = solver_compare(solver, state, threshold, limits);
        if (!answer.proved)
            return false;
        const bool yes = answer.lower_half_points >= threshold;
        lower = answer.lower_half_points > lower ? answer.lower_half_points : lower;
        upper = answer.upper_half_points < upper ? answer.upper_half_points : upper;
        threshold = yes ? lower + 4 : upper - 3;
    }
    position->half_points = lower;
    return true;
}

/* Whether the side to move wins by a move; -1 where the solver does not find out. */
static int move_wins(const Game *game, Solver *solver, const SolverLimits *limits, const GameState *state, Action move,
                     const TruthPosition *position) {
    const int threshold = 2 * position->komi + 1;
    GameState after;
    game_copy(game, &after, state);
    game->rules->apply(game, &after, move);
    if (game->rules->over(&after))
        return game->rules->result(game, &after).winner == position->mover;
    const SolverResult answer = solver_compare(solver, &after, threshold, limits);
    return !answer.proved ? -1 : (answer.lower_half_points >= threshold) == (position->mover == BLACK);
}

static bool find_wins(const Game *game, Solver *solver, const SolverLimits *limits, TruthPosition *position) {
    GameState state;
    Action legal[GAME_LEGAL_MAX];
    truth_replay(game, position, position->komi, &state, NULL);
    const int count = game->rules->legal(game, &state, legal);
    memset(position->wins, 0, sizeof position->wins);
    for (int i = 0; i < count; i++) {
        const int wins = move_wins(game, solver, limits, &state, legal[i], position);
        if (wins < 0)
            return false;
        position->wins[legal[i] / 64] |= (uint64_t)wins << legal[i] % 64;
    }
    return true;
}

TruthOutcome truth_solve(const Game *game, Solver *solver, const SolverLimits *limits, int guess,
                         TruthPosition *position) {
    GameState state;
    truth_replay(game, position, position->komi, &state, NULL);
    solver_clear(solver);
    if (!find_value(solver, &state, limits, guess, position))
        return TRUTH_UNDECIDED;
    position->mover = game->rules->to_move(&state);
    position->komi = truth_winning_komi(position->half_points, komi_has_button(position->komi), position->mover);
    if (!truth_komi_fits(game, position->komi))
        return TRUTH_NO_KOMI;
    if (!find_wins(game, solver, limits, position))
        return TRUTH_UNDECIDED;
    truth_complete(game, position);
    return TRUTH_SOLVED;
}
