/* See fairest.h. */
#include "selfplay/stats/fairest.h"

#include <math.h>
#include <stdlib.h>

typedef struct Candidate {
    int komi;
    double distance; /* of Black's chance from one half, at most FAIREST_UNFAIR */
    double points;   /* from the location */
} Candidate;

static bool is_fairer(const Candidate *a, const Candidate *b) {
    return a->distance < b->distance || (a->distance <= b->distance && a->points < b->points);
}

/* The curve falls with komi, so the fairest komi of a parity is one of the two around its location. */
static Candidate fairest_of_curve(const PosteriorDraw *draw, bool odd, int lowest, int highest) {
    const double location = draw->location[odd];
    const int below = lowest + 2 * (int)floor((fmin(fmax(location, lowest), highest) - lowest) / 2);
    Candidate best = {below, INFINITY, INFINITY};
    for (int komi = below; komi <= highest && komi <= below + 2; komi += 2) {
        const double distance = fabs(shape_win_rate(draw->shape[odd], location - komi) - 0.5);
        const Candidate next = {komi, fmin(distance, FAIREST_UNFAIR), fabs(location - komi)};
        if (is_fairer(&next, &best))
            best = next;
    }
    return best;
}

static int fairest_of_draw(const PosteriorDraw *draw, const EstimateConfig *config) {
    Candidate best = {config->komi_min, INFINITY, INFINITY};
    for (int odd = 0; odd < 2; odd++) {
        int lowest, highest;
        if (!estimate_config_range(config, odd, &lowest, &highest))
            continue;
        const Candidate next = fairest_of_curve(draw, odd, lowest, highest);
        if (is_fairer(&next, &best))
            best = next;
    }
    return best.komi;
}

static int ascending(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

int fairest_komi(const PosteriorDraw *draws, int count, const EstimateConfig *config,
                 KomiProbability out[FAIREST_MAX]) {
    int komi[POSTERIOR_DRAWS_MAX], written = 0;
    for (int n = 0; n < count; n++)
        komi[n] = fairest_of_draw(&draws[n], config);
    qsort(komi, (size_t)count, sizeof *komi, ascending);
    for (int n = 0, next; n < count; n = next) {
        for (next = n; next < count && komi[next] == komi[n];)
            next++;
        if ((next - n) * FAIREST_MAX >= count)
            out[written++] = (KomiProbability){komi[n], (double)(next - n) / count};
    }
    return written;
}
