/* The weights file of a network: its format, and the parser.
 *
 * The file is little-endian. A header of NETWORK_HEADER_BYTES (its fields are in weights.c) names the game, the feature
 * set and the architecture. The provenance follows, a JSON text for people that the engine does not parse, then the
 * layers in the order of their numbers below, then the SHA-256 of everything before it. A layer is int8 weights
 * [out][tap][in], int32 biases [out] and int8 shifts [out], without padding. Tap 0 is the cell itself, tap 1 + d its
 * neighbour in direction d (engine/board/hexhex.h).
 *
 * The shift of an output is the number of bits by which its 32-bit sum is rounded and shifted down, 0 to 24. What the
 * numbers stand for is in network.h. */
#ifndef STIGMERGY_ENGINE_EVAL_NETWORK_WEIGHTS_H
#define STIGMERGY_ENGINE_EVAL_NETWORK_WEIGHTS_H

#include "engine/base/error.h"
#include "engine/board/hexhex.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NETWORK_VERSION = 1,
    NETWORK_HEADER_BYTES = 96,
    NETWORK_HASH_BYTES = 32,
    NETWORK_GLOBALS = 16,
    NETWORK_TAPS = 1 + HEXHEX_DIRECTIONS,
    NETWORK_BLOCKS_MAX = 32,
    NETWORK_CHANNELS_MAX = 256,
    NETWORK_PLANES_MAX = 64,
    NETWORK_KINDS_MAX = 4,   /* of actions with a cell */
    NETWORK_OTHERS_MAX = 16, /* actions without a cell */
    NETWORK_SHIFT_MAX = 24,
    NETWORK_BIAS_MAX = 1 << 28, /* in absolute value: no sum can leave 32 bits */
    NETWORK_PROVENANCE_MAX = 1 << 20,
    NETWORK_LAYERS_MAX = 2 + 3 * NETWORK_BLOCKS_MAX + 7
};

/* The architecture. Numbers of channels are multiples of 16, of planes of 4. */
typedef struct NetworkShape {
    char game[17], features[25]; /* names, terminated */
    int planes;                  /* of the input */
    int blocks, channels;
    int policy_channels, value_channels, value_units;
    int kinds, others;      /* actions with a cell: kinds of them; actions without one */
    uint32_t pooled;        /* bit b: block b has a global pooling */
    int min_size, max_size; /* boards that it was trained on; only stored: it may judge boards of other sizes */
} NetworkShape;

/* Layers by number: the stem, the globals' part of it, three for each block, and from network_head(shape, 0) the heads.
 */
enum { LAYER_STEM, LAYER_GLOBALS, LAYER_BLOCKS };
typedef enum BlockPart { BLOCK_FIRST, BLOCK_SECOND, BLOCK_POOL, BLOCK_PARTS } BlockPart;
typedef enum Head {
    HEAD_POLICY,      /* trunk to policy channels, by cell */
    HEAD_POLICY_POOL, /* the pooled trunk's part of it */
    HEAD_CELLS,       /* policy channels to logits by cell: of each kind of action, then of the owner */
    HEAD_OTHERS,      /* pooled policy channels to logits of the other actions */
    HEAD_VALUE,       /* trunk to value channels, by cell */
    HEAD_VALUE_UNITS, /* pooled value channels and globals to units */
    HEAD_VALUE_OUT,   /* units to win, score, spread */
    HEADS
} Head;

static inline int network_block(int block, BlockPart part) {
    return LAYER_BLOCKS + BLOCK_PARTS * block + (int)part;
}
static inline int network_head(const NetworkShape *shape, Head head) {
    return LAYER_BLOCKS + BLOCK_PARTS * shape->blocks + (int)head;
}
static inline int network_layers(const NetworkShape *shape) {
    return network_head(shape, HEADS);
}

/* A convolution over the seven cells around a cell, over the cell alone, or a matrix on a vector. */
typedef enum LayerKind { LAYER_SEVEN, LAYER_ONE, LAYER_DENSE } LayerKind;

/* The size of a layer. outs is 0 if the architecture has no such layer; then it takes no bytes. */
typedef struct LayerShape {
    LayerKind kind;
    int outs, taps, ins; /* taps is 1 except in LAYER_SEVEN */
} LayerShape;

LayerShape network_layer_shape(const NetworkShape *shape, int layer);

/* A layer in a file. */
typedef struct LayerView {
    LayerShape shape;
    const int8_t *weights; /* [out][tap][in] */
    const uint8_t *bias;   /* [out], 4 bytes each */
    const int8_t *shift;   /* [out] */
} LayerView;

static inline int layer_weight(const LayerView *layer, int out, int tap, int in) {
    return layer->weights[(out * layer->shape.taps + tap) * layer->shape.ins + in];
}

int32_t layer_bias(const LayerView *layer, int out);

/* A file that was read: it points into the bytes. */
typedef struct NetworkFile {
    NetworkShape shape;
    LayerView layer[NETWORK_LAYERS_MAX];
} NetworkFile;

/* Checks the `size` bytes of a weights file, whole, and fills in `file`, whose pointers last as long as the bytes.
 * Nothing is allocated. False with an error, which begins with `name`, if this version cannot run the network. */
bool network_file_read(const uint8_t *bytes, size_t size, const char *name, NetworkFile *file, Error *error);

#ifdef __cplusplus
}
#endif

#endif
