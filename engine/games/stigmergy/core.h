/* Inside Stigmergy: the tables of a board, a position's moves and its incremental update, for boards of 1 to 5 words.
 *
 * The number of words is a parameter of small inline functions. The callers pass a constant, so the compiler makes one
 * unrolled version for each number.
 *
 * The update (core_put) is the heart of the program. A stone on c becomes the first stone for the cells along each of
 * the six rays from c, up to the next stone. Those cells now see c instead of the stone at the end of the opposite ray.
 * After a flip, those same cells see the other colour. The six segments are disjoint. So the cells that see one more
 * stone of the mover are one bit set, and the cells that see one less of the opponent are another. A few word
 * operations add the first to the bit-sliced counters and subtract the second.
 *
 * The played cell is random, so the processor would mispredict a branch on the stones around it every second time.
 * There is no such branch: masks replace all conditions. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_CORE_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_CORE_H

#include "engine/games/stigmergy/state.h"

enum {
    CORE_RAYS = 8, /* six directions, padded to a power of two: with one word, each cell takes one cache line */
    CORE_AXES = 3,
    CORE_LANE_LINES = 24, /* 2N-1, padded to whole registers */
    CORE_LINES = CORE_AXES * (2 * HEXHEX_MAX_SIZE - 1),
    CORE_ROWS = 7 /* the most rows of a board that fit into one word: see engine/games/stigmergy/proof/safe_rows.h */
};

/* The place of a cell on the line of an axis. The lines of all axes have one numbering, 0 to 3(2N-1)-1. */
typedef struct CoreLine {
    uint16_t row; /* see StigmergyTables.prefix */
    uint8_t line, at;
} CoreLine;

/* The rows of a small board, spread over one word. Row i is the set cells[i], shifted up by shift[i]. */
typedef struct CoreRows {
    uint64_t cells[CORE_ROWS];
    int shift[CORE_ROWS];
    uint64_t full, start[2]; /* spread: the cells of the board, and the first two counter planes of the empty board */
} CoreRows;

struct StigmergyTables {
    int cells, words;
    uint64_t full[HEXHEX_WORDS];                                            /* the cells of the board */
    uint64_t start[3][HEXHEX_WORDS];                                        /* the counter planes of the empty board */
    _Alignas(64) uint64_t ray[HEXHEX_MAX_CELLS * CORE_RAYS * HEXHEX_WORDS]; /* see core_ray */
    CoreLine line[HEXHEX_MAX_CELLS][4];                                     /* by axis, padded */
    uint32_t line_end[CORE_LINES];                                          /* a bit at the last cell of each line */
    uint64_t cell_line[HEXHEX_MAX_CELLS * CORE_AXES * HEXHEX_WORDS]; /* by axis: the line through cell c, c included */
    CoreRows rows;                                                   /* all zero on larger boards */
    /* The same lines in two steps: the number of the line on its axis, and the set of each line, word by word. */
    _Alignas(64) uint8_t lane_line[CORE_AXES][64 * HEXHEX_WORDS];
    _Alignas(64) uint64_t lane_set[CORE_AXES][HEXHEX_WORDS][CORE_LANE_LINES];
    /* The cells of an axis in order, line by line, have the numbers r = 0, 1, ... Row r of `prefix` holds the cells
     * with lower numbers than r; on axis 0 these are the numbers of the cells. Let s be row - at of cell c, where its
     * line starts. The cells from a to b-1 of this line are the exclusive or of row s + a and row s + b. One word of
     * padding, because some code reads pairs of words. */
    _Alignas(64) uint64_t prefix[CORE_AXES * (HEXHEX_MAX_CELLS + 1) * HEXHEX_WORDS + 1];
};

/* A game of Stigmergy, and its tables. */
typedef struct StigmergyGame {
    Game game; /* first: a Game * is a StigmergyGame * */
    const StigmergyKernel *kernel;
    uint64_t stone_key[2][HEXHEX_MAX_CELLS]; /* Zobrist keys */
    uint64_t button_key[4], pass_key[3], side_key;
    StigmergyTables tables;
} StigmergyGame;

static inline const StigmergyTables *stigmergy_tables(const Game *game) {
    return &((const StigmergyGame *)game)->tables;
}

/* Fills in the tables, which must be all zero before. */
void stigmergy_core_init(StigmergyTables *tables, const Hexhex *board);

/* The legal actions of a position that is not over. */
typedef struct CoreMoves {
    uint64_t place[HEXHEX_WORDS], flip[HEXHEX_WORDS];
    bool pass, button;
} CoreMoves;

void stigmergy_core_moves(const StigmergyTables *tables, const StigmergyState *state, CoreMoves *moves);

#define CORE_INLINE static inline __attribute__((always_inline))

/* Spreads a set of cells to the rows. */
CORE_INLINE uint64_t core_rows_spread(const CoreRows *rows, uint64_t set) {
    uint64_t spread = 0;
    for (int i = 0; i < CORE_ROWS; i++)
        spread |= (set & rows->cells[i]) << rows->shift[i];
    return spread;
}

/* The cells along direction d from cell c, without c. Even directions lead to higher numbers. */
CORE_INLINE const uint64_t *core_ray(const StigmergyTables *tables, int c, int d, int words) {
    return tables->ray + (size_t)((c * CORE_RAYS + d) * words);
}

CORE_INLINE bool core_has(const uint64_t *set, int c) {
    return set[c >> 6] >> (c & 63) & 1;
}

