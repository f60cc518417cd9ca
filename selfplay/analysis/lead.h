/* The lead in points as people and protocols are told it. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_LEAD_H
#define STIGMERGY_SELFPLAY_ANALYSIS_LEAD_H

#include <math.h>
#include <stdbool.h>

/* The expected lead of the side to move, whose chance to win is `win_rate`. A search may have proved who wins, and yet
 * expect by its evaluations that the other one leads: who wins for certain (proven: win_rate is 0 or 1) leads by half a
 * point or more. */
static inline double analysis_lead(double lead, double win_rate, bool proven) {
    if (!proven)
        return lead;
    return win_rate > 0.5 ? fmax(lead, 0.5) : fmin(lead, -0.5);
}

#endif
