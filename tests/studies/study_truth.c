/* A study, not a test: how often does a player find a winning move where the truth is known? Build the target
 * study_truth.
 *
 *     study_truth PLAYER SIZE POSITIONS [SIMULATIONS...]      such as: study_truth default 4 200 1 30 200 1000
 *
 * PLAYER is the name of a player, a file, or a description in JSON. Random games are stopped after a random number of
 * actions. The solver finds what the position is worth, and the komi is set so that the side to move just wins; so only
 * the very best moves will do. Positions where all moves win or that take the solver too long are left out. The player
 * searches each position from scratch with its solver switched off. Prints the share of positions in which its move
 * wins, for each number of simulations. */
#include "engine/base/rng.h"
#include "engine/games/registry.h"
#include "engine/solver/solver.h"
#include "selfplay/players/player.h"

#include <stdio.h>
#include <stdlib.h>

enum { EFFORTS = 8, ACTIONS = 200 };
static const SolverLimits patience = {.nodes = 200000};

typedef struct Position {
    Action actions[ACTIONS];
    int count;
    GameState state;
    GameHistory history;
} Position;

static void replay(const Game *game, Position *position, int komi) {
    game->rules->start(game, &position->state, komi);
    position->history = (GameHistory){0};
    for (int i = 0; i < position->count; i++) {
        game->rules->apply(game, &position->state, position->actions[i]);
        game_history_add(game, &position->history, position->actions[i], &position->state);
    }
}

/* Plays some random actions; false where the game ends with them. */
static bool draw(const Game *game, Rng *rng, Position *position) {
    const int wanted = (int)rng_below(rng, (uint32_t)game->board.cells * 2 / 3);
    position->count = 0;
    replay(game, position, 0);
    while (position->count < wanted && !game->rules->over(&position->state)) {
        Action legal[GAME_LEGAL_MAX];
        const int count = game->rules->legal(game, &position->state, legal);
        const Action action = legal[rng_below(rng, (uint32_t)count)];
        position->actions[position->count++] = action;
        game->rules->apply(game, &position->state, action);
    }
    return !game->rules->over(&position->state);
}

/* Whether Black wins; -1 where the solver does not find out in time. */
static int black_wins(const Game *game, Solver *solver, const GameState *state) {
    const int threshold = 2 * game->rules->komi(state) + 1;
    if (game->rules->over(state))
        return game->rules->result(game, state).winner == BLACK;
    const SolverResult result = solver_compare(solver, state, threshold, &patience);
    return !result.proved ? -1 : result.lower_half_points >= threshold;
}

/* Sets the even komi at which the side to move wins by the least; false where the solver does not know. */
static bool make_tight(const Game *game, Solver *solver, Position *position) {
    const SolverResult result = solver_value(solver, &position->state, &patience);
    if (!result.proved)
        return false;
    const int value = result.lower_half_points; /* Black wins where 2 * komi < value */
    int komi = -game->board.cells / 2 * 2;
    while (2 * (komi + 2) < value)
        komi += 2;
    if (game->rules->to_move(&position->state) == WHITE)
        komi += 2;
    replay(game, position, komi);
    return abs(komi) <= game->board.cells;
}

/* Which legal actions win for the side to move; false where all or none do, or the solver does not know. */
static bool find_winners(const Game *game, Solver *solver, const Position *position, bool wins[GAME_ACTIONS_MAX]) {
    Action legal[GAME_LEGAL_MAX];
    const int count = game->rules->legal(game, &position->state, legal);
    const Side mover = game->rules->to_move(&position->state);
    int winners = 0;
    for (int i = 0; i < count; i++) {
        GameState next;
        game_copy(game, &next, &position->state);
        game->rules->apply(game, &next, legal[i]);
        const int black = black_wins(game, solver, &next);
        if (black < 0)
            return false;
        wins[legal[i]] = (black == 1) == (mover == BLACK);
        winners += wins[legal[i]];
    }
    return winners > 0 && winners < count;
}

static bool study(const Game *game, Search *search, Solver *solver, int wanted, const uint64_t *efforts, int count) {
    int found[EFFORTS] = {0}, positions = 0;
    Rng rng = rng_seed(1);
    for (int tries = 0; positions < wanted && tries < 50 * wanted; tries++) {
        static Position position;
        static bool wins[GAME_ACTIONS_MAX];
        if (!draw(game, &rng, &position) || !make_tight(game, solver, &position) ||
            !find_winners(game, solver, &position, wins))
            continue;
        positions++;
        for (int i = 0; i < count; i++) {
            search_set_position(search, &position.state);
            search_set_history(search, &position.history);
            search_reseed(search, (uint64_t)positions);
            search_run(search, &(SearchLimits){.simulations = efforts[i]});
            found[i] += wins[search_best(search)];
        }
    }
    printf("hexhex-%d: %d positions; a winning move is found", game->board.size, positions);
    for (int i = 0; i < count; i++)
        printf("%s with %llu simulations in %.1f%%", i ? "," : "", (unsigned long long)efforts[i],
               100.0 * found[i] / positions);
    printf("\n");
    return true;
}

int main(int argc, char **argv) {
    Error error = {"usage: study_truth PLAYER SIZE POSITIONS [SIMULATIONS...]"};
    uint64_t efforts[EFFORTS] = {1, 30, 200};
    int count = 3;
    Player player = player_default();
    if (argc < 4 || argc - 4 > EFFORTS) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    for (int i = 4; i < argc; i++)
        efforts[(count = i - 3) - 1] = strtoull(argv[i], NULL, 10);
    PlayerNetworks *networks = player_networks_new(&error);
    Game *game = game_new(&(GameOptions){.size = atoi(argv[2])}, &error);
    Solver *solver = game ? solver_new(game, &(SolverOptions){.memory = 256u << 20, .threads = 1}, &error) : NULL;
    bool good =
        networks && solver && player_load(argv[1], &player, &error) && player_settle(&player, game->name, &error);
    player.params.solver_share = 0;
    Search *search = good ? player_new_search(&player, networks, game, 1, &error) : NULL;
    good = search && study(game, search, solver, atoi(argv[3]), efforts, count);
    if (!good)
        fprintf(stderr, "study_truth: %s\n", error.text);
    search_free(search);
    solver_free(solver);
    game_free(game);
    player_networks_free(networks);
    return good ? 0 : 1;
}
