/* See arms.h. */
#include "selfplay/stats/arms.h"

#include "selfplay/stats/arms_pool_internal.h"
#include "selfplay/stats/estimate_internal.h"

#include <stdlib.h>

const char ARMS_METHOD[] =
    "the maximum over first moves in each of 20000 joint draws (against the optimizer's curse, Smith and Winkler "
    "2006); "
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

static double height(const ArmsMaximum *maximum, const EstimateConfig *config) {
    const double *location = maximum->best.location;
    return (estimate_config_plays(config, false) ? location[0] : 0) +
           (estimate_config_plays(config, true) ? location[1] : 0);
}

typedef struct Height {
    double height;
    const ArmsMaximum *maximum;
} Height;

static int by_height(const void *left, const void *right) {
    const Height *a = left, *b = right;
    return a->height != b->height ? (a->height > b->height) - (a->height < b->height)
                                  : (a->maximum > b->maximum) - (a->maximum < b->maximum);
}

/* DRAWS of the maxima, spread systematically over them all. */
static void thin(const ArmsMaximum *maxima, const EstimateConfig *config, Height *order, PosteriorDraw *board) {
    const int share = ARMS_MAXIMA / DRAWS;
    for (int i = 0; i < ARMS_MAXIMA; i++)
        order[i] = (Height){height(&maxima[i], config), &maxima[i]};
    qsort(order, ARMS_MAXIMA, sizeof *order, by_height);
    for (int n = 0; n < DRAWS; n++)
        board[n] = order[n * share + share / 2].maximum->best;
}

/* How often each arm is the best. */
static void count_best(const ArmsMaximum *maxima, ArmsEstimate *result) {
    for (int i = 0; i < ARMS_MAXIMA; i++)
        for (int odd = 0; odd < 2; odd++)
            if (maxima[i].arm[odd] >= 0)
                result->arms[maxima[i].arm[odd]].probability[odd] += 1.0 / ARMS_MAXIMA;
}

static int most_probable(const ArmsEstimate *result, int odd) {
    int best = 0;
    for (int a = 1; a < result->count; a++)
        if (result->arms[a].probability[odd] > result->arms[best].probability[odd])
            best = a;
    return best;
}

static CurveEstimate *curve_of(FairKomi *fair, int odd) {
    return odd ? &fair->odd : &fair->even;
}

/* The curve of the best arm of a parity. Where that has no games there, it has those of all arms: the parity was
 * played. */
static CurveEstimate best_curve(const ArmsEstimate *result, int odd) {
    CurveEstimate best = *curve_of(&result->arms[result->best_of[odd]].fair, odd);
    const bool lacks_games = !(best.games > 0);
    for (int a = 0; lacks_games && a < result->count; a++)
        best.games += curve_of(&result->arms[a].fair, odd)->games;
    return best;
}

static void sum_up(const Arm *arms, const EstimateConfig *config, ArmsEstimate *result, const PosteriorDraw *board) {
    const bool even = estimate_config_plays(config, false), odd = estimate_config_plays(config, true);
    /* The board's curves are those of the games, like the arms': to replace an estimate twice would widen it twice. */
    for (int parity = 0; parity < 2; parity++)
        result->best_of[parity] = most_probable(result, parity);
    result->board = result->arms[result->best_of[0]].fair;
    for (int parity = 0; parity < 2; parity++)
        *curve_of(&result->board, parity) = best_curve(result, parity);
    for (int a = 0; a < result->count; a++) {
        ArmEstimate *arm = &result->arms[a];
        const EstimateConfig own = arm_config(&arms[a], config);
        estimate_replace(&arm->fair, result->draws + a * DRAWS, &own);
        arm->share = even && odd ? (arm->probability[0] + arm->probability[1]) / 2 : arm->probability[odd];
        if (arm->share > result->arms[result->best].share)
            result->best = a;
    }
    estimate_replace(&result->board, board, config);
}

/* What a run of arms_estimate works with. */
typedef struct Room {
    PosteriorDraw *alone, *board;
    ArmsMaximum *maxima;
    Height *order;
} Room;

static bool room_begin(Room *room, size_t draws) {
    *room = (Room){.alone = malloc(draws * sizeof *room->alone),
                   .board = malloc(DRAWS * sizeof *room->board),
                   .maxima = malloc(ARMS_MAXIMA * sizeof *room->maxima),
                   .order = malloc(ARMS_MAXIMA * sizeof *room->order)};
    return room->alone && room->board && room->maxima && room->order;
}

static void room_end(Room *room) {
    free(room->alone);
    free(room->board);
    free(room->maxima);
    free(room->order);
}

bool arms_estimate(const Arm *arms, int count, const EstimateConfig *config, ArmsEstimate *result, Error *error) {
    const size_t draws = (size_t)count * DRAWS;
    Room room;
    *result = (ArmsEstimate){.count = count,
                             .arms = calloc((size_t)count, sizeof *result->arms),
                             .draws = malloc(draws * sizeof *result->draws)};
    bool good = room_begin(&room, draws) && result->arms && result->draws;
    if (!good)
        error_set(error, "out of memory for %d first moves", count);
    good = good && estimate_alone(arms, count, config, result->arms, room.alone, error) &&
           arms_pool(arms, room.alone, count, config, result->draws, room.maxima, error);
    if (good) {
        count_best(room.maxima, result);
        thin(room.maxima, config, room.order, room.board);
        sum_up(arms, config, result, room.board);
    }
    room_end(&room);
    return good;
}

void arms_free(ArmsEstimate *estimate) {
    free(estimate->arms);
    free(estimate->draws);
    *estimate = (ArmsEstimate){0};
}
