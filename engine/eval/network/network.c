/* Making a network of its file: the layers are packed for the kernel. See network.h and kernel.h; forward.c runs it. */
#include "engine/base/lines.h"
#include "engine/eval/network/network_internal.h"

#include <stdlib.h>
#include <string.h>

enum { QUAD = 4, QUADS_MAX = NETWORK_TAPS * NETWORK_CHANNELS_MAX / QUAD };

/* ---- Pairs of quads whose products can be added in 16 bits ---- */

/* For an output and the first or second two channels of a quad: the sums of the positive and of the negative weights.
 */
typedef struct Reach {
    int16_t up, down;
} Reach;

static Reach reach(const LayerView *layer, int quad, int out, int half) {
    const int quads = layer->shape.ins / QUAD;
    Reach sums = {0, 0};
    for (int i = 0; i < 2; i++) {
        const int weight = layer_weight(layer, out, quad / quads, quad % quads * QUAD + 2 * half + i);
        sums.up = (int16_t)(sums.up + (weight > 0 ? weight : 0));
        sums.down = (int16_t)(sums.down + (weight < 0 ? weight : 0));
    }
    return sums;
}

/* Whether the products of two quads with activations up to 127 can be added in 16 bits. */
static bool fit_together(const LayerView *layer, int quad, int other) {
    for (int out = 0; out < layer->shape.outs; out++)
        for (int half = 0; half < 2; half++) {
            const Reach a = reach(layer, quad, out, half), b = reach(layer, other, out, half);
            if (127 * (a.up + b.up) > INT16_MAX || 127 * (a.down + b.down) < INT16_MIN)
                return false;
        }
    return true;
}

static int widest(const LayerView *layer, int quad) {
    int most = 0;
    for (int out = 0; out < layer->shape.outs; out++)
        for (int half = 0; half < 2; half++) {
            const Reach sums = reach(layer, quad, out, half);
            const int width = sums.up > -sums.down ? sums.up : -sums.down;
            most = width > most ? width : most;
        }
    return most;
}

/* The quads of each step, two a step; -1 for none. The widest quads choose first, each the widest that fits to it.
 * Returns the number of steps. */
static int pair_quads(const LayerView *layer, int quads, int16_t steps[QUADS_MAX][2]) {
    int16_t order[QUADS_MAX];
    int width[QUADS_MAX], count = 0;
    for (int i = 0; i < quads; i++) {
        width[i] = widest(layer, i);
        int at = i;
        for (; at > 0 && width[order[at - 1]] < width[i]; at--)
            order[at] = order[at - 1];
        order[at] = (int16_t)i;
    }
    for (int i = 0; i < quads; i++) {
        if (order[i] < 0)
            continue;
        int j = i + 1;
        while (j < quads && (order[j] < 0 || !fit_together(layer, order[i], order[j])))
            j++;
        steps[count][0] = order[i];
        steps[count++][1] = j < quads ? order[j] : -1;
        if (j < quads)
            order[j] = -1;
    }
    return count;
}

/* How far apart the activations of a cell and of its neighbour by a tap are, in positions. */
static int tap_distance(int tap) {
    return tap == 0 ? 0 : hexhex_step_q[tap - 1] + NETWORK_GRID_WIDTH * hexhex_step_r[tap - 1];
}

/* The same for kernels with one quad a step: the quads of all taps in the order of memory. */
static int single_quads(const LayerView *layer, int quads, int16_t steps[QUADS_MAX][2]) {
    const int taps = layer->shape.taps, in_tap = quads / taps;
    for (int tap = 0; tap < taps; tap++) {
        int before = 0;
        for (int other = 0; other < taps; other++)
            before += tap_distance(other) < tap_distance(tap);
        for (int i = 0; i < in_tap; i++)
            steps[before * in_tap + i][0] = (int16_t)(tap * in_tap + i);
    }
    return quads;
}

/* ---- Packing ---- */

static void pack_quad(const LayerView *view, int quad, int8_t *weights) {
    const int quads = view->shape.ins / QUAD;
    for (int out = 0; out < view->shape.outs; out++)
        for (int i = 0; i < QUAD; i++)
            weights[QUAD * out + i] = (int8_t)layer_weight(view, out, quad / quads, quad % quads * QUAD + i);
}

/* The steps of a convolution, and where the quads of each stand. */
static bool pack_offsets(const LayerView *view, int quads, int16_t steps[QUADS_MAX][2], NetworkLayer *layer) {
    const int ins = view->shape.ins, in_tap = ins / QUAD, all = view->shape.taps * in_tap;
    layer->steps = quads == 2 ? pair_quads(view, all, steps) : single_quads(view, all, steps);
    layer->offsets = lines_new((size_t)(layer->steps * quads) * sizeof *layer->offsets);
    for (int i = 0; layer->offsets && i < layer->steps * quads; i++) {
        const int quad = steps[i / quads][i % quads];
        if (quad >= 0) /* otherwise the weights are 0, so that any activations will do */
            layer->offsets[i] = tap_distance(quad / in_tap) * ins + quad % in_tap * QUAD;
    }
    return layer->offsets != NULL;
}

