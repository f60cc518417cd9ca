/* See canonical.h. */
#include "engine/solver/canonical.h"

/* The image of a set under a symmetry of the board. */
static void map_set(const Hexhex *board, int map, const uint64_t *set, uint64_t *image) {
    memset(image, 0, (size_t)board->words * sizeof *image);
    for (int i = 0; i < board->words; i++)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1) {
            const int c = board->symmetry[map][64 * i + __builtin_ctzll(rest)];
            image[c >> 6] |= 1ull << (c & 63);
        }
}

uint64_t solver_map_word(const Hexhex *board, int map, uint64_t set) {
    uint64_t image = set;
    if (map != 0)
        map_set(board, map, &set, &image);
    return image;
}

/* A reflection undoes itself. */
int solver_inverse_map(int map) {
    return map < 6 ? (6 - map) % 6 : map;
}

int solver_smallest_image(const Hexhex *board, uint64_t *sets, int count) {
    uint64_t original[SOLVER_IMAGE_SETS * HEXHEX_WORDS], image[SOLVER_IMAGE_SETS * HEXHEX_WORDS];
    const int words = board->words, all = count * words;
    int best = 0;
    memcpy(original, sets, (size_t)all * sizeof *sets);
    for (int map = 1; map < HEXHEX_SYMMETRIES; map++) {
        for (int k = 0; k < count; k++)
            map_set(board, map, original + k * words, image + k * words);
        int i = 0;
        while (i < all && image[i] == sets[i])
            i++;
        if (i < all && image[i] < sets[i]) {
            memcpy(sets, image, (size_t)all * sizeof *sets);
            best = map;
        }
    }
    return best;
}
