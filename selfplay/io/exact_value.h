/* Exact values that the solver has found, for comparison with estimates. They are documents of `stigmergy solve
 * --all-moves --out`, stored as configs/exact/GAME-SIZE.json and GAME-SIZE-button.json. In games with a pie rule the
 * values are for the game without it. */
#ifndef STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H
#define STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H

#include "engine/game/game.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Black's margin on the empty board under best play, in points, without komi. `button` chooses between even komi (no
 * button) and odd komi (with it). False if no document has it. */
bool exact_value(const char *game, int size, bool button, double *value);

/* The document of the empty board of a game at a komi, or NULL if there is none. The caller deletes it. */
cJSON *exact_document(const char *game, int size, int komi);

/* Who wins by such a document (which may be NULL) at this komi: from the empty board if `move` is NULL, otherwise after
 * this first move. False if the document does not say. */
bool exact_winner(const cJSON *document, const char *move, int komi, Side *winner);

#ifdef __cplusplus
}
#endif

#endif
