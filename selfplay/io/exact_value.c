/* See exact_value.h. */
#include "selfplay/io/exact_value.h"

#include "engine/games/registry.h"
#include "selfplay/io/json_value.h"
#include "selfplay/io/variants.h"

#include <stdio.h>

/* Whether a document has this word; what is the usual of the game may be left out. */
static bool has_word(const cJSON *json, const char *key, const char *word, bool is_usual) {
    const cJSON *item = json_get(json, key);
    return item ? cJSON_IsString(item) && !strcmp(item->valuestring, word) : is_usual;
}

/* Whether a document is of the empty board, the usual captures, and no swap. */
static bool is_wanted(const cJSON *json, const char *game) {
    const GameOptions usual = game_usual((GameOptions){.name = game, .pie = GAME_PIE_OFF});
    return has_word(json, "moves", "", false) && has_word(json, "capture", variants_captures[0], true) &&
           has_word(json, "pie", variants_pies[0], usual.pie == GAME_PIE_DEFAULT);
}

/* The document of the empty board; *json becomes NULL if there is none. */
static bool load(const char *game, int size, bool button, cJSON **json, Error *error) {
    char name[64];
    snprintf(name, sizeof name, "%s-%d%s", game, size, button ? "-button" : "");
    if (!json_load_known("exact", name, json, error))
        return false;
    if (!is_wanted(*json, game)) {
        cJSON_Delete(*json);
        *json = NULL;
    }
    return true;
}

/* The proved value in a document or in an entry of it. NULL if there is none. */
static const cJSON *proved_value(const cJSON *json) {
    return cJSON_IsTrue(json_get(json, "proved")) ? json_get(json, "value") : NULL;
}

bool exact_value(const char *game, int size, bool button, double *value, bool *known, Error *error) {
    cJSON *json;
    *known = false;
    if (!load(game, size, button, &json, error))
        return false;
    const cJSON *found = proved_value(json);
    *known = cJSON_IsNumber(found);
    if (*known)
        *value = found->valuedouble;
    cJSON_Delete(json);
    return true;
}

bool exact_values(const char *game, int size, ExactValues *values, Error *error) {
    bool even_known, odd_known;
    *values = (ExactValues){.known = false};
    if (!exact_value(game, size, false, &values->even, &even_known, error) ||
        !exact_value(game, size, true, &values->odd, &odd_known, error))
        return false;
    values->known = even_known && odd_known;
    return true;
}

bool exact_bounds(const char *game, int size, ProvedBounds *bounds, Error *error) {
    cJSON *json;
    *bounds = (ProvedBounds){.known = false};
    if (!load(game, size, false, &json, error))
        return false;
    bounds->known = json_get_number(json, "lower", &bounds->lower) && json_get_number(json, "upper", &bounds->upper);
    cJSON_Delete(json);
    return true;
}

bool exact_values_add(cJSON *json, const char *game, int size, Error *error) {
    ExactValues values;
    ProvedBounds bounds;
    if (!exact_values(game, size, &values, error) || !exact_bounds(game, size, &bounds, error))
        return false;
    if (values.known) {
        cJSON *exact = cJSON_AddObjectToObject(json, "exact");
        cJSON_AddNumberToObject(exact, "even", values.even);
        cJSON_AddNumberToObject(exact, "odd_with_button", values.odd);
    } else if (bounds.known) {
        cJSON *proved = cJSON_AddObjectToObject(json, "proved_bounds");
        cJSON_AddNumberToObject(proved, "lower", bounds.lower);
        cJSON_AddNumberToObject(proved, "upper", bounds.upper);
    }
    return true;
}

bool exact_document(const char *game, int size, int komi, cJSON **document, Error *error) {
    return load(game, size, komi_has_button(komi), document, error);
}

bool exact_winner(const cJSON *document, const char *move, int komi, Side *winner) {
    const cJSON *value = move ? NULL : proved_value(document), *entry;
    if (move)
        cJSON_ArrayForEach(entry, json_get(document, "all_moves")) {
            const cJSON *name = json_get(entry, "move");
            if (cJSON_IsString(name) && !strcmp(name->valuestring, move))
                value = proved_value(entry);
        }
    if (cJSON_IsNumber(value))
        *winner = value->valuedouble > komi ? BLACK : WHITE;
    else if (cJSON_IsString(value))
        *winner = !strcmp(value->valuestring, "B") ? BLACK : WHITE;
    return cJSON_IsNumber(value) || cJSON_IsString(value);
}
