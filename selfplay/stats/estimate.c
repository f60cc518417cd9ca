/* See estimate.h. */
#include "selfplay/stats/estimate_internal.h"

#include "selfplay/stats/isotonic.h"
#include "selfplay/stats/logistic.h"
#include "selfplay/stats/posterior.h"

#include <math.h>
#include <stdlib.h>

const char ESTIMATE_METHOD[] =
    "all games count, equal ones of a player without chance as one (design effect); grid posterior of a logistic with "
    "two free lapses for each parity, slopes pooled by a prior, Laplace prior on the button's effect (Psi, QUEST+); "
    "brackets on steps; combined: midpoint of both curves with the margins as a Student factor; checks: posterior "
    "predictive fit, Firth 1993, centred isotonic regression (Oron and Flournoy 2017)";

/* Between two played komi values a curve whose scale is below NEAR_STEP of their distance is nearly a step. Then an
 * interval that takes more than BRACKET_SHARE of the way from one to the other says only that it lies between them. */
static const double NEAR_STEP = 1.0 / 3, BRACKET_SHARE = 0.5;
enum { DRAWS = POSTERIOR_DRAWS_MAX };
/* The allowance for the bias of the margins: a share of their standard deviation, and its minimum in points. */
static const double MARGIN_BIAS = 0.25, MARGIN_BIAS_MIN = 1.0;
static const double MARGIN_GAMES_MIN = 8; /* with fewer effective games the standard deviation is too uncertain */
static const double MARGIN_REACH_MIN = 2; /* minimum scale, in points, of the weights by nearness */

EstimateConfig estimate_config(int size) {
    const int cells = hexhex_cell_count(size);
    return (EstimateConfig){.komi_min = -cells,
                            .komi_max = cells,
                            .even = true,
                            .odd = true,
                            .location_min = -cells - 1,
                            .location_max = cells + 1,
                            .prior_location = 2,
                            .prior_scale = 4 + size};
}

/* What an estimate works with. */
typedef struct Room {
    const EstimateConfig *config;
    PosteriorDraw *draws; /* the caller's */
    int count;            /* of the data */
    Posterior *posterior;
    Trial *trials;
    KomiData *data; /* a copy, whose design effects change */
} Room;

/* Checks the data, and makes the rest of the room. To be ended in any case. */
static bool room_begin(Room *room, const KomiData *data, Error *error) {
    if (!posterior_check(data, room->count, room->config, error))
        return false;
    const size_t count = (size_t)room->count + 1;
    room->posterior = malloc(sizeof *room->posterior);
    room->trials = malloc(sizeof *room->trials * count);
    room->data = malloc(sizeof *room->data * count);
    if (!room->posterior || !room->trials || !room->data)
        return error_set(error, "out of memory for the estimate from %d komi values", room->count);
    for (int i = 0; i < room->count; i++)
        room->data[i] = data[i];
    return true;
}

static void room_end(Room *room) {
    free(room->data);
    free(room->trials);
    free(room->posterior);
}

static int by_place(const void *left, const void *right) {
    const double a = ((const Trial *)left)->x, b = ((const Trial *)right)->x;
    return (a > b) - (a < b);
}

/* The played komi values of one parity, in ascending order, each once. `trials` has room for `count`. */
static int collect_trials(const KomiData *data, int count, bool odd, Trial *trials) {
    int n = 0, kept = 0;
    for (int i = 0; i < count; i++)
        if (komi_has_button(data[i].komi) == odd && data[i].games > 0)
            trials[n++] = (Trial){data[i].komi, data[i].games, data[i].black_wins};
    qsort(trials, (size_t)n, sizeof *trials, by_place);
    for (int i = 0; i < n; i++) {
        if (kept > 0 && trials[kept - 1].x >= trials[i].x) {
            trials[kept - 1].games += trials[i].games;
            trials[kept - 1].wins += trials[i].wins;
        } else {
            trials[kept++] = trials[i];
        }
    }
    return kept;
}

static Interval central(const PosteriorLine *line) {
    return (Interval){line_quantile(line, 0.025), line_quantile(line, 0.975)};
}

static double clamp(double x, Interval range) {
    return fmin(fmax(x, range.low), range.high);
}

/* Whether all wins end before losses begin, or one of the two is missing. Finds the bracket between them. Where the
 * next komi after the last win cannot be won at all, that one is the other end, and the same at the first loss. */
