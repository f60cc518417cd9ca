/* See standings.h. */
#include "selfplay/runs/openings/standings.h"

#include "selfplay/io/exact_value.h"

#include <stdlib.h>

static void add_game(OpeningsStanding *standing, const RunGame *game, bool repeats) {
    const bool first_won = game->winner == BLACK;
    standing->games++;
    standing->wins += first_won;
    standing->margin_sum += 0.5 * game->margin_half_points;
    standing->plies += game->actions;
    standing->data.games += !repeats;
    standing->data.wins += !repeats && first_won;
}

/* Sums up the games. The probabilities are not filled in yet. */
static bool sum_up(const Run *run, OpeningsStanding *standings, Error *error) {
    const RunGame **games;
    const int played = run_sorted_games(run, 0, &games, error);
    for (int i = 0; i < played; i++)
        add_game(&standings[games[i]->plan], games[i], run_repeats(games, i));
    free(games);
    return played >= 0;
}

static bool add_probabilities(const Run *run, OpeningsStanding *standings, Error *error) {
    const int count = openings_state(run)->count;
    FairestData data[GAME_LEGAL_MAX] = {{0}};
    double probability[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++)
        data[i] = standings[i].data;
    const bool good = fairest_probabilities(data, count, probability, error);
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
    return wilson_interval(rate * standing->data.games, standing->data.games);
}

int openings_fairest(const Run *run, const OpeningsStanding *standings) {
    int best = 0;
    for (int i = 1; i < openings_state(run)->count; i++)
        if (standings[i].probability > standings[best].probability)
            best = i;
    return best;
}

void openings_format(const Run *run, Action action, char out[GAME_TEXT_MAX]) {
    GameState start;
    run->game->rules->start(run->game, &start, (int)openings_config(run)->komi);
    run->game->rules->format(run->game, &start, action, out);
}

bool openings_exact(const Run *run, cJSON **exact, Error *error) {
    const RunConfig *config = run->config;
    const bool variant = config->capture == GAME_CAPTURE_LINE; /* what is kept is of the default */
    *exact = NULL;
    return variant || exact_document(config->game, (int)config->size, (int)openings_config(run)->komi, exact, error);
}
