/* See network_evaluator.h. */
#include "engine/eval/network/network_evaluator.h"

#include "engine/base/rough_math.h"
#include "engine/eval/network/cache.h"
#include "engine/eval/network/features.h"
#include "engine/eval/network/orientation.h"

#include <math.h>
#include <stdlib.h>

/* Where the logit of an action stands: at [kind][cell] of the cells' logits, or, with kind -1, at [cell] of the
 * others'.
 */
typedef struct Place {
    int16_t kind, cell;
} Place;

typedef struct NetworkContext {
    const NetworkEvaluator *evaluator;
    const Game *game;
    FeatureEncoder encoder;
    NetworkScratch *scratch;
    NetworkCache *cache; /* NULL: none */
    bool shares_cache;   /* it belongs to another context */
    Orientations orientations;
    NetworkInput input;   /* as the board lies */
    NetworkInput turned;  /* as the network sees it */
    NetworkOutput output; /* likewise */
    Place place[GAME_ACTIONS_MAX];
    Action swap; /* GAME_ACTIONS_MAX where the game has none */
} NetworkContext;

/* ---- Contexts ---- */

/* Finds the places of all actions of the game, and which of them is the swap. Kinds of actions with a cell, and actions
 * without one, are numbered as their first action numbers ascend. */
static bool find_places(NetworkContext *context, const NetworkShape *shape, Error *error) {
    const Game *game = context->game;
    const char *kinds[NETWORK_KINDS_MAX];
    int kind_count = 0, others = 0;
    context->swap = GAME_ACTIONS_MAX;
    for (int action = 0; action < 64 * game->action_words; action++) {
        int cell, kind = 0;
        const char *name = game->rules->action_kind(game, (Action)action, &cell);
        if (!name)
            continue;
        if (cell < 0) {
            context->place[action] = (Place){-1, (int16_t)others++};
            if (!strcmp(name, "swap"))
                context->swap = (Action)action;
            continue;
        }
        while (kind < kind_count && strcmp(kinds[kind], name) != 0)
            kind++;
        if (kind == NETWORK_KINDS_MAX)
            return error_set(error, "the game %s has more than %d kinds of action with a cell", game->name,
                             NETWORK_KINDS_MAX);
        if (kind == kind_count)
            kinds[kind_count++] = name;
        context->place[action] = (Place){(int16_t)kind, (int16_t)cell};
    }
    return (kind_count == shape->kinds && others == shape->others) ||
           error_set(error,
                     "a network for %d kinds of action with a cell and %d without, but the game %s has %d and %d",
                     shape->kinds, shape->others, game->name, kind_count, others);
}

static bool init_context(NetworkContext *context, const Game *game, Error *error) {
    const NetworkShape *shape = network_shape(context->evaluator->network);
    const FeatureSet *set = feature_set(shape->features, error);
    context->game = game;
    if (!set)
        return false;
    if (strcmp(shape->game, game->name) != 0)
        return error_set(error, "a network for the game %s cannot play %s", shape->game, game->name);
    if (feature_set_planes(set) != shape->planes)
        return error_set(error, "a network with %d input planes, but its feature set %s has %d", shape->planes,
                         shape->features, feature_set_planes(set));
    orientations_init(&context->orientations, &game->board);
    return feature_encoder_init(&context->encoder, set, game, error) && find_places(context, shape, error);
}

static void free_context(void *context) {
    NetworkContext *self = context;
    network_scratch_free(self->scratch);
    if (!self->shares_cache)
        network_cache_free(self->cache);
    free(self);
}

static void *new_context(const Evaluator *evaluator, const Game *game, Error *error) {
    NetworkContext *context = calloc(1, sizeof *context);
    if (!context) {
        error_set(error, "out of memory");
        return NULL;
    }
    context->evaluator = (const NetworkEvaluator *)evaluator;
    context->scratch = network_scratch_new(context->evaluator->network);
    if (!context->scratch)
        error_set(error, "out of memory");
    if (!context->scratch || !init_context(context, game, error)) {
        free_context(context);
        return NULL;
    }
    const NetworkShape *shape = network_shape(context->evaluator->network);
    context->cache = network_cache_new(shape, game->board.cells, context->evaluator->cache_bytes);
    return context;
}

static void share_cache(void *context, void *with) {
    NetworkContext *self = context;
    const NetworkContext *other = with;
    network_cache_free(self->cache);
    self->cache = other->cache;
    self->shares_cache = true;
}

/* ---- Evaluating ---- */

/* The chance that belongs to a logit of n/256. */
static float chance(const NetworkEvaluator *self, int logit) {
    const int size = abs(logit);
    const float likely = self->chance[size < NETWORK_CHANCES ? size : NETWORK_CHANCES - 1];
    return logit < 0 ? 1 - likely : likely;
}

