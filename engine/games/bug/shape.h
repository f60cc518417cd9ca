/* The shapes of bugs as free polyhexes, compared cell by cell. Kernels ask this only of large bugs whose shape codes
 * (core.h) agree. */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_SHAPE_H
#define STIGMERGY_ENGINE_GAMES_BUG_SHAPE_H

#include "engine/board/hexhex.h"

#include <stdbool.h>

/* Whether two bugs of the same size are congruent. They are sets of board->words words. */
bool bug_congruent(const Hexhex *board, const uint64_t *a, const uint64_t *b);

#endif
