/* See arms_pool_internal.h. */
#include "selfplay/stats/arms_pool_internal.h"

#include "engine/base/rng.h"
#include "selfplay/stats/posterior_internal.h"

#include <math.h>
#include <stdlib.h>

enum {
    DRAWS = POSTERIOR_DRAWS_MAX,
    SLOPES = 3,
    CENTRES = 31,
    SPREADS = 9,
    BUTTONS = 9,
    COMMON_SCALES = 10,
    CELLS = SLOPES * CENTRES * SPREADS * BUTTONS * COMMON_SCALES,
    STRIDE = 4, /* every 4th draw is enough for the evidence */
    USED = DRAWS / STRIDE,
    SHARING = 4,                                   /* joint draws from the same cell, */
    MAXIMA_SHARING = ARMS_MAXIMA * SHARING / DRAWS /* and maxima */
};

static const double SPREAD_MIN = 0.05; /* in points; each next spread is twice as large */
static const double PI = 3.14159265358979323846;
static const double SLOPE[SLOPES] = {0, 0.5, 1};        /* how far the guesses count; first: not at all */
static const double AHEAD[SLOPES] = {0.15, 0.05, 0.01}; /* the share of the arms that are far ahead, */
static const double AHEAD_SCALE[SLOPES] = {4, 3, 2};    /* and by how much, in points: guesses leave fewer surprises */
static const double BANDWIDTH = 0.2;                    /* of the draws' kernel, in their standard deviations */
static const double BUTTON_STEP = 0.25;                 /* in points; the values of the button around 0 */
static const double BUTTON_SPREAD = 0.5;                /* its arms differ by this at most, and by their spread */
static const double COMMON_MIN = 0.05, COMMON_MAX = 20; /* of the common scale */
static const double SCALE_SPREAD = 0.5;                 /* of the arms' scales, in the logarithm */

/* What the pooling asks of a draw. */
typedef struct Place {
    double middle, button, log_scale; /* of both locations; what odd komi is above even; the mean of both scales */
    double prior;                     /* the density that it was drawn with, up to a constant factor */
} Place;

/* What all arms have in common: the grid, and the probability of each cell. */
typedef struct Pool {
    const EstimateConfig *config;
    const Arm *arms;
    int count;
    const Place *places; /* of the draws of each arm alone */
    double mean_guess;
    int slopes; /* 1 if all guesses are equal, which is as good as none; the other cells are not used then */
    double centre[SLOPES][CENTRES], spread[SPREADS];
    double probability[SLOPES][CENTRES][SPREADS][BUTTONS][COMMON_SCALES];
} Pool;

typedef struct Cell {
    int slope, centre, spread, button, scale;
} Cell;

static Cell cell_of(int number) {
    const int spread = number / COMMON_SCALES / BUTTONS, centre = spread / SPREADS;
    return (Cell){centre / CENTRES, centre % CENTRES, spread % SPREADS, number / COMMON_SCALES % BUTTONS,
                  number % COMMON_SCALES};
}

static Place place_of(const EstimateConfig *config, const PosteriorDraw *draw) {
    return (Place){(draw->location[0] + draw->location[1]) / 2, draw->location[1] - draw->location[0],
                   log(draw->shape[0].scale * draw->shape[1].scale) / 2,
                   posterior_location_prior(config, draw->location[0]) * draw->button_prior};
}

/* The common prior of a cell, up to a constant factor, is the product of three densities: of the middle of both
 * locations, of the button, of the scales. With a bandwidth, a draw stands for a neighbourhood of that size: the prior
 * is taken that much wider. */

/* Of the middle: `distance` is how far it lies above what the cell expects. */
static double location_density(int slope, double spread, double distance) {
    const double t = 1 + distance * distance / (3 * spread * spread), far = distance / AHEAD_SCALE[slope];
    const double core = 2 / (sqrt(3) * PI * spread * t * t), ahead = 2 / (PI * AHEAD_SCALE[slope] * (1 + far * far));
    return (1 - AHEAD[slope]) * core + (distance > 0 ? AHEAD[slope] * ahead : 0);
}

static double button_density(double spread, double distance) {
    const double t = 1 + distance * distance / (3 * spread * spread);
    return 1 / (spread * t * t);
}

static double button_value(int button) {
    return BUTTON_STEP * (button - BUTTONS / 2);
}

static double scale_density(Cell cell, double own) {
    const double common = log(COMMON_MIN) + log(COMMON_MAX / COMMON_MIN) * cell.scale / (COMMON_SCALES - 1);
    const double distance = (own - common) / SCALE_SPREAD;
    return 1 / (1 + distance * distance);
}

/* The weights of the draws of an arm that are used for the evidence, by cell. */
typedef struct Weights {
    double location[SPREADS][CENTRES][USED], button[SPREADS][BUTTONS][USED], scale[USED][COMMON_SCALES];
} Weights;

