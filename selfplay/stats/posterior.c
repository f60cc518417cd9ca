/* See posterior.h. */
#include "selfplay/stats/posterior_internal.h"

#include <math.h>
#include <stdlib.h>

static const double BUTTON_SCALE = 1.0, SLOPE_SCALE = 1.0;
static const double SCALE_MIN = 0.05, SCALE_MAX = 20.0;
static const double STEP_MIN = 1.0 / 64;
static const double NEGLIGIBLE = 1e-7; /* places with less mass than this are left out */
static const double NEGLIGIBLE_SCALE = 1e-5;
static const double CUT_OFF = 1e-4; /* more mass than this at an end of the grid: there is more beyond it */
enum { COARSE_SCALES = 12, COARSE_LEVELS = 2, NARROW = POSTERIOR_PLACES / 3, PASSES_MAX = 32 };

/* The values of a lapse, and their prior. */
typedef struct Lapse {
    double value, prior;
} Lapse;

static const Lapse FINE_LAPSES[POSTERIOR_LAPSE_LEVELS] = {{0.001, 0.35}, {0.01, 0.35}, {0.04, 0.2}, {0.12, 0.1}};
static const Lapse COARSE_LAPSES[COARSE_LEVELS] = {{0.005, 0.7}, {0.06, 0.3}};

/* How far the centre of the sigmoid lies above its location, in scales. */
static double centre_shift(CurveShape shape) {
    return log((0.5 - shape.lapse_low) / (0.5 - shape.lapse_high));
}

double shape_win_rate(CurveShape shape, double ahead) {
    const double t = ahead / shape.scale + centre_shift(shape);
    return shape.lapse_low + (1 - shape.lapse_low - shape.lapse_high) / (1 + exp(-t));
}

static int shape_count(const Posterior *posterior) {
    return posterior->scales * posterior->lapses;
}

bool posterior_check(const KomiData *data, int count, const EstimateConfig *config, Error *error) {
    if (!(config->even || config->odd) || config->komi_min > config->komi_max)
        return error_set(error, "komi range %d:%d: expected a first komi up to the last, and a parity to play",
                         config->komi_min, config->komi_max);
    if (!estimate_config_plays(config, false) && !estimate_config_plays(config, true))
        return error_set(error, "komi range %d:%d has no komi of an allowed parity", config->komi_min,
                         config->komi_max);
    const double range = config->location_max - config->location_min;
    if (!(range >= 1 && range <= 10000 && fabs(config->location_min) <= 10000))
        return error_set(error, "location range %g:%g: expected 1 to 10000 points", config->location_min,
                         config->location_max);
    if (!isfinite(config->prior_location) || !(config->prior_scale > 0 && config->prior_scale <= 10000))
        return error_set(error, "prior %g with scale %g: expected numbers, and a scale above 0", config->prior_location,
                         config->prior_scale);
    for (int i = 0; i < count; i++) {
        const KomiData *at = &data[i];
        if (abs(at->komi) > 10000 || !(at->games >= 0 && at->games <= 1e12) ||
            !(at->black_wins >= 0 && at->black_wins <= at->games))
            return error_set(error, "komi %d: %g wins of %g games: expected 0 <= wins <= games", at->komi,
                             at->black_wins, at->games);
        if (!(at->margin_games >= 0) || !isfinite(at->board_margin_sum) || !(at->board_margin_squares >= 0))
            return error_set(error, "komi %d: sums of %g margins: expected finite numbers", at->komi, at->margin_games);
    }
    return true;
}

/* Sets the grid of places. It covers low..high with at most POSTERIOR_PLACES places, on multiples of a power of two. */
static void set_places(Posterior *posterior, double low, double high) {
    double step = STEP_MIN;
    while ((high - low) / step > POSTERIOR_PLACES - 2)
        step *= 2;
    posterior->step = step;
    posterior->start = floor(low / step) * step;
    posterior->places = (int)ceil((high - posterior->start) / step) + 1;
}

/* ---- Shapes ---- */

