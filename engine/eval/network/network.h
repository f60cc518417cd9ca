/* A neural network that judges positions. One network serves all board sizes of a game. It computes in whole numbers
 * from the inputs to the outputs.
 *
 * It is the residual network of AlphaZero (Silver et al. 2018) without batch statistics. Its convolutions cover the
 * seven cells of a hexagonal neighbourhood. Some of its blocks, and its heads, have global pooling as in KataGo (Wu
 * 2019, arXiv:1902.10565). Part of the pooled mean is scaled by the size of the board, so that a network works on all
 * sizes.
 *
 * Whole numbers, as in the NNUE networks of Stockfish, have two advantages. They are fast: one instruction multiplies
 * and adds 64 pairs of bytes. And sums of whole numbers are the same in any order, so that every kernel (kernel.h)
 * gives the same outputs to the bit, and the same seeds give the same games on every processor.
 *
 * What the numbers stand for. Inputs: planes of bytes, value n/64, by cell; globals, int8, value n/64. Activations: 0
 * to 127, value n/16. The residual stream: int16, value n/512, saturating. Pooled numbers: value n/128. Outputs: see
 * NetworkOutput. Weights: value w/2^k with a k for each output of a layer. The file does not hold k but the shift from
 * the scale of the products to the scale of the result. Define
 *   requant(a, s) = (a + 2^(s-1)) >> s for s > 0, a for s = 0       (>> rounds down)
 *   sat16(a) = min(max(a, -32768), 32767)
 *   hidden(a) = min(max(a, 0), 127)
 *   act(x) = hidden(requant(x, 5))
 * Let L[...] be the weighted sum of a layer L with its bias, in 32 bits, which never overflow, and s its shift. Then
 *   stem    x = sat16(requant(stem[planes] + requant(globals[g], s), s))      g: the input's globals
 *   block   h = hidden(requant(first[act(x)], s))
 *           x = sat16(x + sat16(requant(second[h] + requant(pool[pooled(h)], s), s)))
 *   trunk   t = act(x)
 *   policy  q = hidden(requant(policy[t] + requant(policy_pool[pooled(t)], s), s))
 *           logits and owners = sat16(requant(cells[q], s))
 *           logits of actions without a cell = sat16(requant(others[pooled(q)], s))
 *   value   v = hidden(requant(value[t], s))
 *           u = hidden(requant(units[pooled(v), 2 * g], s))
 *           win, score, spread = sat16(requant(out[u], s))
 * An inner requant uses the shift of the inner layer. A block without pooling lacks the term with pool[...].
 *
 * pooled(a) is three numbers a channel: first the means of all channels, then the scaled means, then the maxima.
 *
 *   mean    (sum * R + 2^15) >> 16, where R = floor((8 * 65536 + floor(cells / 2)) / cells)
 *   scaled  (mean * (size - 6) + 2) >> 2
 *   max     8 * the largest */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_NETWORK_H

#include "engine/eval/network/weights.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A network, immutable once made, shared by all threads. */
typedef struct Network Network;

/* What a position looks like to a network; made by features.h. */
typedef struct NetworkInput {
    int size;                                                        /* of the board */
    uint8_t planes[(int)HEXHEX_MAX_CELLS * (int)NETWORK_PLANES_MAX]; /* [cell][plane of the network], 0 to 127 */
    int8_t globals[NETWORK_GLOBALS];                                 /* -127 to 127 */
} NetworkInput;

/* What a network says about a position, all from the view of the side to move. Logits and owners have value n/256.
 * network_evaluator.c makes an Evaluation of it, for Black: `black` from win, `margin` from score, `deviation` from
 * spread, `owners` from owner (all chances are 1 / (1 + e^-logit)), `logits` (to base 2) from cells and others. In
 * games without points score and spread are not used. Where the mover may swap, all is about its colour, which it or
 * the opponent will have. */
typedef struct NetworkOutput {
    int16_t win;                                        /* logit that it wins; n/256 */
    int16_t score;                                      /* expected margin in points; n/16 */
    int16_t spread;                                     /* log2 of the margin's standard deviation; n/256 */
    int16_t others[NETWORK_OTHERS_MAX];                 /* logits of actions without a cell */
    int16_t cells[NETWORK_KINDS_MAX][HEXHEX_MAX_CELLS]; /* logits of actions with a cell, by kind */
    int16_t owner[HEXHEX_MAX_CELLS];                    /* logit that the cell ends as its own */
} NetworkOutput;

/* The memory that an evaluation needs; one for each thread. It goes with the network that it was made for. */
typedef struct NetworkScratch NetworkScratch;

/* Makes the network of a weights file's bytes, which are not needed afterwards. `name` begins errors; `kernel` is the
 * name of a kernel, NULL for the fastest that runs here. NULL with an error if the file cannot be used. */
Network *network_new(const uint8_t *bytes, size_t size, const char *name, const char *kernel, Error *error);
void network_free(Network *network); /* NULL is fine */

const NetworkShape *network_shape(const Network *network);

/* Name of the kernel in use. */
const char *network_kernel_name(const Network *network);

/* Multiplications of weights, with additions, of one evaluation on a board of `size`: 61 * 7 * 32 * 32 for a
 * convolution of 32 channels on hexhex-5. */
double network_multiplications(const Network *network, int size);

/* NULL where memory is short. */
NetworkScratch *network_scratch_new(const Network *network);
void network_scratch_free(NetworkScratch *scratch); /* NULL is fine */

/* Evaluates one position. */
void network_forward(const Network *network, const NetworkInput *input, NetworkScratch *scratch, NetworkOutput *output);

#ifdef __cplusplus
}
#endif

#endif
