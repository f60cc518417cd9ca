/* Weights files with random numbers, for tests. They follow from a shape and a seed and are the same everywhere. */
#ifndef STIGMERGY_TESTS_SUPPORT_RANDOM_NETWORK_H
#define STIGMERGY_TESTS_SUPPORT_RANDOM_NETWORK_H

#include "engine/eval/network/network.h"

typedef enum RandomWeights {
    RANDOM_LIVELY, /* as trained ones might be: activations are spread over their range */
    RANDOM_WILD,   /* anything that a file may hold, mostly the extremes: everything saturates */
    RANDOM_LARGE   /* all weights 127 or -128, with shifts that keep activations in their range */
} RandomWeights;

/* The shape of a network for Stigmergy with `planes` input planes, as many policy and value channels as channels, every
 * second block pooled. */
NetworkShape random_network_shape(int planes, int blocks, int channels);

/* The bytes of a file, to be freed by the caller. */
uint8_t *random_network(const NetworkShape *shape, RandomWeights weights, uint64_t seed, size_t *size);

/* The same, ready to run by a kernel (NULL: the fastest). Aborts if that is impossible. */
Network *random_network_load(const NetworkShape *shape, RandomWeights weights, uint64_t seed, const char *kernel);

/* A random input for a board of `size`: planes of 0 and 64, any globals. */
void random_network_input(const NetworkShape *shape, int size, uint64_t seed, NetworkInput *input);

/* Writes the SHA-256 of the bytes before it at the end of a file. */
void random_network_sign(uint8_t *bytes, size_t size);

#endif
