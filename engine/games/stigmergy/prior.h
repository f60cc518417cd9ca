/* Which moves of Stigmergy look good at first sight (GameRules.priors).
 *
 * Each move is made on a copy of the position. What it changes is counted: cells that the enemy controls, stones of
 * either side that can be flipped now, and stones that can be flipped once one more stone is seen. A logit is a
 * weighted sum of these changes. The probability of a move is proportional to 2^logit. This is a multinomial logit, as
 * used for the moves of Go by Coulom 2007 and of Hex by Huang et al. 2013.
 *
 * The weights were fitted to the shares of visits in searches (engine/games/stigmergy/MEASUREMENTS.md). One set of
 * weights serves all sizes.
 *
 * This is the plain version, which tries one move after the other. lanes.h tries many moves side by side. All weights
 * are whole tenths, summed as integers, so both versions give exactly the same result. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PRIOR_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PRIOR_H

#include "engine/base/bits.h"
#include "engine/games/stigmergy/core.h"

/* In tenths. "Near": true once one more stone is seen. */
enum {
    PRIOR_ENEMY_CELL = -11, /* empty cell that the enemy controls */
    PRIOR_ENEMY_NEAR = -6,
    PRIOR_THREAT = 22, /* enemy stone that can be flipped */
    PRIOR_THREAT_NEAR = 9,
    PRIOR_DANGER = -37, /* own stone that the enemy can flip */
    PRIOR_DANGER_NEAR = -9,
    PRIOR_FLIP = 13,   /* the move is a flip */
    PRIOR_SPECIAL = -7 /* the move is a pass or takes the button */
};

/* The standing of a side: the weighted sum over the board. */
CORE_INLINE int prior_standing(const StigmergyTables *tables, const uint64_t *plane, Side side, int words) {
    const Side opponent = side_opponent(side);
    const uint64_t *own = plane + plane_stones(side, words), *own_count = plane + plane_count(side, words);
    const uint64_t *enemy = plane + plane_stones(opponent, words), *enemy_count = plane + plane_count(opponent, words);
    int sum = 0;
    for (int i = 0; i < words; i++) {
        const uint64_t own_control = own_count[2 * words + i], enemy_control = enemy_count[2 * words + i];
        const uint64_t own_near = own_count[i] & own_count[words + i] & ~own_control;
        const uint64_t enemy_near = enemy_count[i] & enemy_count[words + i] & ~enemy_control;
        const uint64_t empty = tables->full[i] & ~(own[i] | enemy[i]);
        sum += PRIOR_ENEMY_CELL * bits_count(empty & enemy_control);
        sum += PRIOR_ENEMY_NEAR * bits_count(empty & enemy_near & ~own_control);
        sum += PRIOR_THREAT * bits_count(enemy[i] & own_control);
        sum += PRIOR_THREAT_NEAR * bits_count(enemy[i] & own_near);
        sum += PRIOR_DANGER * bits_count(own[i] & enemy_control);
        sum += PRIOR_DANGER_NEAR * bits_count(own[i] & enemy_near);
    }
    return sum;
}

CORE_INLINE void scalar_priors(const StigmergyTables *tables, const StigmergyState *state, const Action *actions,
                               int count, float *logits, int words) {
    const Side side = (Side)state->side;
    const int before = prior_standing(tables, state->plane, side, words);
    for (int i = 0; i < count; i++) {
        int tenths = PRIOR_SPECIAL;
        if (actions[i] < stigmergy_pass(words)) {
            uint64_t plane[PLANES * HEXHEX_WORDS];
            memcpy(plane, state->plane, (size_t)(PLANES * words) * sizeof *plane);
            stigmergy_core_change(tables, plane, actions[i] % (64 * words), side, words);
            tenths = prior_standing(tables, plane, side, words) - before;
            tenths += actions[i] >= 64 * words ? PRIOR_FLIP : 0;
        }
        logits[i] = 0.1f * (float)tenths;
    }
}

#endif
