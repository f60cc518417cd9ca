/* A result document as a report reads it: its parts by key, each with a type and a range. The first thing that is wrong
 * or missing is kept with its name, and everything after it reads as empty, so that a reader can ask for all and look
 * once. Keys that nobody asks for are passed over: documents may grow. */
#ifndef STIGMERGY_TOOLS_REPORT_SOURCE_INTERNAL_H
#define STIGMERGY_TOOLS_REPORT_SOURCE_INTERNAL_H

#include "engine/game/game.h"
#include "selfplay/stats/interval.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

typedef struct ReportSource {
    const char *path;  /* of the document, for errors */
    const cJSON *json; /* the whole */
    bool failed;
    Error error;
} ReportSource;

/* Says that a value is wrong, where nothing else was wrong before. */
void source_fail(ReportSource *source, const char *key, const char *expected);

/* Each reads a key of an object, which may be NULL where something failed before. Texts belong to the document. */
double source_number(ReportSource *source, const cJSON *object, const char *key, double low, double high);
int source_int(ReportSource *source, const cJSON *object, const char *key, int low, int high);
bool source_bool(ReportSource *source, const cJSON *object, const char *key);
const char *source_text(ReportSource *source, const cJSON *object, const char *key);
Interval source_interval(ReportSource *source, const cJSON *object, const char *key);
const cJSON *source_object(ReportSource *source, const cJSON *object, const char *key);
const cJSON *source_array(ReportSource *source, const cJSON *object, const char *key);

/* The same, but NULL where the key is missing or null. */
const cJSON *source_optional(ReportSource *source, const cJSON *object, const char *key);

/* A text of at most 255 bytes that says how hard the player of a document, or of a rung, thinks: "800 simulations". */
void source_effort(ReportSource *source, const cJSON *object, char out[32]);

/* The game of `game` and `size` (and `settings` with variants, where there are any), to be freed; NULL where they name
 * none. */
Game *source_game(ReportSource *source);

#endif
