/* See searches.h. */
#include "selfplay/record/searches.h"

#include "selfplay/io/json.h"

#include <stdlib.h>

enum { VISITS_MAX = 1000000000, SCORE_MAX = RECORD_SCORE_POINT * 3000 };

static const char kind_letters[] = {[SEARCH_NONE] = '-', [SEARCH_CHEAP] = 'c', [SEARCH_FULL] = 'f'};

void record_searches_clear(RecordSearches *searches) {
    searches->count = 0;
    searches->visit_count = 0;
}

void record_searches_free(RecordSearches *searches) {
    free(searches->entries);
    free(searches->visits);
    *searches = (RecordSearches){0};
}

/* Makes room for `more` items after the first `count`. */
static bool make_room(void **array, int count, int more, int *capacity, size_t item, Error *error) {
    if (count + more <= *capacity)
        return true;
    const int wanted = 2 * (count + more) + 64;
    void *larger = realloc(*array, (size_t)wanted * item);
    if (!larger)
        return error_set(error, "out of memory for the searches of a game");
    *array = larger;
    *capacity = wanted;
    return true;
}

bool record_searches_add(RecordSearches *searches, RecordSearch entry, const uint32_t *visits, int legal,
                         Error *error) {
    void *entries = searches->entries, *all = searches->visits;
    const int more = entry.kind == SEARCH_FULL ? legal : 0;
    const bool room =
        make_room(&entries, searches->count, 1, &searches->capacity, sizeof *searches->entries, error) &&
        make_room(&all, searches->visit_count, more, &searches->visit_capacity, sizeof *searches->visits, error);
    searches->entries = entries;
    searches->visits = all;
    if (!room)
        return false;
    entry.visits = searches->visit_count;
    searches->entries[searches->count++] = entry;
    for (int i = 0; i < more; i++)
        searches->visits[searches->visit_count++] = visits[i];
    return true;
}

/* ---- Writing ---- */

static bool add_integer(cJSON *array, int64_t value) {
    return cJSON_AddItemToArray(array, cJSON_CreateNumber((double)value));
}

/* Writes the visits, with a run of zeros as one negative number. */
static bool add_visits(cJSON *lists, const uint32_t *visits, int legal) {
    cJSON *list = cJSON_CreateArray();
    bool good = cJSON_AddItemToArray(lists, list);
    for (int i = 0; i < legal && good;) {
        int zeros = 0;
        while (i + zeros < legal && visits[i + zeros] == 0)
            zeros++;
        good = add_integer(list, zeros ? -(int64_t)zeros : (int64_t)visits[i]);
        i += zeros ? zeros : 1;
    }
    return good;
}

cJSON *record_searches_to_json(const RecordSearches *searches, const int *legal) {
    cJSON *json = cJSON_CreateObject();
    char *kinds = calloc((size_t)searches->count + 1, 1);
    bool good = kinds != NULL;
    for (int i = 0; i < searches->count && good; i++)
        kinds[i] = kind_letters[searches->entries[i].kind];
    good = good && cJSON_AddStringToObject(json, "kinds", kinds);
    free(kinds);
    cJSON *rates = cJSON_AddArrayToObject(json, "win_rates"), *scores = cJSON_AddArrayToObject(json, "scores");
    cJSON *visits = cJSON_AddArrayToObject(json, "visits");
    for (int i = 0; i < searches->count && good; i++) {
        const RecordSearch *entry = &searches->entries[i];
        good = entry->kind == SEARCH_NONE || (add_integer(rates, entry->win_rate) && add_integer(scores, entry->score));
        if (entry->kind == SEARCH_FULL)
            good = good && add_visits(visits, searches->visits + entry->visits, legal[i]);
    }
    if (good)
        return json;
    cJSON_Delete(json);
    return NULL;
}

/* ---- Reading ---- */

static bool take_integer(const cJSON **item, int64_t low, int64_t high, int64_t *out) {
    const cJSON *number = *item;
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= (double)low && number->valuedouble <= (double)high))
        return false;
    *out = (int64_t)number->valuedouble;
    *item = number->next;
    return (double)*out == number->valuedouble;
}

/* Reads the visits of one search. */
static bool read_visits(const cJSON *list, int legal, uint32_t visits[GAME_LEGAL_MAX]) {
    int count = 0;
    for (const cJSON *item = cJSON_IsArray(list) ? list->child : NULL; item;) {
        int64_t value;
        if (!take_integer(&item, -(legal - count), VISITS_MAX, &value) || value == 0 || count == legal)
            return false;
        if (value > 0)
            visits[count++] = (uint32_t)value;
        for (; value < 0; value++)
            visits[count++] = 0;
    }
    return count == legal;
}

/* The lists that are not read yet. */
typedef struct Lists {
    const cJSON *rates, *scores, *visits;
} Lists;

/* Reads the entries of one action from the lists. */
static bool read_entry(Lists *lists, char letter, int legal, RecordSearches *searches, const char **what,
                       Error *error) {
    RecordSearch entry = {.kind = letter == 'f' ? SEARCH_FULL : letter == 'c' ? SEARCH_CHEAP : SEARCH_NONE};
    uint32_t visits[GAME_LEGAL_MAX];
    int64_t rate = 0, score = 0;
    *what = "kinds";
    if (letter != kind_letters[entry.kind])
        return false;
    *what = "win_rates";
    if (entry.kind != SEARCH_NONE && !take_integer(&lists->rates, 0, RECORD_WIN_RATE_ONE, &rate))
        return false;
    *what = "scores";
    if (entry.kind != SEARCH_NONE && !take_integer(&lists->scores, -SCORE_MAX, SCORE_MAX, &score))
        return false;
    *what = "visits";
    if (entry.kind == SEARCH_FULL) {
        if (!read_visits(lists->visits, legal, visits))
            return false;
        lists->visits = lists->visits->next;
    }
    *what = NULL;
    entry.win_rate = (uint16_t)rate;
    entry.score = (int16_t)score;
    return record_searches_add(searches, entry, visits, legal, error);
}

bool record_searches_from_json(const cJSON *json, const char *source, const int *legal, int actions,
                               RecordSearches *searches, Error *error) {
    JsonReader reader = json_open(json, source);
    static const char *const keys[] = {"kinds", "win_rates", "scores", "visits"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_require(&reader, keys[i]);
    const cJSON *kinds = json_any(&reader, "kinds"), *rates = json_array(&reader, "win_rates");
    const cJSON *scores = json_array(&reader, "scores"), *visits = json_array(&reader, "visits");
    if (!json_close(&reader, error))
        return false;
    const char *what = "kinds", *letters = cJSON_IsString(kinds) ? kinds->valuestring : "";
    if (strlen(letters) == (size_t)actions && actions > 0) {
        Lists lists = {rates->child, scores->child, visits->child};
        what = NULL;
        for (int i = 0; i < actions && !what; i++)
            if (!read_entry(&lists, letters[i], legal[i], searches, &what, error) && !what)
                return false;
        if (!what)
            what = lists.rates ? "win_rates" : lists.scores ? "scores" : lists.visits ? "visits" : NULL;
    }
    return !what || error_set(error, "%s: '%s' is wrong, expected the results of the searches of %d actions", source,
                              what, actions);
}
