/* Reading a result document: its parts by key, each with a type and a range. The first thing that is wrong or missing
 * is kept as the error; what is asked for after that may be empty. So a reader asks for everything and looks at
 * `failed` once, at the end. Unknown keys are ignored: documents may get new ones. */
#ifndef STIGMERGY_TOOLS_REPORT_SOURCE_H
#define STIGMERGY_TOOLS_REPORT_SOURCE_H

#include "engine/game/game.h"
#include "selfplay/players/effort.h"
#include "selfplay/stats/komi_estimate.h"

#include <stdbool.h>

typedef struct ReportSource {
    const char *path;  /* of the document, for errors */
    int order;         /* its place on the command line */
    const cJSON *json; /* the whole document */
    bool failed;
    Error error;
} ReportSource;

/* An Elo rating or difference. */
typedef struct ReportRating {
    bool known;
    double estimate;
    Interval ci95;
} ReportRating;

/* Keeps an error about a key, unless there is an earlier one. */
void source_fail(ReportSource *source, const char *key, const char *expected);

/* Each of these reads a key of an object, which may be NULL after an error. Texts belong to the document. */
double source_number(ReportSource *source, const cJSON *object, const char *key, double low, double high);
int source_int(ReportSource *source, const cJSON *object, const char *key, int low, int high);
bool source_bool(ReportSource *source, const cJSON *object, const char *key);
bool source_flag(ReportSource *source, const cJSON *object, const char *key); /* false where it is left out */
const char *source_text(ReportSource *source, const cJSON *object, const char *key);
Interval source_interval(ReportSource *source, const cJSON *object, const char *key);
const cJSON *source_object(ReportSource *source, const cJSON *object, const char *key);
const cJSON *source_array(ReportSource *source, const cJSON *object, const char *key);
const cJSON *source_texts(ReportSource *source, const cJSON *object, const char *key); /* an array of them */

/* The value under a key; NULL if it is missing or null, or after an error. */
const cJSON *source_optional(ReportSource *source, const cJSON *object, const char *key);

/* The text under a key; NULL if it is missing or null, or after an error. */
const char *source_optional_text(ReportSource *source, const cJSON *object, const char *key);

/* A rating from `estimate` and `ci95` of an object; known. */
ReportRating source_rating(ReportSource *source, const cJSON *object);

/* A fair komi from `fair_komi`, `ci95` and, left out where it is no bracket, `bracket` of an object. */
KomiEstimate source_fair_komi(ReportSource *source, const cJSON *object);

/* What the games of one parity say in a komi run, from a curve of its `fair_komi` or of a first move. */
KomiEstimate source_curve(ReportSource *source, const cJSON *curve);

/* What all curves say together in a komi run, from its `fair_komi`: the pair, as a bracket, or `combined`. */
KomiEstimate source_together(ReportSource *source, const cJSON *fair);

/* Room for what is read from the items of an array (NULL: for one), of this size each: zero bytes, to be freed. Without
 * memory NULL, and an error about the array's key. */
void *source_list(ReportSource *source, const char *key, const cJSON *array, size_t size);

/* The position after the turns under a key, from the empty board with this komi; to be freed. NULL after an error. */
GameState *source_position(ReportSource *source, const Game *game, const cJSON *object, const char *key, int komi);

/* The effort of the player of a document, or of a rung: simulations, or else a time. */
Effort source_effort(ReportSource *source, const cJSON *object);

/* The game that the document names with `game`, `size` and, for variants, the keys of its `settings` or else its own;
 * of the usual size if the document is about all sizes, and with this pie rule where nothing says it. NULL if there is
 * no such game. To be freed by game_free. */
Game *source_game(ReportSource *source, bool all_sizes, GamePie pie);

#endif
