/* An evaluator that asks two others: one with a policy, such as a network, and playouts.
 *
 * The chance that Black wins is a mean of both, the rest of the answer comes from the first. This is for games in which
 * playouts know something that a network does not learn: who runs out of turns first (Silver et al. 2016, "Mastering
 * the game of Go with deep neural networks and tree search", mixed values in this way). */
#ifndef STIGMERGY_ENGINE_EVAL_MIXED_H
#define STIGMERGY_ENGINE_EVAL_MIXED_H

#include "engine/eval/evaluator.h"

typedef struct MixedEvaluator {
    Evaluator evaluator;
    const Evaluator *main, *playouts;
    float share; /* of the playouts in the chance, 0 to 1 */
} MixedEvaluator;

/* Both must outlive it. It wants as many leaves at once as the one that wants fewer. */
MixedEvaluator mixed_evaluator(const Evaluator *main, const Evaluator *playouts, float share);

#endif
