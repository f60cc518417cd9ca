/* The plain kernel, for any processor: see kernel.h.
 *
 * It works cell by cell on pairs of inputs: a pair's products with both its weights, added in 32 bits, for four outputs
 * at a time. SSE2, NEON and WebAssembly have instructions for this. Most activations of a trained network are 0, as
 * ReLU cuts what is negative. So it leaves out pairs that are (0, 0): 44% of those that the first convolution of a
 * block reads, 82% of those of the second one. (Stockfish's NNUE leaves out blocks of zeros in its first layer.) */
#include "engine/base/cpu.h"
#include "engine/eval/network/kernel.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

enum {
    LANES = 4,   /* outputs of a vector of sums */
    VECTORS = 8, /* vectors whose sums are computed together */
    WORD = 64,
    PARTS_MAX = 2, /* of a position's pairs, each a word or less */
    PAIRS_MAX = NETWORK_TAPS * NETWORK_CHANNELS_MAX / 2
};

typedef int32_t Sums __attribute__((vector_size(4 * LANES)));
typedef int16_t Pairs __attribute__((vector_size(4 * LANES)));

/* ---- What processors have instructions for ----
 *
 * multiply       for each lane the products of its two numbers, added
 * narrow         eight sums in 16 bits, saturated
 * add_saturated  eight sums of two numbers of 16 bits, saturated */

#if defined(__SSE2__)
static inline Sums multiply(Pairs a, Pairs b) {
    return (Sums)_mm_madd_epi16((__m128i)a, (__m128i)b);
}
static inline Pairs narrow(Sums low, Sums high) {
    return (Pairs)_mm_packs_epi32((__m128i)low, (__m128i)high);
}
static inline Pairs add_saturated(Pairs a, Pairs b) {
    return (Pairs)_mm_adds_epi16((__m128i)a, (__m128i)b);
}
#elif defined(__wasm_simd128__)
static inline Sums multiply(Pairs a, Pairs b) {
    return (Sums)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
}
static inline Pairs narrow(Sums low, Sums high) {
    return (Pairs)wasm_i16x8_narrow_i32x4((v128_t)low, (v128_t)high);
}
static inline Pairs add_saturated(Pairs a, Pairs b) {
    return (Pairs)wasm_i16x8_add_sat((v128_t)a, (v128_t)b);
}
#elif defined(__aarch64__)
static inline Sums multiply(Pairs a, Pairs b) {
    const int16x8_t left = (int16x8_t)a, right = (int16x8_t)b;
    return (Sums)vpaddq_s32(vmull_s16(vget_low_s16(left), vget_low_s16(right)), vmull_high_s16(left, right));
}
static inline Pairs narrow(Sums low, Sums high) {
    return (Pairs)vqmovn_high_s32(vqmovn_s32((int32x4_t)low), (int32x4_t)high);
}
static inline Pairs add_saturated(Pairs a, Pairs b) {
    return (Pairs)vqaddq_s16((int16x8_t)a, (int16x8_t)b);
}
#else
static int16_t saturated(int value) {
    return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
}
static inline Sums multiply(Pairs a, Pairs b) {
    Sums sums;
    for (int i = 0; i < LANES; i++)
        sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
}
static inline Pairs narrow(Sums low, Sums high) {
    Pairs all;
    for (int i = 0; i < LANES; i++) {
        all[i] = saturated(low[i]);
        all[LANES + i] = saturated(high[i]);
    }
    return all;
}
static inline Pairs add_saturated(Pairs a, Pairs b) {
    for (int i = 0; i < 2 * LANES; i++)
        a[i] = saturated(a[i] + b[i]);
    return a;
}
#endif

/* ---- Products ---- */

/* A pair of inputs, and which one it is. */
typedef struct Term {
    uint32_t pair; /* the first one in the lower 16 bits */
    int32_t index;
} Term;

/* The sums of `vectors` vectors of outputs, a constant where this is inlined, so that they stay in registers. */
static inline __attribute__((always_inline)) void add_terms(const Term *terms, int count, const int16_t *weights,
                                                            int outs, int vectors, int32_t *sums) {
    Sums of[VECTORS];
    memcpy(of, sums, (size_t)vectors * sizeof *of);
    for (const Term *term = terms; term < terms + count; term++) {
        const int32_t pair = (int32_t)term->pair;
        const Pairs in = (Pairs)(Sums){pair, pair, pair, pair};
        const int16_t *row = weights + (ptrdiff_t)term->index * 2 * outs;
#pragma GCC unroll 8
        for (int v = 0; v < vectors; v++) {
            Pairs own;
            memcpy(&own, row + 2 * LANES * v, sizeof own);
            of[v] += multiply(in, own);
        }
    }
    memcpy(sums, of, (size_t)vectors * sizeof *of);
}

/* sums[out] += the layer's weights times the terms. */
static void add(const NetworkLayer *layer, const Term *terms, int count, int32_t *sums) {
    int at = 0;
    for (; at + LANES * VECTORS <= layer->outs; at += LANES * VECTORS)
        add_terms(terms, count, layer->pairs + 2 * at, layer->outs, VECTORS, sums + at);
    if (at < layer->outs)
        add_terms(terms, count, layer->pairs + 2 * at, layer->outs, NETWORK_GROUP / LANES, sums + at);
}