/* Sets the shapes: `scales` scales over a range, each with every pair of lapses. */
static void set_shapes(Posterior *posterior, Interval range, bool coarse) {
    const int scales = coarse ? COARSE_SCALES : POSTERIOR_SCALES,
              levels = coarse ? COARSE_LEVELS : POSTERIOR_LAPSE_LEVELS;
    const Lapse *lapses = coarse ? COARSE_LAPSES : FINE_LAPSES;
    const double ratio = log(range.high / range.low) / (scales - 1);
    posterior->scales = scales;
    posterior->lapses = levels * levels;
    for (int i = 0; i < shape_count(posterior); i++) {
        const int pair = i % posterior->lapses;
        posterior->shape[i] = (CurveShape){range.low * exp(ratio * (i / posterior->lapses)),
                                           lapses[pair / levels].value, lapses[pair % levels].value};
        posterior->prior[i] = lapses[pair / levels].prior * lapses[pair % levels].prior;
    }
    for (int a = 0; a < scales; a++)
        for (int b = 0; b < scales; b++)
            posterior->pooling[a][b] = 1 / (1 + pow(ratio * (a - b) / SLOPE_SCALE, 2));
}

/* The scales that are possible. Those far below the step of a coarse grid would only show its gaps. */
static Interval scale_range(const Posterior *posterior, const EstimateConfig *config, bool coarse) {
    const double highest = fmax(SCALE_MAX, (config->location_max - config->location_min) / 10);
    return (Interval){coarse ? fmin(fmax(SCALE_MIN, posterior->step / 2), highest / 2) : SCALE_MIN, highest};
}

/* The largest mass that a shape of a scale has on either curve. */
static double scale_mass(const Posterior *posterior, int scale) {
    double most = 0;
    for (int s = scale * posterior->lapses; s < (scale + 1) * posterior->lapses; s++) {
        double even = 0, odd = 0;
        for (int i = 0; i < posterior->places; i++) {
            even += posterior->even[s][i];
            odd += posterior->odd[s][i];
        }
        most = fmax(most, fmax(even, odd));
    }
    return most;
}

/* The scales that have mass on either curve, with one more on each side. Where these are the last ones of the grid, the
 * window goes to the end of `range`. */
static Interval scale_window(const Posterior *posterior, Interval range) {
    int first = 0, last = posterior->scales - 1;
    while (first < last && scale_mass(posterior, first) < NEGLIGIBLE_SCALE)
        first++;
    while (last > first && scale_mass(posterior, last) < NEGLIGIBLE_SCALE)
        last--;
    return (Interval){first <= 1 ? range.low : posterior->shape[(first - 1) * posterior->lapses].scale,
                      last >= posterior->scales - 2 ? range.high
                                                    : posterior->shape[(last + 1) * posterior->lapses].scale};
}

/* ---- Likelihood ---- */

/* Log-probabilities of a win by distance, for all pairs of lapses of a scale. Entry `reach` + d of a pair is for a
 * location d units above the komi. */
typedef struct Table {
    int reach, pairs;
    double unit, *win[POSTERIOR_LAPSES], *memory;
} Table;

/* Allocates the tables for the distances between all places and all played komi values. False without memory. */
static bool table_make(Table *table, const Posterior *posterior, const KomiData *data, int count) {
    double reach = 0;
    for (int i = 0; i < count; i++) {
        const double low = posterior->start - data[i].komi, high = low + (posterior->places - 1) * posterior->step;
        reach = fmax(reach, fmax(fabs(low), fabs(high)));
    }
    table->unit = fmin(posterior->step, 1);
    table->reach = (int)(reach / table->unit) + 1;
    table->pairs = posterior->lapses;
    const size_t entries = (size_t)(2 * table->reach + 1);
    table->memory = malloc(sizeof(double) * entries * (size_t)table->pairs);
    for (int pair = 0; pair < table->pairs; pair++)
        table->win[pair] = table->memory + entries * (size_t)pair;
    return table->memory != NULL;
}

static void table_fill(Table *table, const CurveShape *shapes) {
    const double far = 40 * shapes->scale / table->unit; /* beyond this distance the sigmoid is flat */
    const int edge = far < table->reach ? (int)far + 1 : table->reach;
    for (int pair = 0; pair < table->pairs; pair++) {
        double *win = table->win[pair] + table->reach;
        for (int d = -edge; d <= edge; d++)
            win[d] = log(shape_win_rate(shapes[pair], d * table->unit));
        for (int d = edge + 1; d <= table->reach; d++) {
            win[d] = win[edge];
            win[-d] = win[-edge];
        }
    }
}

/* The pair with both lapses exchanged. By symmetry a loss is a win at the opposite distance with that pair. */
static int mirrored(int pair, int pairs) {
    const int levels = pairs == POSTERIOR_LAPSES ? POSTERIOR_LAPSE_LEVELS : COARSE_LEVELS;
    return pair % levels * levels + pair / levels;
}

