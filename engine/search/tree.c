/* See tree.h. */
#include "engine/search/tree.h"

#include <stdlib.h>

enum {
    UNITS_A_PLACE = 16, /* of one half, for each place in the list: most nodes have more edges */
    PROBES = 4          /* places in which a node may be listed */
};

bool tree_init(Tree *tree, size_t bytes, bool listed, Error *error) {
    memset(tree, 0, sizeof *tree);
    if (bytes < TREE_MEMORY_MIN)
        return error_set(error, "memory: %zu bytes are too few to search with, expected at least %d", bytes,
                         TREE_MEMORY_MIN);
    tree->half = bytes / sizeof(Edge) / 2;
    if (tree->half > UINT32_MAX / 2)
        tree->half = UINT32_MAX / 2;
    if (listed) {
        tree->places = tree->half / UNITS_A_PLACE;
        tree->half -= (tree->places + PROBES) * sizeof *tree->list / sizeof(Edge) / 2 + 1;
        tree->list = calloc(tree->places + PROBES, sizeof *tree->list);
    }
    tree->units = aligned_alloc(64, (2 * tree->half + TREE_PADDING) * sizeof(Edge));
    if (!tree->units || (listed && !tree->list)) {
        tree_free(tree);
        return error_set(error, "out of memory: the search tree needs %zu bytes", bytes);
    }
    tree_clear(tree);
    return true;
}

void tree_free(Tree *tree) {
    free(tree->units);
    free(tree->list);
    tree->units = NULL;
    tree->list = NULL;
}

/* The active half begins here; unit 0 of the block is never used, for reference 0 is "none". */
static size_t half_start(const Tree *tree, int which) {
    return which ? tree->half : 1;
}

static size_t half_end(const Tree *tree) {
    return tree->active ? 2 * tree->half : tree->half;
}

/* ---- The list of nodes ---- */

/* All its entries become old ones. */
static void empty_list(Tree *tree) {
    if (tree->list && ++tree->epoch == 0) /* once in 2^32 times */
        memset(tree->list, 0, (tree->places + PROBES) * sizeof *tree->list);
    tree->epoch += tree->epoch == 0;
}

NodeRef tree_find(const Tree *tree, uint64_t hash) {
    const _Atomic uint64_t *place = tree->list + hash % tree->places;
    for (int i = 0; i < PROBES; i++) {
        const uint64_t entry = atomic_load_explicit(&place[i], memory_order_acquire);
        if (entry >> 32 != tree->epoch)
            return 0;
        if (tree_node(tree, (NodeRef)entry)->hash == hash)
            return (NodeRef)entry;
    }
    return 0;
}

void tree_list(Tree *tree, NodeRef ref) {
    _Atomic uint64_t *place = tree->list + tree_node(tree, ref)->hash % tree->places;
    const uint64_t own = (uint64_t)tree->epoch << 32 | ref;
    for (int i = 0; i < PROBES; i++) {
        uint64_t entry = atomic_load_explicit(&place[i], memory_order_relaxed);
        if (entry >> 32 != tree->epoch &&
            atomic_compare_exchange_strong_explicit(&place[i], &entry, own, memory_order_release, memory_order_relaxed))
            return;
    }
    atomic_store_explicit(&place[0], own, memory_order_release); /* an older node is forgotten */
}

void tree_share(Tree *tree, NodeRef ref) {
    Node *node = tree_node(tree, ref);
    const Edge *edges = tree_edges(tree, ref);
    uint8_t expected = SHARED_NOT;
    if (!atomic_compare_exchange_strong_explicit(&node->shared, &expected, SHARED_SOON, memory_order_relaxed,
                                                 memory_order_relaxed))
        return;
    uint64_t stats = 1ull << TREE_VALUE_BITS | (uint64_t)(node->value * (float)TREE_VALUE_ONE + 0.5f);
    const int taken = atomic_load_explicit(&node->taken, memory_order_relaxed);
    for (int i = 0; i < taken; i++)
        stats += edge_results(&edges[i]);
    atomic_fetch_add_explicit(&node->stats, stats, memory_order_relaxed);
    atomic_store_explicit(&node->shared, SHARED_READY, memory_order_release);
}

float tree_node_margin(const Tree *tree, NodeRef ref) {
    const Edge *edges = tree_edges(tree, ref);
    const int count = tree_node(tree, ref)->edges;
    float sum = 0, visits = 0;
    for (int i = 0; i < count; i++) {
        const float n = (float)stats_visits(edge_results(&edges[i]));
        sum += n * atomic_load_explicit(&edges[i].margin, memory_order_relaxed);
        visits += n;
    }
    return visits > 0 ? sum / visits : atomic_load_explicit(&edges[0].margin, memory_order_relaxed);
}

void tree_clear(Tree *tree) {
    memset(&tree->root, 0, sizeof tree->root);
    empty_list(tree);
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

size_t tree_bytes_used(const Tree *tree) {
    const size_t top = atomic_load(&((Tree *)tree)->top), end = half_end(tree);
    /* Threads that ask for the last slab at once may have moved the top beyond the end. */
    return ((top < end ? top : end) - half_start(tree, tree->active)) * sizeof(Edge);
}

/* Copies the node that `edge` refers to behind `top`, unless another edge has had it copied, and lets the edge refer to
 * the copy. */
static size_t copy_node(Tree *tree, Edge *edge, size_t top) {
    const NodeRef from = edge_node(edge);
    Node *node = tree_node(tree, from);
    const size_t units = (size_t)node->edges + 1;
    if (node->moved) {
        atomic_store_explicit(&edge->node, (NodeRef)node->hash, memory_order_relaxed);
        return top;
    }
    memcpy(tree->units + top, tree->units + from, units * sizeof(Edge));
    atomic_store_explicit(&edge->node, (NodeRef)top, memory_order_relaxed);
    if (node->hash)
        tree_list(tree, (NodeRef)top);
    node->moved = true;
    node->hash = top;
    return top + units;
}

/* The same seen from the other side. */
static Proven turned(Proven proven) {
    return proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : PROVEN_NOT;
}

static uint64_t turned_stats(uint64_t stats) {
    const uint64_t visits = stats_visits(stats), won = stats_value(stats_of(visits, stats_value(stats)));
    return stats_of(visits, visits * TREE_VALUE_ONE - won);
}

/* Lets a new root have what its node knows, if that is a shared one. No edge leads there any more. */
static void take_over(const Tree *tree, Edge *root) {
    Node *node = tree_node(tree, edge_node(root));
    if (node->shared == SHARED_NOT)
        return;
    root->stats = turned_stats(node->stats);
    root->margin = tree_node_margin(tree, edge_node(root));
    if (node->proven != PROVEN_NOT)
        root->proven = (uint8_t)turned((Proven)node->proven);
    node->shared = SHARED_NOT;
    node->stats = 0;
}

void tree_keep(Tree *tree, const Edge *edge, bool side_changes) {
    Edge root;
    memcpy(&root, edge, sizeof root);
    if (!side_changes) {
        root.stats = turned_stats(root.stats);
        root.proven = (uint8_t)turned(edge_proven(&root));
    }
    root.rave = 0;
    empty_list(tree);
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
    if (edge_node(&root))
        take_over(tree, &root);
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