static void find_bracket(const Trial *trials, int count, const EstimateConfig *config, CurveEstimate *curve,
                         Interval *bracket) {
    double last_win = -INFINITY, first_loss = INFINITY;
    for (int i = 0; i < count; i++) {
        curve->games += trials[i].games;
        if (trials[i].wins > 0)
            last_win = trials[i].x;
        if (trials[i].wins < trials[i].games)
            first_loss = fmin(first_loss, trials[i].x);
    }
    curve->one_sided = count > 0 && (isinf(last_win) || isinf(first_loss));
    if (curve->one_sided && last_win + ESTIMATE_NEIGHBOURS >= config->location_max)
        first_loss = last_win + ESTIMATE_NEIGHBOURS;
    if (curve->one_sided && first_loss - ESTIMATE_NEIGHBOURS <= config->location_min)
        last_win = first_loss - ESTIMATE_NEIGHBOURS;
    curve->separated = count > 0 && isfinite(last_win) && isfinite(first_loss) && last_win < first_loss;
    *bracket = (Interval){last_win, first_loss};
}

static void use_bracket(CurveEstimate *curve, Interval bracket) {
    curve->bracket_used = true;
    curve->ci95 = bracket;
    curve->estimate = (bracket.low + bracket.high) / 2;
}

/* Takes the bracket of a separated curve as its interval. As long as that holds too little of the posterior, moves the
 * end with more of the posterior beyond it to the next komi. Nothing is beyond where the fair komi can be. */
static void apply_bracket(const PosteriorLine *line, Interval bracket, const EstimateConfig *config,
                          CurveEstimate *curve) {
    for (;;) {
        const double below = bracket.low > config->location_min ? line_share_below(line, bracket.low) : 0;
        const double above = bracket.high < config->location_max ? 1 - line_share_below(line, bracket.high) : 0;
        if (below + above <= 1 - ESTIMATE_BRACKET_BELIEF)
            break;
        if (below > above)
            bracket.low -= ESTIMATE_NEIGHBOURS;
        else
            bracket.high += ESTIMATE_NEIGHBOURS;
    }
    use_bracket(curve, bracket);
}

/* The crossings of Firth's fit and of the isotonic curve. Changes `trials`: it pools them. */
static void run_checks(Trial *trials, int count, const EstimateConfig *config, CurveEstimate *curve) {
    curve->firth = curve->isotonic = curve->estimate;
    const LogisticFit fit = firth_fit(trials, count);
    if (fit.converged && fit.slope < 0) {
        const double crossing = -fit.intercept / fit.slope;
        curve->firth_defined = crossing >= config->location_min && crossing <= config->location_max;
        if (curve->firth_defined)
            curve->firth = crossing;
    }
    if (count > 0)
        curve->isotonic = isotonic_half(trials, isotonic_pool(trials, count), &curve->isotonic_defined);
}

/* Whether games show no more of an interval inside a bracket than the bracket. */
static bool is_step(double scale, Interval inner, Interval bracket) {
    const double distance = bracket.high - bracket.low;
    return inner.low >= bracket.low && inner.high <= bracket.high && scale < NEAR_STEP * distance &&
           inner.high - inner.low > BRACKET_SHARE * distance;
}

/* If the curve is a step between two neighbouring played komi values, takes their bracket. */
static void round_outward(const Trial *trials, int count, CurveEstimate *curve) {
    const Interval inner = curve->ci95;
    for (int i = 1; i < count; i++) {
        const Interval bracket = {trials[i - 1].x, trials[i].x};
        if (is_step(curve->shape.scale, inner, bracket))
            use_bracket(curve, bracket);
    }
}

static CurveEstimate estimate_curve(const Room *room, bool odd) {
    PosteriorLine line;
    Interval bracket;
    CurveEstimate curve = {.shape = posterior_shape(room->posterior, odd)};
    posterior_curve(room->posterior, odd, &line);
    const int places = collect_trials(room->data, room->count, odd, room->trials);
    for (int i = 0; i < room->count; i++)
        if (komi_has_button(room->data[i].komi) == odd)
            curve.effective_games += komi_data_effective(&room->data[i], room->data[i].games);
    curve.estimate = line_quantile(&line, 0.5);
    curve.ci95 = central(&line);
    find_bracket(room->trials, places, room->config, &curve, &bracket);
    if (curve.separated)
        apply_bracket(&line, bracket, room->config, &curve);
    else
        round_outward(room->trials, places, &curve);
    run_checks(room->trials, places, room->config, &curve);
    return curve;
}

