/* See goodness.h. */
#include "selfplay/stats/goodness.h"

#include "engine/base/rng.h"

#include <math.h>

/* Above this variance a binomial number is drawn from the normal distribution. */
static const double NORMAL_FROM = 50;
enum { DRAWS_USED = 250 }; /* more would show the same */

/* The part of the deviance that `wins` of `games` have; 0 ln 0 is 0. */
static double half_deviance(double wins, double games, double rate) {
    return wins > 0 ? wins * log(wins / (games * rate)) : 0;
}

static double deviance(double wins, double games, double rate) {
    return 2 * (half_deviance(wins, games, rate) + half_deviance(games - wins, games, 1 - rate));
}

/* The number of wins in `games` games. */
static double draw_wins(double games, double rate, Rng *rng) {
    const double variance = games * rate * (1 - rate);
    if (variance > NORMAL_FROM) {
        double sum = -6;
        for (int i = 0; i < 12; i++)
            sum += rng_unit(rng);
        return fmin(fmax(floor(games * rate + sqrt(variance) * sum + 0.5), 0), games);
    }
    double wins = 0;
    for (double game = 0; game < games; game++)
        wins += rng_unit(rng) < rate;
    return wins;
}

Goodness goodness_of_fit(const PosteriorDraw *draws, int draw_count, bool odd, const KomiData *data, int count) {
    Rng rng = rng_seed(2 + odd);
    Goodness fit = {0};
    int worse = 0, used = 0;
    const int stride = (draw_count + DRAWS_USED - 1) / DRAWS_USED;
    for (int i = 0; i < count; i++)
        fit.komi_values += komi_has_button(data[i].komi) == odd && data[i].games > 0;
    for (int n = stride / 2; n < draw_count; n += stride, used++) {
        double real = 0, simulated = 0;
        for (int i = 0; i < count; i++) {
            const KomiData *at = &data[i];
            if (komi_has_button(at->komi) != odd || !(at->games > 0))
                continue;
            const double rate = shape_win_rate(draws[n].shape[odd], draws[n].location[odd] - at->komi);
            const double games = fmax(1, floor(komi_data_effective(at, at->games) + 0.5));
            real += deviance(komi_data_effective(at, at->black_wins), komi_data_effective(at, at->games), rate);
            simulated += deviance(draw_wins(games, rate, &rng), games, rate);
        }
        fit.deviance += real;
        fit.expected += simulated;
        worse += simulated >= real - 1e-9;
    }
    fit.deviance /= used > 0 ? used : 1;
    fit.expected /= used > 0 ? used : 1;
    fit.p = used > 0 ? (double)worse / used : 1;
    return fit;
}
