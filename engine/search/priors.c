/* What is thought of the edges of a node before any search: priors, and noise at the root.
 *
 * Priors come from the policy of the evaluator, or from the game where the evaluator has none (GameRules.priors). For
 * PUCT they are probabilities. For RAVE they are put in as Gelly and Silver (2011) put in theirs, as playouts that the
 * all-moves-as-first counts of an edge begin with. All arithmetic is the same on every processor. */
#include "engine/base/rng.h"
#include "engine/base/rough_math.h"
#include "engine/search/search_internal.h"

float *search_logits(const Search *search, const Simulation *leaf, Evaluation *evaluation) {
    const Game *game = search->game;
    const int count = leaf->action_count;
    const bool puct = search->params.selection == SELECTION_PUCT;
    if (count == 0 || (!puct && search->params.prior_playouts == 0))
        return NULL;
    if (search->evaluator->has_policy)
        return evaluation->logits;
    if (game->rules->priors)
        game->rules->priors(game, &leaf->leaf, leaf->actions, count, evaluation->logits);
    else if (puct)
        memset(evaluation->logits, 0, (size_t)count * sizeof *evaluation->logits); /* all are equal */
    else
        return NULL;
    return evaluation->logits;
}

/* A mean value that weighs as much as `playouts` playouts, as a word of Edge.rave. */
static uint64_t as_playouts(float playouts, float value) {
    const float wins = playouts * (value < 0 ? 0 : value > 1 ? 1 : value);
    return (uint64_t)playouts << 32 | (uint64_t)(wins + 0.5f);
}

/* An edge of average probability is thought to be worth what the node is, and prior_slope more for every doubling of
 * the probability. */
static void add_to_rave(const Search *search, const Edges *edges, const float *logits, float value) {
    const float average = rough_logit_of_sum(logits, edges->count, (float)edges->count),
                slope = (float)search->params.prior_slope;
    for (int i = 0; i < edges->count; i++) {
        const float prior = value + slope * (logits[i] - average);
        const uint64_t rave = as_playouts((float)search->params.prior_playouts, prior);
        atomic_store_explicit(&edge_at(edges, i)->rave, rave, memory_order_relaxed);
    }
}

/* The softmax of the logits. */
static void find_probabilities(const float *logits, int count, float *out) {
    const float highest = rough_highest(logits, count);
    float sum = 0;
    for (int i = 0; i < count; i++) {
        out[i] = rough_exp2(logits[i] - highest);
        sum += out[i];
    }
    for (int i = 0; i < count; i++)
        out[i] /= sum;
}

void search_set_edges(Search *search, NodeRef ref, const Simulation *leaf, const float *logits) {
    Tree *tree = &search->tree;
    const Node *node = tree_node(tree, ref);
    const int count = node->edges;
    const bool puct = search->params.selection == SELECTION_PUCT;
    float priors[GAME_LEGAL_MAX] = {0};
    Action actions[GAME_LEGAL_MAX];
    memcpy(actions, leaf->actions, (size_t)count * sizeof *actions);
    if (puct && logits) {
        find_probabilities(logits, count, priors);
        puct_sort(actions, priors, count);
    }
    for (int i = 0; i < count; i++)
        tree_set_edge(tree, ref, i, actions[i], priors[i]);
    const Edges edges = tree_edges(tree, ref);
    if (!puct && logits)
        add_to_rave(search, &edges, logits, node->value);
}

void search_add_noise(Search *search, int playouts, double strength, uint64_t seed) {
    const Edge *root = &search->tree.root;
    const NodeRef ref = edge_node(root);
    Rng rng = rng_seed(seed);
    if (!ref)
        return;
    const Edges edges = tree_edges(&search->tree, ref);
    const float value = 1.0f - edge_mean(root);
    puct_note_taken(tree_node(&search->tree, ref), edges.count - 1);
    for (int i = 0; i < edges.count; i++) {
        const float shifted = value + (float)strength * gumbel_draw(&rng);
        atomic_fetch_add_explicit(&edge_at(&edges, i)->rave, as_playouts((float)playouts, shifted),
                                  memory_order_relaxed);
    }
}

void search_add_gumbel(Search *search, double strength, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (int i = 0; i < GAME_LEGAL_MAX; i++)
        search->gumbel.noise[i] = (float)strength * gumbel_draw(&rng);
}
