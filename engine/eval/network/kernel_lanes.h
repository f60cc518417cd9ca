/* The layers of a network in vector registers: see kernel.h. x86 with AVX2 or more, and AArch64.
 *
 * The heart is a tile: LANES_TILE cells or fewer by one group of outputs or more. Its sums stay in registers through
 * all steps; a step loads its weights once for all cells of the tile, and four activations of each cell once for all
 * its outputs, broadcast. The cells are divided evenly among the tiles.
 *
 * The file that includes this one defines for its processor
 *   LANES_TILE, LANES_GROUPS  the most cells and the most groups of outputs of a tile
 *   LANES_QUADS               quads of a step
 *   Group, Values             16 sums of 32 bits, 16 numbers of 16 bits
 *   Weights, Activations      a step's weights for a group, and a step's activations of a cell, broadcast
 *   group_load                reads a group of 16 int32
 *   group_store               writes one
 *   group_weights             reads weights; the weights of the step's next quad stand `stride` bytes on
 *   cell_activations          reads activations from a cell's first and the step's offsets
 *   group_dot                 adds the products of activations and weights to a group
 *   group_dense               adds the products of a pair of int16 and 16 pairs of weights to a group
 *   group_shift               shifts each sum down by its own number of bits
 *   group_narrow              a group as values, saturated
 * and for values (on x86 lanes_values_x86.h does)
 *   values_load, values_store read and write 16 numbers
 *   values_of_bytes           reads 16 bytes
 *   values_hidden             writes values as bytes, cut off at 0 and 127
 *   values_activation         the activation of the stream: (value + 16) >> 5
 *   values_add, values_add_saturated, values_max */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_KERNEL_LANES_H

#include "engine/eval/network/kernel.h"

#include <string.h>

#define LANES_INLINE static inline __attribute__((always_inline))

/* Writes what 16 sums of a cell become: hidden activations, or, after they are added to the stream, its activations. */
LANES_INLINE void group_finish(Group sums, Group shift, uint8_t *out, int16_t *stream, bool to_stream) {
    Values values = group_narrow(group_shift(sums, shift));
    if (to_stream) {
        values = values_add_saturated(values_load(stream), values);
        values_store(stream, values);
        values = values_activation(values);
    }
    values_hidden(out, values);
}

/* The tile of `tile` cells from `cell` on and `groups` groups of outputs from output `at` on. Both numbers, and
 * `to_stream`, are constant where this is inlined, so that the sums are registers. */
LANES_INLINE void compute_tile(const ConvolutionRun *run, int cell, int tile, int at, int groups, bool to_stream) {
    const NetworkLayer *layer = run->layer;
    const int outs = layer->outs, stride = 4 * outs;
    const uint8_t *in[LANES_TILE];
    Group sums[LANES_TILE][LANES_GROUPS], shift[LANES_GROUPS];
#pragma GCC unroll 8
    for (int t = 0; t < tile; t++) {
        in[t] = run->in + run->positions[cell + t] * layer->shape.ins;
#pragma GCC unroll 3
        for (int g = 0; g < groups; g++)
            sums[t][g] = group_load(run->bias + at + NETWORK_GROUP * g);
    }
    const int8_t *weights = layer->weights + 4 * at;
    const int32_t *offsets = layer->offsets, *end = offsets + LANES_QUADS * layer->steps;
    for (; offsets < end; offsets += LANES_QUADS, weights += LANES_QUADS * stride) {
        Weights of_group[LANES_GROUPS];
#pragma GCC unroll 3
        for (int g = 0; g < groups; g++)
            of_group[g] = group_weights(weights + 4 * NETWORK_GROUP * g, stride);
#pragma GCC unroll 8
        for (int t = 0; t < tile; t++) {
            const Activations a = cell_activations(in[t], offsets);
#pragma GCC unroll 3
            for (int g = 0; g < groups; g++)
                sums[t][g] = group_dot(sums[t][g], a, of_group[g]);
        }
    }
#pragma GCC unroll 3
    for (int g = 0; g < groups; g++)
        shift[g] = group_load(layer->shift + at + NETWORK_GROUP * g);
    const int16_t *positions = run->positions + cell;
    uint8_t *out = run->out + at;
    int16_t *stream = to_stream ? run->stream + cell * outs + at : NULL;
#pragma GCC unroll 8
    for (int t = 0; t < tile; t++)
#pragma GCC unroll 3
        for (int g = 0; g < groups; g++)
            group_finish(sums[t][g], shift[g], out + positions[t] * outs + NETWORK_GROUP * g,
                         to_stream ? stream + t * outs + NETWORK_GROUP * g : NULL, to_stream);
}

