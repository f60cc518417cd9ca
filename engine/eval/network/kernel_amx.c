/* The kernel for AMX, the instructions of some Xeons for whole tiles: one multiplies 16 rows of 64 bytes by 64 rows of
 * 16 bytes, and adds the products in 32 bits. For Linux, which lets a process use the tiles once it has asked.
 *
 * A convolution of seven taps is a product of matrices: a row of one is the inputs of a cell, tap by tap, a column of
 * the other the weights of an output. So the inputs of 32 cells are copied together, and multiplied by the weights of
 * 32 outputs, 64 inputs at a time, so that each tile that is loaded is used twice. All other layers are those of
 * AVX-512.
 *
 * (The blocking is that of Intel's "64 and IA-32 Architectures Optimization Reference Manual", chapter on AMX.) */
#define _DEFAULT_SOURCE /* syscall */
#include "engine/base/lines.h"
#include "engine/eval/network/kernel_lanes_512.h"

#include "engine/eval/network/kernel_lanes.h"

#include <cpuid.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TILE_ROWS = 16,
    TILE_BYTES = 64, /* of a row */
    CELLS = 2 * TILE_ROWS,
    OUTS = 2 * NETWORK_GROUP,
    ABOVE = 2, /* taps of a cell that lie side by side in memory: those in the row above, in its own, and below */
    OWN = 3,
    BELOW = 2,
    PIECE = 64, /* bytes that are copied together */
    ROW_MAX = NETWORK_TAPS * NETWORK_CHANNELS_MAX
};

_Static_assert(ABOVE + OWN + BELOW == NETWORK_TAPS, "all taps are copied");
_Static_assert((int)TILE_ROWS == (int)NETWORK_QUADS_PAD, "weights end with a whole tile");

/* The copied inputs of a block of cells: [cell][row], a row being the inputs of all taps, padded to whole tiles. */
typedef struct Inputs {
    _Alignas(CACHE_LINE) uint8_t rows[CELLS * ROW_MAX + PIECE];
} Inputs;

typedef struct Sums {
    _Alignas(CACHE_LINE) int32_t of[CELLS][OUTS];
} Sums;

static int row_bytes(const NetworkLayer *layer) {
    return (NETWORK_TAPS * layer->shape.ins + TILE_BYTES - 1) / TILE_BYTES * TILE_BYTES;
}

/* ---- A block of cells ---- */

LANES_INLINE void copy_run(uint8_t *to, const uint8_t *from, int bytes) {
    for (int i = 0; i < bytes; i += PIECE)
        _mm512_storeu_si512(to + i, _mm512_loadu_si512(from + i));
}

/* Copies the inputs of cells. `ins`, those of a tap, is constant where this is inlined for the most common number. The
 * last piece of a run may go beyond it: that is overwritten by the next run, or meets weights of 0. */
LANES_INLINE void copy(const ConvolutionRun *run, int cell, int cells, int ins, Inputs *inputs) {
    const int32_t *offsets = run->layer->offsets; /* of quads */
    const int row = row_bytes(run->layer), quads = ins / 4;
    const ptrdiff_t above = offsets[0], own = offsets[ABOVE * quads], below = offsets[(ABOVE + OWN) * quads];
    for (int c = 0; c < cells; c++) {
        const uint8_t *from = run->in + run->positions[cell + c] * ins;
        uint8_t *to = inputs->rows + c * row;
        copy_run(to, from + above, ABOVE * ins);
        copy_run(to + ABOVE * ins, from + own, OWN * ins);
        copy_run(to + (ABOVE + OWN) * ins, from + below, BELOW * ins);
    }
}

/* The sums of one or two tiles of cells and one or two groups of outputs, from output `at` on, without the bias. Tile
 * registers 0 to 3 are the sums, 4 and 5 the inputs of the cells, 6 and 7 the weights. */
LANES_INLINE void multiply(const NetworkLayer *layer, int at, const Inputs *inputs, bool cells_2, bool outs_2,
                           Sums *sums) {
    enum { TO = sizeof sums->of[0] };
    const int row = row_bytes(layer), stride = 4 * layer->outs;
    const int8_t *weights = layer->weights + 4 * at;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (int i = 0; i < row; i += TILE_BYTES, weights += TILE_ROWS * stride) {
        _tile_loadd(6, weights, stride);
        _tile_loadd(4, inputs->rows + i, row);
        if (outs_2)
            _tile_loadd(7, weights + 4 * NETWORK_GROUP, stride);
        if (cells_2)
            _tile_loadd(5, inputs->rows + TILE_ROWS * row + i, row);
        _tile_dpbusd(0, 4, 6);
        if (outs_2)
            _tile_dpbusd(1, 4, 7);
        if (cells_2)
            _tile_dpbusd(2, 5, 6);
        if (cells_2 && outs_2)
            _tile_dpbusd(3, 5, 7);
    }
    _tile_stored(0, sums->of[0], TO);
    if (outs_2)
        _tile_stored(1, sums->of[0] + NETWORK_GROUP, TO);
    if (cells_2)
        _tile_stored(2, sums->of[TILE_ROWS], TO);
    if (cells_2 && outs_2)
        _tile_stored(3, sums->of[TILE_ROWS] + NETWORK_GROUP, TO);
}

