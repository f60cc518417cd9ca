/* A match: pairs of games between two players, or between each two of several.
 *
 * Pair number p of two players is played from opening p (opening.h), once with each colour. The opening follows from
 * the run's seed and p alone, so all players meet in the same openings. Games are named PAIRING-NUMBER: "1v2-17" is
 * game 17 of players 1 and 2. In games with even numbers the player named first has Black. A pair is played by one
 * thread. In a rating table the pairings take turns.
 *
 * The sequential test looks at the pairs in the order of their numbers, not in the order in which they end. So its
 * verdict does not depend on the threads or on the length of games. It ends the match at the first pair that gives a
 * verdict. Pairs beyond that one, which other threads have played, are removed from the records.
 *
 * Several machines share a match round by round (selfplay/runs/shard_spec.h, selfplay/docs/cluster.md). Without the
 * test, a round is all pairs that are left. With the test, which must look at them in their order, it is half as many
 * pairs as have been played. Each shard has a record file of its own, and the test is applied when the shards are
 * merged.
 *
 * The records are the same on every machine, so they do not hold the seconds that the moves took. These are in the
 * document, and a resumed run adds to them. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_RUN_H

#include "selfplay/runs/match/config.h"
#include "selfplay/runs/run.h"
#include "selfplay/stats/elo.h"

enum { MATCH_PAIRINGS_MAX = MATCH_PLAYERS_MAX * (MATCH_PLAYERS_MAX - 1) / 2 };

extern const RunKind match_kind;

/* Two players who meet: a has Black in even games. The pairings are the groups of the run. */
typedef struct MatchPairing {
    int a, b;
} MatchPairing;

/* How long the moves of a player took. */
typedef struct MatchTiming {
    double moves, seconds, longest, overruns; /* overruns: see selfplay/players/contest.h */
} MatchTiming;

/* The kind's own part of a run. */
typedef struct MatchState {
    MatchPairing pairings[MATCH_PAIRINGS_MAX];
    Beginnings openings; /* that are played in turn; without any they are drawn */
    Sprt sprt;           /* of the first pairing's pairs in order, as far as they are complete */
    int sprt_next;       /* the first pair that it has not seen */
    MatchTiming timing[MATCH_PLAYERS_MAX];
} MatchState;

/* The settings and the state of a run. */
static inline const MatchConfig *match_config(const Run *run) {
    return (const MatchConfig *)run->config;
}
static inline const MatchState *match_state(const Run *run) {
    return run->state;
}

/* ---- Summing up ---- */

/* The complete pairs of a pairing, by the score of its player a. */
PairCounts match_pairing_counts(const Run *run, int pairing);

/* The same, divided by the design effect of pairs that are equal (selfplay/stats/design_effect.h): of two players
 * without chance, the same opening makes the same pair. False with an error without memory. */
bool match_effective_counts(const Run *run, int pairing, PairCounts *counts, Error *error);

/* The ratings of all players (selfplay/stats/bradley_terry.h). */
bool match_run_ratings(const Run *run, EloEstimate ratings[MATCH_PLAYERS_MAX], Error *error);

/* How a player fared in all of its games that count. */
typedef struct MatchTally {
    int games[2], wins[2]; /* as Black, as White */
    int won_by[END_REASONS], lost_by[END_REASONS];
    double moves, simulations; /* that were thought about, all together */
} MatchTally;

MatchTally match_tally(const Run *run, int player);

#endif
