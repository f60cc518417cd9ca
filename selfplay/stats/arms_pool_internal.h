/* Draws of several arms that know of each other: the pooling of arms.h. */
#ifndef STIGMERGY_SELFPLAY_STATS_ARMS_POOL_INTERNAL_H
#define STIGMERGY_SELFPLAY_STATS_ARMS_POOL_INTERNAL_H

#include "selfplay/stats/arms.h"

enum { ARMS_MAXIMA = 20000 }; /* with POSTERIOR_DRAWS_MAX the ends of an interval would be uncertain by tenths */

/* The best arm of a joint draw: its curves, and which arm it is at each parity; -1 where none is a first move. */
typedef struct ArmsMaximum {
    PosteriorDraw best;
    int arm[2];
} ArmsMaximum;

/* Makes pooled draws from those of each arm alone, POSTERIOR_DRAWS_MAX each: those of arm a begin at a *
 * POSTERIOR_DRAWS_MAX. Draw n of all arms is one joint draw. Makes also the maxima of ARMS_MAXIMA other joint draws,
 * unless `maxima` is NULL. False with an error without memory. */
bool arms_pool(const Arm *arms, const PosteriorDraw *alone, int count, const EstimateConfig *config,
               PosteriorDraw *pooled, ArmsMaximum *maxima, Error *error);

#endif
