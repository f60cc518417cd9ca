/* See variants.h. */
#include "selfplay/io/variants.h"

enum { WORD_MAX = 40 };

/* By GameCapture and GamePie. */
static const char *const captures[] = {NULL, "free", "line"}, *const pies[] = {NULL, "off", "on"};

/* The number of the word under a key, which is 1 or 2; `number` if the key is missing or wrong. */
static int read_word(JsonReader *reader, const char *key, const char *const words[3], int number) {
    const char *word = json_text(reader, key, WORD_MAX);
    for (int i = 1; word && i < 3; i++)
        if (!strcmp(word, words[i]))
            return i;
    Error reason;
    error_set(&reason, "'%s', expected \"%s\" or \"%s\"", word ? word : "", words[1], words[2]);
    if (word)
        json_fail(reader, key, &reason);
    return number;
}

void variants_read_capture(JsonReader *reader, GameCapture *out) {
    *out = (GameCapture)read_word(reader, "capture", captures, (int)*out);
}

void variants_read_pie(JsonReader *reader, GamePie *out) {
    *out = (GamePie)read_word(reader, "pie", pies, (int)*out);
}

void variants_add(cJSON *json, GameCapture capture, GamePie pie) {
    if (capture != GAME_CAPTURE_DEFAULT)
        cJSON_AddStringToObject(json, "capture", captures[capture]);
    if (pie != GAME_PIE_DEFAULT)
        cJSON_AddStringToObject(json, "pie", pies[pie]);
}
