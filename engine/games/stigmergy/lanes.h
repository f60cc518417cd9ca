/* Playouts of Stigmergy side by side, one in each 64-bit lane of vector registers. Moves for the priors are tried side
 * by side too. The results are those of the scalar playout (scalar.h, which defines what a playout is) and of the
 * scalar priors (prior.h).
 *
 * A set of cells takes one register for each of its words. Lane k holds the word of playout k. All lanes take an action
 * at the same time with the same instructions, and masks stand for the differences between playouts. So nothing needs
 * to be predicted, and nothing waits for memory, except at the end of a playout, when its lane gets the next playout of
 * the batch. A lane without a candidate cell (it takes the button, passes, or is empty) chooses the empty set, which
 * changes nothing.
 *
 * Instead of the six rays from a cell, the lanes look up the sets of its three lines and cut them at the cell. There
 * are so few lines that their sets fit into registers.
 *
 * The file that includes this one defines the vector types and the operations below, for its processor:
 *   LANES, Lanes           the number of lanes, and a vector of LANES unsigned 64-bit numbers (operators work lane by
 *                          lane)
 *   LANES_SCALAR_BATCH     up to this number of playouts the scalar kernel is faster (stigmergy_bmi2_kernel, which must
 *                          be in the build)
 *   Mask                   a condition for each lane, combined by & and |
 *   lanes_all              the same number in all lanes
 *   lanes_store            writes a vector to aligned memory
 *   lanes_not              the negation of a Mask
 *   lanes_bits, lanes_mask a Mask to bits, bit k for lane k, and back
 *   lanes_meet             Mask: the sets have a common member
 *   lanes_at_least         Mask: a >= b, both below 2^31
 *   lanes_if, lanes_or_if  mask ? a : b; a | (mask ? b : 0)
 *   lanes_shift            1 << n, and 0 for n >= 64
 *   lanes_below            (1 << n) - 1, all ones for n >= 64, and 0 for n < 0
 *   lanes_times            the product of the lower halves
 *   lanes_count            the number of members
 *   lanes_select           the n-th lowest member, counted from 0; if n is the number of members, a number from 64 to
 *                          127
 *   lanes_from_highest     the highest member and all numbers above it; all ones for the empty set
 *   lanes_line             writes all words of the line of an axis through cell c; undefined if there is no cell c */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_LANES_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_LANES_H

#include "engine/base/rng.h"
#include "engine/games/stigmergy/prior.h"

typedef struct LaneSide {
    Lanes stones[HEXHEX_WORDS], count[3 * HEXHEX_WORDS];
    Lanes placed[HEXHEX_WORDS], flipped[HEXHEX_WORDS];
} LaneSide;

/* The playouts that are running. Role 0 acts first in every playout. Sets of lanes are bits, bit k for lane k. */
typedef struct LaneGroup {
    LaneSide role[2];
    Lanes rng0, rng1;
    unsigned live;                  /* lanes with a playout */
    unsigned passed;                /* the position begins after a pass, and its first action is still to come */
    unsigned button;                /* the button is on the table */
    unsigned took[2];               /* the role has taken the button in this playout */
    int index[LANES], start[LANES]; /* playout of the batch; actions in this batch before it began */
} LaneGroup;

typedef struct LaneBatch {
    const StigmergyTables *tables;
    const GameState *const *states;
    const uint64_t *seeds;
    PlayoutResult *results;
    int next, count; /* the playouts from `next` on have not begun */
} LaneBatch;

/* ---- An action in every lane ---- */

/* rng_next for every lane. */
CORE_INLINE Lanes lanes_random(LaneGroup *group) {
    const Lanes s0 = group->rng0, s1 = group->rng1 ^ s0;
    const Lanes result = s0 + group->rng1;
    group->rng0 = ((s0 << 24) | (s0 >> 40)) ^ s1 ^ (s1 << 16);
    group->rng1 = (s1 << 37) | (s1 >> 27);
    return result;
}

