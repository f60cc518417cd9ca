/* See playout_evaluator.h. Bit sets of the playouts are summed into byte counters eight actions at a time. */
#include "playout_evaluator.h"

#include "rng.h"

enum { BATCH = 16 }; /* playouts of one call of the kernel */

/* The eight bits of `bits` as the low bits of eight bytes. */
static inline uint64_t spread_bits(uint64_t bits) {
    const uint64_t copies = (bits & 0xff) * 0x0101010101010101ull & 0x8040201008040201ull;
    return (copies + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull;
}

static inline void count_set(const uint64_t *set, int words, uint8_t *counts) {
    for (int i = 0; i < words; i++)
        for (int byte = 0; byte < 8; byte++) {
            uint64_t sum;
            memcpy(&sum, counts + 64 * i + 8 * byte, sizeof sum);
            sum += spread_bits(set[i] >> (8 * byte));
            memcpy(counts + 64 * i + 8 * byte, &sum, sizeof sum);
        }
}

static void add_playout(const Game *game, const PlayoutResult *result, Evaluation *sum) {
    const int words = game->action_words;
    const bool black_won = result->margin > 0;
    sum->black += black_won ? 1.0f : 0.0f;
    sum->margin += 0.5f * (float)result->margin;
    for (int side = 0; side < 2; side++) {
        count_set(result->played[side], words, sum->taken[side]);
        if (black_won)
            count_set(result->played[side], words, sum->taken_black_won[side]);
    }
    count_set(result->black_owns, game->board.words, sum->black_owns);
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
        for (int i = 0; i < count; i++)
            add_playout(game, &results[i], out);
        done += count;
    }
    out->playouts = self->playouts;
    out->has_amaf = true;
    out->black /= (float)self->playouts;
    out->margin /= (float)self->playouts;
}

static void evaluate(const Evaluator *self, const Game *game, const GameState *const *states, const uint64_t *seeds,
                     int count, Evaluation *out) {
    for (int i = 0; i < count; i++)
        evaluate_one((const PlayoutEvaluator *)self, game, states[i], seeds[i], &out[i]);
}

void playout_evaluator_init(PlayoutEvaluator *self, PlayoutPolicy policy, int playouts) {
    self->evaluator.evaluate = evaluate;
    self->policy = policy;
    self->playouts = playouts;
}
