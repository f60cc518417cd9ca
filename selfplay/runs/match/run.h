/* A match: pairs of games between two players, or between each two of several.
 *
 * Pair number p of two players is played from opening p, which follows from the run's seed and p alone (so all players
 * meet in the same openings), once with each colour. Games are named PAIRING-NUMBER, "1v2-17": the pairing of players 1
 * and 2, game 17; even numbers are those in which the first-named player has Black. A pair is played by one thread; the
 * pairs of a rating table are played in turns of all pairings.
 *
 * The sequential test looks at the pairs in the order of their numbers, not in that in which they end: so its verdict
 * does not depend on the threads, nor on which games are long. It ends the match at the first pair that gives a
 * verdict; what other threads have played beyond that pair is dropped from the records.
 *
 * Several machines share a match round by round (selfplay/runs/shard_spec.h, selfplay/docs/cluster.md): a round is all
 * pairs that are left, or with the test, which must look at them in their order, half as many pairs as have been
 * played. Each shard has a record file of its own; the test speaks when the shards are merged.
 *
 * Records and resuming are as in selfplay/record/record_file.h. What the moves took in seconds is not in the records,
 * which are the same on every machine; it is in the document, and goes on from there. */
#ifndef STIGMERGY_SELFPLAY_RUNS_MATCH_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_MATCH_RUN_H

#include "selfplay/record/record_file.h"
#include "selfplay/runs/match/config.h"
#include "selfplay/runs/shard_spec.h"
#include "selfplay/stats/elo.h"

enum { MATCH_PAIRINGS_MAX = MATCH_PLAYERS_MAX * (MATCH_PLAYERS_MAX - 1) / 2, MATCH_BLOCKS = 22 };

/* What the statistics need of a finished game. */
typedef struct MatchGame {
    uint64_t hash, opening; /* of the whole game up to symmetry (selfplay/record/record.h); of komi and opening */
    uint64_t simulations[2];
    uint16_t moves[2]; /* that were thought about, by side */
    uint16_t turns;
    int16_t komi;
    uint8_t winner, reason; /* a Side, an EndReason */
    bool played;
} MatchGame;

typedef struct MatchPairing {
    int a, b; /* players; a has Black in even games */
    char name[24];
    MatchGame *blocks[MATCH_BLOCKS]; /* by number, see match_game; they stay where they are while threads play */
    int end;                         /* game numbers are below this */
    int played;
} MatchPairing;

/* What the moves of a player took in time. */
typedef struct MatchTiming {
    double moves, seconds, longest, overruns; /* overruns: see selfplay/players/contest.h */
} MatchTiming;

typedef struct MatchRun {
    MatchConfig config;
    char hash[20]; /* the run's identity */
    Game *game;
    MatchPairing pairings[MATCH_PAIRINGS_MAX];
    int pairing_count;
    ShardSpec shard;
    int round_start, round_end; /* pairs of the current round, for shards */
    RecordFile records;         /* those of the shard, where it is one */
    Sprt sprt;                  /* of the first pairing's pairs in order, as far as they are complete */
    int sprt_next;              /* the first pair that it has not seen */
    MatchTiming timing[MATCH_PLAYERS_MAX];
} MatchRun;

typedef struct MatchSession {
    int threads;             /* pairs side by side */
    const atomic_bool *stop; /* set from outside to end the session soon; may be NULL */
    /* After every game, called by one thread at a time; may be NULL. False with an error ends the session. */
    bool (*game_done)(void *user, const MatchRun *run, const GameRecord *record, Error *error);
    void *user;
} MatchSession;

typedef enum MatchEnd { MATCH_DONE, MATCH_STOPPED, MATCH_TIME_UP, MATCH_FAILED } MatchEnd;

/* Opens or resumes a run whose records are in the file `records_path`; `config` has been checked. External engines are
 * tried once, and so is the first opening. To be freed by match_run_close, also where it failed; NULL without memory.
 */
MatchRun *match_run_new(void);
bool match_run_open(MatchRun *run, const MatchConfig *config, const char *records_path, Error *error);
void match_run_close(MatchRun *run);

/* Plays until all games are played, the test has a verdict, the session's time is up, or *stop. */
MatchEnd match_run_play(MatchRun *run, const MatchSession *session, Error *error);

/* Puts the record file into the order of pairings and games. */
bool match_run_sort_records(MatchRun *run, Error *error);

/* ---- Matches that several machines share ---- */

/* Opens a shard of a run. What all shards have played in earlier rounds is in the file `records_path`, which is only
 * read (missing: nothing); what this shard has played of the current round is in `shard_path`, from which games of
 * earlier rounds are dropped. match_run_play then plays its share, match_run_close closes. */
bool match_run_open_shard(MatchRun *run, const MatchConfig *config, ShardSpec shard, const char *records_path,
                          const char *shard_path, Error *error);

/* Opens a run to merge shards into it: no engine is tried. */
bool match_run_open_merge(MatchRun *run, const MatchConfig *config, const char *records_path, Error *error);

/* Settles the current round for so many shards; the round as {"pairs": [FROM, TO]}, the pairs FROM .. TO-1 of all
 * pairings, empty where the match is finished (the caller deletes it); how many of its games are of a shard, and how
 * many of them are left to play. */
void match_run_plan(MatchRun *run, int shards);
cJSON *match_run_round(const MatchRun *run);
void match_run_share(const MatchRun *run, ShardSpec shard, int *games, int *left);

/* For a merge: enters the games of `shard`, the text of its record file `path`. They are in no file of the run before
 * match_run_join takes the texts of all shards into it. */
bool match_run_enter_shard(MatchRun *run, ShardSpec shard, const char *path, const char *text, size_t length,
                           Error *error);
bool match_run_join(MatchRun *run, const char *text, size_t length, Error *error);

/* ---- Summing up ---- */

/* How many games count: of all pairings, and what is aimed at (0: no limit). */
int match_run_played(const MatchRun *run);
int64_t match_run_wanted(const MatchRun *run);

/* A game of a pairing; NULL where it has not been played, or does not count, for it is beyond the verdict of the test.
 */
const MatchGame *match_game(const MatchRun *run, const MatchPairing *pairing, int number);

/* The complete pairs of a pairing, by the score of its player a. */
PairCounts match_pairing_counts(const MatchRun *run, const MatchPairing *pairing);

/* The ratings of all players (selfplay/stats/bradley_terry.h). */
bool match_run_ratings(const MatchRun *run, EloEstimate ratings[MATCH_PLAYERS_MAX], Error *error);

#endif