CORE_INLINE void lanes_candidates(const StigmergyTables *tables, const LaneSide *own, const LaneSide *enemy,
                                  PlayoutPolicy policy, int words, Lanes *set) {
    for (int i = 0; i < words; i++) {
        const Lanes own_control = own->count[2 * words + i], enemy_control = enemy->count[2 * words + i];
        const Lanes closed = own->stones[i] | enemy->stones[i] | enemy_control;
        const Lanes place = lanes_all(tables->full[i]) & ~(policy == PLAYOUT_UNIFORM ? closed : closed | own_control);
        set[i] = place | (enemy->stones[i] & own_control);
    }
}

CORE_INLINE Mask lanes_sets_meet(const Lanes *a, const Lanes *b, int words) {
    Lanes common = a[0] & b[0];
    for (int i = 1; i < words; i++)
        common |= a[i] & b[i];
    return lanes_meet(common, common);
}

/* The tactical policy, as in scalar_prefer_flips. */
CORE_INLINE void lanes_prefer_flips(const LaneSide *enemy, Lanes random, int words, Lanes *set) {
    const Lanes highest = lanes_all(((uint64_t)STIGMERGY_FLIP_CHANCE << 8) - 1);
    const Mask wanted = lanes_at_least(highest, random & lanes_all(0xff00));
    const Mask narrow = wanted & lanes_sets_meet(set, enemy->stones, words);
    for (int i = 0; i < words; i++)
        set[i] = lanes_if(narrow, set[i] & enemy->stones[i], set[i]);
}

/* A candidate cell for each lane. If the lane draws the button, or has no candidate, the result is not on the board. */
CORE_INLINE Lanes lanes_choose(const Lanes *set, Lanes random, unsigned button, int words) {
    Lanes up_to[HEXHEX_WORDS];
    up_to[0] = lanes_count(set[0]);
    for (int i = 1; i < words; i++)
        up_to[i] = up_to[i - 1] + lanes_count(set[i]);
    Lanes count = up_to[words - 1];
    if (button)
        count += lanes_if(lanes_mask(button), lanes_all(1), lanes_all(0));
    const Lanes n = lanes_times(random, count) >> 32;
    Lanes word = set[0], rest = n, first = lanes_all(0);
    for (int i = 1; i < words; i++) {
        const Mask beyond = lanes_at_least(n, up_to[i - 1]);
        word = lanes_if(beyond, set[i], word);
        rest = lanes_if(beyond, n - up_to[i - 1], rest);
        first = lanes_if(beyond, lanes_all(64 * (uint64_t)i), first);
    }
    return first + lanes_select(word, rest);
}

/* The segments of a line on both sides of cell c. `below` and `above` are the sets of all cells below and above c. See
 * core_segment. */
CORE_INLINE void lanes_segments(const Lanes *line, const Lanes *below, const Lanes *above, const Lanes *occupied,
                                int words, Lanes *down, Lanes *up) {
    Lanes closed = lanes_all(0); /* all ones if an earlier word had a stone */
    for (int i = 0; i < words; i++) {
        const Lanes ray = line[i] & above[i], hit = ray & occupied[i];
        up[i] = ray & (hit ^ (hit - 1));
        if (i > 0)
            up[i] &= ~closed;
        if (i < words - 1)
            closed = lanes_if(lanes_meet(hit, hit), lanes_all(~0ull), closed);
    }
    closed = lanes_all(0);
    for (int i = words - 1; i >= 0; i--) {
        const Lanes ray = line[i] & below[i], hit = ray & occupied[i];
        down[i] = ray & lanes_from_highest(hit);
        if (i < words - 1)
            down[i] &= ~closed;
        if (i > 0)
            closed = lanes_if(lanes_meet(hit, hit), lanes_all(~0ull), closed);
    }
}

/* Adds what the cells on both sides of c gain and lose on one axis. The cells of a segment see the stone on c from now
 * on; until now they saw the stone at the end of the other segment. */
