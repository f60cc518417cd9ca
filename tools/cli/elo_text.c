/* See elo_text.h. */
#include "tools/cli/elo_text.h"

#include "selfplay/stats/elo.h"

#include <math.h>
#include <stdio.h>

static double whole(double elo) {
    return rint(elo) + 0.0; /* -0.0 + 0.0 is 0.0 */
}

void elo_text(double elo, char out[ELO_TEXT_MAX]) {
    if (fabs(elo) < ELO_LIMIT)
        snprintf(out, ELO_TEXT_MAX, "%+.0f", whole(elo));
    else
        snprintf(out, ELO_TEXT_MAX, "%s all", elo > 0 ? "won" : "lost");
}

void elo_text_interval(Interval ci95, char out[ELO_TEXT_MAX]) {
    const bool has_low = ci95.low > -ELO_LIMIT, has_high = ci95.high < ELO_LIMIT;
    if (has_low && has_high)
        snprintf(out, ELO_TEXT_MAX, "%+.0f, %+.0f", whole(ci95.low), whole(ci95.high));
    else if (has_low)
        snprintf(out, ELO_TEXT_MAX, "above %+.0f", whole(ci95.low));
    else if (has_high)
        snprintf(out, ELO_TEXT_MAX, "below %+.0f", whole(ci95.high));
    else
        snprintf(out, ELO_TEXT_MAX, "no bound");
}
