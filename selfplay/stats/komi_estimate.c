/* See komi_estimate.h. */
#include "selfplay/stats/komi_estimate.h"

#include <math.h>
#include <stdio.h>

KomiEstimate komi_bracket(Interval ends) {
    return (KomiEstimate){(ends.low + ends.high) / 2, ends, true};
}

bool komi_brackets_join(KomiEstimate even, KomiEstimate odd, KomiEstimate *both) {
    const Interval shared = {fmax(even.ci95.low, odd.ci95.low), fmin(even.ci95.high, odd.ci95.high)};
    if (!even.bracket || !odd.bracket || shared.low >= shared.high)
        return false;
    *both = komi_bracket(shared);
    return true;
}

void komi_estimate_text(KomiEstimate known, char text[KOMI_ESTIMATE_TEXT]) {
    if (known.bracket)
        snprintf(text, KOMI_ESTIMATE_TEXT, "(%g, %g)", known.ci95.low, known.ci95.high);
    else
        snprintf(text, KOMI_ESTIMATE_TEXT, "%.2f [%.2f, %.2f]", known.estimate, known.ci95.low, known.ci95.high);
}
