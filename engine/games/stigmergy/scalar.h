/* The scalar playout of Stigmergy: one playout after the other, in portable C. This is the definition of a playout.
 *
 * In a playout the mover and the other side act in turn. Before action k = 0, 1, 2, ... the acting side has candidates,
 * in ascending order:
 *   uniform:  the cells where it may place or flip, then the button while it lies on the table
 *   light:    the same without placements on cells that the side controls already (flips stay), and without the button
 *   tactical: as light; but if there are flips, and bits 8 to 15 of `number` are below STIGMERGY_FLIP_CHANCE, only the
 *             flips
 * The side plays candidate (number * count) >> 32. Here `number` is the upper (k even) or lower (k odd) half of
 * rng_next number k/2 on the stream rng_seed(seed). A side without candidates takes the button, or passes if the button
 * is not on the table. Passes use up their number too.
 *
 * A side without candidates that would have to pass ends the playout in two cases. Either the other side has no
 * candidate either, so both would pass for ever. Or the other side has just passed. This can only be a pass before the
 * first action of the playout, because after a later pass the playout would have ended already.
 *
 * The played sets hold the button but never the pass. `length` is the number of actions until the end. Only with the
 * uniform policy it also counts the passes that are missing until there are two in succession.
 *
 * How it works. The two sides are stored by role, not by colour, and act in turn in an unrolled loop. On boards of one
 * word, core_put puts a stone. On larger boards each line of the three axes has a word of its own for the stones of a
 * side. Two bit scans find the nearest stones on it, whatever the number of words of the board. The cells between are
 * the exclusive or of two rows of a table of prefixes, two words at a time. (Chess programs use such words and call
 * them rotated bitboards: Hyatt 1999.) */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_SCALAR_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_SCALAR_H

#include "engine/base/bits.h"
#include "engine/base/rng.h"
#include "engine/games/stigmergy/core.h"

/* Two words in one register, for compilers that do not pair words on their own. */
typedef uint64_t ScalarPair __attribute__((vector_size(16)));

enum { SCALAR_WORDS = HEXHEX_WORDS + 1 };

/* The words of a set: an even number if it has several. The last word is undefined if it is beyond `words`. */
CORE_INLINE int scalar_stride(int words) {
    return words == 1 ? 1 : (words + 1) & ~1;
}

typedef struct ScalarSide {
    uint64_t stones[SCALAR_WORDS], count[3 * SCALAR_WORDS];
    uint64_t placed[HEXHEX_WORDS], flipped[HEXHEX_WORDS];
    uint32_t line[CORE_LINES]; /* the stones on each line, bit 0 is its first cell; only with several words */
    bool button;
} ScalarSide;

/* ---- Choosing a candidate ---- */

/* Writes the candidate cells of `own` and returns their number. */
CORE_INLINE uint32_t scalar_candidates(const StigmergyTables *tables, const ScalarSide *own, const ScalarSide *enemy,
                                       PlayoutPolicy policy, int words, uint64_t *set) {
    uint32_t count = 0;
    for (int i = 0; i < words; i++) {
        const uint64_t own_control = own->count[2 * scalar_stride(words) + i],
                       enemy_control = enemy->count[2 * scalar_stride(words) + i];
        const uint64_t place = tables->full[i] & ~(own->stones[i] | enemy->stones[i] | enemy_control);
        set[i] = (policy == PLAYOUT_UNIFORM ? place : place & ~own_control) | (enemy->stones[i] & own_control);
        count += (uint32_t)bits_count(set[i]);
    }
    return count;
}

/* The tactical policy: keeps only the flips if there are any and `random` says so. Returns the number of candidates. */
CORE_INLINE uint32_t scalar_prefer_flips(const ScalarSide *enemy, uint32_t random, uint32_t cells, int words,
                                         uint64_t *set) {
    if (!core_meet(set, enemy->stones, words) || (random >> 8 & 0xff) >= STIGMERGY_FLIP_CHANCE)
        return cells;
    uint32_t count = 0;
    for (int i = 0; i < words; i++) {
        set[i] &= enemy->stones[i];
        count += (uint32_t)bits_count(set[i]);
    }
    return count;
}

CORE_INLINE int scalar_choose(const uint64_t *set, uint32_t n, int words) {
    uint64_t word = set[0];
    uint32_t rest = n, before = 0;
    int first = 0;
    for (int i = 1; i < words; i++) {
        before += (uint32_t)bits_count(set[i - 1]);
        const bool beyond = n >= before;
        word = beyond ? set[i] : word;
        rest = beyond ? n - before : rest;
        first = beyond ? 64 * i : first;
    }
    return first + bits_select(word, rest);
}

/* ---- Putting a stone ---- */

