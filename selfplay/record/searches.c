/* See searches.h. */
#include "selfplay/record/searches.h"

#include "engine/base/list.h"
#include "selfplay/io/json.h"

#include <stdlib.h>

enum { VISITS_MAX = 1000000000, SCORE_MAX = RECORD_SCORE_POINT * 3000 };

static const char kind_letters[] = {[SEARCH_NONE] = '-', [SEARCH_CHEAP] = 'c', [SEARCH_FULL] = 'f'};
static const char owner_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

_Static_assert(sizeof owner_letters == RECORD_OWNER_ONE + 2, "a letter for each level");

void record_searches_clear(RecordSearches *searches) {
    searches->count = 0;
    searches->visit_count = 0;
    searches->value_count = 0;
    searches->owner_count = 0;
}

void record_searches_free(RecordSearches *searches) {
    free(searches->entries);
    free(searches->visits);
    free(searches->values);
    free(searches->owners);
    *searches = (RecordSearches){0};
}

/* Appends numbers of the actions to one of the lists. */
static bool append(int32_t **list, int *count, int *capacity, const int32_t *numbers, int more) {
    if (!list_grow(list, capacity, *count + more, sizeof **list))
        return false;
    memcpy(*list + *count, numbers, (size_t)more * sizeof *numbers);
    *count += more;
    return true;
}

static bool append_owners(RecordSearches *searches, const uint8_t *owners, int cells) {
    if (!list_grow(&searches->owners, &searches->owner_capacity, searches->owner_count + cells, sizeof *owners))
        return false;
    memcpy(searches->owners + searches->owner_count, owners, (size_t)cells);
    searches->owner_count += cells;
    return true;
}

bool record_searches_add(RecordSearches *searches, RecordSearch entry, const RecordFindings *findings, Error *error) {
    entry.actions = searches->visit_count;
    entry.owners = findings && findings->owners ? searches->owner_count : -1;
    if (!list_grow(&searches->entries, &searches->capacity, searches->count + 1, sizeof entry) ||
        (findings && !(append(&searches->visits, &searches->visit_count, &searches->visit_capacity, findings->visits,
                              findings->legal) &&
                       append(&searches->values, &searches->value_count, &searches->value_capacity, findings->values,
                              findings->legal))) ||
        (entry.owners >= 0 && !append_owners(searches, findings->owners, findings->cells)))
        return error_set(error, "out of memory for the searches of a game");
    searches->entries[searches->count++] = entry;
    return true;
}

/* ---- Writing ---- */

static bool add_integer(cJSON *array, int64_t value) {
    return cJSON_AddItemToArray(array, cJSON_CreateNumber((double)value));
}

/* Writes a list of numbers, with a run of those that stand for nothing as one negative number. */
static bool add_runs(cJSON *lists, const int32_t *numbers, int count, int32_t nothing) {
    cJSON *list = cJSON_CreateArray();
    bool good = cJSON_AddItemToArray(lists, list);
    for (int i = 0; i < count && good;) {
        int run = 0;
        while (i + run < count && numbers[i + run] == nothing)
            run++;
        good = add_integer(list, run ? -(int64_t)run : (int64_t)numbers[i]);
        i += run ? run : 1;
    }
    return good;
}

/* Writes the owners of one search; an empty string where they are unknown. */
static bool add_owners(cJSON *lists, const RecordSearches *searches, const RecordSearch *entry, int cells) {
    char letters[HEXHEX_MAX_CELLS + 1] = "";
    for (int c = 0; c < cells && entry->owners >= 0; c++) {
        letters[c] = owner_letters[searches->owners[entry->owners + c]];
        letters[c + 1] = '\0';
    }
    return cJSON_AddItemToArray(lists, cJSON_CreateString(letters));
}

static bool values_known(const RecordSearches *searches) {
    for (int i = 0; i < searches->value_count; i++)
        if (searches->values[i] != RECORD_VALUE_UNKNOWN)
            return true;
    return false;
}

