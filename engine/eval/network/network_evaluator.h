/* The evaluator that asks a network (network.h, features.h): value, margin, owners and policy of a leaf. It wants one
 * leaf at a time: its weights stay in the cache of the processor, so larger batches would gain nothing. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_EVALUATOR_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_EVALUATOR_H

#include "engine/eval/evaluator.h"
#include "engine/eval/network/network.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NETWORK_CHANCES = 16 * 256,    /* a chance is the same for all logits from 16 on: 1e-7 from 0 or 1 */
    NETWORK_CACHE_BYTES = 16 << 20 /* of the cache (cache.h) that a search has for all its threads */
};

typedef struct NetworkEvaluator {
    Evaluator evaluator; /* first: a pointer to it is a pointer to the NetworkEvaluator */
    const Network *network;
    size_t cache_bytes;            /* NETWORK_CACHE_BYTES; 0: no cache. To be set before there are contexts */
    float chance[NETWORK_CHANCES]; /* 1 / (1 + exp(-i / 256)) */
    float power[256];              /* 2^(i / 256) */
} NetworkEvaluator;

/* Fills in an evaluator with a network, which outlives it. There is nothing to free. A context for a game that the
 * network is not for cannot be made; one for a board that it was not trained on can (NetworkShape.min_size). */
void network_evaluator_init(NetworkEvaluator *self, const Network *network);

#ifdef __cplusplus
}
#endif

#endif
