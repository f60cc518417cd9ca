/* See fair_komi_line.h. */
#include "tools/cli/fair_komi_line.h"

#include <math.h>
#include <stdio.h>

/* What would be printed as "-0.00" is 0. */
static double without_minus(double points) {
    return fabs(points) < 0.005 ? 0 : points;
}

static void print_estimate(double estimate, Interval ci95) {
    printf(" %6.2f   95%% interval [%.2f, %.2f]", without_minus(estimate), without_minus(ci95.low),
           without_minus(ci95.high));
}

void fair_komi_line_begin(const char *name, double estimate, Interval ci95, bool bracket) {
    printf("    %-16s", name);
    if (bracket)
        printf(" (%g, %g)", ci95.low, ci95.high);
    else
        print_estimate(estimate, ci95);
}

void fair_komi_line_end_pair(Interval pair) {
    printf("   Black is ahead up to komi %g, White from komi %g\n", pair.low, pair.high);
}

void fair_komi_line_gap(double gap, Interval ci95) {
    fair_komi_line_begin("even above odd", gap, ci95, false);
    puts(", with perfect play -0.5 or 0.5");
}
