/* A run of openings: self-play games from each first move, to learn which is how good and which the fairest.
 *
 * First moves that a symmetry of the board takes into each other are one *class*; its games begin with its first member
 * in the order of the actions. A run has one group. Which classes the games of a round begin with is fixed when all
 * games before it are finished (selfplay/stats/fairest_move.h), and shuffled with the run's seed; RunGame.plan is the
 * class. */
#ifndef STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_OPENINGS_RUN_H

#include "selfplay/runs/openings/standings.h"

extern const RunKind openings_kind;

#endif
