/* The fair-komi run: self-play games at komi values that follow what is known of the fair komi.
 *
 * Its groups are the rungs of a ladder of search efforts. The komi values of a round are fixed when all games of the
 * earlier rounds of its rung are finished (selfplay/stats/allocation.h; arms.h where first moves are forced), and
 * shuffled with the run's seed; RunGame.plan has komi and beginning (first_moves.h). The round of a shared run is the
 * next round of every rung that is not finished, all rungs at once. */
#ifndef STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_KOMI_RUN_H

#include "selfplay/runs/komi/standings.h"

extern const RunKind komi_kind;

#endif
