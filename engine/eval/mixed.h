/* An evaluator that asks two others: one with a policy, such as a network, and playouts.
 *
 * The chance that Black wins is a mean of both, the rest of the answer comes from the first. Silver et al. (2016,
 * "Mastering the game of Go with deep neural networks and tree search") mixed values in this way. Here the share of the
 * playouts grows from nothing, where half of the board is empty, as the board fills up. This is for games in which
 * playouts see the end, as who runs out of turns first, and a network does not; before that playouts know less. */
#ifndef STIGMERGY_ENGINE_EVAL_MIXED_H
#define STIGMERGY_ENGINE_EVAL_MIXED_H

#include "engine/eval/evaluator.h"

typedef struct MixedEvaluator {
    Evaluator evaluator;
    const Evaluator *main, *playouts;
    float share; /* of the playouts in the chance on a full board, 0 to 1 */
} MixedEvaluator;

/* Both must outlive it. It wants as many leaves at once as the one that wants fewer. */
MixedEvaluator mixed_evaluator(const Evaluator *main, const Evaluator *playouts, float share);

#endif