/* Log-likelihood of each place for the games of one parity. */
static void add_likelihood(const Posterior *posterior, const Table *table, int pair, const KomiData *data, int count,
                           bool odd, double *sum) {
    const int stride = (int)(posterior->step / table->unit);
    for (int i = 0; i < posterior->places; i++)
        sum[i] = 0;
    for (int n = 0; n < count; n++) {
        if (komi_has_button(data[n].komi) != odd || !(data[n].games > 0))
            continue;
        const double wins = komi_data_effective(&data[n], data[n].black_wins);
        const double losses = komi_data_effective(&data[n], data[n].games - data[n].black_wins);
        const int first = (int)((posterior->start - data[n].komi) / table->unit);
        const double *win = table->win[pair] + table->reach + first;
        const double *loss = table->win[mirrored(pair, table->pairs)] + table->reach - first;
        for (int i = 0; i < posterior->places; i++)
            sum[i] += wins * win[i * stride] + losses * loss[-i * stride];
    }
}

/* Writes the log-likelihoods of all (shape, place) to posterior->even and posterior->odd. */
static bool log_likelihoods(Posterior *posterior, const KomiData *data, int count, Error *error) {
    Table table;
    if (!table_make(&table, posterior, data, count))
        return error_set(error, "out of memory for the posterior of %d komi values", count);
    for (int s = 0; s < shape_count(posterior); s++) {
        const int pair = s % posterior->lapses;
        if (pair == 0)
            table_fill(&table, &posterior->shape[s]);
        add_likelihood(posterior, &table, pair, data, count, false, posterior->even[s]);
        add_likelihood(posterior, &table, pair, data, count, true, posterior->odd[s]);
    }
    free(table.memory);
    return true;
}

/* ---- Both curves together ---- */

double posterior_location_prior(const EstimateConfig *config, double place) {
    const double distance = (place - config->prior_location) / config->prior_scale;
    const double t = 1 + distance * distance / 3;
    return 1 / (t * t);
}

double posterior_button_prior(const Posterior *posterior, int steps) {
    return exp(-abs(steps) * posterior->step / BUTTON_SCALE);
}

/* to[i] = sum over j of from[j] * posterior_button_prior(i - j), by a recursive filter from each side. */
static void spread_by_button(const double *from, double *to, int places, double step) {
    const double keep = exp(-step / BUTTON_SCALE);
    double running = 0;
    for (int i = 0; i < places; i++)
        to[i] = running = running * keep + from[i];
    running = 0;
    for (int i = places - 1; i >= 0; i--) {
        to[i] += running;
        running = (running + from[i]) * keep;
    }
}

/* The weights of one curve by (scale, place). */
typedef double Field[POSTERIOR_SCALES][POSTERIOR_PLACES];

/* Turns log-likelihoods into weights, prior of the shape included, the largest of which is about 1. */
static void exponentiate(const Posterior *posterior, double weight[][POSTERIOR_PLACES]) {
    double peak = -INFINITY;
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            peak = fmax(peak, weight[s][i]);
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            weight[s][i] = posterior->prior[s] * exp(weight[s][i] - peak);
}

/* Gives the places that are allowed their prior weight; of the odd curve, whose prior is that of the even one and the
 * button's, all that are allowed weigh the same. */
static void weigh_places(const Posterior *posterior, const EstimateConfig *config, bool odd,
                         double weight[][POSTERIOR_PLACES]) {
    double prior[POSTERIOR_PLACES];
    for (int i = 0; i < posterior->places; i++) {
        const double place = posterior->start + i * posterior->step;
        const bool inside = place >= config->location_min && place <= config->location_max;
        prior[i] = !inside ? 0 : odd ? 1 : posterior_location_prior(config, place);
    }
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            weight[s][i] *= prior[i];
}

static void sum_lapses(const Posterior *posterior, double weight[][POSTERIOR_PLACES], Field out) {
    for (int a = 0; a < posterior->scales; a++)
        for (int i = 0; i < posterior->places; i++) {
            out[a][i] = 0;
            for (int l = 0; l < posterior->lapses; l++)
                out[a][i] += weight[a * posterior->lapses + l][i];
        }
}

/* to[a][i] = sum over scales b of pooling[a][b] * from[b][i]. */
static void pool_scales(const Posterior *posterior, Field from, Field to) {
    for (int a = 0; a < posterior->scales; a++) {
        for (int i = 0; i < posterior->places; i++)
            to[a][i] = 0;
        for (int b = 0; b < posterior->scales; b++)
            for (int i = 0; i < posterior->places; i++)
                to[a][i] += posterior->pooling[a][b] * from[b][i];
    }
}

