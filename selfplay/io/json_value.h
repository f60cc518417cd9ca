/* A value of a JSON object that may be missing there, or of another type. For what is read without a JsonReader. */
#ifndef STIGMERGY_SELFPLAY_IO_JSON_VALUE_H
#define STIGMERGY_SELFPLAY_IO_JSON_VALUE_H

#include "selfplay/io/json.h"

/* The number under a key. False if there is none; then *value is 0. */
static inline bool json_get_number(const cJSON *object, const char *key, double *value) {
    const cJSON *item = json_get(object, key);
    *value = cJSON_IsNumber(item) ? item->valuedouble : 0;
    return cJSON_IsNumber(item);
}

#endif
