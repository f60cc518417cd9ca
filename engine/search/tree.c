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
    tree->units = aligned_alloc(64, (2 * tree->half + TREE_PADDING) * sizeof(Edge));
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

NodeRef tree_new_node(Tree *tree, Arena *arena, int edges) {
    const size_t units = (size_t)edges + 1, limit = half_end(tree);
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
    tree_node(tree, ref)->edges = (uint16_t)edges;
    arena->next += units;
    return ref;
}

void tree_drop_node(Arena *arena, int edges) {
    arena->next -= (size_t)edges + 1;
}

size_t tree_units_left(const Tree *tree) {
    const size_t top = atomic_load_explicit(&((Tree *)tree)->top, memory_order_relaxed), end = half_end(tree);
    return top < end ? end - top : 0;
}

/* Copies the node that `edge` refers to behind `top` and lets the edge refer to the copy. */
static size_t copy_node(Tree *tree, Edge *edge, size_t top) {
    const NodeRef from = edge_node(edge);
    const size_t units = (size_t)tree_node(tree, from)->edges + 1;
    memcpy(tree->units + top, tree->units + from, units * sizeof(Edge));
    atomic_store_explicit(&edge->node, (NodeRef)top, memory_order_relaxed);
    return top + units;
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
        Edge *edges = tree_edges(tree, (NodeRef)scan);
        const int count = tree_node(tree, (NodeRef)scan)->edges;
        for (int i = 0; i < count; i++)
            if (edge_node(&edges[i]))
                top = copy_node(tree, &edges[i], top);
        scan += (size_t)count + 1;
    }
    memcpy(&tree->root, &root, sizeof root);
    tree->active = target;
    atomic_store(&tree->top, top);
}

float edge_mean(const Edge *edge) {
    const Proven proven = edge_proven(edge);
    if (proven != PROVEN_NOT)
        return proven == PROVEN_WIN ? 1.0f : 0.0f;
    const uint64_t stats = atomic_load_explicit(&edge->stats, memory_order_relaxed);
    const uint32_t visits = stats_visits(stats);
    return visits ? (float)stats_value(stats) / (float)TREE_VALUE_ONE / (float)visits : 0.5f;
}