CORE_INLINE void lanes_see(const Lanes *down, const Lanes *up, const Lanes *own, const Lanes *enemy, int words,
                           Lanes *gain, Lanes *loss) {
    const Mask own_up = lanes_sets_meet(up, own, words), own_down = lanes_sets_meet(down, own, words);
    const Mask enemy_up = lanes_sets_meet(up, enemy, words), enemy_down = lanes_sets_meet(down, enemy, words);
    for (int i = 0; i < words; i++) {
        gain[i] = lanes_or_if(lanes_or_if(gain[i], lanes_not(own_down), up[i]), lanes_not(own_up), down[i]);
        loss[i] = lanes_or_if(lanes_or_if(loss[i], enemy_down, up[i]), enemy_up, down[i]);
    }
}

/* core_add and core_subtract for one word of every lane. */
CORE_INLINE void lanes_add(Lanes *count, Lanes set, int words) {
    const Lanes carry = count[0] & set;
    count[0] ^= set;
    count[2 * words] ^= count[words] & carry;
    count[words] ^= carry;
}
CORE_INLINE void lanes_subtract(Lanes *count, Lanes set, int words) {
    const Lanes borrow = ~count[0] & set;
    count[0] ^= set;
    count[2 * words] ^= ~count[words] & borrow;
    count[words] ^= borrow;
}

/* core_put for every lane. The stone goes on cell c, and `bit` is c as a set. After a flip all cells of the segments
 * see one more stone of the mover and one less of the enemy. */
CORE_INLINE void lanes_put(const StigmergyTables *tables, LaneSide *own, LaneSide *enemy, Lanes c, const Lanes *bit,
                           int words) {
    Lanes below[HEXHEX_WORDS], above[HEXHEX_WORDS], occupied[HEXHEX_WORDS], own_seen[HEXHEX_WORDS];
    Lanes gain[HEXHEX_WORDS], loss[HEXHEX_WORDS];
    const Mask flip = lanes_sets_meet(bit, enemy->stones, words), valid = lanes_sets_meet(bit, bit, words);
    for (int i = 0; i < words; i++) {
        below[i] = i ? lanes_below(c - 64 * (uint64_t)i) : bit[i] - 1;
        above[i] = ~(below[i] | bit[i]);
        occupied[i] = own->stones[i] | enemy->stones[i];
        own_seen[i] = lanes_if(flip, lanes_all(0), own->stones[i]);
        gain[i] = loss[i] = lanes_all(0);
    }
    for (int axis = 0; axis < CORE_AXES; axis++) {
        Lanes line[HEXHEX_WORDS], down[HEXHEX_WORDS], up[HEXHEX_WORDS];
        lanes_line(tables, axis, c, words, line);
        lanes_segments(line, below, above, occupied, words, down, up);
        lanes_see(down, up, own_seen, enemy->stones, words, gain, loss);
    }
    for (int i = 0; i < words; i++) {
        gain[i] = lanes_if(valid, gain[i], lanes_all(0));
        loss[i] = lanes_if(valid, lanes_if(flip, gain[i], loss[i]), lanes_all(0));
        own->stones[i] |= bit[i];
        enemy->stones[i] &= ~bit[i];
        lanes_add(own->count + i, gain[i], words);
        lanes_subtract(enemy->count + i, loss[i], words);
    }
}

