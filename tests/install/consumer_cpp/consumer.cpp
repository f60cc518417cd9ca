// A C++ program of somebody else's: a search without limits that another thread stops, and the winner of hexhex-2 at a
// komi below its exact value.
#include <stigmergy/engine/games/registry.h>
#include <stigmergy/engine/solver/solver.h>
#include <stigmergy/selfplay/players/player.h>

#include <chrono>
#include <cstdio>
#include <thread>

static bool search(const Game *game, Error *error) {
    Player player = player_default();
    if (!player_load("level-3", &player, error) || !player_settle(&player, game->name, game->board.size, error))
        return false;
    PlayerNetworks *networks = player_networks_new(error);
    Search *tree = networks ? player_new_search(&player, networks, game, 1, error) : nullptr;
    if (tree) {
        GameState state;
        game->rules->start(game, &state, 0);
        search_set_position(tree, &state);
        StopFlag stop{};
        std::thread watch([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop_flag_set(&stop);
        });
        SearchLimits limits{};
        limits.stop = &stop;
        search_run(tree, &limits);
        watch.join();
        std::printf("stopped\n"); // without limits it ends in no other way
        search_free(tree);
    }
    player_networks_free(networks);
    return tree != nullptr;
}

static bool solve(const Game *game, Error *error) {
    SolverOptions options{};
    options.memory = 16 << 20;
    options.threads = 2;
    Solver *solver = solver_new(game, &options, error);
    if (!solver)
        return false;
    GameState state;
    game->rules->start(game, &state, 0);
    const SolverLimits limits{};
    const SolverResult result = solver_value(solver, &state, &limits);
    std::printf("value %d\n", result.lower_half_points / 2);
    solver_free(solver);
    return true;
}

int main() {
    Error error;
    GameOptions small{}, large{};
    small.size = 2;
    large.size = 6;
    Game *board = game_new(&small, &error), *other = board ? game_new(&large, &error) : nullptr;
    const bool good = other && solve(board, &error) && search(other, &error);
    if (!good)
        std::fprintf(stderr, "consumer_cpp: %s\n", error.text);
    game_free(other);
    game_free(board);
    return good ? 0 : 1;
}
