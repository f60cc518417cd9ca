/* See posterior.h: drawing pairs of curves. */
#include "selfplay/stats/posterior.h"

#include "engine/base/rng.h"

#include <math.h>

/* A cell of the grid of one curve. */
typedef struct Cell {
    int shape, place;
} Cell;

/* Uniform over the width of a place. */
static double location_of(const Posterior *posterior, int place, Rng *rng) {
    return posterior->start + (place + rng_unit(rng) - 0.5) * posterior->step;
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

/* An index with chances as weights. */
static int draw_index(const double *weight, int count, Rng *rng) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weight[i];
    double left = sum * rng_unit(rng);
    for (int i = 0; i < count - 1; i++) {
        if (left < weight[i])
            return i;
        left -= weight[i];
    }
    return count - 1;
}

/* The odd curve that goes with an even one: first its scale, then its location, then its lapses. */
static Cell draw_odd(const Posterior *posterior, Cell even, Rng *rng) {
    const int own = even.shape / posterior->lapses;
    double weight[PLACES];
    for (int b = 0; b < posterior->scales; b++)
        weight[b] = posterior->pooling[own][b] * posterior->odd_spread[b][even.place];
    const int scale = draw_index(weight, posterior->scales, rng);
    for (int j = 0; j < posterior->places; j++)
        weight[j] = posterior->odd_own[scale][j] * posterior_button_prior(posterior, j - even.place);
    const int place = draw_index(weight, posterior->places, rng);
    for (int l = 0; l < posterior->lapses; l++)
        weight[l] = posterior->odd[scale * posterior->lapses + l][place];
    return (Cell){scale * posterior->lapses + draw_index(weight, posterior->lapses, rng), place};
}

void posterior_draw(const Posterior *posterior, int count, PosteriorDraw *draws) {
    Rng rng = rng_seed(1);
    Cell even = {0, 0};
    double below = 0;
    for (int n = 0; n < count; n++) {
        even = walk(posterior, even, (n + 0.5) / count, &below);
        const Cell odd = draw_odd(posterior, even, &rng);
        draws[n] = (PosteriorDraw){
            .location = {location_of(posterior, even.place, &rng), location_of(posterior, odd.place, &rng)},
            .shape = {posterior->shape[even.shape], posterior->shape[odd.shape]}};
    }
}