/* What the network says about context->turned, from the cache where it has that. */
static void ask_network(NetworkContext *context) {
    const Network *network = context->evaluator->network;
    NetworkKey key = {0, 0};
    if (context->cache) {
        key = network_key(network_shape(network), context->game->board.cells, &context->turned);
        if (network_cache_find(context->cache, key, &context->output))
            return;
    }
    network_forward(network, &context->turned, context->scratch, &context->output);
    if (context->cache)
        network_cache_store(context->cache, key, &context->output);
}

/* 2^(exponent / 256). */
static float power_of_2(const NetworkEvaluator *self, int exponent) {
    return ldexpf(self->power[exponent & 255], exponent >> 8);
}

/* ---- Swaps ----
 *
 * A network sees a position before a swap like the one after it, where the other player moves with the same colour. So
 * what it says is about that colour. A mover that may swap does so where the colour would lose. */

/* The number of the swap among the actions of a leaf; -1: the mover may not swap. */
static int find_swap(const NetworkContext *context, const Leaf *leaf) {
    for (int i = leaf->action_count - 1; i >= 0 && leaf->actions[i] >= context->swap; i--)
        if (leaf->actions[i] == context->swap)
            return i;
    return -1;
}

/* The logit with which the swap is best with the chance that the colour loses. Those of the other actions stand. */
static float swap_logit(const NetworkOutput *output, int swap, int count, float *logits) {
    const float log2_e = 1.442695f; /* win is a natural logit, the others are to base 2 */
    logits[swap] = -1000;           /* 2^-1000 adds nothing */
    return rough_logit_of_sum(logits, count, 1) - log2_e * (float)output->win / 256.0f;
}

static void evaluate_leaf(NetworkContext *context, const Leaf *leaf, Evaluation *out) {
    const NetworkEvaluator *self = context->evaluator;
    const Game *game = context->game;
    const NetworkOutput *output = &context->output;
    feature_encode(&context->encoder, leaf->state, leaf->history, leaf->actions, leaf->action_count, &context->input);
    const int symmetry = orientation_turn(&context->orientations, network_shape(self->network)->planes, &context->input,
                                          &context->turned);
    const int16_t *const to = game->board.symmetry[symmetry]; /* where the network sees a cell */
    ask_network(context);
    const int swap = find_swap(context, leaf), mover = game->rules->to_move(leaf->state) == BLACK ? 1 : -1;
    const int black = swap >= 0 && output->win < 0 ? -mover : mover; /* whom the outputs are about: 1 for Black */
    out->black = chance(self, black * output->win);
    out->margin = game->has_points ? (float)(black * output->score) / 16.0f : out->black - 0.5f;
    out->deviation = game->has_points ? power_of_2(self, output->spread) : 0;
    for (int c = 0; c < game->board.cells; c++)
        out->owners[c] = chance(self, black * output->owner[to[c]]);
    for (int i = 0; i < leaf->action_count; i++) {
        const Place place = context->place[leaf->actions[i]];
        const int logit = place.kind < 0 ? output->others[place.cell] : output->cells[place.kind][to[place.cell]];
        out->logits[i] = (float)logit / 256.0f;
    }
    if (swap >= 0)
        out->logits[swap] = swap_logit(output, swap, leaf->action_count, out->logits);
}

static void evaluate(void *context, const Leaf *leaves, int count, Evaluation *out) {
    for (int i = 0; i < count; i++)
        evaluate_leaf(context, &leaves[i], &out[i]);
}

/* A position of the solver takes about half a microsecond, and this number of multiplications takes as long with
 * AVX-512. */
static int solver_positions(const Network *network) {
    const double a_position = 75000, positions = network_multiplications(network, 5) / a_position;
    return positions > 1 ? (int)positions : 1;
}

void network_evaluator_init(NetworkEvaluator *self, const Network *network) {
    const double step = 0x1.fe00ffaabffbcp-1; /* exp(-1/256); no call, for libraries differ in the last bit */
    const double root = 0x1.00b1afa5abcbfp+0; /* 2^(1/256) */
    double power = 1, rising = 1;
    *self = (NetworkEvaluator){.evaluator = {.name = "network",
                                             .has_owners = true,
                                             .has_policy = true,
                                             .has_deviation = true,
                                             .batch = 1,
                                             .solver_positions = solver_positions(network),
                                             .new_context = new_context,
                                             .free_context = free_context,
                                             .share_cache = share_cache,
                                             .evaluate = evaluate},
                               .network = network,
                               .cache_bytes = NETWORK_CACHE_BYTES};
    for (int i = 0; i < NETWORK_CHANCES; i++, power *= step)
        self->chance[i] = (float)(1 / (1 + power));
    for (int i = 0; i < 256; i++, rising *= root)
        self->power[i] = (float)rising;
}
