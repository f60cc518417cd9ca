/* The value of a position by trying everything, for comparison with the solver.
 *
 * Plain minimax over the reference rules (reference.h), without bounds, pruning or symmetry. Values are stored under
 * the complete position. So nothing is computed twice, and two positions are never confused. For boards of up to 37
 * cells. */
#ifndef STIGMERGY_TESTS_SUPPORT_BRUTE_FORCE_H
#define STIGMERGY_TESTS_SUPPORT_BRUTE_FORCE_H

#include "tests/support/reference.h"

#include <stddef.h>

typedef struct BruteForce BruteForce;

/* NULL without memory; to be freed by brute_force_free. */
BruteForce *brute_force_new(void);
void brute_force_free(BruteForce *memory);

/* Black's margin in half points under best play, komi left out. False if this would take more than `limit` new
 * positions. */
bool brute_force_value(BruteForce *memory, const Reference *position, size_t limit, int *half_points);

#endif
