/* Running a network: see network.h for what is computed, kernel.h for how. */
#include "engine/base/lines.h"
#include "engine/eval/network/network_internal.h"

#include <stdlib.h>
#include <string.h>

enum { POOLED_MAX = 3 * NETWORK_CHANNELS_MAX + NETWORK_GLOBALS };

/* Activations are in grids, [position][channel] (kernel.h). The borders of those that convolutions of seven taps read
 * are 0: planes, main and hidden. */
struct NetworkScratch {
    int size, cells; /* of the board that the grids are for; 0 at first */
    int16_t positions[HEXHEX_MAX_CELLS];
    int32_t mean_factor;             /* R in network.h */
    uint8_t *grids;                  /* all of them, */
    size_t bordered;                 /* and of how many bytes the borders have to be 0 */
    uint8_t *planes, *main, *hidden; /* the input, act(x), and h of a block */
    uint8_t *policy, *value;         /* q and v */
    int16_t *stream;                 /* [cell][channel] */
    int16_t logits[HEXHEX_MAX_CELLS * NETWORK_GROUP];
    int32_t sums[NETWORK_CHANNELS_MAX], bias[NETWORK_CHANNELS_MAX];
    int16_t pooled[POOLED_MAX], units[NETWORK_CHANNELS_MAX];
    uint16_t pool_sums[NETWORK_CHANNELS_MAX];
    uint8_t pool_maxima[NETWORK_CHANNELS_MAX];
};

