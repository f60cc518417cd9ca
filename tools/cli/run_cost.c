/* See run_cost.h. */
#include "tools/cli/run_cost.h"

#include "engine/games/registry.h"
#include "selfplay/players/contest.h"

#include <stdio.h>

static const double LOOK_SECONDS = 0.2, GAME_SECONDS = 2, MOVES_PER_CELL = 1.3;

enum { SIMULATIONS_MIN = 16, KOMI = 6 };

typedef struct RunCost {
    double moves;       /* of a game */
    double simulations; /* a second, of one thread */
} RunCost;

/* How many simulations a move make a game that takes about GAME_SECONDS, at most as many as the player has. A search
 * of the empty board alone would not do: it is faster than those of the middle game. */
static uint64_t effort_of_trial(Search *search, const Game *game, const Player *player) {
    GameState start;
    game->rules->start(game, &start, 0);
    search_set_position(search, &start);
    const SearchSummary summary = search_run(search, &(SearchLimits){.seconds = LOOK_SECONDS});
    const double moves = MOVES_PER_CELL * game->board.cells;
    const double wanted = (double)summary.simulations / summary.seconds * GAME_SECONDS / moves;
    const uint64_t effort = wanted > SIMULATIONS_MIN ? (uint64_t)wanted : SIMULATIONS_MIN;
    return player->simulations > 0 && player->simulations < effort ? player->simulations : effort;
}

/* Plays a game. */
static bool measure_game(Search *search, const Game *game, const Player *player, RunCost *cost, Error *error) {
    Player trial = *player;
    trial.simulations = effort_of_trial(search, game, player);
    trial.move_seconds = 0;
    Seat seat = {.player = &trial, .search = search};
    GameRecord record = {0};
    record_clear(&record);
    record.komi = game->has_points ? KOMI : 0;
    const ContestEnd end = contest_play(game, (Seat *const[2]){&seat, &seat}, &(ContestStop){0}, &record, error);
    const RecordEffort *effort = record.effort;
    cost->moves = effort[BLACK].moves + effort[WHITE].moves;
    cost->simulations = (double)(effort[BLACK].simulations + effort[WHITE].simulations) /
                        (effort[BLACK].seconds + effort[WHITE].seconds);
    record_free(&record);
    return end == CONTEST_FINISHED;
}

static bool measure(const GameOptions *options, const Player *player, RunCost *cost, Error *error) {
    Game *game = game_new(options, error);
    PlayerNetworks *networks = game ? player_networks_new(error) : NULL;
    Search *search = networks ? player_new_search(player, networks, game, 1, error) : NULL;
    const bool good = search && measure_game(search, game, player, cost, error);
    search_free(search);
    player_networks_free(networks);
    game_free(game);
    return good;
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
           config->game, (long long)config->size, threads, cost.moves, cost.simulations);
    for (int i = 0; i < count; i++) {
        const double simulations = (double)players[i].simulations;
        const double a_move = simulations > 0 ? simulations / cost.simulations : players[i].move_seconds;
        const double a_game = a_move * cost.moves, all = a_game * (double)config->games / threads;
        total += all;
        if (count > 1)
            printf("  rung %d: %lld games of %.2f s: %.0f s\n", i + 1, (long long)config->games, a_game, all);
        else
            printf("  %lld games of %.2f s\n", (long long)config->games, a_game);
    }
    printf("  in all: about %.0f s (%.1f h)\n", total, total / 3600);
    return true;
}