/* The weights by pairs of inputs, of a matrix or of a convolution. */
static bool pack_pairs(const LayerView *view, NetworkLayer *layer) {
    const int ins = view->shape.ins, all = view->shape.taps * ins;
    layer->pairs = lines_new((size_t)(all * layer->outs) * sizeof *layer->pairs);
    if (!layer->pairs)
        return false;
    for (int out = 0; out < view->shape.outs; out++)
        for (int i = 0; i < all; i++)
            layer->pairs[(i / 2 * layer->outs + out) * 2 + i % 2] = (int16_t)layer_weight(view, out, i / ins, i % ins);
    return true;
}

static bool pack_pair_offsets(const LayerView *view, NetworkLayer *layer) {
    const int ins = view->shape.ins, all = view->shape.taps * ins / 2;
    layer->offsets = lines_new((size_t)all * sizeof *layer->offsets);
    for (int i = 0; layer->offsets && i < all; i++)
        layer->offsets[i] = tap_distance(2 * i / ins) * ins + 2 * i % ins;
    return layer->offsets != NULL;
}

static bool pack_convolution(const LayerView *view, const NetworkKernel *kernel, NetworkLayer *layer) {
    int16_t steps[QUADS_MAX][2];
    if (kernel->quads == 0)
        return pack_pairs(view, layer) && pack_pair_offsets(view, layer);
    if (!pack_offsets(view, kernel->quads, steps, layer))
        return false;
    const int quad_bytes = layer->outs * QUAD, packed = layer->steps * kernel->quads;
    const int padded = (packed + NETWORK_QUADS_PAD - 1) / NETWORK_QUADS_PAD * NETWORK_QUADS_PAD;
    layer->weights = lines_new((size_t)padded * (size_t)quad_bytes);
    for (int i = 0; layer->weights && i < packed; i++) {
        const int quad = steps[i / kernel->quads][i % kernel->quads];
        if (quad >= 0)
            pack_quad(view, quad, layer->weights + (size_t)i * (size_t)quad_bytes);
    }
    return layer->weights != NULL;
}

static bool pack(const LayerView *view, const NetworkKernel *kernel, NetworkLayer *layer) {
    layer->shape = view->shape;
    layer->outs = (view->shape.outs + NETWORK_GROUP - 1) / NETWORK_GROUP * NETWORK_GROUP;
    if (layer->outs == 0)
        return true;
    layer->bias = lines_new((size_t)layer->outs * sizeof *layer->bias);
    layer->shift = lines_new((size_t)layer->outs * sizeof *layer->shift);
    if (!layer->bias || !layer->shift)
        return false;
    for (int out = 0; out < view->shape.outs; out++) {
        layer->shift[out] = view->shift[out];
        layer->bias[out] = layer_bias(view, out) + (view->shift[out] > 0 ? 1 << (view->shift[out] - 1) : 0);
    }
    return view->shape.kind == LAYER_DENSE ? pack_pairs(view, layer) : pack_convolution(view, kernel, layer);
}

/* ---- Networks ---- */

static Network *make(const NetworkFile *file, const NetworkKernel *kernel) {
    Network *network = calloc(1, sizeof *network);
    if (!network)
        return NULL;
    network->shape = file->shape;
    network->kernel = kernel;
    for (int i = 0; i < network_layers(&file->shape); i++)
        if (!pack(&file->layer[i], kernel, &network->layer[i])) {
            network_free(network);
            return NULL;
        }
    return network;
}

Network *network_new(const uint8_t *bytes, size_t size, const char *name, const char *kernel, Error *error) {
    const NetworkKernel *chosen = network_kernel(kernel, error);
    NetworkFile *file = malloc(sizeof *file);
    Network *network = NULL;
    if (!file)
        error_set(error, "%s: out of memory", name);
    else if (chosen && network_file_read(bytes, size, name, file, error) && !(network = make(file, chosen)))
        error_set(error, "%s: out of memory", name);
    free(file);
    return network;
}

void network_free(Network *network) {
    if (!network)
        return;
    for (int i = 0; i < NETWORK_LAYERS_MAX; i++) {
        NetworkLayer *layer = &network->layer[i];
        free(layer->bias);
        free(layer->shift);
        free(layer->offsets);
        free(layer->weights);
        free(layer->pairs);
    }
    free(network);
}

const NetworkShape *network_shape(const Network *network) {
    return &network->shape;
}

const char *network_kernel_name(const Network *network) {
    return network->kernel->name;
}

double network_multiplications(const Network *network, int size) {
    double sum = 0;
    for (int i = 0; i < network_layers(&network->shape); i++) {
        const LayerShape shape = network->layer[i].shape;
        const int cells = shape.kind == LAYER_DENSE ? 1 : hexhex_cell_count(size);
        sum += (double)(cells * shape.taps * shape.ins) * shape.outs;
    }
    return sum;
}
