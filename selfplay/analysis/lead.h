/* What a search has found, as people and protocols are told it: the lead in points, moves that it has not looked at. */
#ifndef STIGMERGY_SELFPLAY_ANALYSIS_LEAD_H
#define STIGMERGY_SELFPLAY_ANALYSIS_LEAD_H

#include "engine/search/search.h"

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

/* Gives a move that was not searched the chance and the margin of its position, `found`; the others keep theirs. */
static inline void analysis_fill_in(SearchMove *move, const SearchSummary *found) {
    if (move->known)
        return;
    move->win_rate = found->win_rate;
    move->margin = found->margin;
}

#endif
