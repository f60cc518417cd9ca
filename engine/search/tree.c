/* See tree.h. */
#include "engine/search/tree.h"

#include <stdlib.h>

bool tree_init(Tree *tree, size_t bytes, Error *error) {
    memset(tree, 0, sizeof *tree);
    if (bytes < TREE_MEMORY_MIN)
        return error_set(error, "memory: %zu bytes are too few to search with, expected at least %d", bytes,
                         TREE_MEMORY_MIN);
    tree->half = bytes / sizeof(Edge) / 2;
    if (tree->half > UINT32_MAX / 2)
        tree->half = UINT32_MAX / 2;
    tree->units = aligned_alloc(CACHE_LINE, (2 * tree->half + TREE_PADDING) * sizeof(Edge));
    if (!tree->units)
        return error_set(error, "out of memory: the search tree needs %zu bytes", bytes);
    tree_clear(tree);
    return true;
}

void tree_free(Tree *tree) {
    free(tree->units);
    tree->units = NULL;
}

/* The active half begins here; unit 0 of the block is never used, for reference 0 is "none". */
static size_t half_start(const Tree *tree, int which) {
    return which ? tree->half : 1;
}

static size_t half_end(const Tree *tree) {
    return tree->active ? 2 * tree->half : tree->half;
}

void tree_clear(Tree *tree) {
    memset(&tree->root, 0, sizeof tree->root);
    tree->active = 0;
    atomic_store(&tree->top, half_start(tree, 0));
}

/* Units of a node without its far edges: behind the near ones stand the priors of the far ones, then their actions. */
static size_t node_units(int edges, int near) {
    const size_t far = (size_t)(edges - near) * (sizeof(float) + sizeof(Action));
    return 1 + (size_t)near + (far + sizeof(Edge) - 1) / sizeof(Edge);
}

static size_t far_count(const Node *node) {
    return (size_t)node->edges - node->near;
}

static float *far_priors(const Tree *tree, NodeRef ref) {
    return (float *)(tree->units + ref + 1 + tree_node(tree, ref)->near);
}

static Action *far_actions(const Tree *tree, NodeRef ref) {
    return (Action *)(far_priors(tree, ref) + far_count(tree_node(tree, ref)));
}

/* Takes units and sets them to zero; 0 when memory is used up. */
static NodeRef take_units(Tree *tree, Arena *arena, size_t units) {
    const size_t limit = half_end(tree);
    if (arena->end - arena->next < units) {
        if (atomic_load_explicit(&tree->top, memory_order_relaxed) + TREE_SLAB_UNITS > limit)
            return 0;
        const size_t start = atomic_fetch_add_explicit(&tree->top, TREE_SLAB_UNITS, memory_order_relaxed);
        if (start + TREE_SLAB_UNITS > limit)
            return 0;
        arena->next = start;
        arena->end = start + TREE_SLAB_UNITS;
    }
    const NodeRef ref = (NodeRef)arena->next;
    memset(tree->units + ref, 0, units * sizeof(Edge));
    arena->next += units;
    return ref;
}

NodeRef tree_new_node(Tree *tree, Arena *arena, int edges, int near) {
    const NodeRef ref = take_units(tree, arena, node_units(edges, near));
    if (ref) {
        tree_node(tree, ref)->edges = (uint16_t)edges;
        tree_node(tree, ref)->near = (uint16_t)near;
    }
    return ref;
}

static void set_edge(Edge *edge, const Node *node, Action action, float prior) {
    edge->action = action;
    edge->prior = prior;
    atomic_store_explicit(&edge->margin, node->margin, memory_order_relaxed);
}

void tree_set_edge(Tree *tree, NodeRef ref, int i, Action action, float prior) {
    const Node *node = tree_node(tree, ref);
    if (i < node->near) {
        set_edge(tree->units + ref + 1 + i, node, action, prior);
    } else {
        far_priors(tree, ref)[i - node->near] = prior;
        far_actions(tree, ref)[i - node->near] = action;
    }
}

