/* See weights.h. */
#include "engine/eval/network/weights.h"

#include <sha2.h>
#include <string.h>

static const char magic[8] = "STGNET01";

/* Where the fields of the header stand. All numbers are unsigned; bytes that are not listed must be 0. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,     /* 4 bytes */
    AT_PROVENANCE = 12, /* 4: bytes of it */
    AT_GAME = 16,       /* 16, padded with 0 */
    AT_FEATURES = 32,   /* 24, padded with 0 */
    AT_PLANES = 56,     /* from here 2 each */
    AT_GLOBALS = 58,
    AT_BLOCKS = 60,
    AT_CHANNELS = 62,
    AT_POLICY_CHANNELS = 64,
    AT_VALUE_CHANNELS = 66,
    AT_VALUE_UNITS = 68,
    AT_KINDS = 70,
    AT_OTHERS = 72,
    AT_MIN_SIZE = 74,
    AT_MAX_SIZE = 76,
    AT_UNUSED = 78,
    AT_POOLED = 80, /* 4 */
    AT_REST = 84
};

static uint32_t read_16(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

static uint32_t read_32(const uint8_t *bytes) {
    return read_16(bytes) | read_16(bytes + 2) << 16;
}

int32_t layer_bias(const LayerView *layer, int out) {
    return (int32_t)read_32(layer->bias + 4 * out);
}

/* ---- The architecture ---- */

static LayerShape seven(int outs, int ins) {
    return (LayerShape){LAYER_SEVEN, outs, NETWORK_TAPS, ins};
}

static LayerShape one(int outs, int ins) {
    return (LayerShape){LAYER_ONE, outs, 1, ins};
}

static LayerShape dense(int outs, int ins) {
    return (LayerShape){LAYER_DENSE, outs, 1, ins};
}

static LayerShape head_shape(const NetworkShape *shape, Head head) {
    const int channels = shape->channels, policy = shape->policy_channels, value = shape->value_channels;
    switch (head) {
    case HEAD_POLICY: return one(policy, channels);
    case HEAD_POLICY_POOL: return dense(policy, 3 * channels);
    case HEAD_CELLS: return one(shape->kinds + 1, policy);
    case HEAD_OTHERS: return dense(shape->others, 3 * policy);
    case HEAD_VALUE: return one(value, channels);
    case HEAD_VALUE_UNITS: return dense(shape->value_units, 3 * value + NETWORK_GLOBALS);
    default: return dense(3, shape->value_units);
    }
}

LayerShape network_layer_shape(const NetworkShape *shape, int layer) {
    const int channels = shape->channels, in_block = layer - LAYER_BLOCKS, block = in_block / BLOCK_PARTS;
    if (layer == LAYER_STEM)
        return seven(channels, shape->planes);
    if (layer == LAYER_GLOBALS)
        return dense(channels, NETWORK_GLOBALS);
    if (block >= shape->blocks)
        return head_shape(shape, (Head)(layer - network_head(shape, 0)));
    if (in_block % BLOCK_PARTS == BLOCK_POOL)
        return dense(shape->pooled >> block & 1 ? channels : 0, 3 * channels);
    return seven(channels, channels);
}

static size_t layer_bytes(LayerShape shape) {
    return (size_t)shape.outs * ((size_t)(shape.taps * shape.ins) + sizeof(int32_t) + 1);
}

/* ---- The header ---- */

/* Copies a name of up to `size` bytes, letters, digits and dashes padded with 0. */
static bool read_name(const uint8_t *bytes, size_t size, char *out) {
    size_t length = 0;
    while (length < size && bytes[length]) {
        const uint8_t c = bytes[length];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
        length++;
    }
    memcpy(out, bytes, length);
    memset(out + length, 0, size + 1 - length);
    for (size_t i = length; i < size; i++)
        if (bytes[i])
            return false;
    return length > 0;
}

/* A field of the architecture: a multiple of `unit` from `least` to `most`. */
typedef struct Field {
    const char *name;
    int at, unit, least, most;
    size_t to; /* in NetworkShape */
} Field;

static const Field fields[] = {
    {"input planes", AT_PLANES, 4, 4, NETWORK_PLANES_MAX, offsetof(NetworkShape, planes)},
    {"blocks", AT_BLOCKS, 1, 1, NETWORK_BLOCKS_MAX, offsetof(NetworkShape, blocks)},
    {"channels", AT_CHANNELS, 16, 16, NETWORK_CHANNELS_MAX, offsetof(NetworkShape, channels)},
    {"policy channels", AT_POLICY_CHANNELS, 16, 16, NETWORK_CHANNELS_MAX, offsetof(NetworkShape, policy_channels)},
    {"value channels", AT_VALUE_CHANNELS, 16, 16, NETWORK_CHANNELS_MAX, offsetof(NetworkShape, value_channels)},
    {"value units", AT_VALUE_UNITS, 16, 16, NETWORK_CHANNELS_MAX, offsetof(NetworkShape, value_units)},
    {"kinds of action with a cell", AT_KINDS, 1, 1, NETWORK_KINDS_MAX, offsetof(NetworkShape, kinds)},
    {"actions without a cell", AT_OTHERS, 1, 0, NETWORK_OTHERS_MAX, offsetof(NetworkShape, others)},
    {"smallest board", AT_MIN_SIZE, 1, HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, offsetof(NetworkShape, min_size)},
    {"largest board", AT_MAX_SIZE, 1, HEXHEX_MIN_SIZE, HEXHEX_MAX_SIZE, offsetof(NetworkShape, max_size)},
};

static bool read_shape(const uint8_t *bytes, const char *name, NetworkShape *shape, Error *error) {
    if (!read_name(bytes + AT_GAME, sizeof shape->game - 1, shape->game) ||
        !read_name(bytes + AT_FEATURES, sizeof shape->features - 1, shape->features))
        return error_set(error, "%s: damaged network: the header names no game or no feature set", name);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const Field *field = &fields[i];
        const int value = (int)read_16(bytes + field->at);
        if (value < field->least || value > field->most || value % field->unit)
            return error_set(error, "%s: network with %d %s, expected a multiple of %d from %d to %d", name, value,
                             field->name, field->unit, field->least, field->most);
        memcpy((char *)shape + field->to, &value, sizeof value);
    }
    shape->pooled = read_32(bytes + AT_POOLED);
    if (read_16(bytes + AT_GLOBALS) != NETWORK_GLOBALS)
        return error_set(error, "%s: network with %u globals, expected %d", name, (unsigned)read_16(bytes + AT_GLOBALS),
                         NETWORK_GLOBALS);
    if (shape->min_size > shape->max_size)
        return error_set(error, "%s: damaged network: its smallest board is larger than its largest", name);
    if (shape->blocks < 32 && shape->pooled >> shape->blocks)
        return error_set(error, "%s: damaged network: it pools in blocks that it does not have", name);
    bool zero = read_16(bytes + AT_UNUSED) == 0;
    for (int i = AT_REST; i < NETWORK_HEADER_BYTES; i++)
        zero = zero && bytes[i] == 0;
    return zero || error_set(error, "%s: damaged network: the unused bytes of the header are not 0", name);
}

