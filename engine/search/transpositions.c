/* Transpositions: actions that lead to the same position share its node.
 *
 * On these boards the order of most turns does not matter, so a tree would search the same positions again and again.
 * The tree lists its nodes by the hash of the position (tree.h). An edge to a position that has a node gets that node,
 * whatever edge it was made for. So the tree becomes a graph without cycles, for in all games no position recurs. What
 * is found below a node serves all edges that lead to it. (Childs, Brodeur and Kocsis 2008, "Transpositions and move
 * groups in Monte Carlo tree search", compare ways to do this.)
 *
 * Every edge still has visits and values of its own, for they are what its node chooses by. But a shared node may know
 * more than an edge that leads to it: results came by other edges, too. So a shared node has a value of its own, the
 * mean of its evaluation and all results of its edges. Where a simulation comes to a node with at least KNOWS_MORE
 * times the visits of the edge, and the two values differ by more than DIFFERENT, it ends there. It needs no
 * evaluation. Its result is the value that brings the mean of the edge to that of the node, as far as a chance to win
 * can (Czech, Korus and Kersting 2021, "Improving AlphaZero using Monte-Carlo graph search"). A simulation also ends at
 * a node that is proven.
 *
 * Evaluation and priors of a shared node are those of the order of actions that came first, although an evaluator may
 * look at the last actions. Two threads may make two nodes of one position at once, and a full list forgets some: that
 * costs only time.
 *
 * Only with PUCT and the parameter `transpositions`; and not while actions are avoided, because that depends on the
 * depth. What was measured is in MEASUREMENTS.md. */
#include "engine/search/search_internal.h"

enum { KNOWS_MORE = 2 };

#define DIFFERENT 0.01f

NodeRef search_node_behind(Search *search, Simulation *simulation, Edge *edge) {
    const NodeRef ref = edge_node(edge);
    if (ref || !search->tree.list || simulation->depth == 0 || search->avoid_depth > 0)
        return ref;
    simulation->hash = search->game->rules->hash(&simulation->leaf);
    return search_take_node(search, simulation->hash, edge);
}

NodeRef search_take_node(Search *search, uint64_t hash, Edge *edge) {
    const NodeRef ref = tree_find(&search->tree, hash);
    if (!ref)
        return 0;
    tree_share(&search->tree, ref);
    NodeRef expected = 0;
    return atomic_compare_exchange_strong_explicit(&edge->node, &expected, ref, memory_order_acq_rel,
                                                   memory_order_acquire)
               ? ref
               : expected; /* of another thread */
}

/* What a simulation has to result in so that the edge comes to the mean of the node, both for the side of the edge;
 * false where they hardly differ. */
static bool find_correction(uint64_t node, uint64_t edge, bool same_side, float *result) {
    const float mean = (float)(int64_t)stats_value(node) / (float)TREE_VALUE_ONE / (float)stats_visits(node);
    const float wanted = same_side ? mean : 1 - mean, visits = (float)stats_visits(edge);
    const float missing = visits * wanted - (float)(int64_t)stats_value(edge) / (float)TREE_VALUE_ONE;
    *result = wanted + missing < 0 ? 0 : wanted + missing > 1 ? 1 : wanted + missing;
    return visits == 0 || missing > DIFFERENT * visits || missing < -DIFFERENT * visits;
}

bool search_knows(const Search *search, Simulation *simulation, NodeRef ref) {
    const Node *node = tree_node(&search->tree, ref);
    if (simulation->depth == 0 || atomic_load_explicit(&node->shared, memory_order_acquire) != SHARED_READY)
        return false;
    const Side side = (Side)node->side, chooser = node_side(search, edge_node(simulation->path[simulation->depth - 1]));
    const Proven proven = (Proven)atomic_load_explicit(&node->proven, memory_order_relaxed);
    const uint64_t of_node = atomic_load_explicit(&node->stats, memory_order_relaxed);
    const uint64_t of_edge = edge_results(simulation->path[simulation->depth]);
    float result = (proven == PROVEN_WIN) == (side == chooser) ? 1 : 0;
    simulation->proven = proven != PROVEN_NOT;
    if (!simulation->proven && (stats_visits(of_node) < KNOWS_MORE * (uint64_t)stats_visits(of_edge) ||
                                !find_correction(of_node, of_edge, side == chooser, &result)))
        return false;
    simulation->black = chooser == BLACK ? result : 1 - result;
    simulation->margin = tree_node_margin(&search->tree, ref);
    return true;
}