/* a if the lowest bit is 1, otherwise b. Written so that compilers make no branch of it. */
CORE_INLINE uint32_t scalar_pick(uint32_t bit, uint32_t a, uint32_t b) {
    return b ^ ((a ^ b) & -(bit & 1));
}

CORE_INLINE ScalarPair scalar_pair(const uint64_t *set, int first) {
    ScalarPair pair;
    memcpy(&pair, set + first, sizeof pair);
    return pair;
}

CORE_INLINE void scalar_store(uint64_t *set, int first, ScalarPair pair) {
    memcpy(set + first, &pair, sizeof pair);
}

/* Puts a stone on the only cell of `bit`. `gain` has the cells that see one more own stone, `loss` those that see one
 * less enemy stone. */
CORE_INLINE void scalar_update(ScalarSide *own, ScalarSide *enemy, const ScalarPair *bit, const ScalarPair *gain,
                               const ScalarPair *loss, int words) {
    const int stride = scalar_stride(words);
    for (int i = 0; i < words; i += 2) {
        scalar_store(own->stones, i, scalar_pair(own->stones, i) | bit[i / 2]);
        scalar_store(enemy->stones, i, scalar_pair(enemy->stones, i) & ~bit[i / 2]);
        ScalarPair carry = gain[i / 2], borrow = loss[i / 2];
        for (int plane = i; plane < 3 * stride; plane += stride) {
            const ScalarPair p = scalar_pair(own->count, plane), q = scalar_pair(enemy->count, plane);
            scalar_store(own->count, plane, p ^ carry);
            scalar_store(enemy->count, plane, q ^ borrow);
            carry &= p;
            borrow &= ~q;
        }
    }
}

/* core_put, by means of the lines through c. */
CORE_INLINE void scalar_put(const StigmergyTables *tables, ScalarSide *own, ScalarSide *enemy, int c, bool flip,
                            int words) {
    const size_t stride = (size_t)words;
    const uint32_t flips = -(uint32_t)flip;
    ScalarPair gain[SCALAR_WORDS / 2], loss[SCALAR_WORDS / 2], bit[SCALAR_WORDS / 2];
    /* On axis 0, whose order is that of the cells, the row of cell c is c. */
    const uint64_t *here_from = tables->prefix + (size_t)c * stride, *here_to = here_from + stride;
    for (int i = 0; i < words; i += 2) /* c alone; each of the three lines below adds c once more, so it is in no set */
        gain[i / 2] = loss[i / 2] = bit[i / 2] = scalar_pair(here_from, i) ^ scalar_pair(here_to, i);
    for (int axis = 0; axis < CORE_AXES; axis++) {
        const CoreLine cell = tables->line[c][axis];
        uint32_t *own_line = &own->line[cell.line], *enemy_line = &enemy->line[cell.line];
        const uint32_t at = cell.at, here = 1u << at, occupied = *own_line | *enemy_line;
        const uint32_t high = (uint32_t)__builtin_ctz((occupied & -(here << 1)) | tables->line_end[cell.line]);
        const uint32_t low = 31 ^ (uint32_t)__builtin_clz((occupied & (here - 1)) | 1);
        /* The cells on one side of c gain nothing if they saw an own stone through c. They lose one if they saw an
         * enemy stone. */
        const uint32_t own_seen = *own_line & ~flips, enemy_seen = *enemy_line | flips;
        const uint32_t gain_low = scalar_pick(own_seen >> high, at, low);
        const uint32_t gain_high = scalar_pick(own_seen >> low, at, high);
        const uint32_t loss_low = scalar_pick(enemy_seen >> high, low, at);
        const uint32_t loss_high = scalar_pick(enemy_seen >> low, high, at);
        const uint64_t *row = tables->prefix + (cell.row - at) * stride;
        const uint64_t *gain_from = row + gain_low * stride, *gain_to = row + (gain_high + 1) * stride;
        const uint64_t *loss_from = row + loss_low * stride, *loss_to = row + (loss_high + 1) * stride;
        for (int i = 0; i < words; i += 2) {
            gain[i / 2] ^= scalar_pair(gain_from, i) ^ scalar_pair(gain_to, i);
            loss[i / 2] ^= scalar_pair(loss_from, i) ^ scalar_pair(loss_to, i);
        }
        *own_line |= here;
        *enemy_line &= ~here;
    }
    scalar_update(own, enemy, bit, gain, loss, words);
}

/* ---- The playout ---- */

