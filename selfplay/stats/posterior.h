/* The posterior of the fair komi on a grid.
 *
 * The model. Black's chance at komi K is  lapse/2 + (1 - lapse) * logistic((location - K) / scale). This is a sigmoid
 * of komi (as SAI found for Go, arXiv 1809.03928 and 1905.10863). The small lapse stands for games that a slip decides.
 * With it, one upset far from the fair komi does not flatten the curve. Even komi and odd komi (with the button) each
 * have their own location. They share the shape (scale, lapse), because the same players play both.
 *
 * The prior. Even location: Student-t with 3 degrees of freedom. It is weak and heavy-tailed, so the data soon outweigh
 * a wrong guess. Odd minus even location: Laplace with a scale of BUTTON_SCALE points. The button is worth about half a
 * point, so each curve informs the other. Scale: flat in its logarithm, from nearly a step (0.05 points) to 20 points
 * or a tenth of the location range. Lapse: three values, equally likely.
 *
 * The grid follows the posterior. A first pass covers the whole location range coarsely and with few shapes. Later
 * passes cover only the range that holds mass, in finer and finer steps. Steps are powers of two, so every komi is a
 * place of the grid. So one table of log-probabilities by distance serves all komi values of a shape. This is the grid
 * posterior of the Psi method (Kontsevich and Tyler 1999) and QUEST+ (Watson 2017). */
#ifndef STIGMERGY_SELFPLAY_STATS_POSTERIOR_H
#define STIGMERGY_SELFPLAY_STATS_POSTERIOR_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"
#include "selfplay/stats/komi_data.h"

enum { SCALES = 36, LAPSES = 3, SHAPES = SCALES * LAPSES, PLACES = 128 };

typedef struct Shape {
    double scale, lapse;
} Shape;

/* Place i of the grid is the location start + i * step. The weights sum to 1 over shapes and places. */
typedef struct Posterior {
    int places, shapes;
    double start, step;
    Shape shape[SHAPES];
    double even[SHAPES][PLACES], odd[SHAPES][PLACES]; /* by (shape, location), each summed over the other curve */
    double middle[2 * PLACES]; /* by the midpoint of both locations: entry k is the place start + k * step / 2 */
} Posterior;

/* A line of places with weights, for quantiles. */
typedef struct Line {
    double start, step;
    int places;
    double weight[2 * PLACES]; /* any positive total */
} Line;

/* False, with `error` set, if the data or the configuration make no sense. */
bool posterior_check(const KomiData *data, int count, const EstimateConfig *config, Error *error);

/* Computes the posterior of checked data into `posterior` (about 220 kB, owned by the caller). A rough one has a coarse
 * set of shapes and no `middle`, and takes a quarter of the time. False, with `error` set, without memory. */
bool posterior_compute(Posterior *posterior, bool rough, const KomiData *data, int count, const EstimateConfig *config,
                       Error *error);

/* Black's chance if the fair komi is `ahead` points above the komi that is played. */
double shape_win_rate(Shape shape, double ahead);

/* The marginal distributions of one curve's location, and of the midpoint. */
void posterior_curve(const Posterior *posterior, bool odd, Line *line);
void posterior_middle(const Posterior *posterior, Line *line);

/* The geometric mean of the scale, and the mean of the lapse. */
Shape posterior_shape(const Posterior *posterior);

/* line_quantile gives the place below which the share q of the weight lies, line_share_below the share below place x.
 * The weight of a place is spread evenly over half a step on each side. */
double line_quantile(const Line *line, double q);
double line_share_below(const Line *line, double x);

#endif
