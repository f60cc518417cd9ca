/* The results of the searches of a game, action by action. A record keeps them for training.
 *
 *     "searches": {"kinds": "--fcc", "win_rates": [5431, 5012, 4980], "scores": [12, 3, -5],
 *                  "visits": [[-12, 31, 5, -1, 364, -40]]}
 *
 *   - `kinds`: a character for each action of the game. `f` is a full search, `c` a cheap one, `-` none (the action was
 *     given, or it was the only one).
 *   - `win_rates`: a number for each search, for the side to move, in 1/10000.
 *   - `scores`: a number for each search, Black's expected margin with komi in tenths of a point. It is 0 in games
 *     without points.
 *   - `visits`: a list for each full search, with the visits of the legal actions in the order of their numbers. -n
 *     stands for n actions without a visit. After sequential halving (engine/search/gumbel.h) these are not visits but
 *     the improved policy, in 1/10000. */
#ifndef STIGMERGY_SELFPLAY_RECORD_SEARCHES_H
#define STIGMERGY_SELFPLAY_RECORD_SEARCHES_H

#include "engine/game/game.h"

#include <cjson/cJSON.h>

typedef enum SearchKind { SEARCH_NONE, SEARCH_CHEAP, SEARCH_FULL } SearchKind;

enum { RECORD_WIN_RATE_ONE = 10000, RECORD_SCORE_POINT = 10, RECORD_POLICY_ONE = 10000 };

/* The result of the search before one action. */
typedef struct RecordSearch {
    uint8_t kind; /* a SearchKind */
    uint16_t win_rate;
    int16_t score;
    int visits; /* full search: the index of its first visit; there is one number for each legal action */
} RecordSearch;

/* The searches of a game: an entry for each action, or no entries. Zero-initialize it; record_searches_free frees
 * it. */
typedef struct RecordSearches {
    RecordSearch *entries;
    int count, capacity;
    uint32_t *visits;
    int visit_count, visit_capacity;
} RecordSearches;

void record_searches_clear(RecordSearches *searches);
void record_searches_free(RecordSearches *searches);

/* Appends the entry of an action. A full search has `legal` visits. False with an error without memory. */
bool record_searches_add(RecordSearches *searches, RecordSearch entry, const uint32_t *visits, int legal, Error *error);

/* The JSON object; NULL without memory. legal[i] is the number of legal actions before action i. */
cJSON *record_searches_to_json(const RecordSearches *searches, const int *legal);

/* Reads the object of a game of `actions` actions. legal[i] is as above. False with an error. */
bool record_searches_from_json(const cJSON *json, const char *source, const int *legal, int actions,
                               RecordSearches *searches, Error *error);

#endif
