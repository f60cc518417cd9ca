/* The variants of a game in JSON, the keys "capture" ("free" or "line") and "pie" ("off" or "on"), and as words:
 * capture=line, pie=on. */
#ifndef STIGMERGY_SELFPLAY_IO_VARIANTS_H
#define STIGMERGY_SELFPLAY_IO_VARIANTS_H

#include "engine/game/game.h"
#include "selfplay/io/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words, from GAME_CAPTURE_FREE and GAME_PIE_OFF on. */
extern const char *const variants_captures[2], *const variants_pies[2];

/* Each reads its key into *out if the object has it. */
void variants_read_capture(JsonReader *reader, GameCapture *out);
void variants_read_pie(JsonReader *reader, GamePie *out);

/* Adds those that are not DEFAULT. */
void variants_add(cJSON *json, GameCapture capture, GamePie pie);

enum { VARIANTS_WORDS_MAX = 32 };

/* Writes those that are not DEFAULT as words, separated by spaces. */
void variants_words(GameCapture capture, GamePie pie, char text[VARIANTS_WORDS_MAX]);

#ifdef __cplusplus
}
#endif

#endif
