/* See variants.h. */
#include "selfplay/io/variants.h"

#include <stdio.h>

const char *const variants_captures[2] = {"free", "line"}, *const variants_pies[2] = {"off", "on"};

void variants_read_capture(JsonReader *reader, GameCapture *out) {
    int word = (int)*out - GAME_CAPTURE_FREE;
    json_word(reader, "capture", variants_captures, 2, &word);
    *out = (GameCapture)(word + GAME_CAPTURE_FREE);
}

void variants_read_pie(JsonReader *reader, GamePie *out) {
    int word = (int)*out - GAME_PIE_OFF;
    json_word(reader, "pie", variants_pies, 2, &word);
    *out = (GamePie)(word + GAME_PIE_OFF);
}

void variants_add(cJSON *json, GameCapture capture, GamePie pie) {
    if (capture != GAME_CAPTURE_DEFAULT)
        cJSON_AddStringToObject(json, "capture", variants_captures[capture - GAME_CAPTURE_FREE]);
    if (pie != GAME_PIE_DEFAULT)
        cJSON_AddStringToObject(json, "pie", variants_pies[pie - GAME_PIE_OFF]);
}

void variants_words(GameCapture capture, GamePie pie, char text[VARIANTS_WORDS_MAX]) {
    const bool captures = capture != GAME_CAPTURE_DEFAULT, swap = pie != GAME_PIE_DEFAULT;
    snprintf(text, VARIANTS_WORDS_MAX, "%s%s%s%s%s", captures ? "capture=" : "",
             captures ? variants_captures[capture - GAME_CAPTURE_FREE] : "", captures && swap ? " " : "",
             swap ? "pie=" : "", swap ? variants_pies[pie - GAME_PIE_OFF] : "");
}