NetworkScratch *network_scratch_new(const Network *network) {
    const NetworkShape *shape = &network->shape;
    const size_t channels = (size_t)shape->channels, planes = (size_t)shape->planes;
    const size_t policy = (size_t)shape->policy_channels, value = (size_t)shape->value_channels;
    NetworkScratch *scratch = lines_new(sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->bordered = NETWORK_GRID_POSITIONS * (2 * channels + planes);
    scratch->grids = lines_new(scratch->bordered + NETWORK_GRID_POSITIONS * (policy + value));
    scratch->stream = lines_new(HEXHEX_MAX_CELLS * channels * sizeof *scratch->stream);
    if (!scratch->grids || !scratch->stream) {
        network_scratch_free(scratch);
        return NULL;
    }
    scratch->main = scratch->grids;
    scratch->hidden = scratch->main + NETWORK_GRID_POSITIONS * channels;
    scratch->planes = scratch->hidden + NETWORK_GRID_POSITIONS * channels;
    scratch->policy = scratch->planes + NETWORK_GRID_POSITIONS * planes;
    scratch->value = scratch->policy + NETWORK_GRID_POSITIONS * policy;
    return scratch;
}

void network_scratch_free(NetworkScratch *scratch) {
    if (!scratch)
        return;
    free(scratch->grids);
    free(scratch->stream);
    free(scratch);
}

static void set_size(NetworkScratch *scratch, int size) {
    Hexhex board;
    hexhex_init(&board, size);
    scratch->size = size;
    scratch->cells = board.cells;
    for (int c = 0; c < board.cells; c++)
        scratch->positions[c] = (int16_t)(NETWORK_GRID_WIDTH * (board.r[c] + size) + board.q[c] + size - 1);
    scratch->mean_factor = (8 * 65536 + board.cells / 2) / board.cells;
    memset(scratch->grids, 0, scratch->bordered);
}

/* ---- Layers ---- */

static void convolve(const Network *network, NetworkScratch *scratch, int layer, const int32_t *bias, const uint8_t *in,
                     uint8_t *out, int16_t *stream) {
    const NetworkLayer *packed = &network->layer[layer];
    const ConvolutionRun run = {.layer = packed,
                                .bias = bias ? bias : packed->bias,
                                .positions = scratch->positions,
                                .cells = scratch->cells,
                                .in = in,
                                .out = out,
                                .stream = stream};
    network->kernel->convolution(&run);
}

/* The bias of a convolution and the sums of a matrix, added up; lasts until the next call. */
static const int32_t *bias_with(const Network *network, NetworkScratch *scratch, int layer, int matrix,
                                const int16_t *in) {
    const int32_t *bias = network->layer[layer].bias;
    network->kernel->dense(&network->layer[matrix], in, scratch->sums);
    for (int o = 0; o < network->layer[layer].outs; o++)
        scratch->bias[o] = bias[o] + scratch->sums[o];
    return scratch->bias;
}

/* Means, scaled means and maxima of the channels of a grid; they last until the next call. */
static int16_t *pool(const Network *network, NetworkScratch *scratch, const uint8_t *in, int channels) {
    int16_t *out = scratch->pooled;
    network->kernel->pool(in, scratch->positions, scratch->cells, channels, scratch->pool_sums, scratch->pool_maxima);
    for (int c = 0; c < channels; c++) {
        const int32_t mean = (scratch->pool_sums[c] * scratch->mean_factor + (1 << 15)) >> 16;
        out[c] = (int16_t)mean;
        out[channels + c] = (int16_t)((mean * (scratch->size - 6) + 2) >> 2);
        out[2 * channels + c] = (int16_t)(8 * scratch->pool_maxima[c]);
    }
    return out;
}

static int clamp(int32_t value, int32_t low, int32_t high) {
    return (int)(value < low ? low : value > high ? high : value);
}

static int16_t sat16(int32_t value) {
    return (int16_t)clamp(value, INT16_MIN, INT16_MAX);
}

/* ---- Parts of the network ---- */

static void run_trunk(const Network *network, NetworkScratch *scratch, const NetworkInput *input) {
    const NetworkShape *shape = &network->shape;
    const size_t planes = (size_t)shape->planes;
    for (int c = 0; c < scratch->cells; c++)
        memcpy(scratch->planes + (size_t)scratch->positions[c] * planes, input->planes + (size_t)c * planes, planes);
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        scratch->pooled[i] = input->globals[i];
    memset(scratch->stream, 0, (size_t)(scratch->cells * shape->channels) * sizeof *scratch->stream);
    const int32_t *bias = bias_with(network, scratch, LAYER_STEM, LAYER_GLOBALS, scratch->pooled);
    convolve(network, scratch, LAYER_STEM, bias, scratch->planes, scratch->main, scratch->stream);
    for (int b = 0; b < shape->blocks; b++) {
        const int second = network_block(b, BLOCK_SECOND);
        convolve(network, scratch, network_block(b, BLOCK_FIRST), NULL, scratch->main, scratch->hidden, NULL);
        bias = NULL;
        if (shape->pooled >> b & 1)
            bias = bias_with(network, scratch, second, network_block(b, BLOCK_POOL),
                             pool(network, scratch, scratch->hidden, shape->channels));
        convolve(network, scratch, second, bias, scratch->hidden, scratch->main, scratch->stream);
    }
}

static void run_policy(const Network *network, NetworkScratch *scratch, NetworkOutput *output) {
    const NetworkShape *shape = &network->shape;
    const int policy = network_head(shape, HEAD_POLICY), kinds = shape->kinds;
    const int32_t *bias = bias_with(network, scratch, policy, network_head(shape, HEAD_POLICY_POOL),
                                    pool(network, scratch, scratch->main, shape->channels));
    convolve(network, scratch, policy, bias, scratch->main, scratch->policy, NULL);
    /* The logits are a stream that begins with 0. Its activations, which nobody needs, go where the value head will
     * write. */
    memset(scratch->logits, 0, (size_t)(scratch->cells * NETWORK_GROUP) * sizeof *scratch->logits);
    convolve(network, scratch, network_head(shape, HEAD_CELLS), NULL, scratch->policy, scratch->value, scratch->logits);
    for (int c = 0; c < scratch->cells; c++) {
        for (int kind = 0; kind < kinds; kind++)
            output->cells[kind][c] = scratch->logits[c * NETWORK_GROUP + kind];
        output->owner[c] = scratch->logits[c * NETWORK_GROUP + kinds];
    }
    if (shape->others == 0)
        return;
    network->kernel->dense(&network->layer[network_head(shape, HEAD_OTHERS)],
                           pool(network, scratch, scratch->policy, shape->policy_channels), scratch->sums);
    for (int i = 0; i < shape->others; i++)
        output->others[i] = sat16(scratch->sums[i]);
}

static void run_value(const Network *network, NetworkScratch *scratch, const NetworkInput *input,
                      NetworkOutput *output) {
    const NetworkShape *shape = &network->shape;
    const int channels = shape->value_channels;
    convolve(network, scratch, network_head(shape, HEAD_VALUE), NULL, scratch->main, scratch->value, NULL);
    int16_t *in = pool(network, scratch, scratch->value, channels);
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        in[3 * channels + i] = (int16_t)(2 * input->globals[i]);
    network->kernel->dense(&network->layer[network_head(shape, HEAD_VALUE_UNITS)], in, scratch->sums);
    for (int i = 0; i < shape->value_units; i++)
        scratch->units[i] = (int16_t)clamp(scratch->sums[i], 0, 127);
    network->kernel->dense(&network->layer[network_head(shape, HEAD_VALUE_OUT)], scratch->units, scratch->sums);
    output->win = sat16(scratch->sums[0]);
    output->score = sat16(scratch->sums[1]);
    output->spread = sat16(scratch->sums[2]);
}

void network_forward(const Network *network, const NetworkInput *input, NetworkScratch *scratch,
                     NetworkOutput *output) {
    if (scratch->size != input->size)
        set_size(scratch, input->size);
    if (network->kernel->begin)
        network->kernel->begin();
    run_trunk(network, scratch, input);
    run_policy(network, scratch, output);
    run_value(network, scratch, input, output);
    if (network->kernel->end)
        network->kernel->end();
}
