/* The evaluator that plays games to their end: each leaf is played out several times side by side, so that a SIMD
 * kernel of the game can do it in its lanes, and the results are averaged. It has owners and all-moves-as-first
 * statistics.
 *
 * Where the playouts of a leaf disagree, what the game knows of the position has a say (GameRules.static_eval): a
 * change d of the log odds moves a chance p by d * p * (1 - p), to first order. */
#ifndef STIGMERGY_ENGINE_EVAL_PLAYOUTS_H
#define STIGMERGY_ENGINE_EVAL_PLAYOUTS_H

#include "engine/eval/evaluator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PlayoutEvaluator {
    Evaluator evaluator; /* first: a pointer to it is a pointer to the PlayoutEvaluator */
    PlayoutPolicy policy;
    int playouts;      /* for each leaf, 1 to EVALUATION_PLAYOUTS_MAX */
    float static_eval; /* weight of GameRules.static_eval, 0: none */
} PlayoutEvaluator;

/* An evaluator with these settings. There is nothing to free. */
PlayoutEvaluator playout_evaluator(PlayoutPolicy policy, int playouts, float static_eval);

#ifdef __cplusplus
}
#endif

#endif
