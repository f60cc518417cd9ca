/* See fairest_move.h. */
#include "selfplay/stats/fairest_move.h"

#include "selfplay/stats/demand.h"

#include <math.h>
#include <stdlib.h>

enum { DISTANCES = 1000 /* of the grid, from 0 to 1/2; a rate above one half and one below share each */ };

static const double TOP_SHARE = 0.5;   /* of the draws, for the fairest one */
static const double EQUAL_SHARE = 0.2; /* of a round, for all moves alike */

/* ---- Posteriors ---- */

/* A number of any size: value * 2^exponent, value from 0.5 to 1 or 0. */
typedef struct Scaled {
    double value;
    long exponent;
} Scaled;

static Scaled scaled_product(Scaled a, Scaled b) {
    int exponent;
    const double value = frexp(a.value * b.value, &exponent);
    return (Scaled){value, a.exponent + b.exponent + exponent};
}

static Scaled scaled_power(double base, int power) {
    Scaled result = {0.5, 1}, square = scaled_product((Scaled){base, 0}, result);
    for (; power > 0; power /= 2) {
        if (power % 2)
            result = scaled_product(result, square);
        square = scaled_product(square, square);
    }
    return result;
}

/* The posterior of a win rate's distance from one half: the weight of each distance of the grid, 1 in all. */
static void distance_posterior(const FairestMoveData *data, double weight[DISTANCES]) {
    Scaled both[2][DISTANCES]; /* below one half, above it */
    long highest = 0;
    for (int i = 0; i < DISTANCES; i++)
        for (int above = 0; above < 2; above++) {
            const double distance = (i + 0.5) / (2.0 * DISTANCES), rate = above ? 0.5 + distance : 0.5 - distance;
            both[above][i] =
                scaled_product(scaled_power(rate, data->wins), scaled_power(1 - rate, data->games - data->wins));
            if ((i == 0 && above == 0) || both[above][i].exponent > highest)
                highest = both[above][i].exponent;
        }
    double sum = 0;
    for (int i = 0; i < DISTANCES; i++) {
        weight[i] = 0;
        for (int above = 0; above < 2; above++) {
            const long below = both[above][i].exponent - highest;
            weight[i] += below > -1000 ? ldexp(both[above][i].value, (int)below) : 0;
        }
        sum += weight[i];
    }
    for (int i = 0; i < DISTANCES; i++)
        weight[i] /= sum;
}

/* Distance by distance: the chance that a move is there and all others are farther away; or as far, which counts for
 * half of one. farther[i] is the chance that move i is not nearer than the distance. */
static void nearest(double (*weight)[DISTANCES], int count, double *farther, double *probability) {
    for (int at = 0; at < DISTANCES; at++) {
        for (int i = 0; i < count; i++) {
            double others = 1;
            for (int other = 0; other < count; other++)
                if (other != i)
                    others *= farther[other] - 0.5 * weight[other][at];
            probability[i] += weight[i][at] * (others > 0 ? others : 0);
        }
        for (int i = 0; i < count; i++)
            farther[i] -= weight[i][at];
    }
}

bool fairest_move_probabilities(const FairestMoveData *data, int count, double *probability, Error *error) {
    double(*weight)[DISTANCES] = malloc((size_t)count * sizeof *weight);
    double *farther = malloc((size_t)count * sizeof *farther), sum = 0;
    const bool good = weight && farther;
    for (int i = 0; i < count && good; i++) {
        distance_posterior(&data[i], weight[i]);
        farther[i] = 1;
        probability[i] = 0;
    }
    if (good)
        nearest(weight, count, farther, probability);
    for (int i = 0; i < count && good; i++)
        sum += probability[i];
    for (int i = 0; i < count && good; i++)
        probability[i] /= sum;
    free(weight);
    free(farther);
    return good || error_set(error, "out of memory for the chances of %d first moves", count);
}

/* ---- Sharing out ---- */

/* How often a move is one of the two draws. */
static double top_two(const double *probability, int count, int move) {
    double second = 0; /* given that another move came first */
    for (int other = 0; other < count; other++)
        if (other != move && probability[other] < 1)
            second += probability[other] / (1 - probability[other]);
    return probability[move] * (TOP_SHARE + (1 - TOP_SHARE) * second);
}

void fairest_move_allocate(const double *probability, int count, int batch, int *games) {
    double whole = 0, running = 0;
    int given = 0;
    for (int i = 0; i < count; i++)
        whole += top_two(probability, count, i);
    for (int i = 0; i < count; i++) {
        running += EQUAL_SHARE / count + (1 - EQUAL_SHARE) * top_two(probability, count, i) / whole;
        const int up_to = i == count - 1 ? batch : demand_whole(batch * running);
        games[i] = (up_to < batch ? up_to : batch) - given;
        given += games[i];
    }
}