/* All tiles of `groups` groups of outputs, a constant. Boards of 7, 19, 37, ... cells divide into tiles of LANES_TILE
 * cells and one less nearly always; the few others go cell by cell. */
LANES_INLINE void compute_tiles(const ConvolutionRun *run, int at, int groups, bool to_stream) {
    const int tiles = (run->cells + LANES_TILE - 1) / LANES_TILE;
    for (int i = 0, cell = 0; i < tiles; i++) {
        const int next = (i + 1) * run->cells / tiles;
        switch (LANES_TILE - (next - cell)) {
        case 0: compute_tile(run, cell, LANES_TILE, at, groups, to_stream); break;
        case 1: compute_tile(run, cell, LANES_TILE - 1, at, groups, to_stream); break;
        case 2: compute_tile(run, cell, LANES_TILE - 2, at, groups, to_stream); break;
        default:
            for (int c = cell; c < next; c++)
                compute_tile(run, c, 1, at, groups, to_stream);
        }
        cell = next;
    }
}

LANES_INLINE void compute_all_tiles(const ConvolutionRun *run, bool to_stream) {
    const int outs = run->layer->outs;
    for (int at = 0; at < outs;) {
        const int left = (outs - at) / NETWORK_GROUP;
        if (LANES_GROUPS >= 3 && left == 3) {
            compute_tiles(run, at, LANES_GROUPS >= 3 ? 3 : 1, to_stream);
            at += 3 * NETWORK_GROUP;
        } else if (LANES_GROUPS >= 2 && left >= 2) {
            compute_tiles(run, at, LANES_GROUPS >= 2 ? 2 : 1, to_stream);
            at += 2 * NETWORK_GROUP;
        } else {
            compute_tiles(run, at, 1, to_stream);
            at += NETWORK_GROUP;
        }
    }
}

static void tiled_convolution(const ConvolutionRun *run) {
    if (run->stream)
        compute_all_tiles(run, true);
    else
        compute_all_tiles(run, false);
}

static void grouped_dense(const NetworkLayer *layer, const int16_t *in, int32_t *out) {
    for (int at = 0; at < layer->outs; at += NETWORK_GROUP) {
        Group sums = group_load(layer->bias + at);
        for (int i = 0; i < layer->shape.ins; i += 2) {
            int32_t pair;
            memcpy(&pair, in + i, sizeof pair);
            sums = group_dense(sums, pair, layer->pairs + i * layer->outs + 2 * at);
        }
        group_store(out + at, group_shift(sums, group_load(layer->shift + at)));
    }
}

static void grouped_pool(const uint8_t *in, const int16_t *positions, int cells, int channels, uint16_t *sums,
                         uint8_t *maxima) {
    for (int at = 0; at < channels; at += NETWORK_GROUP) {
        Values sum = values_of_bytes(in + positions[0] * channels + at), max = sum;
        for (int cell = 1; cell < cells; cell++) {
            const Values a = values_of_bytes(in + positions[cell] * channels + at);
            sum = values_add(sum, a);
            max = values_max(max, a);
        }
        values_store((int16_t *)(sums + at), sum);
        values_hidden(maxima + at, max);
    }
}

#endif
