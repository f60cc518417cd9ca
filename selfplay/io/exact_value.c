/* See exact_value.h. */
#include "selfplay/io/exact_value.h"

#include "selfplay/io/json.h"

#include <stdio.h>

/* The document of the empty board, or NULL. */
static cJSON *load(const char *game, int size, bool button) {
    char name[64], path[FILE_PATH_MAX];
    Error error;
    snprintf(name, sizeof name, "%s-%d%s", game, size, button ? "-button" : "");
    cJSON *json = json_load_config("exact", name, path, &error);
    const cJSON *moves = cJSON_GetObjectItem(json, "moves");
    if (cJSON_IsString(moves) && moves->valuestring[0] == '\0')
        return json;
    cJSON_Delete(json);
    return NULL;
}

/* The proved value in a document or in an entry of it. NULL if there is none. */
static const cJSON *proved_value(const cJSON *json) {
    return cJSON_IsTrue(cJSON_GetObjectItem(json, "proved")) ? cJSON_GetObjectItem(json, "value") : NULL;
}

bool exact_value(const char *game, int size, bool button, double *value) {
    cJSON *json = load(game, size, button);
    const cJSON *found = proved_value(json);
    const bool known = cJSON_IsNumber(found);
    if (known)
        *value = found->valuedouble;
    cJSON_Delete(json);
    return known;
}

cJSON *exact_document(const char *game, int size, int komi) {
    return load(game, size, komi_has_button(komi));
}

bool exact_winner(const cJSON *document, const char *move, int komi, Side *winner) {
    const cJSON *value = move ? NULL : proved_value(document), *entry;
    if (move)
        cJSON_ArrayForEach(entry, cJSON_GetObjectItem(document, "all_moves")) {
            const cJSON *name = cJSON_GetObjectItem(entry, "move");
            if (cJSON_IsString(name) && !strcmp(name->valuestring, move))
                value = proved_value(entry);
        }
    if (cJSON_IsNumber(value))
        *winner = value->valuedouble > komi ? BLACK : WHITE;
    else if (cJSON_IsString(value))
        *winner = !strcmp(value->valuestring, "B") ? BLACK : WHITE;
    return cJSON_IsNumber(value) || cJSON_IsString(value);
}
