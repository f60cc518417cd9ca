/* The pairs of a match, as its parts need them. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_INTERNAL_H

#include "selfplay/runs/match/run.h"

/* The score of player a in a complete pair, in halves; -1 if the pair is not complete. */
int match_pair_score(const Run *run, int pairing, int pair);

/* Whether the test has ended the match. */
bool match_has_verdict(const Run *run);

/* As RunKind.end_of: games beyond the verdict of the test do not count. */
int match_end_of(const Run *run, int pairing);

#endif