/* The distribution of the midpoint: `even` and `odd` are the curves' own weights, `odd` pooled for the even scale. */
static void add_middle(Posterior *posterior, const double *even, const double *odd) {
    double near[POSTERIOR_PLACES];
    for (int d = 0; d < posterior->places; d++)
        near[d] = posterior_button_prior(posterior, d);
    for (int i = 0; i < posterior->places; i++) {
        double *middle = posterior->middle + i;
        if (!(even[i] > 0))
            continue;
        for (int j = 0; j < i; j++)
            middle[j] += even[i] * odd[j] * near[i - j];
        for (int j = i; j < posterior->places; j++)
            middle[j] += even[i] * odd[j] * near[j - i];
    }
}

/* Multiplies the weights of a curve by what the other one says, and makes them sum to 1. */
static void multiply(const Posterior *posterior, double weight[][POSTERIOR_PLACES], Field other) {
    double sum = 0;
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            sum += weight[s][i] *= other[s / posterior->lapses][i];
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            weight[s][i] /= sum;
}

/* Combines the log-likelihoods of both curves with the prior to their joint posterior, and then computes the
 * marginals. */
static void combine(Posterior *posterior, const EstimateConfig *config, bool with_middle) {
    Field even, spread, pooled;
    exponentiate(posterior, posterior->even);
    exponentiate(posterior, posterior->odd);
    weigh_places(posterior, config, false, posterior->even);
    weigh_places(posterior, config, true, posterior->odd);
    sum_lapses(posterior, posterior->even, even);
    sum_lapses(posterior, posterior->odd, posterior->odd_own);
    if (with_middle) {
        for (int k = 0; k < 2 * POSTERIOR_PLACES; k++)
            posterior->middle[k] = 0;
        pool_scales(posterior, posterior->odd_own, pooled);
        for (int a = 0; a < posterior->scales; a++)
            add_middle(posterior, even[a], pooled[a]);
    }
    for (int a = 0; a < posterior->scales; a++) {
        spread_by_button(posterior->odd_own[a], posterior->odd_spread[a], posterior->places, posterior->step);
        spread_by_button(even[a], spread[a], posterior->places, posterior->step);
    }
    pool_scales(posterior, posterior->odd_spread, pooled);
    multiply(posterior, posterior->even, pooled);
    pool_scales(posterior, spread, pooled);
    multiply(posterior, posterior->odd, pooled);
}

/* ---- The grid ---- */

/* The range outside which neither curve's location has any mass that matters, with one step added at each end. */
static Interval window(const Posterior *posterior, const EstimateConfig *config) {
    PosteriorLine even, odd;
    posterior_curve(posterior, false, &even);
    posterior_curve(posterior, true, &odd);
    int first = posterior->places - 1, last = 0;
    for (int i = 0; i < posterior->places; i++)
        if (even.weight[i] > NEGLIGIBLE || odd.weight[i] > NEGLIGIBLE) {
            first = i < first ? i : first;
            last = i;
        }
    return (Interval){fmax(config->location_min, posterior->start + (first - 1) * posterior->step),
                      fmin(config->location_max, posterior->start + (last + 1) * posterior->step)};
}

/* Where mass is cut off at an end of the places, they go on beyond it. False if they can stay. */
static bool move_places(Posterior *posterior, const EstimateConfig *config) {
    PosteriorLine even, odd;
    posterior_curve(posterior, false, &even);
    posterior_curve(posterior, true, &odd);
    const int last = posterior->places - 1;
    const double low = posterior->start, high = low + last * posterior->step;
    const bool cut_low = low > config->location_min && fmax(even.weight[0], odd.weight[0]) > CUT_OFF;
    const bool cut_high = high < config->location_max && fmax(even.weight[last], odd.weight[last]) > CUT_OFF;
    if (cut_low || cut_high)
        set_places(posterior, fmax(config->location_min, cut_low ? low - (high - low) : low),
                   fmin(config->location_max, cut_high ? high + (high - low) : high));
    return cut_low || cut_high;
}

/* The same for the scales. And where very many games leave mass on a few of them, they become these. */
static bool move_scales(const Posterior *posterior, const EstimateConfig *config, Interval *scales) {
    const Interval all = scale_range(posterior, config, false), old = *scales;
    const bool cut_low = old.low > all.low && scale_mass(posterior, 0) > CUT_OFF;
    const bool cut_high = old.high < all.high && scale_mass(posterior, posterior->scales - 1) > CUT_OFF;
    *scales = scale_window(posterior, old);
    const bool few = log(scales->high / scales->low) < log(old.high / old.low) / 2;
    if (cut_low)
        scales->low = fmax(all.low, old.low / 2);
    if (cut_high)
        scales->high = fmin(all.high, 2 * old.high);
    return cut_low || cut_high || few;
}