/* One action of a role in every lane. Returns the lanes where the role passed or that are empty. */
CORE_INLINE unsigned lanes_act(const StigmergyTables *tables, LaneGroup *group, int role, Lanes random,
                               PlayoutPolicy policy, int words) {
    LaneSide *own = &group->role[role], *enemy = &group->role[1 - role];
    Lanes set[HEXHEX_WORDS], bit[HEXHEX_WORDS];
    lanes_candidates(tables, own, enemy, policy, words, set);
    if (policy == PLAYOUT_TACTICAL)
        lanes_prefer_flips(enemy, random, words, set);
    const Lanes c = lanes_choose(set, random, policy == PLAYOUT_UNIFORM ? group->button : 0, words);
    for (int i = 0; i < words; i++) {
        bit[i] = lanes_shift(c - 64 * (uint64_t)i);
        own->placed[i] |= bit[i] & ~enemy->stones[i];
        own->flipped[i] |= bit[i] & enemy->stones[i];
    }
    lanes_put(tables, own, enemy, c, bit, words);
    const unsigned idle = ~lanes_bits(lanes_sets_meet(bit, bit, words));
    const unsigned took = idle & group->button;
    group->took[role] |= took;
    group->button &= ~took;
    return idle & ~took;
}

/* ---- Beginning and ending playouts ---- */

CORE_INLINE void lanes_load_side(LaneSide *own, const StigmergyState *from, Side side, Mask lane, int words) {
    const uint64_t *stones = from->plane + plane_stones(side, words);
    const uint64_t *count = from->plane + plane_count(side, words);
    for (int i = 0; i < words; i++) {
        own->stones[i] = lanes_if(lane, lanes_all(stones[i]), own->stones[i]);
        own->placed[i] = lanes_if(lane, lanes_all(0), own->placed[i]);
        own->flipped[i] = lanes_if(lane, lanes_all(0), own->flipped[i]);
    }
    for (int i = 0; i < 3 * words; i++)
        own->count[i] = lanes_if(lane, lanes_all(count[i]), own->count[i]);
}

/* Gives a lane the next playout of the batch. Leaves it empty if there is none. */
CORE_INLINE void lanes_begin(LaneBatch *batch, LaneGroup *group, int lane, int now, int words) {
    const unsigned bit = 1u << lane;
    group->live &= ~bit;
    group->passed &= ~bit;
    group->button &= ~bit;
    group->took[0] &= ~bit;
    group->took[1] &= ~bit;
    if (batch->next == batch->count)
        return;
    const StigmergyState *from = (const StigmergyState *)batch->states[batch->next];
    const Rng rng = rng_seed(batch->seeds[batch->next]);
    const Mask mask = lanes_mask(bit);
    group->rng0 = lanes_if(mask, lanes_all(rng.s0), group->rng0);
    group->rng1 = lanes_if(mask, lanes_all(rng.s1), group->rng1);
    lanes_load_side(&group->role[0], from, (Side)from->side, mask, words);
    lanes_load_side(&group->role[1], from, side_opponent((Side)from->side), mask, words);
    group->live |= bit;
    group->passed |= from->passes ? bit : 0;
    group->button |= from->button == BUTTON_ON_TABLE ? bit : 0;
    group->index[lane] = batch->next++;
    group->start[lane] = now;
}

/* The contents of the lanes, in memory. */
typedef struct LaneSpill {
    _Alignas(64) uint64_t owns[2][HEXHEX_WORDS][LANES];
    _Alignas(64) uint64_t placed[2][HEXHEX_WORDS][LANES];
    _Alignas(64) uint64_t flipped[2][HEXHEX_WORDS][LANES];
} LaneSpill;

CORE_INLINE void lanes_spill(const LaneGroup *group, int words, LaneSpill *spill) {
    for (int role = 0; role < 2; role++)
        for (int i = 0; i < words; i++) {
            const LaneSide *own = &group->role[role], *enemy = &group->role[1 - role];
            lanes_store(spill->owns[role][i], own->stones[i] | (own->count[2 * words + i] & ~enemy->stones[i]));
            lanes_store(spill->placed[role][i], own->placed[i]);
            lanes_store(spill->flipped[role][i], own->flipped[i]);
        }
}

