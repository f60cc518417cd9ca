/* Exact values that the solver has found: documents of `stigmergy solve --out`, kept as configs/exact/GAME-SIZE.json
 * and GAME-SIZE-button.json, so that estimates can be put beside them. */
#ifndef STIGMERGY_EXACT_VALUE_H
#define STIGMERGY_EXACT_VALUE_H

#include <stdbool.h>

/* Black's margin on the empty board under best play, in points, komi left out: with even komi, or with odd komi and the
 * button. False where no document tells it. */
bool exact_value(const char *game, int size, bool button, double *value);

#endif
