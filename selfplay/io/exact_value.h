/* Exact values that the solver has found, for comparison with estimates, and bounds of boards that are not solved. They
 * are documents of `stigmergy solve --out` (--all-moves of solved boards), stored as configs/exact/GAME-SIZE.json and
 * GAME-SIZE-button.json. In games with a pie rule the values are for the game without it (--pie off), in Sgolte with
 * free captures. A document of other rules, or of another position than the empty board, counts as none. */
#ifndef STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H
#define STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H

#include "engine/game/game.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Black's margin on the empty board under best play, in points, without komi. `button` chooses between even komi (no
 * button) and odd komi (with it). *known says whether a document has it. False with an error if there is one that
 * cannot be read. */
bool exact_value(const char *game, int size, bool button, double *value, bool *known, Error *error);

/* Both margins of a board. */
typedef struct ExactValues {
    bool known; /* both of them */
    double even, odd;
} ExactValues;

bool exact_values(const char *game, int size, ExactValues *values, Error *error);

/* What is proved of the margin without the button, in points: `lower` <= margin <= `upper`. */
typedef struct ProvedBounds {
    bool known;
    double lower, upper;
} ProvedBounds;

bool exact_bounds(const char *game, int size, ProvedBounds *bounds, Error *error);

/* Adds to a document the key `exact` with both margins of a solved board, or else `proved_bounds` with the bounds,
 * where they are known. False with an error. */
bool exact_values_add(cJSON *json, const char *game, int size, Error *error);

/* The document of the empty board of a game at a komi. *document becomes NULL if there is none; the caller deletes it.
 * False with an error if there is one that cannot be read. */
bool exact_document(const char *game, int size, int komi, cJSON **document, Error *error);

/* Who wins by such a document (which may be NULL) at this komi: from the empty board if `move` is NULL, otherwise after
 * this first move. False if the document does not say. */
bool exact_winner(const cJSON *document, const char *move, int komi, Side *winner);

#ifdef __cplusplus
}
#endif

#endif