/* One action of `own`. False if the playout is over before it. */
CORE_INLINE bool scalar_act(const StigmergyTables *tables, ScalarSide *own, ScalarSide *enemy, uint32_t random,
                            PlayoutPolicy policy, bool *button, bool passed, int words) {
    uint64_t set[HEXHEX_WORDS];
    uint32_t cells = scalar_candidates(tables, own, enemy, policy, words, set);
    if (policy == PLAYOUT_TACTICAL)
        cells = scalar_prefer_flips(enemy, random, cells, words, set);
    const uint32_t count = cells + (policy == PLAYOUT_UNIFORM && *button);
    const uint32_t n = (uint32_t)(((uint64_t)random * count) >> 32);
    if (__builtin_expect(n >= cells, 0)) {
        if (!*button)
            return !passed && scalar_candidates(tables, enemy, own, policy, words, set) > 0;
        *button = false;
        own->button = true;
        return true;
    }
    const int c = scalar_choose(set, n, words);
    const bool flip = core_has(enemy->stones, c);
    own->placed[c >> 6] |= (uint64_t)!flip << (c & 63);
    own->flipped[c >> 6] |= (uint64_t)flip << (c & 63);
    if (words == 1)
        core_put(tables, own->stones, own->count, enemy->stones, enemy->count, c, words);
    else
        scalar_put(tables, own, enemy, c, flip, words);
    return true;
}

CORE_INLINE void scalar_load(const StigmergyTables *tables, ScalarSide *own, const StigmergyState *from, Side side,
                             int words) {
    for (int i = 0; i < words; i++) {
        own->stones[i] = from->plane[plane_stones(side, words) + i];
        for (int bit = 0; bit < 3; bit++)
            own->count[bit * scalar_stride(words) + i] = from->plane[plane_count(side, words) + bit * words + i];
        own->placed[i] = own->flipped[i] = 0;
    }
    own->button = from->button == button_taken_by(side);
    if (words == 1)
        return;
    memset(own->line, 0, sizeof own->line);
    for (int i = 0; i < words; i++)
        for (uint64_t rest = own->stones[i]; rest; rest &= rest - 1) {
            const CoreLine *cell = tables->line[64 * i + __builtin_ctzll(rest)];
            for (int axis = 0; axis < CORE_AXES; axis++)
                own->line[cell[axis].line] |= 1u << cell[axis].at;
        }
}

CORE_INLINE void scalar_finish(const StigmergyTables *tables, const StigmergyState *from, const ScalarSide *black,
                               const ScalarSide *white, PlayoutResult *result, int words) {
    const ScalarSide *by_side[2] = {black, white};
    const bool on_table = from->button == BUTTON_ON_TABLE;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < words; i++) {
            result->played[side][i] = by_side[side]->placed[i];
            result->played[side][words + i] = by_side[side]->flipped[i];
        }
        result->played[side][2 * words] = on_table && by_side[side]->button ? 2 : 0; /* stigmergy_take_button */
    }
    int cells = 0;
    for (int i = 0; i < words; i++) {
        result->black_owns[i] = black->stones[i] | (black->count[2 * scalar_stride(words) + i] & ~white->stones[i]);
        cells += bits_count(result->black_owns[i]);
    }
    result->half_points = (int16_t)(2 * (2 * cells - tables->cells - from->komi) + black->button - white->button);
}

CORE_INLINE void scalar_playout(const StigmergyTables *tables, const GameState *state, uint64_t seed,
                                PlayoutPolicy policy, PlayoutResult *result, int words) {
    const StigmergyState *from = (const StigmergyState *)state;
    const Side side = (Side)from->side;
    ScalarSide mover, other;
    scalar_load(tables, &mover, from, side, words);
    scalar_load(tables, &other, from, side_opponent(side), words);
    bool button = from->button == BUTTON_ON_TABLE;
    Rng rng = rng_seed(seed);
    int length = 0;
    for (bool passed = from->passes > 0;; passed = false, length++) {
        const uint64_t random = rng_next(&rng);
        if (!scalar_act(tables, &mover, &other, (uint32_t)(random >> 32), policy, &button, passed, words))
            break;
        length++;
        if (!scalar_act(tables, &other, &mover, (uint32_t)random, policy, &button, false, words))
            break;
    }
    if (side == BLACK)
        scalar_finish(tables, from, &mover, &other, result, words);
    else
        scalar_finish(tables, from, &other, &mover, result, words);
    const int passes = policy != PLAYOUT_UNIFORM ? 0 : length > 0 ? 2 : 2 - from->passes;
    result->length = (uint16_t)(length + passes);
}

CORE_INLINE void scalar_playouts(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds,
                                 int count, PlayoutPolicy policy, PlayoutResult *results, int words) {
    for (int i = 0; i < count; i++) {
        if (policy == PLAYOUT_UNIFORM)
            scalar_playout(tables, states[i], seeds[i], PLAYOUT_UNIFORM, &results[i], words);
        else if (policy == PLAYOUT_LIGHT)
            scalar_playout(tables, states[i], seeds[i], PLAYOUT_LIGHT, &results[i], words);
        else
            scalar_playout(tables, states[i], seeds[i], PLAYOUT_TACTICAL, &results[i], words);
    }
}

#endif
