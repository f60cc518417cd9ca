/* See allocation.h. */
#include "selfplay/stats/allocation.h"

#include "selfplay/stats/posterior.h"

#include <math.h>
#include <stdlib.h>

/* CENTRE_SHARE of a round is played at the location itself. The rest goes to both sides, SIDE scales away from it. That
 * is close to where a D-optimal design has its two places for a logistic (1.54). The widths of the intervals hardly
 * change with either number. */
static const double CENTRE_SHARE = 0.8, SIDE = 1.5;
/* The running sum of games is rounded up from this fraction. It is not a simple fraction, so there are no exact
 * ties. */
static const double ROUND_UP_FROM = 0.4847;

/* The komi values of one parity: first, first + 2, ..., first + 2 * (count - 1). */
typedef struct Parity {
    int first, count;
    double *demand;
} Parity;

/* Adds `weight` of demand at a place on the komi axis. It goes to the two komi values around the place, so that their
 * mean is the place. */
static void add_demand(Parity *parity, double place, double weight) {
    const double last = parity->count - 1;
    const double index = fmin(fmax((place - parity->first) / 2, 0), last);
    const int below = (int)index;
    const double part = index - below;
    parity->demand[below] += weight * (1 - part);
    if (below + 1 < parity->count)
        parity->demand[below + 1] += weight * part;
}

static void add_posterior(Parity *parity, const Posterior *posterior, bool odd) {
    Line line;
    posterior_curve(posterior, odd, &line);
    const double aside = SIDE * posterior_shape(posterior, odd).scale;
    for (int i = 0; i < line.places; i++) {
        const double place = line.start + i * line.step, weight = line.weight[i];
        add_demand(parity, place, weight * CENTRE_SHARE);
        add_demand(parity, place - aside, weight * (1 - CENTRE_SHARE) / 2);
        add_demand(parity, place + aside, weight * (1 - CENTRE_SHARE) / 2);
    }
}

/* Turns the demand into `batch` whole games by rounding its running sum. */
static void round_games(const Parity *parity, int batch, int komi_min, int *games) {
    double whole = 0, running = 0;
    int given = 0;
    for (int i = 0; i < parity->count; i++)
        whole += parity->demand[i];
    for (int i = 0; i < parity->count; i++) {
        running += parity->demand[i];
        const int up_to = i == parity->count - 1 ? batch : (int)floor(batch * running / whole + 1 - ROUND_UP_FROM);
        games[parity->first + 2 * i - komi_min] = up_to - given;
        given = up_to;
    }
}

/* The games of a round at even komi. Their number brings the totals of both parities closer together, and each parity
 * gets at least a quarter. */
static int even_games(const KomiData *data, int count, int batch) {
    double ahead = 0; /* games at odd komi minus games at even komi */
    for (int i = 0; i < count; i++)
        ahead += komi_has_button(data[i].komi) ? data[i].games : -data[i].games;
    const int quarter = batch / 4;
    const double share = fmin(fmax((batch + ahead) / 2, quarter), batch - quarter);
    return (int)ceil(share - 1e-6);
}

static bool allocate_parity(const Posterior *posterior, bool odd, int batch, const EstimateConfig *config, int *games,
                            Error *error) {
    const int first = config->komi_min + (komi_has_button(config->komi_min) != odd);
    Parity parity = {first, (config->komi_max - first) / 2 + 1, NULL};
    parity.demand = calloc((size_t)parity.count, sizeof *parity.demand);
    if (!parity.demand)
        return error_set(error, "out of memory for the allocation of %d games", batch);
    add_posterior(&parity, posterior, odd);
    round_games(&parity, batch, config->komi_min, games);
    free(parity.demand);
    return true;
}

bool allocate_games(const KomiData *data, int count, const EstimateConfig *config, int batch, int *games,
                    Error *error) {
    if (!posterior_check(data, count, config, error))
        return false;
    if (batch < 0)
        return error_set(error, "a round of %d games: expected 0 or more", batch);
    const bool single = config->komi_min == config->komi_max;
    const bool even = config->even && !(single && komi_has_button(config->komi_min));
    const bool odd = config->odd && !(single && !komi_has_button(config->komi_min));
    const int even_batch = even && odd ? even_games(data, count, batch) : even ? batch : 0;
    for (int i = 0; i <= config->komi_max - config->komi_min; i++)
        games[i] = 0;
    Posterior *posterior = malloc(sizeof *posterior);
    if (!posterior)
        return error_set(error, "out of memory for the allocation of %d games", batch);
    const bool done = posterior_compute(posterior, true, data, count, config, error) &&
                      (!even || allocate_parity(posterior, false, even_batch, config, games, error)) &&
                      (!odd || allocate_parity(posterior, true, batch - even_batch, config, games, error));
    free(posterior);
    return done;
}
