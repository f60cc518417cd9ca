/* See allocation.h. */
#include "selfplay/stats/allocation.h"

#include "selfplay/stats/demand.h"
#include "selfplay/stats/posterior.h"

#include <math.h>
#include <stdlib.h>

static void add_posterior(double *demand, const Posterior *posterior, bool odd, const EstimateConfig *config) {
    PosteriorLine line;
    posterior_curve(posterior, odd, &line);
    const double scale = posterior_shape(posterior, odd).scale;
    for (int i = 0; i < line.places; i++)
        demand_add_curve(demand, config->komi_min, config->komi_max, odd, line.start + i * line.step, scale,
                         line.weight[i]);
}

int allocation_even_games(const KomiData *data, int count, const EstimateConfig *config, int batch) {
    if (!estimate_config_plays(config, true))
        return batch;
    if (!estimate_config_plays(config, false))
        return 0;
    double ahead = 0; /* games at odd komi minus games at even komi */
    for (int i = 0; i < count; i++)
        ahead += komi_has_button(data[i].komi) ? data[i].games : -data[i].games;
    const int quarter = batch / 4;
    const double share = fmin(fmax((batch + ahead) / 2, quarter), batch - quarter);
    return (int)ceil(share - 1e-6);
}

static bool allocate_parity(const Posterior *posterior, bool odd, int batch, const EstimateConfig *config, int *games,
                            Error *error) {
    const int count = config->komi_max - config->komi_min + 1;
    double *demand = calloc((size_t)count, sizeof *demand);
    if (!demand)
        return error_set(error, "out of memory for the allocation of %d games", batch);
    add_posterior(demand, posterior, odd, config);
    demand_round(demand, count, batch, games);
    free(demand);
    return true;
}

bool allocate_games(const KomiData *data, int count, const EstimateConfig *config, int batch, int *games,
                    Error *error) {
    if (!posterior_check(data, count, config, error))
        return false;
    if (batch < 0)
        return error_set(error, "a round of %d games: expected 0 or more", batch);
    const int even = allocation_even_games(data, count, config, batch);
    for (int i = 0; i <= config->komi_max - config->komi_min; i++)
        games[i] = 0;
    Posterior *posterior = malloc(sizeof *posterior);
    if (!posterior)
        return error_set(error, "out of memory for the allocation of %d games", batch);
    const bool done = posterior_compute(posterior, true, data, count, config, error) &&
                      (even == 0 || allocate_parity(posterior, false, even, config, games, error)) &&
                      (even == batch || allocate_parity(posterior, true, batch - even, config, games, error));
    free(posterior);
    return done;
}