/* The mean board margin and its error. Each game has the weight 4 p (1 - p), where p is Black's chance at its komi by
 * the model: open games count most. */
static void estimate_margin(const KomiData *data, int count, FairKomi *result) {
    const double scale = sqrt(result->even.shape.scale * result->odd.shape.scale);
    const CurveShape shape = {.scale = fmax(scale, MARGIN_REACH_MIN)};
    double games = 0, squared_games = 0, sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        const double location = komi_has_button(data[i].komi) ? result->odd.estimate : result->even.estimate;
        const double rate = shape_win_rate(shape, location - data[i].komi), weight = 4 * rate * (1 - rate);
        games += weight * data[i].margin_games;
        squared_games += weight * weight * data[i].margin_games * fmax(1, data[i].design_effect);
        sum += weight * data[i].board_margin_sum;
        squares += weight * data[i].board_margin_squares;
    }
    const double effective = squared_games > 0 ? games * games / squared_games : 0;
    result->margin = result->combined;
    if (effective < MARGIN_GAMES_MIN)
        return;
    result->margin = sum / games;
    const double variance = fmax(0, squares / games - result->margin * result->margin);
    const double bias = fmax(MARGIN_BIAS_MIN, MARGIN_BIAS * sqrt(variance));
    result->margin_error = sqrt(bias * bias + variance / effective);
    result->margin_games = effective;
}

static void multiply_by_margin(PosteriorLine *line, double margin, double error) {
    for (int i = 0; i < line->places; i++) {
        const double distance = (line->start + i * line->step - margin) / error;
        const double t = 1 + distance * distance / 3;
        line->weight[i] /= t * t;
    }
}

void estimate_combine_brackets(FairKomi *result) {
    const bool even = result->even.games > 0, odd = result->odd.games > 0;
    const CurveEstimate *a = even ? &result->even : &result->odd, *b = odd ? &result->odd : &result->even;
    result->by_model = result->combined;
    result->by_model_ci95 = result->combined_ci95;
    if (a->bracket_used || b->bracket_used)
        result->combined_ci95 = (Interval){(a->ci95.low + b->ci95.low) / 2, (a->ci95.high + b->ci95.high) / 2};
    result->combined = clamp(result->combined, result->combined_ci95);
    if (a->bracket_used && b->bracket_used)
        result->combined = (result->combined_ci95.low + result->combined_ci95.high) / 2;
}

/* The combined estimate of the curves that were played, with the margins. */
static void estimate_combined(const Room *room, FairKomi *result) {
    const bool even = result->even.games > 0, odd = result->odd.games > 0;
    PosteriorLine line;
    if (even != odd)
        posterior_curve(room->posterior, odd, &line);
    else
        posterior_middle(room->posterior, &line);
    result->combined = line_quantile(&line, 0.5);
    estimate_margin(room->data, room->count, result);
    if (result->margin_games > 0)
        multiply_by_margin(&line, result->margin, result->margin_error);
    result->combined = line_quantile(&line, 0.5);
    result->combined_ci95 = central(&line);
    estimate_combine_brackets(result);
}

/* The posterior of Black's chance at a komi: returns its mean. Writes its distribution to `line` unless that is NULL,
 * in as many bins as a line has. */
static double win_rate_at(const Posterior *posterior, int komi, PosteriorLine *line) {
    enum { BINS = 2 * POSTERIOR_PLACES };
    double mean = 0;
    if (line)
        *line = (PosteriorLine){.start = 0.5 / BINS, .step = 1.0 / BINS, .places = BINS};
    for (int s = 0; s < posterior->scales * posterior->lapses; s++)
        for (int i = 0; i < posterior->places; i++) {
            const double weight = komi_has_button(komi) ? posterior->odd[s][i] : posterior->even[s][i];
            if (weight < 1e-9)
                continue;
            const double ahead = posterior->start + i * posterior->step - komi;
            const double rate = shape_win_rate(posterior->shape[s], ahead);
            mean += weight * rate;
            if (line)
                line->weight[(int)(rate * BINS)] += weight;
        }
    return mean;
}

/* The komi of one parity in the range whose win rate is nearest to one half. The rate falls with komi. So the search
 * starts from the curve's estimate and moves on while the rate gets nearer to one half. False if no such komi may be
 * played. */