/* As group_finish, for two groups of outputs. */
LANES_INLINE void finish_two(const Group sums[2], const Group shift[2], uint8_t *out, int16_t *stream, bool to_stream) {
    const __m512i in_order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    const __m512i packed = _mm512_packs_epi32(group_shift(sums[0], shift[0]), group_shift(sums[1], shift[1]));
    __m512i values = _mm512_permutexvar_epi64(in_order, packed);
    if (to_stream) {
        values = _mm512_adds_epi16(values, _mm512_loadu_si512(stream));
        _mm512_storeu_si512(stream, values);
        values = _mm512_srai_epi16(_mm512_adds_epi16(values, _mm512_set1_epi16(16)), 5);
    }
    const __m256i bytes = _mm256_max_epi8(_mm512_cvtsepi16_epi8(values), _mm256_setzero_si256());
    _mm256_storeu_si256((__m256i *)out, bytes);
}

/* What the sums become. */
LANES_INLINE void finish(const ConvolutionRun *run, int cell, int cells, int at, bool outs_2, const Sums *sums,
                         bool to_stream) {
    const int outs = run->layer->outs, next = outs_2 ? NETWORK_GROUP : 0;
    const Group bias[2] = {group_load(run->bias + at), group_load(run->bias + at + next)};
    const Group shift[2] = {group_load(run->layer->shift + at), group_load(run->layer->shift + at + next)};
    for (int c = 0; c < cells; c++) {
        const Group whole[2] = {_mm512_add_epi32(group_load(sums->of[c]), bias[0]),
                                _mm512_add_epi32(group_load(sums->of[c] + next), bias[1])};
        uint8_t *out = run->out + run->positions[cell + c] * outs + at;
        int16_t *stream = to_stream ? run->stream + (cell + c) * outs + at : NULL;
        if (outs_2)
            finish_two(whole, shift, out, stream, to_stream);
        else
            group_finish(whole[0], shift[0], out, stream, to_stream);
    }
}

/* All outputs of a block. */
LANES_INLINE void compute(const ConvolutionRun *run, int cell, int cells, const Inputs *inputs, bool to_stream) {
    Sums sums;
    for (int at = 0; at < run->layer->outs; at += OUTS) {
        if (at + NETWORK_GROUP == run->layer->outs) {
            multiply(run->layer, at, inputs, cells > TILE_ROWS, false, &sums);
            finish(run, cell, cells, at, false, &sums, to_stream);
            return;
        }
        if (cells > TILE_ROWS)
            multiply(run->layer, at, inputs, true, true, &sums);
        else
            multiply(run->layer, at, inputs, false, true, &sums);
        finish(run, cell, cells, at, true, &sums, to_stream);
    }
}

/* ---- The kernel ---- */

/* Sets the form of the eight tile registers, which takes as long as eight multiplications or more. */
static void begin(void) {
    static const struct { /* as LDTILECFG reads it */
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } tiles = {
        .palette = 1,
        .row_bytes = {TILE_BYTES, TILE_BYTES, TILE_BYTES, TILE_BYTES, TILE_BYTES, TILE_BYTES, TILE_BYTES, TILE_BYTES},
        .rows = {TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS, TILE_ROWS},
    };
    _tile_loadconfig(&tiles);
}

/* Without tiles in use the system has less to save when it switches to another thread. */
static void end(void) {
    _tile_release();
}

static void convolve(const ConvolutionRun *run) {
    const int ins = run->layer->shape.ins;
    Inputs inputs;
    for (int cell = 0; cell < run->cells; cell += CELLS) {
        const int cells = run->cells - cell < CELLS ? run->cells - cell : CELLS;
        if (ins == 32)
            copy(run, cell, cells, 32, &inputs);
        else
            copy(run, cell, cells, ins, &inputs);
        atomic_signal_fence(memory_order_seq_cst); /* gcc before 13 does not know that a tile is read from memory */
        if (run->stream)
            compute(run, cell, cells, &inputs, true);
        else
            compute(run, cell, cells, &inputs, false);
    }
}

static void convolution(const ConvolutionRun *run) {
    if (run->layer->shape.taps == NETWORK_TAPS)
        convolve(run);
    else
        tiled_convolution(run);
}

/* Whether the processor has the tiles and Linux lets this process use them: "Using XSTATE features in user space
 * applications" in its documentation. */
static bool runs_here(void) {
    enum { AMX_TILE = 1 << 24, AMX_INT8 = 1 << 25, REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    unsigned a, b, c, d;
    return lanes_512_run_here() && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & AMX_TILE) && (d & AMX_INT8) &&
           syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

const NetworkKernel network_amx = {.name = "amx",
                                   .runs_here = runs_here,
                                   .quads = LANES_QUADS,
                                   .begin = begin,
                                   .end = end,
                                   .convolution = convolution,
                                   .dense = grouped_dense,
                                   .pool = grouped_pool};
