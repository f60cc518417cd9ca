/* Writes a small network with random weights, the same every time, for same_games.sh.
 *
 *     small_network GAME FILE     GAME is stigmergy or sgolte */
#include "selfplay/io/atomic_file.h"
#include "tests/support/random_network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static NetworkShape shape_of(const char *game) {
    NetworkShape shape = random_network_shape(20, 2, 16);
    if (strcmp(game, "sgolte"))
        return shape;
    memset(shape.game, 0, sizeof shape.game);
    strcpy(shape.game, "sgolte");
    memset(shape.features, 0, sizeof shape.features);
    strcpy(shape.features, "groups-3");
    shape.planes = 24;
    shape.kinds = 3;
    shape.others = 1;
    shape.max_size = 7;
    return shape;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    const NetworkShape shape = shape_of(argv[1]);
    Error error;
    size_t size;
    uint8_t *bytes = random_network(&shape, RANDOM_LIVELY, 1, &size);
    const bool good = file_write(argv[2], (const char *)bytes, size, &error);
    free(bytes);
    if (!good)
        fprintf(stderr, "%s\n", error.text);
    return !good;
}