static bool most_even_komi(const Posterior *posterior, bool odd, double estimate, const EstimateConfig *config,
                           int *komi, double *distance) {
    int lowest, highest;
    if (!estimate_config_range(config, odd, &lowest, &highest))
        return false;
    const int steps = (int)floor(clamp((estimate - lowest) / 2, (Interval){0, (highest - lowest) / 2}) + 0.5);
    *komi = lowest + 2 * steps;
    const double rate = win_rate_at(posterior, *komi, NULL);
    const int direction = rate > 0.5 ? 2 : -2;
    *distance = fabs(rate - 0.5);
    while (*komi + direction >= lowest && *komi + direction <= highest) {
        const double next = fabs(win_rate_at(posterior, *komi + direction, NULL) - 0.5);
        if (next > *distance - 1e-9)
            break;
        *komi += direction;
        *distance = next;
    }
    return true;
}

static void recommend(const Posterior *posterior, const EstimateConfig *config, FairKomi *result) {
    int odd_komi;
    double distance = INFINITY, odd_distance;
    PosteriorLine line;
    most_even_komi(posterior, false, result->even.estimate, config, &result->recommended, &distance);
    if (most_even_komi(posterior, true, result->odd.estimate, config, &odd_komi, &odd_distance) &&
        odd_distance < distance - 1e-9)
        result->recommended = odd_komi;
    result->win_rate = win_rate_at(posterior, result->recommended, &line);
    result->win_rate_ci95 = central(&line);
}

void estimate_find_pair(FairKomi *result) {
    const bool even = result->even.games > 0, odd = result->odd.games > 0;
    const CurveEstimate *a = even ? &result->even : &result->odd, *b = odd ? &result->odd : &result->even;
    KomiEstimate pair;
    result->pair_known = (even || odd) && komi_brackets_join(fair_komi_curve(a), fair_komi_curve(b), &pair);
    if (!result->pair_known)
        return;
    result->black_wins_up_to = (int)pair.ci95.low;
    result->white_wins_from = (int)pair.ci95.high;
}

double estimate_rates_at(int komi, const PosteriorDraw *draws, double *rates) {
    const bool odd = komi_has_button(komi);
    double sum = 0;
    for (int n = 0; n < DRAWS; n++)
        sum += rates[n] = shape_win_rate(draws[n].shape[odd], draws[n].location[odd] - komi);
    return sum / DRAWS;
}

/* Whether games at a komi show that both sides have a chance there. */
static bool open_at(int komi, const PosteriorDraw *draws) {
    double rates[DRAWS];
    return fabs(estimate_rates_at(komi, draws, rates) - 0.5) < FAIREST_UNFAIR;
}

EstimateConfig estimate_fairest_range(const FairKomi *result, const PosteriorDraw *draws,
                                      const EstimateConfig *config) {
    EstimateConfig range = *config;
    if (!result->pair_known)
        return range;
    int lowest = result->black_wins_up_to, highest = result->white_wins_from;
    for (int i = 0; i < 2; i++) {
        const CurveEstimate *curve = i ? &result->odd : &result->even;
        for (int komi = (int)curve->ci95.low; curve->games > 0 && komi <= (int)curve->ci95.high; komi++)
            if ((komi < lowest || komi > highest) && open_at(komi, draws)) {
                lowest = komi < lowest ? komi : lowest;
                highest = komi > highest ? komi : highest;
            }
    }
    if (lowest >= config->komi_min)
        range.komi_min = lowest;
    if (highest <= config->komi_max)
        range.komi_max = highest;
    return range;
}

/* Whether the games of a curve stray further from it than they should, and by how much. */
static double dispersion(const Goodness *fit) {
    return fit->p < ESTIMATE_FIT_REFUSED && fit->deviance > fit->expected ? fit->deviance / fit->expected : 1;
}

static bool draw_posterior(const Room *room, Error *error) {
    if (!posterior_compute(room->posterior, false, room->data, room->count, room->config, error))
        return false;
    posterior_draw(room->posterior, DRAWS, room->draws);
    return true;
}

/* Computes the posterior and draws from it. Where games do not fit, their design effects are raised by the dispersion,
 * and all is computed again. Writes the fit of each curve, as it was at first. */
