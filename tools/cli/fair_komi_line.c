/* See fair_komi_line.h. */
#include "tools/cli/fair_komi_line.h"

#include <stdio.h>

void fair_komi_line_begin(const char *name, double estimate, Interval ci95, bool bracket) {
    if (bracket)
        printf("    %-16s (%g, %g)", name, ci95.low, ci95.high);
    else
        printf("    %-16s %6.2f   95%% interval [%.2f, %.2f]", name, estimate, ci95.low, ci95.high);
}

void fair_komi_line_end_pair(Interval pair) {
    printf("   Black is ahead up to komi %g, White from komi %g\n", pair.low, pair.high);
}

void fair_komi_line_gap(double gap, Interval ci95) {
    printf("    even above odd   %6.2f   95%% interval [%.2f, %.2f], with perfect play -0.5 or 0.5\n", gap, ci95.low,
           ci95.high);
}
