/* The results of the searches of a game, action by action. A record keeps them for training.
 *
 *     "searches": {"kinds": "--fcc", "win_rates": [5431, 5012, 4980], "scores": [12, 3, -5],
 *                  "visits": [[-12, 31, 5, -1, 364, -40]], "values": [[-12, 4410, 3902, -1, 5480, -40]],
 *                  "owners": ["ZqwfB3..."]}
 *
 *   - `kinds`: a character for each action of the game. `f` is a full search, `c` a cheap one, `-` none (the action was
 *     given, it was the only one, or it only finishes a game that a side gave up).
 *   - `win_rates`: a number for each search, for the side to move, in 1/10000.
 *   - `scores`: a number for each search, Black's expected margin with komi in tenths of a point. It is 0 in games
 *     without points.
 *   - `visits`: a list for each full search, with the visits of the legal actions in the order of their numbers. -n
 *     stands for n actions without a visit. After sequential halving (engine/search/gumbel.h) these are not visits but
 *     the improved policy, in 1/10000.
 *   - `values`: a list for each full search, with the win rates of the legal actions for the side to move, in 1/10000.
 *     -n stands for n actions of which the search knows nothing, because they got no visit.
 *   - `owners`: a string for each full search, with a character of the base64 alphabet for each cell, in the order of
 *     the cells: the chance that the cell ends as Black's, A for 0 to / for 1 in steps of 1/63. It is empty where the
 *     search does not know.
 *
 * `values` and `owners` are missing where no search knows them, as in records of version 0.9.0 and earlier. "Black" is
 * the side that began. */
#ifndef STIGMERGY_SELFPLAY_RECORD_SEARCHES_H
#define STIGMERGY_SELFPLAY_RECORD_SEARCHES_H

#include "engine/game/game.h"

#include <cjson/cJSON.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum SearchKind { SEARCH_NONE, SEARCH_CHEAP, SEARCH_FULL } SearchKind;

enum {
    RECORD_WIN_RATE_ONE = 10000,
    RECORD_SCORE_POINT = 10,
    RECORD_POLICY_ONE = 10000,
    RECORD_OWNER_ONE = 63,
    RECORD_VALUE_UNKNOWN = -1
};

/* The result of the search before one action. */
typedef struct RecordSearch {
    uint8_t kind; /* a SearchKind */
    uint16_t win_rate;
    int16_t score;
    int actions; /* full search: the index of its first visit and value; there is one for each legal action */
    int owners;  /* the index of its first owner, of one for each cell; -1: unknown */
} RecordSearch;

/* The searches of a game: an entry for each action, or no entries. Zero-initialize it; record_searches_free frees
 * it. */
typedef struct RecordSearches {
    RecordSearch *entries;
    int count, capacity;
    int32_t *visits;
    int visit_count, visit_capacity;
    int32_t *values; /* win rates for the side to move in 1/RECORD_WIN_RATE_ONE, or RECORD_VALUE_UNKNOWN */
    int value_count, value_capacity;
    uint8_t *owners; /* chances that a cell ends as Black's, in 1/RECORD_OWNER_ONE */
    int owner_count, owner_capacity;
} RecordSearches;

/* What a full search found, beside the win rate and the score. */
typedef struct RecordFindings {
    const int32_t *visits, *values; /* for each legal action */
    const uint8_t *owners;          /* for each cell; NULL: unknown */
    int legal, cells;               /* their numbers */
} RecordFindings;

/* The game that searches belong to, as far as their JSON must fit it. */
typedef struct RecordShape {
    int actions, cells;
    const int *legal; /* the number of legal actions before each action */
} RecordShape;

void record_searches_clear(RecordSearches *searches);
void record_searches_free(RecordSearches *searches);

/* Appends the entry of an action. The lists of `entry` are set from `findings`. `findings` are those of a full search,
 * else NULL. False with an error if memory runs out. */
bool record_searches_add(RecordSearches *searches, RecordSearch entry, const RecordFindings *findings, Error *error);

/* The JSON object; NULL without memory. */
cJSON *record_searches_to_json(const RecordSearches *searches, const RecordShape *shape);

/* Reads the object of a game of this shape. False with an error. */
bool record_searches_from_json(const cJSON *json, const char *source, const RecordShape *shape,
                               RecordSearches *searches, Error *error);

#ifdef __cplusplus
}
#endif

#endif
