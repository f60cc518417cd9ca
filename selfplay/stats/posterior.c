/* See posterior.h. */
#include "selfplay/stats/posterior.h"

#include <math.h>
#include <stdlib.h>

static const double BUTTON_SCALE = 1.0;
static const double SCALE_MIN = 0.05, SCALE_MAX = 20.0;
static const double LAPSE[LAPSES] = {0.01, 0.001, 0.04}; /* the first one serves the coarse pass */
static const double STEP_MIN = 1.0 / 64;
static const double NEGLIGIBLE = 1e-7; /* places and shapes with less mass than this are left out */
enum { COARSE_SCALES = 12 };

double shape_win_rate(Shape shape, double ahead) {
    return shape.lapse / 2 + (1 - shape.lapse) / (1 + exp(-ahead / shape.scale));
}

bool posterior_check(const KomiData *data, int count, const EstimateConfig *config, Error *error) {
    if (!(config->even || config->odd) || config->komi_min > config->komi_max)
        return error_set(error, "komi range %d:%d: expected a first komi up to the last, and a parity to play",
                         config->komi_min, config->komi_max);
    if (config->komi_min == config->komi_max && !(config->komi_min % 2 ? config->odd : config->even))
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
        if (!(at->margin_games >= 0) || !isfinite(at->margin_sum) || !(at->margin_squares >= 0))
            return error_set(error, "komi %d: sums of %g margins: expected finite numbers", at->komi, at->margin_games);
    }
    return true;
}

/* Sets the grid of places. It covers low..high with at most PLACES places, on multiples of a power of two. */
static void set_places(Posterior *posterior, double low, double high) {
    double step = STEP_MIN;
    while ((high - low) / step > PLACES - 2)
        step *= 2;
    posterior->step = step;
    posterior->start = floor(low / step) * step;
    posterior->places = (int)ceil((high - posterior->start) / step) + 1;
}

/* Sets the shapes: all of them, or a coarse set without scales far below the step of the grid. */
static void set_shapes(Posterior *posterior, const EstimateConfig *config, bool coarse) {
    const double highest = fmax(SCALE_MAX, (config->location_max - config->location_min) / 10);
    const double lowest = coarse ? fmin(fmax(SCALE_MIN, posterior->step / 2), highest / 2) : SCALE_MIN;
    const int scales = coarse ? COARSE_SCALES : SCALES, lapses = coarse ? 1 : LAPSES;
    posterior->shapes = scales * lapses;
    for (int i = 0; i < posterior->shapes; i++) {
        const double part = (double)(i % scales) / (scales - 1);
        posterior->shape[i] = (Shape){lowest * pow(highest / lowest, part), LAPSE[i / scales]};
    }
}

/* Log-probabilities of a win by distance. Entry `reach` + d is for a location d units above the komi. */
typedef struct Table {
    int reach;
    double unit, *win;
} Table;

/* Allocates the table for the distances between all places and all played komi values. False without memory. */
static bool table_make(Table *table, const Posterior *posterior, const KomiData *data, int count) {
    double reach = 0;
    for (int i = 0; i < count; i++) {
        const double low = posterior->start - data[i].komi, high = low + (posterior->places - 1) * posterior->step;
        reach = fmax(reach, fmax(fabs(low), fabs(high)));
    }
    table->unit = fmin(posterior->step, 1);
    table->reach = (int)(reach / table->unit) + 1;
    table->win = malloc(sizeof(double) * (size_t)(2 * table->reach + 1));
    return table->win != NULL;
}

static void table_fill(Table *table, Shape shape) {
    const double far = 40 * shape.scale / table->unit; /* beyond this distance the logistic is 0 or 1 */
    const int edge = far < table->reach ? (int)far + 1 : table->reach;
    for (int d = -edge; d <= edge; d++)
        table->win[table->reach + d] = log(shape_win_rate(shape, d * table->unit));
    for (int d = edge + 1; d <= table->reach; d++) {
        table->win[table->reach + d] = table->win[table->reach + edge];
        table->win[table->reach - d] = table->win[table->reach - edge];
    }
}

/* Log-likelihood of each place for the games of one parity. */
static void add_likelihood(const Posterior *posterior, const Table *table, const KomiData *data, int count, bool odd,
                           double *sum) {
    const int stride = (int)(posterior->step / table->unit);
    for (int i = 0; i < posterior->places; i++)
        sum[i] = 0;
    for (int n = 0; n < count; n++) {
        const double wins = data[n].black_wins, losses = data[n].games - wins;
        if (komi_has_button(data[n].komi) != odd || !(data[n].games > 0))
            continue;
        const int first = (int)((posterior->start - data[n].komi) / table->unit);
        const double *win = table->win + table->reach + first, *loss = table->win + table->reach - first;
        for (int i = 0; i < posterior->places; i++) /* by symmetry a loss is a win at the opposite distance */
            sum[i] += wins * win[i * stride] + losses * loss[-i * stride];
    }
}

/* to[i] = sum over j of from[j] * exp(-|i - j| * step / BUTTON_SCALE), by a recursive filter from each side. */
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

