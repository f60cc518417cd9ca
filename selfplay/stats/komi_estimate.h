/* What is known of a fair komi, be it by the model of the komi values (estimate.h) or by an opening book. */
#ifndef STIGMERGY_SELFPLAY_STATS_KOMI_ESTIMATE_H
#define STIGMERGY_SELFPLAY_STATS_KOMI_ESTIMATE_H

#include "selfplay/stats/interval.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KomiEstimate {
    double estimate;
    Interval ci95;
    bool bracket; /* ci95 is two komi values, between which nothing is known; so the estimate says no more */
} KomiEstimate;

/* The bracket of two komi values, with its middle as the estimate. */
KomiEstimate komi_bracket(Interval ends);

/* Joins the brackets of even and of odd komi: the fair komi of both together lies in what they share. False, with *both
 * as it was, where one is no bracket, or where they do not overlap and so contradict each other. */
bool komi_brackets_join(KomiEstimate even, KomiEstimate odd, KomiEstimate *both);

enum { KOMI_ESTIMATE_TEXT = 48 };

/* Writes an estimate as text: "5.25 [4.50, 6.00]"; of a bracket its ends alone, without decimals: "(4, 6)". */
void komi_estimate_text(KomiEstimate known, char text[KOMI_ESTIMATE_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
