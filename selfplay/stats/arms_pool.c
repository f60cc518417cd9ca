/* See arms_pool_internal.h. */
#include "selfplay/stats/arms_pool_internal.h"

#include "engine/base/rng.h"

#include <math.h>
#include <stdlib.h>

enum {
    DRAWS = POSTERIOR_DRAWS_MAX,
    CENTRES = 41,
    SPREADS = 8,
    COMMON_SCALES = 12,
    CELLS = CENTRES * SPREADS * COMMON_SCALES,
    STRIDE = 4 /* every 4th draw is enough for the evidence */
};

static const double SPREAD_MIN = 0.1; /* in points; each next spread is twice as large */
static const double COMMON_MIN = 0.05, COMMON_MAX = 20;
/* How far the scales of arms lie apart, in the logarithm. */
static const double SCALE_SPREAD = 0.5;

/* What all arms have in common: a grid of centres, spreads and scales, with the probability of each cell. */
typedef struct Pool {
    const EstimateConfig *config;
    double lowest, step; /* of the centres */
    double probability[CELLS];
} Pool;

static double centre_of(const Pool *pool, int cell) {
    return pool->lowest + cell / (SPREADS * COMMON_SCALES) * pool->step;
}

static double spread_of(int cell) {
    return ldexp(SPREAD_MIN, cell / COMMON_SCALES % SPREADS);
}

/* The logarithm of a common scale. */
static double scale_of(int cell) {
    return log(COMMON_MIN) + log(COMMON_MAX / COMMON_MIN) * (cell % COMMON_SCALES) / (COMMON_SCALES - 1);
}

/* By how much the common prior of a cell exceeds the prior that a draw was made with, up to a constant factor. The
 * first function is about its location, the second one about its scale. */
static double location_weight(const Pool *pool, int cell, const PosteriorDraw *draw) {
    const double spread = spread_of(cell), distance = (draw->location[0] - centre_of(pool, cell)) / spread;
    const double t = 1 + distance * distance / 3;
    return 1 / (spread * t * t * posterior_location_prior(pool->config, draw->location[0]));
}

static double scale_weight(int cell, const PosteriorDraw *draw) {
    const double own = log(draw->shape[0].scale * draw->shape[1].scale) / 2;
    const double distance = (own - scale_of(cell)) / SCALE_SPREAD;
    return 1 / (1 + distance * distance);
}

/* Adds the log of the evidence that an arm gives each cell. */
static void add_evidence(const Pool *pool, const PosteriorDraw *draws, double *evidence) {
    double by_scale[COMMON_SCALES][DRAWS / STRIDE];
    for (int s = 0; s < COMMON_SCALES; s++)
        for (int n = 0; n < DRAWS / STRIDE; n++)
            by_scale[s][n] = scale_weight(s, &draws[n * STRIDE]);
    for (int first = 0; first < CELLS; first += COMMON_SCALES) {
        double sum[COMMON_SCALES] = {0};
        for (int n = 0; n < DRAWS / STRIDE; n++) {
            const double weight = location_weight(pool, first, &draws[n * STRIDE]);
            for (int s = 0; s < COMMON_SCALES; s++)
                sum[s] += weight * by_scale[s][n];
        }
        for (int s = 0; s < COMMON_SCALES; s++)
            evidence[first + s] += log(sum[s]);
    }
}

/* Sets the grid: centres from the lowest mean of an arm to the highest. */
static void set_grid(Pool *pool, const PosteriorDraw *alone, int count) {
    double lowest = INFINITY, highest = -INFINITY;
    for (int a = 0; a < count; a++) {
        double mean = 0;
        for (int n = 0; n < DRAWS; n++)
            mean += alone[a * DRAWS + n].location[0] / DRAWS;
        lowest = fmin(lowest, mean);
        highest = fmax(highest, mean);
    }
    pool->lowest = lowest - 1;
    pool->step = (highest - lowest + 2) / (CENTRES - 1);
}

static void set_probabilities(Pool *pool, const PosteriorDraw *alone, int count) {
    double *evidence = pool->probability, most = -INFINITY, sum = 0;
    for (int cell = 0; cell < CELLS; cell++)
        evidence[cell] = log(posterior_location_prior(pool->config, centre_of(pool, cell)));
    for (int a = 0; a < count; a++)
        add_evidence(pool, alone + a * DRAWS, evidence);
    for (int cell = 0; cell < CELLS; cell++)
        most = fmax(most, evidence[cell]);
    for (int cell = 0; cell < CELLS; cell++)
        sum += pool->probability[cell] = exp(evidence[cell] - most);
    for (int cell = 0; cell < CELLS; cell++)
        pool->probability[cell] /= sum;
}

/* below[n] becomes the weight of the draws of an arm up to n. */
static void weigh(const Pool *pool, int cell, const PosteriorDraw *draws, double *below) {
    double sum = 0;
    for (int n = 0; n < DRAWS; n++)
        below[n] = sum += location_weight(pool, cell, &draws[n]) * scale_weight(cell, &draws[n]);
}

static int pick(const double *below, double share) {
    int low = 0, high = DRAWS - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (below[middle] < share * below[DRAWS - 1])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Draws cells systematically, and a draw of each arm for each of them. */
static void draw(const Pool *pool, const PosteriorDraw *alone, int count, double *below, PosteriorDraw *pooled) {
    Rng rng = rng_seed(3);
    double passed = pool->probability[0];
    for (int n = 0, cell = 0, weighed = -1; n < DRAWS; n++) {
        while (cell + 1 < CELLS && passed < (n + 0.5) / DRAWS)
            passed += pool->probability[++cell];
        for (int a = 0; a < count; a++) {
            if (weighed != cell)
                weigh(pool, cell, alone + a * DRAWS, below + a * DRAWS);
            pooled[a * DRAWS + n] = alone[a * DRAWS + pick(below + a * DRAWS, rng_unit(&rng))];
        }
        weighed = cell;
    }
}

bool arms_pool(const PosteriorDraw *alone, int count, const EstimateConfig *config, PosteriorDraw *pooled,
               Error *error) {
    Pool *pool = malloc(sizeof *pool);
    double *below = malloc((size_t)count * DRAWS * sizeof *below);
    const bool good = pool && below;
    if (good) {
        pool->config = config;
        set_grid(pool, alone, count);
        set_probabilities(pool, alone, count);
        draw(pool, alone, count, below, pooled);
    }
    free(below);
    free(pool);
    return good || error_set(error, "out of memory for %d first moves", count);
}
