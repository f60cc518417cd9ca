/* See orientation.h. */
#include "engine/eval/network/orientation.h"

#include "engine/base/rng.h"

#include <string.h>

void orientations_init(Orientations *orientations, const Hexhex *board) {
    orientations->board = board;
    memset(orientations->random, 0, sizeof orientations->random);
    for (int c = 0; c < board->cells; c++)
        for (int m = 0; m < HEXHEX_SYMMETRIES; m++)
            orientations->random[c][m] = (uint32_t)rng_split(1, (uint64_t)board->symmetry[m][c]) | 1;
}

/* A hash of the planes of one cell, a multiple of four. */
static uint32_t hash_cell(const uint8_t *cell, int planes) {
    uint32_t hash = 0;
    for (int p = 0; p < planes; p += 4) {
        uint32_t word;
        memcpy(&word, cell + p, sizeof word);
        hash = (hash ^ word) * 0x9E3779B1u;
        hash ^= hash >> 15;
    }
    return hash;
}

static int choose(const Orientations *orientations, int planes, const NetworkInput *input) {
    uint32_t sums[ORIENTATION_SUMS] = {0};
    for (int c = 0; c < orientations->board->cells; c++) {
        const uint32_t hash = hash_cell(input->planes + c * planes, planes);
        for (int m = 0; m < ORIENTATION_SUMS; m++)
            sums[m] += hash * orientations->random[c][m];
    }
    int best = 0;
    for (int m = 1; m < HEXHEX_SYMMETRIES; m++)
        if (sums[m] < sums[best])
            best = m;
    return best;
}

int orientation_turn(const Orientations *orientations, int planes, const NetworkInput *input, NetworkInput *turned) {
    const int symmetry = choose(orientations, planes, input);
    const int16_t *const to = orientations->board->symmetry[symmetry];
    turned->size = input->size;
    memcpy(turned->globals, input->globals, sizeof turned->globals);
    for (int c = 0; c < orientations->board->cells; c++)
        memcpy(turned->planes + to[c] * planes, input->planes + c * planes, (size_t)planes);
    return symmetry;
}
