/* The choice among the children of a node.
 *
 * UCT with RAVE as in Gelly and Silver (2011), the priors of a game put in as they put in theirs: as playouts that the
 * all-moves-as-first counts of a child begin with. All arithmetic is the same on every processor. */
#include "rng.h"
#include "search_state.h"

/* log2(x) for x >= 2^-126 to about 0.01, from the bits of the number: the same on every processor, unlike a libm's. */
static float rough_log2(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint32_t mantissa_bits = (bits & 0x7fffff) | 0x3f800000;
    float mantissa;
    memcpy(&mantissa, &mantissa_bits, sizeof mantissa);
    const float exponent = (float)(int)(bits >> 23) - 127.0f;
    return exponent + (mantissa - 1.0f) * (1.3465f - 0.3465f * (mantissa - 1.0f));
}

/* 2^x for x <= 0 to about 1%, likewise; 0 below -126. */
static float rough_exp2(float x) {
    if (x < -126.0f)
        return 0.0f;
    const int whole = (int)x - 1; /* rounds down, but for whole numbers, where the fraction is 1 */
    const float fraction = x - (float)whole;
    const uint32_t power_bits = (uint32_t)(whole + 127) << 23;
    float power;
    memcpy(&power, &power_bits, sizeof power);
    return power * (1.0f + fraction * (0.6565f + 0.3435f * fraction));
}

/* The values of `count` children, from what was read of them: n visits with w wins, rn playouts with rw wins.
 *
 * RAVE and the child's own mean are averaged with weights rn and n*(1 + rn/k): the RAVE mean decides at first, and
 * loses against the child's own mean when n comes near k, however many playouts rn are of. One further playout of value
 * first_play stands for what is not known. The UCT term is exploration * sqrt(log2(N) / (n + 1)). */
static void selection_values(const SearchParams *params, int count, float parent_visits, const float *n, const float *w,
                             const float *rn, const float *rw, float *values) {
    const float per_rave = params->rave > 0 ? 1.0f / (float)params->rave : 0.0f;
    const float exploration = (float)params->exploration, first_play = (float)params->first_play;
    for (int i = 0; i < count; i++) {
        const float own_weight = 1.0f + rn[i] * per_rave;
        values[i] = (rw[i] + own_weight * w[i] + first_play) / (rn[i] + own_weight * n[i] + 1.0f);
    }
    if (exploration > 0) {
        const float log_visits = rough_log2(parent_visits + 1.0f);
        for (int i = 0; i < count; i++)
            values[i] += exploration * __builtin_sqrtf(log_visits / (n[i] + 1.0f));
    }
}

Child *search_select(const Search *search, const Child *parent, NodeRef ref) {
    float n[GAME_LEGAL_MAX], w[GAME_LEGAL_MAX], rn[GAME_LEGAL_MAX], rw[GAME_LEGAL_MAX], values[GAME_LEGAL_MAX];
    Child *children = tree_children(&search->tree, ref);
    const int count = tree_node(&search->tree, ref)->children;
    for (int i = 0; i < count; i++) {
        const uint64_t stats = atomic_load_explicit(&children[i].stats, memory_order_relaxed);
        const uint64_t rave = atomic_load_explicit(&children[i].rave, memory_order_relaxed);
        n[i] = (float)(int32_t)stats_visits(stats);
        w[i] = (float)(int64_t)stats_value(stats) * (1.0f / TREE_VALUE_ONE);
        rn[i] = (float)(int32_t)(rave >> 32);
        rw[i] = (float)(int32_t)(uint32_t)rave;
    }
    selection_values(&search->params, count, (float)child_visits(parent), n, w, rn, rw, values);
    int best = 0;
    float best_value = -2.0f;
    for (int i = 0; i < count; i++) {
        const Proven proven = child_proven(&children[i]);
        if (proven == PROVEN_WIN)
            return &children[i];
        if (proven == PROVEN_LOSS || values[i] <= best_value)
            continue;
        best = i;
        best_value = values[i];
    }
    return &children[best];
}

/* The logit (base 2) of the average probability of `count` children. */
static float average_logit(const float *logits, int count) {
    float highest = logits[0], sum = 0;
    for (int i = 1; i < count; i++)
        highest = logits[i] > highest ? logits[i] : highest;
    for (int i = 0; i < count; i++)
        sum += rough_exp2(logits[i] - highest);
    return highest + rough_log2(sum / (float)count);
}

/* A child of average probability is thought to be worth what the node is, and prior_slope more for every doubling of
 * the probability. */
void search_add_priors(const Search *search, NodeRef ref, const GameState *state, float black) {
    const Game *game = search->game;
    const int count = tree_node(&search->tree, ref)->children;
    if (!game->rules->priors || count == 0)
        return;
    Child *children = tree_children(&search->tree, ref);
    Action actions[GAME_LEGAL_MAX];
    float logits[GAME_LEGAL_MAX];
    for (int i = 0; i < count; i++)
        actions[i] = children[i].action;
    game->rules->priors(game, state, actions, count, logits);
    const float average = average_logit(logits, count), slope = (float)search->params.prior_slope;
    const float playouts = (float)search->params.prior_playouts;
    const float value = node_side(search, ref) == BLACK ? black : 1.0f - black;
    for (int i = 0; i < count; i++) {
        const float prior = value + slope * (logits[i] - average);
        const float wins = playouts * (prior < 0 ? 0 : prior > 1 ? 1 : prior);
        const uint64_t rave = (uint64_t)playouts << 32 | (uint64_t)(wins + 0.5f);
        atomic_fetch_add_explicit(&children[i].rave, rave, memory_order_relaxed);
    }
}

/* A number from a Gumbel distribution (base 2, of mean about 0), from 24 random bits. */
static float gumbel(Rng *rng) {
    const float uniform = ((float)(rng_next(rng) >> 40) + 0.5f) * 0x1p-24f; /* above 0, below 1 */
    const float exponential = -rough_log2(uniform);
    return -rough_log2(exponential > 0x1p-20f ? exponential : 0x1p-20f) - 0.304f;
}

void search_add_noise(Search *search, int playouts, double strength, uint64_t seed) {
    const Child *root = &search->tree.root;
    const NodeRef ref = child_node(root);
    Rng rng = rng_seed(seed);
    if (!ref)
        return;
    Child *children = tree_children(&search->tree, ref);
    const float value = 1.0f - child_mean(root);
    for (int i = 0; i < tree_node(&search->tree, ref)->children; i++) {
        const float shifted = value + (float)strength * gumbel(&rng);
        const float wins = (float)playouts * (shifted < 0 ? 0 : shifted > 1 ? 1 : shifted);
        const uint64_t rave = (uint64_t)playouts << 32 | (uint64_t)(wins + 0.5f);
        atomic_fetch_add_explicit(&children[i].rave, rave, memory_order_relaxed);
    }
}
