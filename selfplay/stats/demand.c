/* See demand.h. */
#include "selfplay/stats/demand.h"

#include <math.h>

/* The running sum of games is rounded up from this fraction. It is not a simple fraction, so there are no exact
 * ties. */
static const double ROUND_UP_FROM = 0.4847;

int demand_whole(double games) {
    return (int)floor(games + 1 - ROUND_UP_FROM);
}

/* Adds `weight` at a place. It goes to the two komi values around the place, so that their mean is the place. */
static void add_at(double *demand, int komi_min, int komi_max, bool odd, double place, double weight) {
    const int first = komi_min + ((komi_min % 2 != 0) != odd), last = (komi_max - first) / 2;
    const double index = fmin(fmax((place - first) / 2, 0), last);
    const int below = (int)index;
    const double part = index - below;
    double *at = demand + (first - komi_min) + 2 * below;
    at[0] += weight * (1 - part);
    if (below < last)
        at[2] += weight * part;
}

void demand_add_curve(double *demand, int komi_min, int komi_max, bool odd, double location, double scale,
                      double weight) {
    const double aside = DEMAND_SIDE * scale, side = weight * (1 - DEMAND_CENTRE_SHARE) / 2;
    add_at(demand, komi_min, komi_max, odd, location, weight * DEMAND_CENTRE_SHARE);
    add_at(demand, komi_min, komi_max, odd, location - aside, side);
    add_at(demand, komi_min, komi_max, odd, location + aside, side);
}

void demand_round(const double *demand, int count, int batch, int *games) {
    double whole = 0, running = 0;
    int given = 0;
    for (int i = 0; i < count; i++)
        whole += demand[i];
    for (int i = 0; i < count; i++) {
        running += demand[i];
        const int up_to = i == count - 1 ? batch : demand_whole(batch * running / whole);
        games[i] += up_to - given;
        given = up_to;
    }
}
