/* The plain kernel, for any processor: see kernel.h. */
#include "engine/base/cpu.h"
#include "engine/eval/network/kernel.h"

#include <string.h>

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static void finish(const ConvolutionRun *run, int cell, const int32_t *sums) {
    const int outs = run->layer->outs;
    uint8_t *out = run->out + run->positions[cell] * outs;
    int16_t *stream = run->stream ? run->stream + cell * outs : NULL;
    for (int o = 0; o < outs; o++) {
        int value = clamp(sums[o] >> run->layer->shift[o], INT16_MIN, INT16_MAX);
        if (stream) {
            stream[o] = (int16_t)clamp(stream[o] + value, INT16_MIN, INT16_MAX);
            value = (stream[o] + 16) >> 5;
        }
        out[o] = (uint8_t)clamp(value, 0, 127);
    }
}

/* The activations that a cell's sums are made of, in the order of the rows. */
static void gather(const NetworkLayer *layer, const uint8_t *cell, int16_t *out) {
    for (int step = 0; step < layer->steps; step++)
        for (int i = 0; i < 4; i++)
            *out++ = cell[layer->offsets[step] + i];
}

/* The sums of four rows. Products of 16 bits added in 32: compilers know a vector instruction for this on every
 * processor. */
static void add_rows(const int16_t *in, const int16_t *rows, int terms, int32_t sums[4]) {
    int32_t a = 0, b = 0, c = 0, d = 0;
    for (int i = 0; i < terms; i++) {
        a += in[i] * rows[i];
        b += in[i] * rows[i + terms];
        c += in[i] * rows[i + 2 * terms];
        d += in[i] * rows[i + 3 * terms];
    }
    sums[0] += a;
    sums[1] += b;
    sums[2] += c;
    sums[3] += d;
}

static void convolution(const ConvolutionRun *run) {
    const NetworkLayer *layer = run->layer;
    const int terms = 4 * layer->steps;
    int16_t in[NETWORK_TAPS * NETWORK_CHANNELS_MAX];
    int32_t sums[NETWORK_CHANNELS_MAX];
    for (int cell = 0; cell < run->cells; cell++) {
        gather(layer, run->in + run->positions[cell] * layer->shape.ins, in);
        memcpy(sums, run->bias, (size_t)layer->outs * sizeof *sums);
        for (int o = 0; o < layer->outs; o += 4)
            add_rows(in, layer->rows + o * terms, terms, sums + o);
        finish(run, cell, sums);
    }
}

static void dense(const NetworkLayer *layer, const int16_t *in, int32_t *sums) {
    const int outs = layer->outs;
    memcpy(sums, layer->bias, (size_t)outs * sizeof *sums);
    for (int i = 0; i < layer->shape.ins; i += 2)
        for (int o = 0; o < outs; o++) {
            const int16_t *w = layer->pairs + i * outs + 2 * o;
            sums[o] += in[i] * w[0] + in[i + 1] * w[1];
        }
    for (int o = 0; o < outs; o++)
        sums[o] >>= layer->shift[o];
}

static void pool(const uint8_t *in, const int16_t *positions, int cells, int channels, uint16_t *sums,
                 uint8_t *maxima) {
    memset(sums, 0, (size_t)channels * sizeof *sums);
    memset(maxima, 0, (size_t)channels);
    for (int cell = 0; cell < cells; cell++) {
        const uint8_t *a = in + positions[cell] * channels;
        for (int c = 0; c < channels; c++) {
            sums[c] = (uint16_t)(sums[c] + a[c]);
            maxima[c] = a[c] > maxima[c] ? a[c] : maxima[c];
        }
    }
}

const NetworkKernel network_plain = {"plain", cpu_any, 1, true, convolution, dense, pool};
