/* The prior of the posterior, for what is made of its draws (arms_pool_internal.h). */
#ifndef STIGMERGY_SELFPLAY_STATS_POSTERIOR_INTERNAL_H
#define STIGMERGY_SELFPLAY_STATS_POSTERIOR_INTERNAL_H

#include "selfplay/stats/posterior.h"

/* The prior density of the even location at a place, up to a constant factor. */
double posterior_location_prior(const EstimateConfig *config, double place);

#endif