CORE_INLINE void lanes_finish(const LaneBatch *batch, const LaneGroup *group, const LaneSpill *spill, int lane,
                              int length, PlayoutPolicy policy, int words) {
    const StigmergyState *from = (const StigmergyState *)batch->states[group->index[lane]];
    PlayoutResult *result = &batch->results[group->index[lane]];
    const int black = from->side; /* the role of Black: role 0 if Black acts first */
    int cells = 0, half_point = button_half_points((GameButton)from->button);
    for (int side = 0; side < 2; side++) {
        const int role = side ^ black;
        const int took = (group->took[role] >> lane) & 1;
        for (int i = 0; i < words; i++) {
            result->played[side][i] = spill->placed[role][i][lane];
            result->played[side][words + i] = spill->flipped[role][i][lane];
        }
        result->played[side][2 * words] = took ? 2 : 0; /* stigmergy_take_button */
        half_point += side == BLACK ? took : -took;
    }
    for (int i = 0; i < words; i++) {
        result->black_owns[i] = spill->owns[black][i][lane];
        cells += bits_count(result->black_owns[i]);
    }
    result->half_points = (int16_t)(2 * (2 * cells - batch->tables->cells - from->komi) + half_point);
    const int passes = policy != PLAYOUT_UNIFORM ? 0 : length > 0 ? 2 : 2 - from->passes;
    result->length = (uint16_t)(length + passes);
}

/* Ends the playouts that are over and begins new ones in their lanes. In the end role 0 has an action in every lane, or
 * must pass there while role 1 has one. `idle` has the lanes where role 1 has just passed. */
CORE_INLINE void lanes_renew(LaneBatch *batch, LaneGroup *group, unsigned idle, int now, PlayoutPolicy policy,
                             int words) {
    for (;;) {
        Lanes set[HEXHEX_WORDS];
        lanes_candidates(batch->tables, &group->role[0], &group->role[1], policy, words, set);
        const unsigned stuck = ~lanes_bits(lanes_sets_meet(set, set, words)) & group->live & ~group->button;
        if (__builtin_expect(!stuck, 1))
            return;
        lanes_candidates(batch->tables, &group->role[1], &group->role[0], policy, words, set);
        const unsigned over = stuck & (~lanes_bits(lanes_sets_meet(set, set, words)) | group->passed);
        if (!over)
            return;
        LaneSpill spill;
        lanes_spill(group, words, &spill);
        for (unsigned rest = over; rest; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest); /* if role 1 has passed here, the playout was over before that */
            const int length = now - group->start[lane] - (int)((idle >> lane) & 1);
            lanes_finish(batch, group, &spill, lane, length, policy, words);
            lanes_begin(batch, group, lane, now, words);
        }
        idle &= ~over;
    }
}

/* ---- The batch ---- */

CORE_INLINE void lanes_run(LaneBatch *batch, PlayoutPolicy policy, int words) {
    LaneGroup group;
    memset(&group, 0, sizeof group);
    for (int lane = 0; lane < LANES; lane++)
        lanes_begin(batch, &group, lane, 0, words);
    unsigned idle = 0;
    for (int now = 0;; now += 2) {
        lanes_renew(batch, &group, idle, now, policy, words);
        if (!group.live)
            return;
        const Lanes random = lanes_random(&group);
        lanes_act(batch->tables, &group, 0, random >> 32, policy, words);
        group.passed = 0;
        idle = lanes_act(batch->tables, &group, 1, random, policy, words);
    }
}

CORE_INLINE void lanes_playouts(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds,
                                int count, PlayoutPolicy policy, PlayoutResult *results, int words) {
    LaneBatch batch = {tables, states, seeds, results, 0, count};
    if (count <= LANES_SCALAR_BATCH)
        stigmergy_bmi2_kernel.playouts[words](tables, states, seeds, count, policy, results);
    else if (policy == PLAYOUT_UNIFORM)
        lanes_run(&batch, PLAYOUT_UNIFORM, words);
    else if (policy == PLAYOUT_LIGHT)
        lanes_run(&batch, PLAYOUT_LIGHT, words);
    else
        lanes_run(&batch, PLAYOUT_TACTICAL, words);
}

