/* The games of a match in memory: where they are kept by pairing and number, and the test that follows them. For the
 * parts of run.h alone. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_GAMES_H

#include "selfplay/runs/match/run.h"

/* Makes room for a game, which threads that look for others do not notice. */
bool match_make_room(MatchPairing *pairing, int number, Error *error);

/* Enters a finished game in its place, and shows the test the pairs that have become complete. */
bool match_enter_game(MatchRun *run, MatchPairing *pairing, int number, const GameRecord *record, Error *error);

/* A game that has been played, whether it counts or not; NULL where it has not. */
const MatchGame *match_find_game(const MatchPairing *pairing, int number);

/* The score of player a in a complete pair, in halves; -1 where it is not complete. */
int match_pair_score(const MatchPairing *pairing, int pair);

/* Whether the test has ended the match. */
bool match_has_verdict(const MatchRun *run);

/* Of komi and opening of a game: the same for both games of a pair. */
uint64_t match_opening_hash(const GameRecord *record);

#endif
