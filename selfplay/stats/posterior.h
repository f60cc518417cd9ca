/* The posterior of the fair komi on a grid.
 *
 * The model. Black's chance at komi K is
 *     lapse_low + (1 - lapse_low - lapse_high) * logistic((centre - K) / scale),
 * a sigmoid of komi (as SAI found for Go, arXiv 1809.03928 and 1905.10863). The lapses stand for games that a slip
 * decides: at high komi Black still wins lapse_low of the games, at low komi White still wins lapse_high of them. They
 * differ, because one side's task may be the harder one. The *location* of a curve is the komi at which Black's chance
 * is one half: that is the fair komi, and it differs from `centre` where the lapses differ. Even komi and odd komi
 * (with the button) are two games. Each has a location, a scale and lapses of its own.
 *
 * The prior. Even location: Student-t with 3 degrees of freedom. It is weak and heavy-tailed, so the data soon outweigh
 * a wrong guess. Odd minus even location: Laplace with a scale of BUTTON_SCALE (1) points. The button is worth about
 * half a point, so each curve informs the other. Scale: flat in its logarithm, from nearly a step (0.05 points) to 20
 * points or a tenth of the location range, whichever is more. The ratio of both scales: Cauchy in its logarithm, with a
 * scale of SLOPE_SCALE (1). The same players play both games, so their slopes are pooled where there are few games, and
 * with these heavy tails go apart where the games ask for it. Each lapse: POSTERIOR_LAPSE_LEVELS values from 0.001 to
 * 0.12, the small ones more likely.
 *
 * The likelihood is that of independent games, with the counts of each komi divided by its design effect.
 *
 * The grid follows the posterior. A first pass covers the whole location range coarsely and with few shapes. Later
 * passes cover only the range that holds mass, in finer and finer steps, and the last one only the scales that do. With
 * many games the few lapses of the first passes can lead astray: then the last pass moves to where the mass is, and
 * takes finer scales. Steps are powers of two, so every komi is a place of the grid. So one table of log-probabilities
 * by distance serves all komi values of a shape. This is the grid posterior of the Psi method (Kontsevich and Tyler
 * 1999) and QUEST+ (Watson 2017); both lapses are free as in Wichmann and Hill (2001). */
#ifndef STIGMERGY_SELFPLAY_STATS_POSTERIOR_H
#define STIGMERGY_SELFPLAY_STATS_POSTERIOR_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"
#include "selfplay/stats/komi_data.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    POSTERIOR_SCALES = 16,
    POSTERIOR_LAPSE_LEVELS = 4,
    POSTERIOR_LAPSES = POSTERIOR_LAPSE_LEVELS * POSTERIOR_LAPSE_LEVELS, /* pairs */
    POSTERIOR_SHAPES = POSTERIOR_SCALES * POSTERIOR_LAPSES,
    POSTERIOR_PLACES = 128,
    POSTERIOR_DRAWS_MAX = 1000
};

typedef struct CurveShape {
    double scale;                 /* in points */
    double lapse_low, lapse_high; /* Black's chance at very high komi; White's at very low komi */
} CurveShape;

/* Place i of the grid is the location start + i * step. Shape a * lapses + l has the scale number a and the pair of
 * lapses number l. The weights of each curve sum to 1 over shapes and places. */
typedef struct Posterior {
    int places, scales, lapses;
    double start, step;
    CurveShape shape[POSTERIOR_SHAPES];
    double prior[POSTERIOR_SHAPES]; /* of the lapses */
    /* By (shape, location), each summed over the other curve. */
    double even[POSTERIOR_SHAPES][POSTERIOR_PLACES], odd[POSTERIOR_SHAPES][POSTERIOR_PLACES];
    /* By the midpoint of both locations: entry k is the place start + k * step / 2. */
    double middle[2 * POSTERIOR_PLACES];
    /* For posterior_draw: how both scales go together, the odd curve's own weights by (scale, location), and these
     * spread along the locations by the prior of the button. */
    double pooling[POSTERIOR_SCALES][POSTERIOR_SCALES], odd_own[POSTERIOR_SCALES][POSTERIOR_PLACES],
        odd_spread[POSTERIOR_SCALES][POSTERIOR_PLACES];
} Posterior;

/* A line of places with weights, for quantiles. */
typedef struct PosteriorLine {
    double start, step;
    int places;
    double weight[2 * POSTERIOR_PLACES]; /* any positive total */
} PosteriorLine;

/* A pair of curves. */
typedef struct PosteriorDraw {
    double location[2]; /* even, odd */
    CurveShape shape[2];
    double button_prior; /* the prior density of what the odd location is above the even one, up to a factor */
} PosteriorDraw;

/* False, with `error` set, if the data or the configuration make no sense. */
bool posterior_check(const KomiData *data, int count, const EstimateConfig *config, Error *error);

/* Computes the posterior of checked data into `posterior` (about 600 kB, owned by the caller). A rough one has a coarse
 * set of shapes and neither `middle` nor draws, and takes a fraction of the time. False, with `error` set, without
 * memory. */
bool posterior_compute(Posterior *posterior, bool rough, const KomiData *data, int count, const EstimateConfig *config,
                       Error *error);

/* Draws `count` (at most POSTERIOR_DRAWS_MAX) pairs of curves from a posterior that is not rough. The same posterior
 * gives the same pairs. The even curves are spread systematically over the posterior, so their shares are exact to 1 /
 * count. */
void posterior_draw(const Posterior *posterior, int count, PosteriorDraw *draws);

/* The prior weight of an odd location that is `steps` steps of the grid away from the even one. */
double posterior_button_prior(const Posterior *posterior, int steps);

/* Black's chance if the fair komi is `ahead` points above the komi that is played. */
double shape_win_rate(CurveShape shape, double ahead);

/* The marginal distributions of one curve's location, and of the midpoint. */
void posterior_curve(const Posterior *posterior, bool odd, PosteriorLine *line);
void posterior_middle(const Posterior *posterior, PosteriorLine *line);

/* Of one curve: the geometric mean of the scale, and the means of the lapses. */
CurveShape posterior_shape(const Posterior *posterior, bool odd);

/* line_quantile gives the place below which the share q of the weight lies, line_share_below the share below place x.
 * The weight of a place is spread evenly over half a step on each side. */
double line_quantile(const PosteriorLine *line, double q);
double line_share_below(const PosteriorLine *line, double x);

#ifdef __cplusplus
}
#endif

#endif
