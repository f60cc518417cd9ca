/* See middle.h. */
#include "selfplay/stats/middle.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double quantile(const double *sorted, int count, double q) {
    const double at = q * (count - 1);
    const int low = (int)at;
    return low + 1 < count ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[count - 1];
}

double middle_of(double *values, int count, Interval *ci95) {
    qsort(values, (size_t)count, sizeof *values, compare);
    *ci95 = (Interval){quantile(values, count, 0.025), quantile(values, count, 0.975)};
    return quantile(values, count, 0.5);
}
