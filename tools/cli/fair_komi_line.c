/* See fair_komi_line.h. */
#include "tools/cli/fair_komi_line.h"

#include <math.h>
#include <stdio.h>

/* What would be printed as "-0.00" is 0. */
static double without_minus(double points) {
    return fabs(points) < 0.005 ? 0 : points;
}

void fair_komi_line_begin(const char *name, KomiEstimate known) {
    printf("    %-16s", name);
    if (known.bracket)
        printf(" (%g, %g)", known.ci95.low, known.ci95.high);
    else
        printf(" %6.2f   95%% interval [%.2f, %.2f]", without_minus(known.estimate), without_minus(known.ci95.low),
               without_minus(known.ci95.high));
}

void fair_komi_line_together(KomiEstimate known) {
    fair_komi_line_begin("together", known);
    if (known.bracket)
        printf("   Black is ahead up to komi %g, White from komi %g", known.ci95.low, known.ci95.high);
    putchar('\n');
}

void fair_komi_line_gap(double gap, Interval ci95) {
    fair_komi_line_begin("even above odd", (KomiEstimate){gap, ci95, false});
    puts(", with perfect play -0.5 or 0.5");
}

void fair_komi_line_perfect_play(const ExactValues *exact, bool even_left_out, bool odd_left_out) {
    printf("  perfect play: Black is ahead by %g, with the button (odd komi) by %g, so no whole komi is fair\n",
           exact->even, exact->odd);
    if (even_left_out || odd_left_out)
        printf("  so these games are misleading: the interval of %s komi does not contain the proved value\n",
               even_left_out && odd_left_out ? "each kind of"
               : even_left_out               ? "even"
                                             : "odd");
}
