/* Leaves judged by playouts: each position is played out several times side by side, so that a SIMD kernel can do so in
 * its lanes, and the results are averaged. Where they disagree, what the game knows besides (GameRules.judge) has a
 * say: a change d of the log odds moves a chance p by d*p*(1-p), to first order. */
#ifndef STIGMERGY_ENGINE_EVAL_PLAYOUTS_H
#define STIGMERGY_ENGINE_EVAL_PLAYOUTS_H

#include "engine/eval/evaluator.h"

typedef struct PlayoutEvaluator {
    Evaluator evaluator; /* first: an Evaluator * is a PlayoutEvaluator * */
    PlayoutPolicy policy;
    int playouts; /* a leaf, 1 to EVALUATION_PLAYOUTS_MAX */
    float judge;  /* weight of GameRules.judge */
} PlayoutEvaluator;

/* Fills in an evaluator that plays `playouts` games a leaf and gives the game's own judgement the weight `judge`. */
void playout_evaluator_init(PlayoutEvaluator *self, PlayoutPolicy policy, int playouts, float judge);

#endif
