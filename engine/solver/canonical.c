/* See canonical.h. */
#include "engine/solver/canonical.h"

/* Where a symmetry takes a set. */
static void map_set(const Hexhex *board, int map, const uint64_t *set, uint64_t *mapped) {
    memset(mapped, 0, (size_t)board->words * sizeof *mapped);
    for (int i = 0; i < board->words; i++)
        for (uint64_t rest = set[i]; rest; rest &= rest - 1) {
            const int c = board->symmetry[map][64 * i + __builtin_ctzll(rest)];
            mapped[c >> 6] |= 1ull << (c & 63);
        }
}

uint64_t solver_map_word(const Hexhex *board, int map, uint64_t set) {
    uint64_t mapped = set;
    if (map != 0)
        map_set(board, map, &set, &mapped);
    return mapped;
}

/* A reflection undoes itself. */
int solver_inverse_map(int map) {
    return map < 6 ? (6 - map) % 6 : map;
}

int solver_canonical_form(const Hexhex *board, uint64_t *sets, int count) {
    uint64_t original[SOLVER_CANONICAL_SETS * HEXHEX_WORDS], mapped[SOLVER_CANONICAL_SETS * HEXHEX_WORDS];
    const int words = board->words, all = count * words;
    int best = 0;
    memcpy(original, sets, (size_t)all * sizeof *sets);
    for (int map = 1; map < HEXHEX_SYMMETRIES; map++) {
        for (int k = 0; k < count; k++)
            map_set(board, map, original + k * words, mapped + k * words);
        int i = 0;
        while (i < all && mapped[i] == sets[i])
            i++;
        if (i < all && mapped[i] < sets[i]) {
            memcpy(sets, mapped, (size_t)all * sizeof *sets);
            best = map;
        }
    }
    return best;
}
