/* See run_cost.h. */
#include "tools/cli/run_cost.h"

#include "engine/games/registry.h"

#include <stdio.h>

enum { PLAYOUTS = 256 };

typedef struct RunCost {
    double actions;     /* of a game; that of a playout, so about */
    double simulations; /* a second, of one thread */
} RunCost;

static double mean_length(const Game *game, const GameState *start) {
    PlayoutResult result;
    double sum = 0;
    for (uint64_t seed = 0; seed < PLAYOUTS; seed++) {
        game->rules->playouts(game, &start, &seed, 1, PLAYOUT_LIGHT, &result);
        sum += result.length;
    }
    return sum / PLAYOUTS;
}

static bool measure(const GameOptions *options, const Player *player, RunCost *cost, Error *error) {
    Game *game = game_new(options, error);
    PlayerNetworks *networks = game ? player_networks_new(error) : NULL;
    Search *search = networks ? player_new_search(player, networks, game, 1, error) : NULL;
    if (search) {
        GameState start;
        game->rules->start(game, &start, 0);
        search_set_position(search, &start);
        const SearchSummary summary = search_run(search, &(SearchLimits){.seconds = 0.5});
        cost->simulations = (double)summary.simulations / summary.seconds;
        cost->actions = mean_length(game, &start);
    }
    search_free(search);
    player_networks_free(networks);
    game_free(game);
    return search != NULL;
}

bool run_cost_print(const RunOptions *options, const Player *players, int count, Error *error) {
    const RunConfig *config = options->config;
    const GameOptions game = run_config_game(config, config->size);
    const int threads = options->common.threads;
    double total = 0;
    RunCost cost;
    if (!measure(&game, &players[0], &cost, error))
        return false;
    printf("%s on hexhex-%lld, %d games side by side, about %.0f moves a game and %.0f simulations a second in each:\n",
           config->game, (long long)config->size, threads, cost.actions, cost.simulations);
    for (int i = 0; i < count; i++) {
        const double simulations = (double)players[i].simulations;
        const double a_move = simulations > 0 ? simulations / cost.simulations : players[i].move_seconds;
        const double a_game = a_move * cost.actions, all = a_game * (double)config->games / threads;
        total += all;
        if (count > 1)
            printf("  rung %d: %lld games of %.2f s: %.0f s\n", i + 1, (long long)config->games, a_game, all);
        else
            printf("  %lld games of %.2f s\n", (long long)config->games, a_game);
    }
    printf("  in all: at most about %.0f s (%.1f h)\n", total, total / 3600);
    return true;
}
