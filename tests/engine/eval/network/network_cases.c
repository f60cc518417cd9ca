/* Writes random networks and what the engine makes of random inputs, for reference.py, which works it out again.
 *
 *     network_cases FOLDER
 *
 * FOLDER gets N.net, a weights file, and N.jsonl, whose lines are inputs with outputs, for N = 0, 1, ... Each line is a
 * JSON object: size; planes, a list of bytes [cell][plane]; globals; win, score, spread; others; cells, a list
 * [kind][cell]; owner. */
#include "engine/base/rng.h"
#include "tests/support/random_network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORKS = 9 };

static FILE *open_file(const char *folder, int number, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.%s", folder, number, ending);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_list(FILE *file, const char *name, const int16_t *numbers, int count) {
    fprintf(file, "%s[", name);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s%d", i ? ", " : "", numbers[i]);
    fprintf(file, "]");
}

static void write_case(FILE *file, const NetworkShape *shape, const NetworkInput *input, const NetworkOutput *output) {
    static int16_t planes[HEXHEX_MAX_CELLS * NETWORK_PLANES_MAX];
    int16_t globals[NETWORK_GLOBALS];
    const int cells = hexhex_cell_count(input->size), planes_count = cells * shape->planes;
    for (int i = 0; i < planes_count; i++)
        planes[i] = input->planes[i];
    for (int i = 0; i < NETWORK_GLOBALS; i++)
        globals[i] = input->globals[i];
    fprintf(file, "{\"size\": %d, ", input->size);
    write_list(file, "\"planes\": ", planes, planes_count);
    write_list(file, ", \"globals\": ", globals, NETWORK_GLOBALS);
    fprintf(file, ", \"win\": %d, \"score\": %d, \"spread\": %d", output->win, output->score, output->spread);
    write_list(file, ", \"others\": ", output->others, shape->others);
    for (int kind = 0; kind < shape->kinds; kind++)
        write_list(file, kind ? ", " : ", \"cells\": [", output->cells[kind], cells);
    write_list(file, "], \"owner\": ", output->owner, cells);
    fprintf(file, "}\n");
}

static NetworkShape shape_of(int number) {
    static const int channels[] = {16, 32, 48};
    NetworkShape shape = random_network_shape(4 * (1 + number % 5), 1 + number % 3, channels[number % 3]);
    shape.policy_channels = channels[(number + 1) % 3];
    shape.value_channels = channels[number / 3];
    shape.kinds = 1 + number % 2;
    shape.others = number % 3;
    return shape;
}

static void write_network(const char *folder, int number) {
    static const RandomWeights weights[] = {RANDOM_LIVELY, RANDOM_LIVELY, RANDOM_WILD, RANDOM_LARGE};
    const NetworkShape shape = shape_of(number);
    size_t size;
    uint8_t *bytes = random_network(&shape, weights[number % 4], (uint64_t)number, &size);
    Error error;
    Network *network = network_new(bytes, size, "random", NULL, &error);
    NetworkScratch *scratch = network_scratch_new(network);
    FILE *file = open_file(folder, number, "net"), *lines = open_file(folder, number, "jsonl");
    fwrite(bytes, 1, size, file);
    for (int board = HEXHEX_MIN_SIZE; board <= HEXHEX_MAX_SIZE; board++) {
        NetworkInput input;
        NetworkOutput output;
        random_network_input(&shape, board, (uint64_t)(100 * number + board), &input);
        network_forward(network, &input, scratch, &output);
        write_case(lines, &shape, &input, &output);
    }
    if (fclose(file) | fclose(lines))
        exit(1);
    network_scratch_free(scratch);
    network_free(network);
    free(bytes);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: network_cases FOLDER\n");
        return 2;
    }
    for (int i = 0; i < NETWORKS; i++)
        write_network(argv[1], i);
    return 0;
}