static bool add_kinds(cJSON *json, const RecordSearches *searches) {
    char *kinds = calloc((size_t)searches->count + 1, 1);
    for (int i = 0; i < searches->count && kinds; i++)
        kinds[i] = kind_letters[searches->entries[i].kind];
    const bool good = kinds && cJSON_AddStringToObject(json, "kinds", kinds);
    free(kinds);
    return good;
}

/* Writes what every search found. */
static bool add_estimates(cJSON *json, const RecordSearches *searches) {
    cJSON *rates = cJSON_AddArrayToObject(json, "win_rates"), *scores = cJSON_AddArrayToObject(json, "scores");
    bool good = true;
    for (int i = 0; i < searches->count && good; i++) {
        const RecordSearch *entry = &searches->entries[i];
        good = entry->kind == SEARCH_NONE || (add_integer(rates, entry->win_rate) && add_integer(scores, entry->score));
    }
    return good;
}

/* Writes what full searches found. */
static bool add_findings(cJSON *json, const RecordSearches *searches, const RecordShape *shape) {
    cJSON *visits = cJSON_AddArrayToObject(json, "visits");
    cJSON *values = values_known(searches) ? cJSON_AddArrayToObject(json, "values") : NULL;
    cJSON *owners = searches->owner_count > 0 ? cJSON_AddArrayToObject(json, "owners") : NULL;
    bool good = true;
    for (int i = 0; i < searches->count && good; i++) {
        const RecordSearch *entry = &searches->entries[i];
        if (entry->kind != SEARCH_FULL)
            continue;
        good = add_runs(visits, searches->visits + entry->actions, shape->legal[i], 0);
        if (values)
            good = good && add_runs(values, searches->values + entry->actions, shape->legal[i], RECORD_VALUE_UNKNOWN);
        if (owners)
            good = good && add_owners(owners, searches, entry, shape->cells);
    }
    return good;
}

