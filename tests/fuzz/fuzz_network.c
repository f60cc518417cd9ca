/* Fuzz target: weights files of networks. Built with -DSTIGMERGY_FUZZ=ON and clang (preset "fuzz"). The SHA-256 is set
 * right first, for the fuzzer cannot find it; a small file that passes must make a network, which evaluates. */
#include "engine/eval/network/network.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_BYTES = 1 << 16 }; /* larger networks are only read */

static void sign(uint8_t *bytes, size_t size) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, bytes, size - NETWORK_HASH_BYTES);
    SHA256Final(bytes + size - NETWORK_HASH_BYTES, &context);
}

static void run(const Network *network) {
    static NetworkInput input;
    static NetworkOutput output;
    NetworkScratch *scratch = network_scratch_new(network);
    if (!scratch)
        abort();
    memset(&input, 127, sizeof input);
    for (input.size = 2; input.size <= 3; input.size++)
        network_forward(network, &input, scratch, &output);
    network_scratch_free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static NetworkFile file;
    Error error;
    uint8_t *bytes = malloc(size ? size : 1);
    memcpy(bytes, data, size);
    if (size > NETWORK_HASH_BYTES)
        sign(bytes, size);
    const bool good = network_file_read(bytes, size, "fuzz", &file, &error);
    Network *network = good && size <= RUN_BYTES ? network_new(bytes, size, "fuzz", NULL, &error) : NULL;
    if (good && size <= RUN_BYTES && !network)
        abort();
    free(bytes); /* the network may not need them any more */
    if (network)
        run(network);
    network_free(network);
    return 0;
}
