/* Draws of several arms that know of each other: the pooling of arms.h. */
#ifndef STIGMERGY_SELFPLAY_STATS_ARMS_POOL_INTERNAL_H
#define STIGMERGY_SELFPLAY_STATS_ARMS_POOL_INTERNAL_H

#include "selfplay/stats/arms.h"

/* Makes pooled draws from those of each arm alone, POSTERIOR_DRAWS_MAX each: those of arm a begin at a *
 * POSTERIOR_DRAWS_MAX. Draw n of all arms is one joint draw. False with an error without memory. */
bool arms_pool(const Arm *arms, const PosteriorDraw *alone, int count, const EstimateConfig *config,
               PosteriorDraw *pooled, Error *error);

#endif
