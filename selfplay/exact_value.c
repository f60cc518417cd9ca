/* See exact_value.h. */
#include "exact_value.h"

#include "json.h"

#include <stdio.h>

bool exact_value(const char *game, int size, bool button, double *value) {
    char name[64], path[FILE_PATH_MAX];
    Error error;
    snprintf(name, sizeof name, "%s-%d%s", game, size, button ? "-button" : "");
    cJSON *json = json_load_config("exact", name, path, &error);
    const cJSON *moves = cJSON_GetObjectItem(json, "moves"), *found = cJSON_GetObjectItem(json, "value");
    const bool of_start = cJSON_IsString(moves) && moves->valuestring[0] == '\0';
    const bool known = of_start && cJSON_IsTrue(cJSON_GetObjectItem(json, "proved")) && cJSON_IsNumber(found);
    if (known)
        *value = found->valuedouble;
    cJSON_Delete(json);
    return known;
}
