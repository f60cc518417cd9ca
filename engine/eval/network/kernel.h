/* The kernels of a network: the ways to compute its layers, by the processor's instructions. All give the same results
 * to the bit (network.h).
 *
 * Layout. Activations are bytes [position][channel]. A position is that of a cell in a grid of NETWORK_GRID_WIDTH
 * columns with a border of zeros, so that a neighbour is always at the same distance and no code has to ask whether it
 * is on the board. Only the positions of cells are ever computed. The residual stream is [cell][channel].
 *
 * A convolution is a sum over steps. A quad is four input channels of one tap; a step is one quad, in the order of
 * memory (so the taps of one row of the board are together), or two for kernels without an instruction that multiplies
 * bytes and adds the products in 32 bits. Those kernels have one (maddubs) that adds pairs of products in 16 bits, and
 * may add the pairs of two quads, still in 16 bits, if this cannot overflow with these weights. The packing chooses
 * pairs of quads that cannot overflow (network.c). */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_H

#include "engine/eval/network/weights.h"

#include <stdbool.h>

enum {
    NETWORK_GRID_WIDTH = 2 * HEXHEX_MAX_SIZE, /* 2N-1 cells and one of border, which serves both ends of a row */
    NETWORK_GRID_POSITIONS = NETWORK_GRID_WIDTH * (2 * HEXHEX_MAX_SIZE + 1),
    NETWORK_GROUP = 16,    /* outputs are padded to multiples of this and computed in such groups */
    NETWORK_QUADS_PAD = 16 /* the weights of a convolution go on with zeros up to a multiple of so many quads */
};

/* A layer made ready. */
typedef struct NetworkLayer {
    LayerShape shape;
    int outs;         /* padded */
    int32_t *bias;    /* [out]; what rounds the shift, 2^(shift-1), is in it */
    int32_t *shift;   /* [out] */
    int steps;        /* of a convolution */
    int32_t *offsets; /* [step][quad] or [pair of inputs]: from a cell's activations to those of the quad or pair */
    int8_t *weights;  /* of a convolution: [step][quad][out][4] */
    int16_t *pairs;   /* of a matrix, and for the plain kernel of a convolution: [pair of inputs][out][2]; the inputs
                         of a convolution are [tap][channel] */
} NetworkLayer;

/* One run of a convolution. The outputs are hidden activations where `stream` is NULL. Otherwise they are added to the
 * stream, and its activations are the outputs. */
typedef struct ConvolutionRun {
    const NetworkLayer *layer;
    const int32_t *bias;      /* instead of the layer's own */
    const int16_t *positions; /* [cell]: its position in the grid */
    int cells;
    const uint8_t *in; /* [position][channel] */
    uint8_t *out;      /* [position][layer->outs] */
    int16_t *stream;   /* [cell][layer->outs] */
} ConvolutionRun;

typedef struct NetworkKernel {
    const char *name;
    bool (*runs_here)(void);
    int quads; /* of inputs in a step: 1 or 2; 0: it works on pairs of inputs */
    void (*convolution)(const ConvolutionRun *run);

    /* sums[out] = the layer's matrix on `in` (an even number of inputs), with bias, shifted: 32 bits, not clamped. */
    void (*dense)(const NetworkLayer *layer, const int16_t *in, int32_t *sums);

    /* The sums and maxima of `channels` channels (a multiple of 16) over the cells, whose positions are given. */
    void (*pool)(const uint8_t *in, const int16_t *positions, int cells, int channels, uint16_t *sums, uint8_t *maxima);

    /* What a thread does before a network's layers, and after them; NULL for nothing. */
    void (*begin)(void), (*end)(void);
} NetworkKernel;

/* The kernels of this build, the plainest first, ended by NULL. */
extern const NetworkKernel *const network_kernels[];

/* Those that the build may have. */
extern const NetworkKernel network_plain, network_dotprod, network_avx2, network_avxvnni, network_avx512, network_amx;

/* The fastest kernel that runs here (name NULL), or the kernel with that name. If there is none, NULL with an error
 * that lists the names. */
const NetworkKernel *network_kernel(const char *name, Error *error);

#endif
