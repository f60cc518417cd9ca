/* The search tree: nodes in arenas, written by many threads without locks.
 *
 * A node is a block of 32-byte units: a header and one unit for each child. What is known of an action stands in the
 * child entry of its parent, so that a node exists only once it is expanded, and choosing among children reads memory
 * in one stream. References are 32-bit indices of units; 0 is "none".
 *
 * Memory is one block of fixed size in two halves. Threads take slabs of the active half by an atomic addition and
 * allocate from them alone; when the half is full, allocation fails and the search goes on without growing. To keep a
 * subtree after a move it is copied to the other half (Cheney 1970), which also packs it.
 *
 * All fields that threads share are C11 atomics with relaxed order; a node is published by a release store of its
 * reference. Visits and values are added atomically; the mean margin and the RAVE counts are read and written without a
 * lock, a lost update of theirs is one sample lost (Enzenberger and Mueller 2009, "A lock-free multithreaded
 * Monte-Carlo tree search algorithm"). */
#ifndef STIGMERGY_ENGINE_SEARCH_TREE_H
#define STIGMERGY_ENGINE_SEARCH_TREE_H

#include "engine/game/game.h"

#include <stdatomic.h>

typedef uint32_t NodeRef;

typedef enum Proven { PROVEN_NOT = 0, PROVEN_WIN = 1, PROVEN_LOSS = 2 } Proven; /* for the side that chose the action */

enum {
    TREE_VALUE_BITS = 36, /* Child.stats: the sum of values below, visits above */
    TREE_VALUE_ONE = 256, /* one win in that sum */
    TREE_SLAB_UNITS = 2048,
    TREE_MEMORY_MIN = 1 << 20, /* bytes */
    TREE_PADDING = 8,          /* entries that may be read beyond any node, whatever is there */
    TREE_VISITS_MAX = (1 << 28) - (1 << 16)
};

typedef struct Child {
    _Atomic uint64_t stats; /* visits << 36 | sum of values for the side that chose the action, in 1/256 */
    _Atomic uint64_t rave;  /* all moves as first: playouts << 32 | wins for that side */
    _Atomic float margin;   /* mean of Black's margin in points */
    _Atomic NodeRef node;   /* the node behind the action, 0 before it is expanded */
    Action action;
    _Atomic uint8_t proven; /* a Proven */
    uint8_t unused[5];
} Child;

typedef struct Node {
    uint16_t children;
    uint8_t side; /* to move here */
    uint8_t unused[29];
} Node;

_Static_assert(sizeof(Child) == 32 && sizeof(Node) == 32, "nodes are made of 32-byte units");

typedef struct Tree {
    _Alignas(64)
        Child root; /* visits, values and node of the root position; its chooser is the opponent of the side to move */
    _Alignas(64) Child *units;       /* both halves */
    size_t half;                     /* units in one half */
    int active;                      /* which half */
    _Alignas(64) _Atomic size_t top; /* units of the active half that are given away */
} Tree;

/* What one thread allocates from; zero-initialize after tree_init, tree_clear and tree_keep. */
typedef struct Arena {
    size_t next, end; /* units of the active half */
} Arena;

/* Takes `bytes` of memory (at least TREE_MEMORY_MIN; pages are used only as the tree grows). */
bool tree_init(Tree *tree, size_t bytes, Error *error);
void tree_free(Tree *tree);

/* Forgets everything. */
void tree_clear(Tree *tree);

/* Makes `child`, an entry of this tree, the root: its subtree and statistics are kept, all else is forgotten.
 * `same_chooser`: whether the side that chose `child` is the opponent of the side to move behind it. */
void tree_keep(Tree *tree, const Child *child, bool same_chooser);

/* A new node with zeroed children, or 0 when memory is used up. */
NodeRef tree_new_node(Tree *tree, Arena *arena, int children);

/* Gives back the node that was made last from this arena. */
void tree_drop_node(Arena *arena, int children);

/* Units of the active half that are not given away. */
size_t tree_units_left(const Tree *tree);

/* Bytes of the active half in use. */
size_t tree_bytes_used(Tree *tree);

static inline Node *tree_node(const Tree *tree, NodeRef ref) {
    return (Node *)(tree->units + ref);
}

static inline Child *tree_children(const Tree *tree, NodeRef ref) {
    return tree->units + ref + 1;
}

static inline uint32_t stats_visits(uint64_t stats) {
    return (uint32_t)(stats >> TREE_VALUE_BITS);
}

static inline uint64_t stats_value(uint64_t stats) {
    return stats & ((1ull << TREE_VALUE_BITS) - 1);
}

static inline uint32_t child_visits(const Child *child) {
    return stats_visits(atomic_load_explicit(&child->stats, memory_order_relaxed));
}

static inline Proven child_proven(const Child *child) {
    return (Proven)atomic_load_explicit(&child->proven, memory_order_relaxed);
}

static inline NodeRef child_node(const Child *child) {
    return atomic_load_explicit(&child->node, memory_order_acquire);
}

/* Mean value for the side that chose the action, 0.5 without visits, exact where proven. */
float child_mean(const Child *child);

#endif
