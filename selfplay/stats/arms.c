/* See arms.h. */
#include "selfplay/stats/arms.h"

#include "selfplay/stats/arms_pool_internal.h"
#include "selfplay/stats/estimate_internal.h"

#include <stdlib.h>

const char ARMS_METHOD[] =
    "the maximum over first moves in each of 1000 joint draws (against the optimizer's curse, Smith and Winkler 2006); "
    "each first move: all games count, equal ones of a player without chance as one (design effect), grid posterior of "
    "a logistic with two free lapses for each parity; pooled over first moves in two stages (Lunn et al. 2013), some "
    "of which may be far ahead (Box and Tiao 1968), around what the players' search guesses of each, as far as the "
    "games confirm it (Fay and Herriot 1979); games by top-two Thompson sampling (Russo 2020); brackets on steps; no "
    "margins; fits and checks: the best first move";

enum { DRAWS = POSTERIOR_DRAWS_MAX };

/* The estimates of the arms alone, and draws from them. */
static bool estimate_alone(const Arm *arms, int count, const EstimateConfig *config, ArmEstimate *out,
                           PosteriorDraw *draws, Error *error) {
    for (int a = 0; a < count; a++) {
        const EstimateConfig own = arm_config(&arms[a], config);
        if (!estimate_with_draws(arms[a].data, arms[a].count, &own, &out[a].fair, draws + a * DRAWS, error))
            return false;
    }
    return true;
}

/* The best arm of a draw at one parity; -1 where none is a first move. */
static int best_of_draw(const Arm *arms, int count, const PosteriorDraw *draws, bool odd, int n) {
    int best = -1;
    for (int a = 0; a < count; a++)
        if (arms[a].legal[odd] &&
            (best < 0 || draws[a * DRAWS + n].location[odd] > draws[best * DRAWS + n].location[odd]))
            best = a;
    return best;
}

/* Fills in the maximum of each draw at one parity, and the probabilities of the arms. */
static void take_maxima(const Arm *arms, ArmsEstimate *result, bool odd, PosteriorDraw *board) {
    for (int n = 0; n < DRAWS; n++) {
        const int best = best_of_draw(arms, result->count, result->draws, odd, n);
        const PosteriorDraw *draw = &result->draws[(best < 0 ? 0 : best) * DRAWS + n];
        board[n].location[odd] = draw->location[odd];
        board[n].shape[odd] = draw->shape[odd];
        if (best >= 0)
            result->arms[best].probability[odd] += 1.0 / DRAWS;
    }
}

static int most_probable(const ArmsEstimate *result, int odd) {
    int best = 0;
    for (int a = 1; a < result->count; a++)
        if (result->arms[a].probability[odd] > result->arms[best].probability[odd])
            best = a;
    return best;
}

static void sum_up(const Arm *arms, const EstimateConfig *config, ArmsEstimate *result, PosteriorDraw *board) {
    take_maxima(arms, result, false, board);
    take_maxima(arms, result, true, board);
    for (int a = 0; a < result->count; a++) {
        ArmEstimate *arm = &result->arms[a];
        const EstimateConfig own = arm_config(&arms[a], config);
        estimate_replace(&arm->fair, result->draws + a * DRAWS, DRAWS, &own);
        arm->share = config->even && config->odd ? (arm->probability[0] + arm->probability[1]) / 2
                                                 : arm->probability[config->odd];
        if (arm->share > result->arms[result->best].share)
            result->best = a;
    }
    result->board = result->arms[most_probable(result, 0)].fair;
    result->board.odd = result->arms[most_probable(result, 1)].fair.odd;
    estimate_replace(&result->board, board, DRAWS, config);
}

bool arms_estimate(const Arm *arms, int count, const EstimateConfig *config, ArmsEstimate *result, Error *error) {
    const size_t draws = (size_t)count * DRAWS;
    PosteriorDraw *alone = malloc(draws * sizeof *alone), *board = malloc(DRAWS * sizeof *board);
    *result = (ArmsEstimate){.count = count,
                             .arms = calloc((size_t)count, sizeof *result->arms),
                             .draws = malloc(draws * sizeof *result->draws)};
    bool good = alone && board && result->arms && result->draws;
    if (!good)
        error_set(error, "out of memory for %d first moves", count);
    good = good && estimate_alone(arms, count, config, result->arms, alone, error) &&
           arms_pool(arms, alone, count, config, result->draws, error);
    if (good)
        sum_up(arms, config, result, board);
    free(board);
    free(alone);
    return good;
}

void arms_free(ArmsEstimate *estimate) {
    free(estimate->arms);
    free(estimate->draws);
    *estimate = (ArmsEstimate){0};
}
