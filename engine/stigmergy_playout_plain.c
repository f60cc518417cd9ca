/* The plain playout kernel: portable C, one playout after the other. The definition that the others are tested against.
 *
 * A playout draws one random number for every action, passes included. The candidates in ascending order are
 *   uniform: the cells where the mover may place or flip, then the button while it lies on the table;
 *   light:   the same without the cells that the mover controls itself and without the button;
 * candidate rng_below(count) is played. With no candidate the mover takes the button, or passes where there is none.
 *
 * With the light policy a playout may stop as soon as neither side has a candidate and no button is left: both would
 * pass. */
#include "rng.h"
#include "stigmergy_core.h"

/* The n-th (from 0) lowest member of a set, or -1. */
CORE_INLINE int nth_cell(const uint64_t *set, int n, int words) {
    for (int i = 0; i < words; i++) {
        const int here = __builtin_popcountll(set[i]);
        if (n < here) {
            uint64_t rest = set[i];
            while (n--)
                rest &= rest - 1;
            return 64 * i + __builtin_ctzll(rest);
        }
        n -= here;
    }
    return -1;
}

CORE_INLINE void playout(const StigmergyTables *tables, const GameState *from, uint64_t seed, PlayoutPolicy policy,
                         PlayoutResult *result, int words) {
    StigmergyState state;
    memcpy(&state, from, offsetof(StigmergyState, plane) + (size_t)(PLANES * words) * sizeof(uint64_t));
    uint64_t *plane = state.plane;
    Rng rng = rng_seed(seed);
    memset(result->played[BLACK], 0, (size_t)(2 * words + 1) * sizeof(uint64_t));
    memset(result->played[WHITE], 0, (size_t)(2 * words + 1) * sizeof(uint64_t));
    Side side = (Side)state.side;
    int length = 0, passes = state.passes;
    while (passes < 2) {
        uint64_t place[HEXHEX_WORDS], flip[HEXHEX_WORDS], neutral[HEXHEX_WORDS], choice[HEXHEX_WORDS];
        stigmergy_core_moves(tables, plane, side, words, place, flip, neutral);
        int count = 0;
        for (int i = 0; i < words; i++) {
            choice[i] = (policy == PLAYOUT_UNIFORM ? place[i] : neutral[i]) | flip[i];
            count += __builtin_popcountll(choice[i]);
        }
        const bool button = state.button == BUTTON_ON_TABLE;
        const bool button_counts = button && (policy == PLAYOUT_UNIFORM || count == 0);
        const int n = (int)rng_below(&rng, (uint32_t)(count + button_counts + (count + button_counts == 0)));
        const int c = nth_cell(choice, n, words);
        passes = 0;
        length++;
        if (c >= 0) {
            const bool is_flip = core_has(flip, c);
            result->played[side][(is_flip ? words : 0) + (c >> 6)] |= 1ull << (c & 63);
            stigmergy_core_change(tables, plane, c, side, words);
        } else if (button) {
            result->played[side][2 * words] |= 2; /* bit of stigmergy_take_button */
            state.button = side == BLACK ? BUTTON_BLACK : BUTTON_WHITE;
        } else {
            result->played[side][2 * words] |= 1; /* bit of stigmergy_pass */
            passes = ++state.passes;
            side = side_opponent(side);
            continue;
        }
        state.passes = 0;
        side = side_opponent(side);
    }
    int black = 0;
    for (int i = 0; i < words; i++) {
        result->black_owns[i] = plane[i] | (plane[PLANE_CONTROL * words + i] & ~plane[words + i]);
        black += __builtin_popcountll(result->black_owns[i]);
    }
    const int half_point = (state.button == BUTTON_BLACK) - (state.button == BUTTON_WHITE);
    result->margin = (int16_t)(2 * (2 * black - tables->cells - state.komi) + half_point);
    result->length = (uint16_t)length;
}

#define DEFINE_KERNEL(WORDS)                                                                                           \
    static void playouts_##WORDS(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds, \
                                 int count, PlayoutPolicy policy, PlayoutResult *results) {                            \
        for (int i = 0; i < count; i++)                                                                                \
            playout(tables, states[i], seeds[i], policy, &results[i], WORDS);                                          \
    }
DEFINE_KERNEL(1)
DEFINE_KERNEL(2)
DEFINE_KERNEL(3)
DEFINE_KERNEL(4)
DEFINE_KERNEL(5)

static bool runs_here(void) {
    return true;
}

static const StigmergyKernel plain_kernel = {
    "plain", runs_here, {NULL, playouts_1, playouts_2, playouts_3, playouts_4, playouts_5}};

const StigmergyKernel *const stigmergy_kernels[] = {&plain_kernel, NULL};
