/* Exact values that the solver has found: documents of `stigmergy solve --all-moves --out`, kept as
 * configs/exact/GAME-SIZE.json and GAME-SIZE-button.json, so that estimates can be put beside them. Those of games with
 * a pie rule are of the game without it. */
#ifndef STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H
#define STIGMERGY_SELFPLAY_IO_EXACT_VALUE_H

#include "engine/game/game.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Black's margin on the empty board under best play, in points, komi left out: with even komi, or with odd komi and the
 * button. False where no document tells it. */
bool exact_value(const char *game, int size, bool button, double *value);

/* The document of the empty board of a game at a komi, NULL where there is none. The caller deletes it. */
cJSON *exact_document(const char *game, int size, int komi);

/* Who wins from the empty board at this komi (move NULL), or after this first move, by such a document (NULL: none).
 * False where it does not tell. */
bool exact_winner(const cJSON *document, const char *move, int komi, Side *winner);

#endif