cJSON *record_searches_to_json(const RecordSearches *searches, const RecordShape *shape) {
    cJSON *json = cJSON_CreateObject();
    if (add_kinds(json, searches) && add_estimates(json, searches) && add_findings(json, searches, shape))
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

/* Reads one list of runs for `legal` actions and goes on to the next. */
static bool take_runs(const cJSON **lists, int legal, int64_t high, int32_t nothing, int32_t out[GAME_LEGAL_MAX]) {
    int count = 0;
    const cJSON *list = *lists;
    for (const cJSON *item = cJSON_IsArray(list) ? list->child : NULL; item;) {
        int64_t value;
        if (!take_integer(&item, -(legal - count), high, &value) || (value >= 0 && value <= nothing) || count == legal)
            return false;
        if (value >= 0)
            out[count++] = (int32_t)value;
        for (; value < 0; value++)
            out[count++] = nothing;
    }
    *lists = list ? list->next : NULL;
    return count == legal;
}

/* Reads the owners of one search and goes on to the next; *known tells whether there are any. */
static bool take_owners(const cJSON **strings, int cells, uint8_t out[HEXHEX_MAX_CELLS], bool *known) {
    const cJSON *string = *strings;
    if (!cJSON_IsString(string))
        return false;
    *strings = string->next;
    *known = string->valuestring[0] != '\0';
    if (*known && strlen(string->valuestring) != (size_t)cells)
        return false;
    for (int c = 0; c < cells && *known; c++) {
        const char *letter = strchr(owner_letters, string->valuestring[c]);
        if (!letter)
            return false;
        out[c] = (uint8_t)(letter - owner_letters);
    }
    return true;
}

/* An object being read. */
typedef struct Reading {
    const cJSON *rates, *scores, *visits, *values, *owners; /* the next item of each list; NULL: nothing is left */
    bool has_values, has_owners;                            /* older records have no such lists */
    const char *source;
    const RecordShape *shape;
    RecordSearches *searches; /* where the entries go */
    Error *error;
} Reading;

static bool wrong(const Reading *reading, const char *key) {
    return error_set(reading->error, "%s: '%s' is wrong, expected the results of the searches of %d actions",
                     reading->source, key, reading->shape->actions);
}

/* Reads what one full search found and appends it with the entry. False with an error. */
static bool read_full(Reading *reading, RecordSearch entry, int legal) {
    const int cells = reading->shape->cells;
    int32_t visits[GAME_LEGAL_MAX], values[GAME_LEGAL_MAX];
    uint8_t owners[HEXHEX_MAX_CELLS];
    bool known = false;
    if (!take_runs(&reading->visits, legal, VISITS_MAX, 0, visits))
        return wrong(reading, "visits");
    for (int i = 0; i < legal && !reading->has_values; i++)
        values[i] = RECORD_VALUE_UNKNOWN;
    if (reading->has_values && !take_runs(&reading->values, legal, RECORD_WIN_RATE_ONE, RECORD_VALUE_UNKNOWN, values))
        return wrong(reading, "values");
    if (reading->has_owners && !take_owners(&reading->owners, cells, owners, &known))
        return wrong(reading, "owners");
    const RecordFindings findings = {visits, values, known ? owners : NULL, legal, cells};
    return record_searches_add(reading->searches, entry, &findings, reading->error);
}

/* Reads and appends the entry of an action: the letter of its kind, and its number of legal actions. False with an
 * error. */
static bool read_entry(Reading *reading, char letter, int legal) {
    RecordSearch entry = {.kind = letter == 'f' ? SEARCH_FULL : letter == 'c' ? SEARCH_CHEAP : SEARCH_NONE};
    int64_t rate = 0, score = 0;
    if (letter != kind_letters[entry.kind])
        return wrong(reading, "kinds");
    if (entry.kind != SEARCH_NONE && !take_integer(&reading->rates, 0, RECORD_WIN_RATE_ONE, &rate))
        return wrong(reading, "win_rates");
    if (entry.kind != SEARCH_NONE && !take_integer(&reading->scores, -SCORE_MAX, SCORE_MAX, &score))
        return wrong(reading, "scores");
    entry.win_rate = (uint16_t)rate;
    entry.score = (int16_t)score;
    return entry.kind == SEARCH_FULL ? read_full(reading, entry, legal)
                                     : record_searches_add(reading->searches, entry, NULL, reading->error);
}

/* The name of the first list that has more than was read; NULL if there is none. */
static const char *find_rest(const Reading *reading) {
    return reading->rates    ? "win_rates"
           : reading->scores ? "scores"
           : reading->visits ? "visits"
           : reading->values ? "values"
           : reading->owners ? "owners"
                             : NULL;
}

/* Opens the object, finds its lists, and writes the letters of its kinds; "" if these are no string. False with an
 * error. */
static bool open_lists(Reading *reading, const cJSON *json, const char **letters) {
    JsonReader reader = json_open(json, reading->source);
    static const char *const keys[] = {"kinds", "win_rates", "scores", "visits"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        json_require(&reader, keys[i]);
    const cJSON *kinds = json_any(&reader, "kinds");
    const cJSON *rates = json_array(&reader, "win_rates"), *scores = json_array(&reader, "scores");
    const cJSON *visits = json_array(&reader, "visits"), *values = json_array(&reader, "values");
    const cJSON *owners = json_array(&reader, "owners");
    if (!json_close(&reader, reading->error))
        return false;
    *letters = cJSON_IsString(kinds) ? kinds->valuestring : "";
    reading->rates = rates->child;
    reading->scores = scores->child;
    reading->visits = visits->child;
    reading->values = values ? values->child : NULL;
    reading->owners = owners ? owners->child : NULL;
    reading->has_values = values != NULL;
    reading->has_owners = owners != NULL;
    return true;
}

bool record_searches_from_json(const cJSON *json, const char *source, const RecordShape *shape,
                               RecordSearches *searches, Error *error) {
    Reading reading = {.source = source, .shape = shape, .searches = searches, .error = error};
    const char *letters;
    if (!open_lists(&reading, json, &letters))
        return false;
    if (shape->actions == 0 || strlen(letters) != (size_t)shape->actions)
        return wrong(&reading, "kinds");
    for (int i = 0; i < shape->actions; i++)
        if (!read_entry(&reading, letters[i], shape->legal[i]))
            return false;
    const char *rest = find_rest(&reading);
    return !rest || wrong(&reading, rest);
}