/* ---- Priors ---- */

/* prior_standing for every lane, in two parts: what counts for the side, and what counts against it. */
CORE_INLINE void lanes_standing(const StigmergyTables *tables, const LaneSide *own, const LaneSide *enemy, int words,
                                Lanes *good, Lanes *bad) {
    *good = *bad = lanes_all(0);
    for (int i = 0; i < words; i++) {
        const Lanes own_control = own->count[2 * words + i], enemy_control = enemy->count[2 * words + i];
        const Lanes own_near = own->count[i] & own->count[words + i] & ~own_control;
        const Lanes enemy_near = enemy->count[i] & enemy->count[words + i] & ~enemy_control;
        const Lanes empty = lanes_all(tables->full[i]) & ~(own->stones[i] | enemy->stones[i]);
        *bad += lanes_times(lanes_count(empty & enemy_control), lanes_all(-PRIOR_ENEMY_CELL));
        *bad += lanes_times(lanes_count(empty & enemy_near & ~own_control), lanes_all(-PRIOR_ENEMY_NEAR));
        *good += lanes_times(lanes_count(enemy->stones[i] & own_control), lanes_all(PRIOR_THREAT));
        *good += lanes_times(lanes_count(enemy->stones[i] & own_near), lanes_all(PRIOR_THREAT_NEAR));
        *bad += lanes_times(lanes_count(own->stones[i] & enemy_control), lanes_all(-PRIOR_DANGER));
        *bad += lanes_times(lanes_count(own->stones[i] & enemy_near), lanes_all(-PRIOR_DANGER_NEAR));
    }
}

/* The standing after a stone on each of LANES cells. 64 * words means no cell. */
CORE_INLINE void lanes_try(const StigmergyTables *tables, const StigmergyState *state, const uint64_t *cells, int words,
                           int *standings) {
    LaneSide own, enemy;
    Lanes c, bit[HEXHEX_WORDS], good, bad;
    _Alignas(64) uint64_t sums[2][LANES];
    memset(&own, 0, sizeof own);
    memset(&enemy, 0, sizeof enemy);
    memcpy(&c, cells, sizeof c);
    lanes_load_side(&own, state, (Side)state->side, lanes_mask((1u << LANES) - 1), words);
    lanes_load_side(&enemy, state, side_opponent((Side)state->side), lanes_mask((1u << LANES) - 1), words);
    for (int i = 0; i < words; i++)
        bit[i] = lanes_shift(c - 64 * (uint64_t)i);
    lanes_put(tables, &own, &enemy, c, bit, words);
    lanes_standing(tables, &own, &enemy, words, &good, &bad);
    lanes_store(sums[0], good);
    lanes_store(sums[1], bad);
    for (int lane = 0; lane < LANES; lane++)
        standings[lane] = (int)sums[0][lane] - (int)sums[1][lane];
}

CORE_INLINE void lanes_priors(const StigmergyTables *tables, const StigmergyState *state, const Action *actions,
                              int count, float *logits, int words) {
    const uint64_t no_cell = 64 * (uint64_t)words;
    const int before = prior_standing(tables, state->plane, (Side)state->side, words);
    for (int first = 0; first < count; first += LANES) {
        const int lanes = count - first < LANES ? count - first : LANES;
        _Alignas(64) uint64_t cells[LANES];
        int standings[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            const bool stone = lane < lanes && actions[first + lane] < stigmergy_pass(words);
            cells[lane] = stone ? actions[first + lane] % no_cell : no_cell;
        }
        lanes_try(tables, state, cells, words, standings);
        for (int lane = 0; lane < lanes; lane++) {
            const Action action = actions[first + lane];
            const int flip = action >= no_cell ? PRIOR_FLIP : 0;
            const int tenths = action < stigmergy_pass(words) ? standings[lane] - before + flip : PRIOR_SPECIAL;
            logits[first + lane] = 0.1f * (float)tenths;
        }
    }
}

#endif
