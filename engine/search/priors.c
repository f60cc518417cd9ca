/* What the children of a node are thought of: the choice among them (selection.h), priors, noise at the root.
 *
 * The priors of a game are put in as Gelly and Silver (2011) put in theirs: as playouts that the all-moves-as-first
 * counts of a child begin with. All arithmetic is the same on every processor. */
#include "engine/base/rng.h"
#include "engine/search/search_internal.h"

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

Child *search_select(const Search *search, const Child *parent, NodeRef ref) {
    Child *children = tree_children(&search->tree, ref);
    const int count = tree_node(&search->tree, ref)->children;
    return children + search->choice->best(&search->choice_params, children, count, (float)child_visits(parent));
}

/* The logit (base 2) of the average probability of `count` children. */
static float average_logit(const float *logits, int count) {
    float highest = logits[0], sum = 0;
    for (int i = 1; i < count; i++)
        highest = logits[i] > highest ? logits[i] : highest;
    for (int i = 0; i < count; i++)
        sum += rough_exp2(logits[i] - highest);
    return highest + choice_log2(sum / (float)count);
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
    const float exponential = -choice_log2(uniform);
    return -choice_log2(exponential > 0x1p-20f ? exponential : 0x1p-20f) - 0.304f;
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
