/* The value of a position by looking at everything, to compare the solver with.
 *
 * Plain minimax over the reference rules (reference.h), without bounds, pruning or symmetry. Values are kept by the
 * full position, so that nothing is computed twice and no two positions can be mistaken for each other. For boards of
 * up to 37 cells. */
#ifndef STIGMERGY_TESTS_SUPPORT_BRUTE_FORCE_H
#define STIGMERGY_TESTS_SUPPORT_BRUTE_FORCE_H

#include "tests/support/reference.h"

#include <stddef.h>

typedef struct BruteForce BruteForce;

/* NULL without memory; to be freed by brute_force_free. */
BruteForce *brute_force_new(void);
void brute_force_free(BruteForce *memory);

/* Black's margin in half points under best play, komi left out. False if this would take more than `limit` positions
 * that were not known before. */
bool brute_force_value(BruteForce *memory, const Reference *position, size_t limit, int *half_points);

#endif
