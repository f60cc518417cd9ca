/* What the parts of a match know of its pairs. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_INTERNAL_H

#include "selfplay/runs/match/run.h"

/* The score of player a in a complete pair, in halves; -1 where it is not complete. */
int match_pair_score(const Run *run, int pairing, int pair);

/* Whether the test has ended the match. */
bool match_has_verdict(const Run *run);

/* As RunKind.end_of: what lies beyond the verdict of the test does not count. */
int match_end_of(const Run *run, int pairing);

#endif