/* ---- Pairs that are not (0, 0) ---- */

/* Which pairs of each position are not (0, 0), as bits. A position has one word, or two for layers of more than 128
 * inputs. The borders have none. */
typedef struct Active {
    int parts, pairs; /* words of a position, and bits of each */
    uint64_t words[NETWORK_GRID_POSITIONS * PARTS_MAX];
} Active;

/* A pair of a quad is active if one of its bytes is more than 0; none is more than 127. */
static uint64_t find_in_quad(const uint8_t *in) {
    const uint32_t quad = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
    const uint32_t bytes = (quad + 0x7f7f7f7f) & 0x80808080, pairs = bytes | bytes << 8;
    return (pairs >> 15 & 1) | (pairs >> 30 & 2);
}

static void find_active(const ConvolutionRun *run, Active *active) {
    const int ins = run->layer->shape.ins;
    active->parts = ins / 2 > WORD ? PARTS_MAX : 1;
    active->pairs = ins / 2 / active->parts;
    memset(active->words, 0, sizeof active->words);
    for (int cell = 0; cell < run->cells; cell++) {
        const int position = run->positions[cell];
        const uint8_t *in = run->in + position * ins;
        for (int part = 0; part < active->parts; part++, in += 2 * active->pairs) {
            uint64_t bits = 0;
            for (int i = 0; i < active->pairs; i += 2)
                bits |= find_in_quad(in + 2 * i) << i;
            active->words[position * active->parts + part] = bits;
        }
    }
}

/* The terms of a cell: the pairs of all taps that are not (0, 0). The bits of several taps are put into one word,
 * because each end of a loop costs as much as several terms. Returns how many terms there are. */
static int list_terms(const ConvolutionRun *run, const Active *active, const int *parts, int position, Term *terms) {
    const int all = run->layer->shape.taps * active->parts, pairs = active->pairs;
    const uint64_t *words = active->words + position * active->parts;
    const uint8_t *in = run->in + position * run->layer->shape.ins;
    int count = 0;
    for (int i = 0; i < all;) {
        const int first = i * pairs;
        uint64_t bits = 0;
        for (int shift = 0; i < all && shift + pairs <= WORD; shift += pairs)
            bits |= words[parts[i++]] << shift;
        for (; bits; bits &= bits - 1) {
            const int index = first + __builtin_ctzll(bits);
            const uint8_t *pair = in + run->layer->offsets[index];
            terms[count++] = (Term){pair[0] | (uint32_t)pair[1] << 16, index};
        }
    }
    return count;
}

/* ---- Layers ---- */

/* Writes what the sums of a cell become: hidden activations, or, after they are added to the stream, its activations.
 * Where adding 16 saturates, the activation is 127 all the same. */
static void finish(const ConvolutionRun *run, int cell, int32_t *sums) {
    const int outs = run->layer->outs;
    uint8_t *out = run->out + run->positions[cell] * outs;
    for (int o = 0; o < outs; o++)
        sums[o] >>= run->layer->shift[o];
    for (int o = 0; o < outs; o += 2 * LANES) {
        Sums half[2];
        Pairs values;
        memcpy(half, sums + o, sizeof half);
        values = narrow(half[0], half[1]);
        if (run->stream) {
            int16_t *stream = run->stream + cell * outs + o;
            Pairs before;
            memcpy(&before, stream, sizeof before);
            values = add_saturated(before, values);
            memcpy(stream, &values, sizeof values);
            values = add_saturated(values, (Pairs){16, 16, 16, 16, 16, 16, 16, 16}) >> 5;
        }
        const Pairs above = values > 127;
        values = (values & ~above & (values > 0)) | (above & 127);
        for (int i = 0; i < 2 * LANES; i++)
            out[o + i] = (uint8_t)values[i];
    }
}

static void convolution(const ConvolutionRun *run) {
    const NetworkLayer *layer = run->layer;
    Active active;
    Term terms[PAIRS_MAX];
    int32_t sums[NETWORK_CHANNELS_MAX];
    int parts[NETWORK_TAPS * PARTS_MAX]; /* of all taps: where their words are, seen from the cell's first one */
    find_active(run, &active);
    for (int i = 0; i < layer->shape.taps * active.parts; i++)
        parts[i] = layer->offsets[i * active.pairs] / (2 * active.pairs);
    for (int cell = 0; cell < run->cells; cell++) {
        const int count = list_terms(run, &active, parts, run->positions[cell], terms);
        memcpy(sums, run->bias, (size_t)layer->outs * sizeof *sums);
        add(layer, terms, count, sums);
        finish(run, cell, sums);
    }
}

static void dense(const NetworkLayer *layer, const int16_t *in, int32_t *sums) {
    Term terms[PAIRS_MAX];
    int count = 0;
    for (int i = 0; i < layer->shape.ins; i += 2)
        terms[count++] = (Term){(uint16_t)in[i] | (uint32_t)(uint16_t)in[i + 1] << 16, i / 2};
    memcpy(sums, layer->bias, (size_t)layer->outs * sizeof *sums);
    add(layer, terms, count, sums);
    for (int o = 0; o < layer->outs; o++)
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

const NetworkKernel network_plain = {
    .name = "plain", .runs_here = cpu_any, .quads = 0, .convolution = convolution, .dense = dense, .pool = pool};