/* The bandwidths of an arm's draws. */
typedef struct Bandwidth {
    double middle, button;
} Bandwidth;

static double deviation(double sum, double squares) {
    return sqrt(fmax(0, squares / DRAWS - sum / DRAWS * (sum / DRAWS)));
}

static Bandwidth bandwidth_of(const Place *places) {
    double sum[2] = {0}, squares[2] = {0};
    for (int n = 0; n < DRAWS; n++) {
        const double value[2] = {places[n].middle, places[n].button};
        for (int i = 0; i < 2; i++) {
            sum[i] += value[i];
            squares[i] += value[i] * value[i];
        }
    }
    return (Bandwidth){BANDWIDTH * deviation(sum[0], squares[0]), BANDWIDTH * deviation(sum[1], squares[1])};
}

/* What is left of the middle of an arm when its guess has been taken off. */
static double residual(const Pool *pool, int arm, int slope, double middle) {
    return middle - SLOPE[slope] * pool->arms[arm].guess;
}

static void fill_locations(const Pool *pool, int arm, int slope, double bandwidth, Weights *weights) {
    for (int n = 0; n < USED; n++) {
        const Place *place = &pool->places[arm * DRAWS + n * STRIDE];
        const double own = residual(pool, arm, slope, place->middle);
        for (int spread = 0; spread < SPREADS; spread++) {
            const double wide = hypot(pool->spread[spread], bandwidth);
            for (int centre = 0; centre < CENTRES; centre++)
                weights->location[spread][centre][n] =
                    location_density(slope, wide, own - pool->centre[slope][centre]) / place->prior;
        }
    }
}

static void fill_others(const Pool *pool, int arm, double bandwidth, Weights *weights) {
    for (int n = 0; n < USED; n++) {
        const Place *place = &pool->places[arm * DRAWS + n * STRIDE];
        for (int spread = 0; spread < SPREADS; spread++) {
            const double aside = hypot(fmin(pool->spread[spread], BUTTON_SPREAD), bandwidth);
            for (int button = 0; button < BUTTONS; button++)
                weights->button[spread][button][n] = button_density(aside, place->button - button_value(button));
        }
        for (int scale = 0; scale < COMMON_SCALES; scale++)
            weights->scale[n][scale] = scale_density((Cell){.scale = scale}, place->log_scale);
    }
}

/* Adds the log of the evidence that an arm gives the cells of one centre, spread and button. */
static void add_evidence(const Weights *weights, const double *location, const double *button, double *evidence) {
    double sum[COMMON_SCALES] = {0};
    for (int n = 0; n < USED; n++) {
        const double weight = location[n] * button[n];
        for (int scale = 0; scale < COMMON_SCALES; scale++)
            sum[scale] += weight * weights->scale[n][scale];
    }
    for (int scale = 0; scale < COMMON_SCALES; scale++)
        evidence[scale] += log(sum[scale] + 1e-300);
}

/* Of an arm with few games the draws lie far apart. Where some of several arms coincide by chance, a narrow prior would
 * look as if the games asked for it. The bandwidth keeps evidence from what lies between draws. */
static void add_arm(Pool *pool, int arm, Weights *weights) {
    const Bandwidth bandwidth = bandwidth_of(pool->places + arm * DRAWS);
    fill_others(pool, arm, bandwidth.button, weights);
    for (int slope = 0; slope < pool->slopes; slope++) {
        fill_locations(pool, arm, slope, bandwidth.middle, weights);
        for (int centre = 0; centre < CENTRES; centre++)
            for (int spread = 0; spread < SPREADS; spread++)
                for (int button = 0; button < BUTTONS; button++)
                    add_evidence(weights, weights->location[spread][centre], weights->button[spread][button],
                                 pool->probability[slope][centre][spread][button]);
    }
}

/* Sets the centres of a slope: from the lowest mean of what is left of an arm to the highest. */
static void set_centres(Pool *pool, int slope) {
    double lowest = INFINITY, highest = -INFINITY;
    for (int a = 0; a < pool->count; a++) {
        double mean = 0;
        for (int n = 0; n < DRAWS; n++)
            mean += pool->places[a * DRAWS + n].middle / DRAWS;
        lowest = fmin(lowest, residual(pool, a, slope, mean));
        highest = fmax(highest, residual(pool, a, slope, mean));
    }
    for (int i = 0; i < CENTRES; i++)
        pool->centre[slope][i] = lowest - 1 + (highest - lowest + 2) * i / (CENTRES - 1);
}

static void set_grid(Pool *pool) {
    pool->mean_guess = 0;
    for (int a = 0; a < pool->count; a++)
        pool->mean_guess += pool->arms[a].guess / pool->count;
    pool->slopes = 1;
    for (int a = 1; a < pool->count; a++)
        if (pool->arms[a].guess < pool->arms[0].guess || pool->arms[a].guess > pool->arms[0].guess)
            pool->slopes = SLOPES;
    for (int slope = 0; slope < pool->slopes; slope++)
        set_centres(pool, slope);
    for (int i = 0; i < SPREADS; i++)
        pool->spread[i] = ldexp(SPREAD_MIN, i);
}

