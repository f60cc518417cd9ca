/* See run_cost.h. */
#include "tools/cli/run_cost.h"

#include "engine/games/registry.h"

enum { PLAYOUTS = 256 };

static double mean_length(const Game *game, const GameState *start) {
    PlayoutResult result;
    double sum = 0;
    for (uint64_t seed = 0; seed < PLAYOUTS; seed++) {
        game->rules->playouts(game, &start, &seed, 1, PLAYOUT_LIGHT, &result);
        sum += result.length;
    }
    return sum / PLAYOUTS;
}

bool run_cost_measure(const GameOptions *options, const Player *player, RunCost *cost, Error *error) {
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

double run_cost_game(const RunCost *cost, const Player *player) {
    const double a_move = player->simulations ? (double)player->simulations / cost->simulations : player->move_seconds;
    return a_move * cost->actions;
}
