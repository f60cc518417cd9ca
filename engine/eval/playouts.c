/* See playouts.h. The sets of actions and cells that playouts return are summed into byte counters. */
#include "engine/eval/playouts.h"

#include "engine/base/bits.h"
#include "engine/base/lines.h"
#include "engine/base/rng.h"

#include <stdlib.h>

enum {
    BATCH = 16, /* playouts of one call of the kernel */
    DIGITS = 5  /* binary digits of a number up to that */
};

_Static_assert(sizeof(PlayoutResult) % sizeof(uint64_t) == 0, "sets of successive results are whole words apart");

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
            sum += bits_spread(plane[digit] >> (8 * byte) & 0xff) << digit;
        memcpy(counts + 8 * byte, &sum, sizeof sum);
    }
}

typedef struct PlayoutContext {
    _Alignas(CACHE_LINE) PlayoutEvaluator settings; /* no two threads write to the same cache line */
    const Game *game;
    PlayoutResult results[BATCH];
    uint8_t black_owns[64 * HEXHEX_WORDS]; /* for each cell: playouts of the leaf in which it ended as Black's */
} PlayoutContext;

/* Adds the first `count` results to the counts of a leaf. */
static void add_results(PlayoutContext *context, int count, Evaluation *sum) {
    const Game *game = context->game;
    const PlayoutResult *results = context->results;
    const size_t stride = sizeof(PlayoutResult) / sizeof(uint64_t);
    AmafCounts *amaf = &sum->amaf;
    bool all[BATCH], black_won[BATCH];
    for (int k = 0; k < count; k++) {
        all[k] = true;
        black_won[k] = results[k].half_points > 0;
        sum->black += black_won[k] ? 1.0f : 0.0f;
        sum->margin += 0.5f * (float)results[k].half_points;
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < game->action_words; i++) {
            count_word(&results->played[side][i], stride, count, all, amaf->taken[side] + 64 * i);
            count_word(&results->played[side][i], stride, count, black_won, amaf->taken_black_won[side] + 64 * i);
        }
    for (int i = 0; i < game->board.words; i++)
        count_word(&results->black_owns[i], stride, count, all, context->black_owns + 64 * i);
}

static void clear(PlayoutContext *context, Evaluation *out) {
    const size_t actions = 64 * (size_t)context->game->action_words;
    out->black = out->margin = 0;
    for (int side = 0; side < 2; side++) {
        memset(out->amaf.taken[side], 0, actions);
        memset(out->amaf.taken_black_won[side], 0, actions);
    }
    memset(context->black_owns, 0, 64 * (size_t)context->game->board.words);
}

static void play_out(PlayoutContext *context, const Leaf *leaf, Evaluation *sum) {
    const GameState *states[BATCH];
    uint64_t seeds[BATCH];
    const int playouts = context->settings.playouts;
    for (int done = 0; done < playouts;) {
        const int count = playouts - done < BATCH ? playouts - done : BATCH;
        for (int i = 0; i < count; i++) {
            states[i] = leaf->state;
            seeds[i] = rng_split(leaf->seed, (uint64_t)(done + i));
        }
        context->game->rules->playouts(context->game, states, seeds, count, context->settings.policy, context->results);
        add_results(context, count, sum);
        done += count;
    }
}

/* The chance `black` moved by what the game knows of the position. */
static float with_static_eval(const PlayoutContext *context, const GameState *state, float black) {
    const Game *game = context->game;
    const float weight = context->settings.static_eval, doubt = black * (1.0f - black);
    if (!(doubt > 0 && weight > 0 && game->rules->static_eval))
        return black;
    const float moved = black + weight * game->rules->static_eval(game, state) * doubt;
    return moved < 0 ? 0 : moved > 1 ? 1 : moved;
}

static void evaluate(void *context_of_playouts, const Leaf *leaves, int count, Evaluation *out) {
    PlayoutContext *context = context_of_playouts;
    const float playouts = (float)context->settings.playouts;
    for (int i = 0; i < count; i++) {
        clear(context, &out[i]);
        play_out(context, &leaves[i], &out[i]);
        out[i].amaf.playouts = context->settings.playouts;
        out[i].black = with_static_eval(context, leaves[i].state, out[i].black / playouts);
        out[i].margin /= playouts;
        for (int c = 0; c < context->game->board.cells; c++)
            out[i].owners[c] = (float)context->black_owns[c] / playouts;
    }
}

static void *new_context(const Evaluator *self, const Game *game, Error *error) {
    const PlayoutEvaluator *settings = (const PlayoutEvaluator *)self;
    if (settings->playouts < 1 || settings->playouts > EVALUATION_PLAYOUTS_MAX) {
        error_set(error, "playouts: %d, expected 1 to %d", settings->playouts, EVALUATION_PLAYOUTS_MAX);
        return NULL;
    }
    PlayoutContext *context = lines_new(sizeof *context);
    if (!context) {
        error_set(error, "out of memory for playouts");
        return NULL;
    }
    context->settings = *settings;
    context->game = game;
    return context;
}

PlayoutEvaluator playout_evaluator(PlayoutPolicy policy, int playouts, float static_eval) {
    return (PlayoutEvaluator){.evaluator = {.name = "playouts",
                                            .has_owners = true,
                                            .has_amaf = true,
                                            .batch = 1,
                                            .solver_positions = 8,
                                            .new_context = new_context,
                                            .free_context = free,
                                            .evaluate = evaluate},
                              .policy = policy,
                              .playouts = playouts,
                              .static_eval = static_eval};
}
