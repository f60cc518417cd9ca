/* The posterior of the fair komi on a grid.
 *
 * The model. Black's chance at komi K is  lapse/2 + (1 - lapse) * logistic((location - K) / scale): a sigmoid of komi
 * (as SAI found for Go, arXiv 1809.03928 and 1905.10863) with a small lapse for games that a slip decides, so that one
 * upset far from the fair komi does not flatten the curve. Even komi and odd komi (with the button) have a location
 * each and share the shape (scale, lapse), as the same players play both.
 *
 * The prior. Even location: Student-t with 3 degrees of freedom, weak and heavy-tailed, so that a wrong guess is given
 * up quickly. Odd minus even location: Laplace with a scale of BUTTON_SCALE points, for the button is worth about half
 * a point, so each curve informs the other. Scale: flat in its logarithm from a practical step (0.05 points) to 20
 * points or a tenth of the location range. Lapse: three values, equally likely.
 *
 * The grid follows the posterior: the whole location range is looked at coarsely and with few shapes, then only what
 * holds mass more and more finely (steps are powers of two, so every komi is a grid place and one table of
 * log-probabilities by distance serves all komi values of a shape). This is the grid posterior of the Psi method
 * (Kontsevich and Tyler 1999) and QUEST+ (Watson 2017). */
#ifndef STIGMERGY_SELFPLAY_STATS_POSTERIOR_H
#define STIGMERGY_SELFPLAY_STATS_POSTERIOR_H

#include "engine/base/error.h"
#include "selfplay/stats/interval.h"
#include "selfplay/stats/komi_data.h"

enum { SCALES = 36, LAPSES = 3, SHAPES = SCALES * LAPSES, PLACES = 128 };

typedef struct Shape {
    double scale, lapse;
} Shape;

/* Place i of the grid is the location start + i * step. Weights sum to 1 over shapes and places. */
typedef struct Posterior {
    int places, shapes;
    double start, step;
    Shape shape[SHAPES];
    double even[SHAPES][PLACES], odd[SHAPES][PLACES]; /* of (shape, location), each summed over the other curve */
    double middle[2 * PLACES]; /* of the midpoint of both locations; entry k is the place start + k * step / 2 */
} Posterior;

/* A weighted line of places, for quantiles. */
typedef struct Line {
    double start, step;
    int places;
    double weight[2 * PLACES]; /* any positive total */
} Line;

/* False, with `error` set, where data or configuration make no sense. */
bool posterior_check(const KomiData *data, int count, const EstimateConfig *config, Error *error);

/* Computes the posterior of checked data into `posterior` (some 220 kB, the caller's). A rough one has a coarse set of
 * shapes and no `middle`, in a quarter of the time. False, with `error` set, when memory is short. */
bool posterior_compute(Posterior *posterior, bool rough, const KomiData *data, int count, const EstimateConfig *config,
                       Error *error);

/* Black's chance where the fair komi lies `ahead` points above the komi played. */
double shape_win_rate(Shape shape, double ahead);

/* The marginals of one curve's location and of the midpoint. */
void posterior_curve(const Posterior *posterior, bool odd, Line *line);
void posterior_middle(const Posterior *posterior, Line *line);

/* The geometric mean of the scale, and the mean of the lapse. */
Shape posterior_shape(const Posterior *posterior);

/* The place below which the share q of the weight lies, and the share below place x; the weight of a place is spread
 * evenly over half a step to either side. */
double line_quantile(const Line *line, double q);
double line_share_below(const Line *line, double x);

#endif
