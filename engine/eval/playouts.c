/* See playouts.h. Bit sets of the playouts are summed into byte counters. */
#include "engine/eval/playouts.h"

#include "engine/base/rng.h"

enum {
    BATCH = 16, /* playouts of one call of the kernel */
    DIGITS = 5  /* binary digits of a number up to that */
};

_Static_assert(sizeof(PlayoutResult) % sizeof(uint64_t) == 0, "sets of successive results are whole words apart");

/* The eight bits of `bits` as the low bits of eight bytes. */
static inline uint64_t spread_bits(uint64_t bits) {
    const uint64_t copies = (bits & 0xff) * 0x0101010101010101ull & 0x8040201008040201ull;
    return (copies + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull;
}

/* Adds up one word of several sets: counts[k] grows by the number of sets that have bit k. The words stand `stride`
 * words apart; those with `use` false are left out. They are summed as binary numbers first, a plane for each digit. */
static void count_word(const uint64_t *word, size_t stride, int sets, const bool *use, uint8_t *counts) {
    uint64_t plane[DIGITS] = {0};
    uint64_t any = 0;
    const int digits = sets < 16 ? DIGITS - 1 : DIGITS;
    for (int k = 0; k < sets; k++) {
        uint64_t carry = use[k] ? word[(size_t)k * stride] : 0;
        any |= carry;
        for (int digit = 0; digit < digits; digit++) {
            const uint64_t sum = plane[digit] ^ carry;
            carry &= plane[digit];
            plane[digit] = sum;
        }
    }
    for (int byte = 0; byte < 8; byte++, any >>= 8) {
        if (!(any & 0xff))
            continue;
        uint64_t sum;
        memcpy(&sum, counts + 8 * byte, sizeof sum);
        for (int digit = 0; digit < digits; digit++)
            sum += spread_bits(plane[digit] >> (8 * byte)) << digit;
        memcpy(counts + 8 * byte, &sum, sizeof sum);
    }
}

/* Adds a batch of playouts to the counts. */
static void add_playouts(const Game *game, const PlayoutResult *results, int count, Evaluation *sum) {
    const size_t stride = sizeof(PlayoutResult) / sizeof(uint64_t);
    bool all[BATCH], black_won[BATCH];
    for (int k = 0; k < count; k++) {
        all[k] = true;
        black_won[k] = results[k].margin > 0;
        sum->black += black_won[k] ? 1.0f : 0.0f;
        sum->margin += 0.5f * (float)results[k].margin;
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < game->action_words; i++) {
            count_word(&results->played[side][i], stride, count, all, sum->taken[side] + 64 * i);
            count_word(&results->played[side][i], stride, count, black_won, sum->taken_black_won[side] + 64 * i);
        }
    for (int i = 0; i < game->board.words; i++)
        count_word(&results->black_owns[i], stride, count, all, sum->black_owns + 64 * i);
}

static void clear(const Game *game, Evaluation *out) {
    const size_t actions = 64 * (size_t)game->action_words;
    out->black = out->margin = 0;
    for (int side = 0; side < 2; side++) {
        memset(out->taken[side], 0, actions);
        memset(out->taken_black_won[side], 0, actions);
    }
    memset(out->black_owns, 0, 64 * (size_t)game->board.words);
}

static void evaluate_one(const PlayoutEvaluator *self, const Game *game, const GameState *state, uint64_t seed,
                         Evaluation *out) {
    const GameState *states[BATCH];
    uint64_t seeds[BATCH];
    PlayoutResult results[BATCH];
    clear(game, out);
    for (int done = 0; done < self->playouts;) {
        const int count = self->playouts - done < BATCH ? self->playouts - done : BATCH;
        for (int i = 0; i < count; i++) {
            states[i] = state;
            seeds[i] = rng_split(seed, (uint64_t)(done + i));
        }
        game->rules->playouts(game, states, seeds, count, self->policy, results);
        add_playouts(game, results, count, out);
        done += count;
    }
    out->playouts = self->playouts;
    out->has_amaf = true;
    out->black /= (float)self->playouts;
    out->margin /= (float)self->playouts;
    const float doubt = out->black * (1.0f - out->black);
    if (doubt > 0 && self->judge > 0 && game->rules->judge) {
        const float black = out->black + self->judge * game->rules->judge(game, state) * doubt;
        out->black = black < 0 ? 0 : black > 1 ? 1 : black;
    }
}

static void evaluate(const Evaluator *self, const Game *game, const GameState *const *states, const uint64_t *seeds,
                     int count, Evaluation *out) {
    for (int i = 0; i < count; i++)
        evaluate_one((const PlayoutEvaluator *)self, game, states[i], seeds[i], &out[i]);
}

void playout_evaluator_init(PlayoutEvaluator *self, PlayoutPolicy policy, int playouts, float judge) {
    self->evaluator.evaluate = evaluate;
    self->policy = policy;
    self->playouts = playouts;
    self->judge = judge;
}