/* The common members of two sets, all in one word. The result is not 0 iff there are any. */
CORE_INLINE uint64_t core_meet(const uint64_t *a, const uint64_t *b, int words) {
    uint64_t common = 0;
    for (int i = 0; i < words; i++)
        common |= a[i] & b[i];
    return common;
}

/* The cells of a ray up to its first stone, with the stone; or the whole ray if it has no stone. Let h be the stones on
 * the ray in a word. Then h ^ (h - 1) is the lowest of them and all bits below it, or all ones if h is empty. */
CORE_INLINE void core_segment(const uint64_t *ray, const uint64_t *occupied, bool up, int words, uint64_t *segment) {
    uint64_t open = ~0ull; /* all ones while no stone was met */
    for (int k = 0; k < words; k++) {
        const int i = up ? k : words - 1 - k;
        const uint64_t hit = ray[i] & occupied[i];
        segment[i] = ray[i] & open & (up ? hit ^ (hit - 1) : ~0ull << (63 ^ __builtin_clzll(hit | 1)));
        open &= -(uint64_t)(hit == 0);
    }
}

/* Adds 1 to the counters of the cells in `set`. The counters are three planes of `words` words. */
CORE_INLINE void core_add(uint64_t *count, const uint64_t *set, int words) {
    for (int i = 0; i < words; i++) {
        const uint64_t carry = count[i] & set[i];
        count[i] ^= set[i];
        const uint64_t carry2 = count[words + i] & carry;
        count[words + i] ^= carry;
        count[2 * words + i] ^= carry2;
    }
}

/* Subtracts 1 in the same way. */
CORE_INLINE void core_subtract(uint64_t *count, const uint64_t *set, int words) {
    for (int i = 0; i < words; i++) {
        const uint64_t borrow = ~count[i] & set[i];
        count[i] ^= set[i];
        const uint64_t borrow2 = ~count[words + i] & borrow;
        count[words + i] ^= borrow;
        count[2 * words + i] ^= borrow2;
    }
}

/* Puts a stone on cell c, which is empty or holds an enemy stone. Updates the stones and the counters of both sides. */
CORE_INLINE void core_put(const StigmergyTables *tables, uint64_t *own, uint64_t *own_count, uint64_t *enemy,
                          uint64_t *enemy_count, int c, int words) {
    const uint64_t flip = core_has(enemy, c) ? ~0ull : 0;
    uint64_t occupied[HEXHEX_WORDS], gain[HEXHEX_WORDS] = {0}, loss[HEXHEX_WORDS] = {0};
    for (int i = 0; i < words; i++)
        occupied[i] = own[i] | enemy[i];
    for (int axis = 0; axis < HEXHEX_DIRECTIONS; axis += 2) {
        uint64_t segment[2][HEXHEX_WORDS];
        core_segment(core_ray(tables, c, axis, words), occupied, true, words, segment[0]);
        core_segment(core_ray(tables, c, axis + 1, words), occupied, false, words, segment[1]);
        for (int end = 0; end < 2; end++) {
            const uint64_t *other = segment[1 - end]; /* its end holds the stone that these cells saw until now */
            const uint64_t gains = core_meet(other, own, words) ? flip : ~0ull;
            const uint64_t loses = core_meet(other, enemy, words) ? ~0ull : flip;
            for (int i = 0; i < words; i++) {
                gain[i] |= segment[end][i] & gains;
                loss[i] |= segment[end][i] & loses;
            }
        }
    }
    own[c >> 6] |= 1ull << (c & 63);
    enemy[c >> 6] &= ~(1ull << (c & 63));
    core_add(own_count, gain, words);
    core_subtract(enemy_count, loss, words);
}

/* The same on the planes of a position. */
CORE_INLINE void stigmergy_core_change(const StigmergyTables *tables, uint64_t *plane, int c, Side side, int words) {
    const Side enemy = side_opponent(side);
    core_put(tables, plane + plane_stones(side, words), plane + plane_count(side, words),
             plane + plane_stones(enemy, words), plane + plane_count(enemy, words), c, words);
}

/* Makes the functions of a kernel from two inline functions whose last parameter is `words`. */
#define STIGMERGY_DEFINE_KERNEL(PLAYOUTS, PRIORS)                                                                      \
    STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, 1)                                                                  \
    STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, 2)                                                                  \
    STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, 3)                                                                  \
    STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, 4)                                                                  \
    STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, 5)
#define STIGMERGY_DEFINE_KERNEL_SIZE(PLAYOUTS, PRIORS, WORDS)                                                          \
    static void playouts_##WORDS(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds, \
                                 int count, PlayoutPolicy policy, PlayoutResult *results) {                            \
        PLAYOUTS(tables, states, seeds, count, policy, results, WORDS);                                                \
    }                                                                                                                  \
    static void priors_##WORDS(const StigmergyTables *tables, const GameState *state, const Action *actions,           \
                               int count, float *logits) {                                                             \
        PRIORS(tables, (const StigmergyState *)state, actions, count, logits, WORDS);                                  \
    }
#define STIGMERGY_KERNEL_SIZES                                                                                         \
    {NULL, playouts_1, playouts_2, playouts_3, playouts_4, playouts_5}, {                                              \
        NULL, priors_1, priors_2, priors_3, priors_4, priors_5                                                         \
    }

/* The kernels. A build may have only some of them. */
extern const StigmergyKernel stigmergy_plain_kernel, stigmergy_bmi2_kernel, stigmergy_avx2_kernel,
    stigmergy_avx512_kernel;

#endif