static bool fit_curves(const Room *room, Goodness fit[2], Error *error) {
    if (!draw_posterior(room, error))
        return false;
    for (int odd = 0; odd < 2; odd++)
        fit[odd] = goodness_of_fit(room->draws, DRAWS, odd, room->data, room->count);
    const double factor[2] = {dispersion(&fit[0]), dispersion(&fit[1])};
    if (factor[0] <= 1 && factor[1] <= 1)
        return true;
    for (int i = 0; i < room->count; i++) {
        KomiData *at = &room->data[i];
        at->design_effect = fmax(1, at->design_effect) * factor[komi_has_button(at->komi)];
    }
    return draw_posterior(room, error);
}

const char *const estimate_check_names[ESTIMATE_CHECKS] = {"Firth's penalised fit", "centred isotonic regression"};

bool estimate_check(const CurveEstimate *curve, int i, double *komi) {
    *komi = i == 0 ? curve->firth : curve->isotonic;
    return i == 0 ? curve->firth_defined : curve->isotonic_defined;
}

static void compare_curve(const CurveEstimate *curve, FairKomi *result) {
    double komi;
    for (int i = 0; i < ESTIMATE_CHECKS; i++) {
        if (!estimate_check(curve, i, &komi))
            continue;
        result->disagreement = fmax(result->disagreement, fabs(komi - curve->estimate));
        if (!interval_contains(curve->ci95, komi))
            result->checks_agree = false;
    }
}

void estimate_compare_checks(FairKomi *result) {
    result->disagreement = 0;
    result->checks_agree = true;
    compare_curve(&result->even, result);
    compare_curve(&result->odd, result);
}

static bool estimate(const Room *room, FairKomi *result, Error *error) {
    *result = (FairKomi){0};
    Goodness fit[2];
    if (!fit_curves(room, fit, error))
        return false;
    result->even = estimate_curve(room, false);
    result->odd = estimate_curve(room, true);
    result->even.fit = fit[0];
    result->odd.fit = fit[1];
    estimate_combined(room, result);
    estimate_find_pair(result);
    const EstimateConfig range = estimate_fairest_range(result, room->draws, room->config);
    recommend(room->posterior, &range, result);
    result->probability_count = fairest_komi(room->draws, DRAWS, &range, result->probabilities);
    estimate_compare_checks(result);
    return true;
}

bool estimate_with_draws(const KomiData *data, int count, const EstimateConfig *config, FairKomi *result,
                         PosteriorDraw *draws, Error *error) {
    Room room = {.config = config, .draws = draws, .count = count};
    const bool done = room_begin(&room, data, error) && estimate(&room, result, error);
    room_end(&room);
    return done;
}

bool estimate_draws(const KomiData *data, int count, const EstimateConfig *config, PosteriorDraw *draws, Error *error) {
    Room room = {.config = config, .draws = draws, .count = count};
    Goodness fit[2];
    const bool done = room_begin(&room, data, error) && fit_curves(&room, fit, error);
    room_end(&room);
    return done;
}

KomiEstimate fair_komi_curve(const CurveEstimate *curve) {
    return (KomiEstimate){curve->estimate, curve->ci95, curve->bracket_used};
}

KomiEstimate fair_komi_together(const FairKomi *fair) {
    return fair->pair_known ? komi_bracket((Interval){fair->black_wins_up_to, fair->white_wins_from})
                            : (KomiEstimate){.estimate = fair->combined, .ci95 = fair->combined_ci95};
}

bool fair_komi_gap(const FairKomi *fair, double *gap, Interval *ci95) {
    const CurveEstimate *even = &fair->even, *odd = &fair->odd;
    if (!(even->games > 0 && odd->games > 0) || even->bracket_used || odd->bracket_used)
        return false;
    *gap = even->estimate - odd->estimate;
    *ci95 = (Interval){*gap - hypot(even->estimate - even->ci95.low, odd->ci95.high - odd->estimate),
                       *gap + hypot(even->ci95.high - even->estimate, odd->estimate - odd->ci95.low)};
    return true;
}

bool estimate_fair_komi(const KomiData *data, int count, const EstimateConfig *config, FairKomi *result, Error *error) {
    PosteriorDraw *draws = malloc(sizeof *draws * DRAWS);
    const bool done = draws ? estimate_with_draws(data, count, config, result, draws, error)
                            : error_set(error, "out of memory for the estimate from %d komi values", count);
    free(draws);
    return done;
}