/* Computes the posterior on the grid of places as it is, with coarse or fine shapes over a range of scales. */
static bool run_pass(Posterior *posterior, Interval scales, bool coarse, const KomiData *data, int count,
                     const EstimateConfig *config, Error *error) {
    set_shapes(posterior, scales, coarse);
    if (!log_likelihoods(posterior, data, count, error))
        return false;
    combine(posterior, config, !coarse);
    return true;
}

/* The pass that counts, on the grid that the coarse passes have found. With many games, whose window is narrow, their
 * few lapses can have put it in a wrong place, or its scales may be too far apart: then it moves. */
static bool compute_fine(Posterior *posterior, Interval scales, const KomiData *data, int count,
                         const EstimateConfig *config, Error *error) {
    bool again = true;
    for (int pass = 0; again && pass < PASSES_MAX; pass++) {
        if (!run_pass(posterior, scales, false, data, count, config, error))
            return false;
        again = posterior->places <= NARROW && move_scales(posterior, config, &scales);
        again = (posterior->places <= NARROW && move_places(posterior, config)) || again;
    }
    return true;
}

bool posterior_compute(Posterior *posterior, bool rough, const KomiData *data, int count, const EstimateConfig *config,
                       Error *error) {
    double step = 0;
    Interval scales;
    set_places(posterior, config->location_min, config->location_max);
    do {
        step = posterior->step;
        if (!run_pass(posterior, scale_range(posterior, config, true), true, data, count, config, error))
            return false;
        /* Both windows, before the grid of these weights is gone. */
        scales = scale_window(posterior, scale_range(posterior, config, false));
        const Interval mass = window(posterior, config);
        set_places(posterior, mass.low, mass.high);
    } while (posterior->step < step);
    return rough ? run_pass(posterior, scale_range(posterior, config, true), true, data, count, config, error)
                 : compute_fine(posterior, scales, data, count, config, error);
}

/* ---- Summaries ---- */

void posterior_curve(const Posterior *posterior, bool odd, PosteriorLine *line) {
    *line = (PosteriorLine){.start = posterior->start, .step = posterior->step, .places = posterior->places};
    for (int s = 0; s < shape_count(posterior); s++)
        for (int i = 0; i < posterior->places; i++)
            line->weight[i] += odd ? posterior->odd[s][i] : posterior->even[s][i];
}

void posterior_middle(const Posterior *posterior, PosteriorLine *line) {
    const int places = 2 * posterior->places - 1;
    *line = (PosteriorLine){.start = posterior->start, .step = posterior->step / 2, .places = places};
    for (int k = 0; k < line->places; k++)
        line->weight[k] = posterior->middle[k];
}

CurveShape posterior_shape(const Posterior *posterior, bool odd) {
    double log_scale = 0;
    CurveShape mean = {0};
    for (int s = 0; s < shape_count(posterior); s++) {
        const double *places = odd ? posterior->odd[s] : posterior->even[s];
        double weight = 0;
        for (int i = 0; i < posterior->places; i++)
            weight += places[i];
        log_scale += weight * log(posterior->shape[s].scale);
        mean.lapse_low += weight * posterior->shape[s].lapse_low;
        mean.lapse_high += weight * posterior->shape[s].lapse_high;
    }
    mean.scale = exp(log_scale);
    return mean;
}

double line_quantile(const PosteriorLine *line, double q) {
    double whole = 0, sum = 0;
    for (int i = 0; i < line->places; i++)
        whole += line->weight[i];
    for (int i = 0; i < line->places; i++) {
        const double weight = line->weight[i];
        if (weight > 0 && sum + weight >= q * whole)
            return line->start + line->step * (i - 0.5 + (q * whole - sum) / weight);
        sum += weight;
    }
    return line->start + line->step * (line->places - 0.5);
}

double line_share_below(const PosteriorLine *line, double x) {
    double whole = 0, below = 0;
    for (int i = 0; i < line->places; i++) {
        const double covered = (x - line->start) / line->step - i + 0.5;
        whole += line->weight[i];
        below += line->weight[i] * fmin(1, fmax(0, covered));
    }
    return below / whole;
}
