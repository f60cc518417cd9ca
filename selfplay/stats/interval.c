/* See interval.h. */
#include "selfplay/stats/interval.h"

#include <math.h>

Interval wilson_interval(double wins, double games) {
    const double z = 1.959963984540054; /* 97.5% quantile of the normal distribution */
    if (!(games > 0))
        return (Interval){0, 1};
    const double rate = wins / games, shrink = 1 / (1 + z * z / games);
    const double centre = (rate + z * z / (2 * games)) * shrink;
    const double half = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) * shrink;
    return (Interval){fmax(0, centre - half), fmin(1, centre + half)};
}