static double largest(const double *values, int count) {
    double most = values[0];
    for (int i = 1; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

static void add_middle(Posterior *posterior, const double *even, const double *odd) {
    double near[PLACES];
    for (int d = 0; d < posterior->places; d++)
        near[d] = exp(-d * posterior->step / BUTTON_SCALE);
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

static double total(double weight[][PLACES], int shapes, int places) {
    double sum = 0;
    for (int s = 0; s < shapes; s++)
        for (int i = 0; i < places; i++)
            sum += weight[s][i];
    return sum;
}

static void divide(double weight[][PLACES], int shapes, int places, double by) {
    for (int s = 0; s < shapes; s++)
        for (int i = 0; i < places; i++)
            weight[s][i] /= by;
}

/* Writes the log-likelihoods of all (shape, place) to posterior->even and posterior->odd. */
static bool log_likelihoods(Posterior *posterior, const KomiData *data, int count, Error *error) {
    Table table;
    if (!table_make(&table, posterior, data, count))
        return error_set(error, "out of memory for the posterior of %d komi values", count);
    for (int s = 0; s < posterior->shapes; s++) {
        table_fill(&table, posterior->shape[s]);
        add_likelihood(posterior, &table, data, count, false, posterior->even[s]);
        add_likelihood(posterior, &table, data, count, true, posterior->odd[s]);
    }
    free(table.win);
    return true;
}

/* Prior density of the even location at a place. */
static double location_prior(const EstimateConfig *config, double place) {
    const double distance = (place - config->prior_location) / config->prior_scale;
    const double t = 1 + distance * distance / 3;
    return 1 / (t * t);
}

/* Combines the log-likelihoods of both curves with the prior to their joint posterior, and then computes the
 * marginals. */
static void combine(Posterior *posterior, const EstimateConfig *config, bool with_middle) {
    const int places = posterior->places, shapes = posterior->shapes;
    double peak[SHAPES], even[PLACES], odd[PLACES], spread[PLACES];
    for (int s = 0; s < shapes; s++)
        peak[s] = largest(posterior->even[s], places) + largest(posterior->odd[s], places);
    const double highest = largest(peak, shapes);
    for (int k = 0; k < 2 * PLACES; k++)
        posterior->middle[k] = 0;
    for (int s = 0; s < shapes; s++) {
        const double even_peak = largest(posterior->even[s], places), odd_peak = largest(posterior->odd[s], places);
        const double share = exp(peak[s] - highest);
        for (int i = 0; i < places; i++) {
            const double place = posterior->start + i * posterior->step;
            const bool inside = place >= config->location_min && place <= config->location_max;
            even[i] = inside ? share * exp(posterior->even[s][i] - even_peak) * location_prior(config, place) : 0;
            odd[i] = inside ? exp(posterior->odd[s][i] - odd_peak) : 0;
        }
        if (with_middle && share > NEGLIGIBLE)
            add_middle(posterior, even, odd);
        spread_by_button(odd, spread, places, posterior->step);
        for (int i = 0; i < places; i++)
            posterior->even[s][i] = even[i] * spread[i];
        spread_by_button(even, spread, places, posterior->step);
        for (int i = 0; i < places; i++)
            posterior->odd[s][i] = odd[i] * spread[i];
    }
    divide(posterior->even, shapes, places, total(posterior->even, shapes, places));
    divide(posterior->odd, shapes, places, total(posterior->odd, shapes, places));
}

/* The range outside which neither curve's location has any mass that matters, with one step added at each end. */
static Interval window(const Posterior *posterior, const EstimateConfig *config) {
    Line even, odd;
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

bool posterior_compute(Posterior *posterior, bool rough, const KomiData *data, int count, const EstimateConfig *config,
                       Error *error) {
    double step = 0;
    set_places(posterior, config->location_min, config->location_max);
    do {
        step = posterior->step;
        set_shapes(posterior, config, true);
        if (!log_likelihoods(posterior, data, count, error))
            return false;
        combine(posterior, config, false);
        const Interval mass = window(posterior, config);
        set_places(posterior, mass.low, mass.high);
    } while (posterior->step < step);
    set_shapes(posterior, config, rough);
    if (!log_likelihoods(posterior, data, count, error))
        return false;
    combine(posterior, config, !rough);
    return true;
}

void posterior_curve(const Posterior *posterior, bool odd, Line *line) {
    *line = (Line){.start = posterior->start, .step = posterior->step, .places = posterior->places};
    for (int s = 0; s < posterior->shapes; s++)
        for (int i = 0; i < posterior->places; i++)
            line->weight[i] += odd ? posterior->odd[s][i] : posterior->even[s][i];
}

void posterior_middle(const Posterior *posterior, Line *line) {
    *line = (Line){.start = posterior->start, .step = posterior->step / 2, .places = 2 * posterior->places - 1};
    for (int k = 0; k < line->places; k++)
        line->weight[k] = posterior->middle[k];
}

Shape posterior_shape(const Posterior *posterior) {
    double log_scale = 0, lapse = 0;
    for (int s = 0; s < posterior->shapes; s++) {
        double weight = 0;
        for (int i = 0; i < posterior->places; i++)
            weight += posterior->even[s][i];
        log_scale += weight * log(posterior->shape[s].scale);
        lapse += weight * posterior->shape[s].lapse;
    }
    return (Shape){exp(log_scale), lapse};
}

double line_quantile(const Line *line, double q) {
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

double line_share_below(const Line *line, double x) {
    double whole = 0, below = 0;
    for (int i = 0; i < line->places; i++) {
        const double covered = (x - line->start) / line->step - i + 0.5;
        whole += line->weight[i];
        below += line->weight[i] * fmin(1, fmax(0, covered));
    }
    return below / whole;
}
