/* See posterior.h: drawing pairs of curves.
 *
 * The draws are spread evenly, by a lattice instead of random numbers (a Kronecker sequence: Niederreiter, "Random
 * Number Generation and Quasi-Monte Carlo Methods", 1992, chapter 3). What is made of them has less noise. That matters
 * where it would add up over several first moves (arms_pool.c), for all of them have the same numbers. */
#include "selfplay/stats/posterior.h"

#include <math.h>

/* What a pair takes a number for, beside the cell of its even curve. */
typedef enum Dimension { EVEN_PLACE, ODD_SCALE, ODD_CELL, ODD_PLACE, ODD_LAPSES } Dimension;

/* The number of pair n in [0, 1). The steps are the powers of the root of x^6 = x + 1, a generalised golden ratio. */
static double unit_of(int n, Dimension dimension) {
    static const double step[] = {0.8812714616335696, 0.7766393890897682, 0.6844301295853426, 0.6031687406857282,
                                  0.5315553977157692};
    const double value = 0.5 + n * step[dimension];
    return value - floor(value);
}

/* A cell of the grid of one curve. */
typedef struct Cell {
    int shape, place;
} Cell;

/* Uniform over the width of a place. */
static double location_of(const Posterior *posterior, int place, double unit) {
    return posterior->start + (place + unit - 0.5) * posterior->step;
}

/* Moves on to the cell of the even curve below which the share `share` of the weight lies; *below is what lies below
 * the cell. */
static Cell walk(const Posterior *posterior, Cell cell, double share, double *below) {
    const int shapes = posterior->scales * posterior->lapses;
    while (*below + posterior->even[cell.shape][cell.place] < share) {
        const bool last_place = cell.place + 1 == posterior->places;
        if (last_place && cell.shape + 1 == shapes)
            break;
        *below += posterior->even[cell.shape][cell.place];
        cell = last_place ? (Cell){cell.shape + 1, 0} : (Cell){cell.shape, cell.place + 1};
    }
    return cell;
}

/* The prior density of the distance of two locations that are spread over the widths of their places: it runs straight
 * from one number of steps to the next. */
static double button_prior(const Posterior *posterior, double above) {
    const double steps = fabs(above) / posterior->step, part = steps - floor(steps);
    return (1 - part) * posterior_button_prior(posterior, (int)steps) +
           part * posterior_button_prior(posterior, (int)steps + 1);
}

/* The index below which the share `unit` of the weight lies. */
static int index_at(const double *weight, int count, double unit) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weight[i];
    double left = sum * unit;
    for (int i = 0; i < count - 1; i++) {
        if (left < weight[i])
            return i;
        left -= weight[i];
    }
    return count - 1;
}

/* The odd curve that goes with an even one: first its scale, then its location, then its lapses. */
static Cell draw_odd(const Posterior *posterior, Cell even, int n) {
    const int own = even.shape / posterior->lapses;
    double weight[POSTERIOR_PLACES];
    for (int b = 0; b < posterior->scales; b++)
        weight[b] = posterior->pooling[own][b] * posterior->odd_spread[b][even.place];
    const int scale = index_at(weight, posterior->scales, unit_of(n, ODD_SCALE));
    for (int j = 0; j < posterior->places; j++)
        weight[j] = posterior->odd_own[scale][j] * posterior_button_prior(posterior, j - even.place);
    const int place = index_at(weight, posterior->places, unit_of(n, ODD_CELL));
    for (int l = 0; l < posterior->lapses; l++)
        weight[l] = posterior->odd[scale * posterior->lapses + l][place];
    return (Cell){scale * posterior->lapses + index_at(weight, posterior->lapses, unit_of(n, ODD_LAPSES)), place};
}

void posterior_draw(const Posterior *posterior, int count, PosteriorDraw *draws) {
    Cell even = {0, 0};
    double below = 0;
    for (int n = 0; n < count; n++) {
        even = walk(posterior, even, (n + 0.5) / count, &below);
        const Cell odd = draw_odd(posterior, even, n);
        PosteriorDraw *draw = &draws[n];
        draw->location[0] = location_of(posterior, even.place, unit_of(n, EVEN_PLACE));
        draw->location[1] = location_of(posterior, odd.place, unit_of(n, ODD_PLACE));
        draw->shape[0] = posterior->shape[even.shape];
        draw->shape[1] = posterior->shape[odd.shape];
        draw->button_prior = button_prior(posterior, draw->location[1] - draw->location[0]);
    }
}
