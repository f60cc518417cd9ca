/* See best_move.h. */
#include "selfplay/stats/best_move.h"

#include <math.h>

enum { PLACES = BELIEF_FACTORS, STANDINGS = 32 /* places that stand for what is believed of the position */ };
static const double LOG_NOTHING = -700; /* of a chance that is too small to tell from none */

/* ---- A position ---- */

/* Student's t with 3 degrees of freedom, without its constant. */
static double student(double distance) {
    const double tail = 1 + distance * distance / 3;
    return 1 / (tail * tail);
}

/* Its distribution function. */
static double student_below(double t) {
    const double pi = 3.14159265358979323846, x = t / sqrt(3);
    return 0.5 + (x / (1 + x * x) + atan(x)) / pi;
}

double best_move_gap(int count) {
    const double wanted = pow(0.5, 1.0 / count);
    double low = 0, high = 1000;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (student_below(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Places around a middle, as far as the limit goes, the steps between which grow with the distance. */
static void set_places(BestMove *best, double middle, double width, double limit) {
    const double reach = asinh((limit + fabs(middle)) / width);
    for (int i = 0; i <= PLACES; i++) {
        best->edge[i] = middle + width * sinh(reach * (2.0 * i / PLACES - 1));
        if (i > 0)
            best->place[i - 1] = 0.5 * (best->edge[i - 1] + best->edge[i]);
    }
}

static double cell(const BestMove *best, int place) {
    return best->edge[place + 1] - best->edge[place];
}

static void set_prior(BestMove *best, double centre) {
    double sum = 0;
    for (int i = 0; i < PLACES; i++)
        sum += best->prior[i] = student((best->place[i] - centre) / best->model.spread) * cell(best, i);
    for (int i = 0; i < PLACES; i++)
        best->prior[i] /= sum;
}

/* The belief of the position, each place of it spread out by the error. */
static void set_weight(BestMove *best, const double at[STANDINGS]) {
    for (int i = 0; i < PLACES; i++) {
        best->weight[i] = 0;
        for (int k = 0; k < STANDINGS; k++)
            best->weight[i] += student((best->place[i] - at[k]) / best->model.error);
    }
}

void best_move_begin(BestMove *best, const KomiBelief *position, int moves, bool large, double limit,
                     const MoveModel *model) {
    double at[STANDINGS];
    *best = (BestMove){.model = *model, .sign = large ? 1 : -1};
    for (int k = 0; k < STANDINGS; k++)
        at[k] = best->sign * komi_belief_quantile(position, (k + 0.5) / STANDINGS);
    const double mean = best->sign * komi_belief_mean(position);
    set_places(best, mean, 0.5 * (model->error + fabs(at[3 * STANDINGS / 4] - at[STANDINGS / 4])), limit);
    set_prior(best, mean - model->spread * best_move_gap(moves));
    set_weight(best, at);
}

/* ---- Moves ---- */

/* How much of a place lies within bounds; for an exact move its chance by point. */
static double share_within(const BestMove *best, int place, Interval bounds) {
    const double low = best->sign > 0 ? bounds.low : -bounds.high, high = best->sign > 0 ? bounds.high : -bounds.low;
    const double from = best->edge[place], to = best->edge[place + 1];
    if (low == high)
        return low >= from && low < to ? 1 / (to - from) : 0;
    return fmax(0, fmin(high, to) - fmax(low, from)) / (to - from);
}

/* below[i] becomes the chance that a move is at most at place i. Returns the log of the probability of its games. A
 * curve that is steeper than places are wide is taken to be as wide as they are, so that it is not missed between two
 * of them. */
static double distribution(const BestMove *best, const MoveGames *games, double below[PLACES]) {
    double most = -INFINITY, sum = 0;
    for (int i = 0; i < PLACES; i++) {
        const BeliefCurve curve = {fmax(best->model.curve.scale, cell(best, i) / 2), best->model.curve.lapse};
        below[i] = komi_log_likelihood(best->sign * best->place[i], games->results, games->count, curve);
        most = fmax(most, below[i]);
    }
    for (int i = 0; i < PLACES; i++)
        below[i] = sum += exp(below[i] - most) * best->prior[i] * share_within(best, i, games->bounds);
    for (int i = 0; i < PLACES; i++)
        below[i] = sum > 0 ? below[i] / sum : 1;
    return sum > 0 ? most + log(sum) : LOG_NOTHING;
}

static double log_of(double chance) {
    return chance > 0 ? fmax(LOG_NOTHING, log(chance)) : LOG_NOTHING;
}

void best_move_add(BestMove *best, const MoveGames *games) {
    double below[PLACES];
    best->log_games += distribution(best, games, below);
    for (int i = 0; i < PLACES; i++)
        best->log_below[i] += log_of(below[i]);
    best->moves++;
}

double best_move_evidence(const BestMove *best) {
    return best->log_games;
}

/* The mean weight of the best move by the places below which all moves are. */
static double mean_weight(const BestMove *best, const double log_below[PLACES]) {
    double mean = 0, before = 0;
    for (int i = 0; i < PLACES; i++) {
        const double below = exp(log_below[i]);
        mean += best->weight[i] * (below - before);
        before = below;
    }
    return mean;
}

double best_move_error_evidence(const BestMove *best) {
    double log_below[PLACES], below = 0;
    for (int i = 0; i < PLACES; i++)
        log_below[i] = best->moves * log(below += best->prior[i]);
    return log_of(mean_weight(best, best->log_below)) - log_of(mean_weight(best, log_below));
}

/* ---- Beliefs ---- */

/* The belief by the logs of weights of the places, which the prior goes into, and by games. */
static void believe(const BestMove *best, const double log_weight[PLACES], const MoveGames *games, KomiBelief *belief) {
    BeliefFactor factor = {.sign = best->sign};
    const BeliefPrior prior = {.scale = INFINITY, .bounds = games->bounds, .factor = &factor};
    for (int i = 0; i < PLACES; i++) {
        factor.place[i] = best->place[i];
        factor.log_weight[i] = log_weight[i] + log(best->prior[i] / cell(best, i));
    }
    komi_belief(belief, games->results, games->count, best->model.curve, &prior);
}

void best_move_alone(const BestMove *best, const MoveGames *games, KomiBelief *belief) {
    const double alike[PLACES] = {0};
    believe(best, alike, games, belief);
}

void best_move_belief(const BestMove *best, const MoveGames *games, KomiBelief *belief) {
    double below[PLACES], log_weight[PLACES], others = 1, beyond = 0; /* beyond: the mean over M beyond a place */
    distribution(best, games, below);
    for (int i = PLACES - 1; i >= 0; i--) {
        const double here = exp(fmin(0, best->log_below[i] - log_of(below[i])));
        if (i < PLACES - 1)
            beyond += best->weight[i + 1] * fmax(0, others - here);
        others = here;
        log_weight[i] = log_of(best->weight[i] * here + beyond);
    }
    believe(best, log_weight, games, belief);
}

/* ---- Learning ---- */

static const Ladder LADDERS[MOVE_MODEL_PARAMETERS] = {{0.05, 20}, {0.001, 0.12}, {0.25, 8}, {0.125, 8}};

double *move_model_parameter(MoveModel *model, int number) {
    double *const parameters[MOVE_MODEL_PARAMETERS] = {&model->curve.scale, &model->curve.lapse, &model->spread,
                                                       &model->error};
    return parameters[number];
}

Ladder move_model_ladder(int number) {
    return LADDERS[number];
}

Ladder move_model_finer(int number, double value) {
    const Ladder all = LADDERS[number];
    const double step = pow(all.high / all.low, 1.0 / (LADDER_STEPS - 1));
    return (Ladder){fmax(all.low, value / step), fmin(all.high, value * step)};
}

double ladder_candidate(Ladder ladder, int step) {
    return ladder.low * pow(ladder.high / ladder.low, (double)step / (LADDER_STEPS - 1));
}

double ladder_mean(Ladder ladder, const double evidence[LADDER_STEPS]) {
    double most = evidence[0], sum = 0, log_sum = 0;
    for (int i = 1; i < LADDER_STEPS; i++)
        most = fmax(most, evidence[i]);
    for (int i = 0; i < LADDER_STEPS; i++) {
        const double weight = exp(evidence[i] - most);
        sum += weight;
        log_sum += weight * log(ladder_candidate(ladder, i));
    }
    return exp(log_sum / sum);
}

MoveModel move_model_default(void) {
    const double unknown[LADDER_STEPS] = {0};
    MoveModel model;
    for (int i = 0; i < MOVE_MODEL_PARAMETERS; i++)
        *move_model_parameter(&model, i) = ladder_mean(LADDERS[i], unknown);
    return model;
}