void tree_drop_node(const Tree *tree, Arena *arena, NodeRef ref) {
    const Node *node = tree_node(tree, ref);
    arena->next -= node_units(node->edges, node->near);
}

bool tree_extend(Tree *tree, Arena *arena, NodeRef ref) {
    Node *node = tree_node(tree, ref);
    const size_t count = far_count(node);
    NodeRef expected = 0;
    if (count == 0 || atomic_load_explicit(&node->far, memory_order_relaxed))
        return true;
    const NodeRef far = take_units(tree, arena, count);
    if (!far)
        return false;
    for (size_t i = 0; i < count; i++)
        set_edge(tree->units + far + i, node, far_actions(tree, ref)[i], far_priors(tree, ref)[i]);
    /* Another thread may have been faster. */
    if (!atomic_compare_exchange_strong_explicit(&node->far, &expected, far, memory_order_release,
                                                 memory_order_relaxed))
        arena->next -= count;
    return true;
}

size_t tree_units_left(const Tree *tree) {
    const size_t top = atomic_load_explicit(&tree->top, memory_order_relaxed), end = half_end(tree);
    return top < end ? end - top : 0;
}

/* Copies the node that `edge` refers to to `top`, its far edges right behind it, and lets the edge refer to the copy.
 * Returns where the copy ends. */
static size_t copy_node(Tree *tree, Edge *edge, size_t top) {
    const NodeRef from = edge_node(edge);
    const Node *node = tree_node(tree, from);
    const size_t units = node_units(node->edges, node->near), end = top + units;
    const NodeRef far = atomic_load_explicit(&node->far, memory_order_relaxed);
    memcpy(tree->units + top, tree->units + from, units * sizeof(Edge));
    atomic_store_explicit(&edge->node, (NodeRef)top, memory_order_relaxed);
    if (!far)
        return end;
    memcpy(tree->units + end, tree->units + far, far_count(node) * sizeof(Edge));
    atomic_store_explicit(&tree_node(tree, (NodeRef)top)->far, (NodeRef)end, memory_order_relaxed);
    return end + far_count(node);
}

void tree_keep(Tree *tree, const Edge *edge, bool side_changes) {
    Edge root;
    memcpy(&root, edge, sizeof root);
    if (!side_changes) { /* seen from the other side */
        const uint64_t visits = stats_visits(root.stats), value = stats_value(root.stats);
        const Proven proven = edge_proven(&root);
        root.stats = visits << TREE_VALUE_BITS | (visits * TREE_VALUE_ONE - value);
        root.proven = (uint8_t)(proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : PROVEN_NOT);
    }
    root.rave = 0;
    const int target = 1 - tree->active;
    size_t scan = half_start(tree, target), top = scan;
    if (edge_node(&root))
        top = copy_node(tree, &root, top);
    while (scan < top) { /* nodes before `scan` have all their edges copied */
        const Node *node = tree_node(tree, (NodeRef)scan);
        const Edges edges = tree_edges(tree, (NodeRef)scan);
        for (int i = 0; i < edges.count; i++)
            if (edge_node(edge_at(&edges, i)))
                top = copy_node(tree, edge_at(&edges, i), top);
        scan += node_units(node->edges, node->near) + (size_t)(edges.count - edges.near_count);
    }
    memcpy(&tree->root, &root, sizeof root);
    tree->active = target;
    atomic_store(&tree->top, top);
}

float edge_mean(const Edge *edge) {
    const Proven proven = edge_proven(edge);
    if (proven != PROVEN_NOT)
        return proven == PROVEN_WIN ? 1.0f : 0.0f;
    const uint64_t stats = edge_stats(edge);
    const uint32_t visits = stats_visits(stats);
    return visits ? stats_won(stats) / (float)visits : 0.5f;
}

float edge_rave_mean(const Edge *edge, float otherwise) {
    const uint64_t rave = edge_rave(edge);
    return rave_playouts(rave) ? (float)rave_won(rave) / (float)rave_playouts(rave) : otherwise;
}