/* Before any game: all slopes alike, and the centre as likely as a fair komi where the guesses have their mean. */
static double log_prior(const Pool *pool, Cell cell) {
    const double mean = pool->centre[cell.slope][cell.centre] + SLOPE[cell.slope] * pool->mean_guess;
    return log(posterior_location_prior(pool->config, mean));
}

static void set_probabilities(Pool *pool, Weights *weights) {
    double *cells = &pool->probability[0][0][0][0][0], most = -INFINITY, sum = 0;
    for (int i = 0; i < CELLS; i++)
        cells[i] = cell_of(i).slope < pool->slopes ? log_prior(pool, cell_of(i)) : -INFINITY;
    for (int a = 0; a < pool->count; a++)
        add_arm(pool, a, weights);
    for (int i = 0; i < CELLS; i++)
        most = fmax(most, cells[i]);
    for (int i = 0; i < CELLS; i++)
        sum += cells[i] = exp(cells[i] - most);
    for (int i = 0; i < CELLS; i++)
        cells[i] /= sum;
}

/* below[n] becomes the weight of the draws of an arm up to n: by how much the common prior exceeds their own one. */
static void weigh(const Pool *pool, Cell cell, int arm, double *below) {
    const Place *places = pool->places + arm * DRAWS;
    const double spread = pool->spread[cell.spread], aside = fmin(spread, BUTTON_SPREAD);
    const double centre = pool->centre[cell.slope][cell.centre], button = button_value(cell.button);
    for (int n = 0; n < DRAWS; n++)
        below[n] = location_density(cell.slope, spread, residual(pool, arm, cell.slope, places[n].middle) - centre) *
                   button_density(aside, places[n].button - button) * scale_density(cell, places[n].log_scale) /
                   places[n].prior;
    for (int n = 1; n < DRAWS; n++)
        below[n] += below[n - 1];
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

/* Takes a draw of an arm into a maximum, if it is higher there. */
static void take_higher(ArmsMaximum *maximum, const Arm *arm, int number, const PosteriorDraw *draw) {
    for (int odd = 0; odd < 2; odd++) {
        if (number > 0 &&
            (!arm->legal[odd] || (maximum->arm[odd] >= 0 && draw->location[odd] <= maximum->best.location[odd])))
            continue;
        maximum->arm[odd] = arm->legal[odd] ? number : -1;
        maximum->best.location[odd] = draw->location[odd];
        maximum->best.shape[odd] = draw->shape[odd];
    }
}

/* Draws cells systematically, and some draws of each arm for each of them. */
static void draw(const Pool *pool, const PosteriorDraw *alone, PosteriorDraw *pooled, ArmsMaximum *maxima) {
    Rng rng = rng_seed(3), maxima_rng = rng_seed(4);
    const double *cells = &pool->probability[0][0][0][0][0];
    double passed = cells[0], below[DRAWS];
    for (int n = 0, cell = 0; n < DRAWS; n += SHARING) {
        while (cell + 1 < CELLS && passed < (n + 0.5 * SHARING) / DRAWS)
            passed += cells[++cell];
        for (int a = 0; a < pool->count; a++) {
            const PosteriorDraw *own = alone + a * DRAWS;
            weigh(pool, cell_of(cell), a, below);
            for (int i = n; i < n + SHARING; i++)
                pooled[a * DRAWS + i] = own[pick(below, rng_unit(&rng))];
            for (int i = 0; maxima && i < MAXIMA_SHARING; i++)
                take_higher(&maxima[n / SHARING * MAXIMA_SHARING + i], &pool->arms[a], a,
                            &own[pick(below, rng_unit(&maxima_rng))]);
        }
    }
}

bool arms_pool(const Arm *arms, const PosteriorDraw *alone, int count, const EstimateConfig *config,
               PosteriorDraw *pooled, ArmsMaximum *maxima, Error *error) {
    const int draws = count * DRAWS;
    Pool *pool = malloc(sizeof *pool);
    Weights *weights = malloc(sizeof *weights);
    Place *places = malloc((size_t)draws * sizeof *places);
    const bool good = pool && weights && places;
    if (good) {
        for (int i = 0; i < draws; i++)
            places[i] = place_of(config, &alone[i]);
        pool->config = config;
        pool->arms = arms;
        pool->count = count;
        pool->places = places;
        set_grid(pool);
        set_probabilities(pool, weights);
        draw(pool, alone, pooled, maxima);
    }
    free(places);
    free(weights);
    free(pool);
    return good || error_set(error, "out of memory for %d first moves", count);
}
