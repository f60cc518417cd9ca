/* See standings.h. */
#include "selfplay/runs/openings/standings.h"

#include "selfplay/io/exact_value.h"

#include <math.h>
#include <stdlib.h>

static void add_game(OpeningsStanding *standing, const RunGame *game) {
    standing->games++;
    standing->wins += game->winner == BLACK;
    standing->margin_sum += 0.5 * game->margin_half_points;
    standing->plies += game->actions;
}

/* Sums up the games of a class, which are sorted by line: equal games follow each other. */
static void add_class(OpeningsStanding *standing, const RunGame *const *games, int count, bool by_chance) {
    ClusterSizes lines = {0};
    for (int i = 0, next; i < count; i = next) {
        for (next = i; next < count && (next == i || run_repeats(games, next)); next++)
            add_game(standing, games[next]);
        cluster_add(&lines, next - i);
        standing->distinct.games++;
        standing->distinct.wins += games[i]->winner == BLACK;
    }
    standing->effective_games = standing->games / (by_chance ? 1 : cluster_design_effect(&lines));
}

/* Sums up the games. The probabilities are not filled in yet. */
static bool sum_up(const Run *run, OpeningsStanding *standings, Error *error) {
    const RunGame **games;
    const bool by_chance = player_plays_by_chance(&openings_config(run)->player);
    const int played = run_sorted_games(run, 0, &games, error);
    for (int i = 0, next; i < played; i = next) {
        for (next = i + 1; next < played && games[next]->plan == games[i]->plan;)
            next++;
        add_class(&standings[games[i]->plan], games + i, next - i, by_chance);
    }
    free(games);
    return played >= 0;
}

/* The effective games, rounded to whole ones. */
static FairestMoveData effective_data(const OpeningsStanding *standing) {
    const double share = standing->games ? standing->effective_games / standing->games : 0;
    return (FairestMoveData){.games = (int)lround(standing->games * share),
                             .wins = (int)lround(standing->wins * share)};
}

static bool add_probabilities(const Run *run, OpeningsStanding *standings, Error *error) {
    const int count = openings_state(run)->count;
    FairestMoveData data[GAME_LEGAL_MAX] = {{0}};
    double probability[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++)
        data[i] = effective_data(&standings[i]);
    const bool good = fairest_move_probabilities(data, count, probability, error);
    for (int i = 0; good && i < count; i++)
        standings[i].probability = probability[i];
    return good;
}

OpeningsStanding *openings_standings(const Run *run, Error *error) {
    const int count = openings_state(run)->count;
    OpeningsStanding *standings = calloc((size_t)count, sizeof *standings);
    if (!standings)
        error_set(error, "out of memory for %d first moves", count);
    else if (sum_up(run, standings, error) && add_probabilities(run, standings, error))
        return standings;
    free(standings);
    return NULL;
}

Interval openings_interval(const OpeningsStanding *standing) {
    const double rate = standing->games ? (double)standing->wins / standing->games : 0;
    return wilson_interval(rate * standing->effective_games, standing->effective_games);
}

int openings_fairest(const Run *run, const OpeningsStanding *standings) {
    int best = 0;
    for (int i = 1; i < openings_state(run)->count; i++)
        if (standings[i].probability > standings[best].probability)
            best = i;
    return best;
}

void openings_format(const Run *run, Action action, char out[GAME_TEXT_MAX]) {
    run_format_first(run, (int)openings_config(run)->komi, action, out);
}

bool openings_exact(const Run *run, cJSON **exact, Error *error) {
    const RunConfig *config = run->config;
    const bool variant = config->capture == GAME_CAPTURE_LINE; /* what is kept is of the default */
    *exact = NULL;
    return variant || exact_document(config->game, (int)config->size, (int)openings_config(run)->komi, exact, error);
}
