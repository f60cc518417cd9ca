/* See random_network.h. */
#include "tests/support/random_network.h"

#include "engine/base/rng.h"

#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char provenance[] = "{\"made by\": \"tests/support/random_network.c\"}";

NetworkShape random_network_shape(int planes, int blocks, int channels) {
    NetworkShape shape = {.game = "stigmergy",
                          .features = "stigmergy-1",
                          .planes = planes,
                          .blocks = blocks,
                          .channels = channels,
                          .policy_channels = channels,
                          .value_channels = channels,
                          .value_units = 48,
                          .kinds = 2,
                          .others = 2,
                          .min_size = 2,
                          .max_size = 10};
    for (int b = 1; b < blocks; b += 2)
        shape.pooled |= 1u << b;
    return shape;
}

/* ---- Writing ---- */

static uint8_t *write_16(uint8_t *at, int value) {
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

static uint8_t *write_32(uint8_t *at, uint32_t value) {
    return write_16(write_16(at, (int)(value & 0xffff)), (int)(value >> 16));
}

static uint8_t *write_header(uint8_t *at, const NetworkShape *shape) {
    const int numbers[] = {shape->planes,          NETWORK_GLOBALS,       shape->blocks,      shape->channels,
                           shape->policy_channels, shape->value_channels, shape->value_units, shape->kinds,
                           shape->others,          shape->min_size,       shape->max_size,    0};
    memset(at, 0, NETWORK_HEADER_BYTES);
    memcpy(at, "STGNET01", 8);
    write_32(at + 8, NETWORK_VERSION);
    write_32(at + 12, sizeof provenance - 1);
    memcpy(at + 16, shape->game, 16);
    memcpy(at + 32, shape->features, 24);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        write_16(at + 56 + 2 * i, numbers[i]);
    write_32(at + 80, shape->pooled);
    memcpy(at + NETWORK_HEADER_BYTES, provenance, sizeof provenance - 1);
    return at + NETWORK_HEADER_BYTES + sizeof provenance - 1;
}

void random_network_sign(uint8_t *bytes, size_t size) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size - NETWORK_HASH_BYTES);
    SHA256Final(bytes + size - NETWORK_HASH_BYTES, &context);
}

/* ---- Numbers ---- */

/* About normal, with a standard deviation of `deviation`. */
static int normal(Rng *rng, int deviation) {
    int sum = 0; /* of 12 uniform numbers, each with a variance of 1/12 */
    for (int i = 0; i < 12; i++)
        sum += (int)rng_below(rng, 2 * 128 + 1) - 128;
    return sum * deviation / 256;
}

static int8_t weight(Rng *rng, RandomWeights weights) {
    static const int8_t extremes[] = {127, 127, 127, -128, -127, 0, 1, -1};
    int number;
    switch (weights) {
    case RANDOM_LIVELY: number = normal(rng, 36); return (int8_t)(number > 127 ? 127 : number < -127 ? -127 : number);
    case RANDOM_WILD: return extremes[rng_below(rng, 8)];
    default: return rng_below(rng, 2) ? 127 : -128;
    }
}

static int32_t bias(Rng *rng, RandomWeights weights) {
    if (weights != RANDOM_WILD)
        return normal(rng, 2000);
    return (int32_t)rng_below(rng, 2 * NETWORK_BIAS_MAX + 1) - NETWORK_BIAS_MAX;
}

/* The shift after which the sums of a layer are about as large as they may be for what follows. */
static int shift(Rng *rng, RandomWeights weights, const NetworkShape *shape, int layer) {
    const LayerShape size = network_layer_shape(shape, layer);
    const int head = layer - network_head(shape, 0);
    if (weights == RANDOM_WILD)
        return (int)rng_below(rng, NETWORK_SHIFT_MAX + 1);
    int bits = weights == RANDOM_LARGE ? 7 : 5;
    for (int terms = size.taps * size.ins; terms > 1; terms /= 4)
        bits++;
    if (head == HEAD_CELLS || head == HEAD_OTHERS || head == HEAD_VALUE_OUT)
        bits -= 5;
    else if (head < 0 && (layer < LAYER_BLOCKS || (layer - LAYER_BLOCKS) % BLOCK_PARTS == BLOCK_SECOND))
        bits -= 3;
    return bits + (int)rng_below(rng, 2);
}

uint8_t *random_network(const NetworkShape *shape, RandomWeights weights, uint64_t seed, size_t *size) {
    Rng rng = rng_seed(seed);
    *size = NETWORK_HEADER_BYTES + sizeof provenance - 1 + NETWORK_HASH_BYTES;
    for (int i = 0; i < network_layers(shape); i++) {
        const LayerShape layer = network_layer_shape(shape, i);
        *size += (size_t)layer.outs * (size_t)(layer.taps * layer.ins + 5);
    }
    uint8_t *bytes = malloc(*size), *at = write_header(bytes, shape);
    for (int i = 0; i < network_layers(shape); i++) {
        const LayerShape layer = network_layer_shape(shape, i);
        for (int k = 0; k < layer.outs * layer.taps * layer.ins; k++)
            *at++ = (uint8_t)weight(&rng, weights);
        for (int k = 0; k < layer.outs; k++)
            at = write_32(at, (uint32_t)bias(&rng, weights));
        for (int k = 0; k < layer.outs; k++)
            *at++ = (uint8_t)shift(&rng, weights, shape, i);
    }
    random_network_sign(bytes, *size);
    return bytes;
}

Network *random_network_load(const NetworkShape *shape, RandomWeights weights, uint64_t seed, const char *kernel) {
    size_t size;
    Error error;
    uint8_t *bytes = random_network(shape, weights, seed, &size);
    Network *network = network_new(bytes, size, "random", kernel, &error);
    free(bytes);
    if (!network) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return network;
}

void random_network_input(const NetworkShape *shape, int size, uint64_t seed, NetworkInput *input) {
    Rng rng = rng_seed(seed);
    memset(input, 0, sizeof *input);
    input->size = size;
    for (int i = 0; i < hexhex_cell_count(size) * shape->planes; i++)
        input->planes[i] = rng_below(&rng, 3) ? 0 : 64;
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        input->globals[i] = (int8_t)((int)rng_below(&rng, 255) - 127);
}