/* ---- The whole ---- */

static bool read_layer(const uint8_t *bytes, const char *name, int number, LayerView *layer, Error *error) {
    const size_t outs = (size_t)layer->shape.outs;
    layer->weights = (const int8_t *)bytes;
    layer->bias = bytes + outs * (size_t)(layer->shape.taps * layer->shape.ins);
    layer->shift = (const int8_t *)(layer->bias + outs * sizeof(int32_t));
    for (int out = 0; out < layer->shape.outs; out++) {
        const int32_t bias = layer_bias(layer, out);
        if (bias < -NETWORK_BIAS_MAX || bias > NETWORK_BIAS_MAX)
            return error_set(error, "%s: layer %d of the network has the bias %ld, expected at most 2^28", name, number,
                             (long)bias);
        if (layer->shift[out] < 0 || layer->shift[out] > NETWORK_SHIFT_MAX)
            return error_set(error, "%s: layer %d of the network has the shift %d, expected 0 to %d", name, number,
                             layer->shift[out], NETWORK_SHIFT_MAX);
    }
    return true;
}

static bool check_hash(const uint8_t *bytes, size_t size, const char *name, Error *error) {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size - NETWORK_HASH_BYTES);
    SHA256Final(digest, &context);
    return !memcmp(digest, bytes + size - NETWORK_HASH_BYTES, NETWORK_HASH_BYTES) ||
           error_set(error, "%s: damaged network: its SHA-256 does not fit its bytes", name);
}

_Static_assert(SHA256_DIGEST_LENGTH == NETWORK_HASH_BYTES, "the hash is a SHA-256");

static bool read_start(const uint8_t *bytes, size_t size, const char *name, Error *error) {
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(error, "%s: not a network: it does not begin with %.8s", name, magic);
    if (size < AT_VERSION + 4)
        return error_set(error, "%s: truncated network: it ends in its header", name);
    const uint32_t version = read_32(bytes + AT_VERSION);
    if (version != NETWORK_VERSION)
        return error_set(error, "%s: network of format version %lu, this program reads version %d", name,
                         (unsigned long)version, NETWORK_VERSION);
    return size >= NETWORK_HEADER_BYTES || error_set(error, "%s: truncated network: it ends in its header", name);
}

bool network_file_read(const uint8_t *bytes, size_t size, const char *name, NetworkFile *file, Error *error) {
    if (!read_start(bytes, size, name, error) || !read_shape(bytes, name, &file->shape, error))
        return false;
    const size_t provenance = read_32(bytes + AT_PROVENANCE);
    if (provenance > NETWORK_PROVENANCE_MAX)
        return error_set(error, "%s: network with %zu bytes of provenance, expected at most %d", name, provenance,
                         NETWORK_PROVENANCE_MAX);
    const int layers = network_layers(&file->shape);
    size_t expected = NETWORK_HEADER_BYTES + provenance + NETWORK_HASH_BYTES;
    for (int i = 0; i < layers; i++) {
        file->layer[i].shape = network_layer_shape(&file->shape, i);
        expected += layer_bytes(file->layer[i].shape);
    }
    if (size != expected)
        return error_set(error, "%s: %s network: %zu bytes, its header asks for %zu", name,
                         size < expected ? "truncated" : "damaged", size, expected);
    if (!check_hash(bytes, size, name, error))
        return false;
    const uint8_t *at = bytes + NETWORK_HEADER_BYTES + provenance;
    for (int i = 0; i < layers; at += layer_bytes(file->layer[i].shape), i++)
        if (!read_layer(at, name, i, &file->layer[i], error))
            return false;
    return true;
}
