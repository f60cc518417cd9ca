/* The search tree: nodes in arenas, written by many threads without locks.
 *
 * A node is a position that has been expanded; its edges are the legal actions. Everything known about an action is in
 * its edge. So a position needs a node only when the search goes beyond it, and the choice among the edges of a node
 * reads memory in one stream. A node is a block of 32-byte units: a header and one unit for each edge. References are
 * 32-bit indices of units; 0 is "none".
 *
 * With PUCT most nodes take few of their edges. So a node makes only the first ones, its *near* edges. Of the others,
 * the *far* ones, it keeps action and prior, in a fifth of the memory, until the search asks for them (tree_extend).
 * Then they get a block of their own, so that near edges never move. (Lc0 keeps its edges apart from its nodes for the
 * same reason.)
 *
 * Memory is one block of fixed size in two halves. Threads take slabs of the active half by an atomic addition and
 * allocate from them alone. When the half is full, allocation fails and the search goes on without growing the tree. To
 * keep a subtree after a move it is copied to the other half (Cheney 1970, "A nonrecursive list compacting algorithm"),
 * which also packs it.
 *
 * All fields that threads share are C11 atomics with relaxed order; a node is published by a release store of its
 * reference. Visits and values are added atomically. The mean margin and the RAVE counts are read and written without a
 * lock: two threads may overwrite each other's update, and then one sample is lost (Enzenberger and Mueller 2009, "A
 * lock-free multithreaded Monte-Carlo tree search algorithm"). */
#ifndef STIGMERGY_ENGINE_SEARCH_TREE_H
#define STIGMERGY_ENGINE_SEARCH_TREE_H

#include "engine/base/lines.h"
#include "engine/game/game.h"

#include <stdatomic.h>

typedef uint32_t NodeRef;

typedef enum Proven { PROVEN_NOT = 0, PROVEN_WIN = 1, PROVEN_LOSS = 2 } Proven; /* for the side that chose the action */

enum {
    TREE_VALUE_BITS = 38,      /* Edge.stats, Node.squares: a sum of values in the lower bits, visits above */
    TREE_VALUE_ONE = 1 << 12,  /* one win in that sum */
    TREE_SLAB_UNITS = 2048,    /* units that a thread takes at a time */
    TREE_MEMORY_MIN = 1 << 20, /* bytes */
    TREE_PADDING = 8,          /* units that may be read beyond any node, whatever is there */
    TREE_VISITS_MAX = (1 << 26) - (1 << 16)
};

/* An action of a node, and the statistics of the simulations that took it. "Its side" is the side that chooses it: the
 * one to move at the node. */
typedef struct Edge {
    _Atomic uint64_t stats; /* visits << TREE_VALUE_BITS | sum of values for its side, in 1/TREE_VALUE_ONE */
    _Atomic uint64_t rave;  /* all moves as first: playouts << 32 | wins of its side; also what priors and noise add */
    _Atomic float margin;   /* mean of Black's margin in points; before the first visit that of the node, or 0 */
    _Atomic NodeRef node;   /* the node behind the action, 0 before it is expanded */
    Action action;
    _Atomic uint8_t proven; /* a Proven */
    uint8_t unused;
    float prior; /* probability that the action is best, 0 to 1, before any search; 0 where the selection needs none */
} Edge;

typedef struct Node {
    uint16_t edges;           /* how many, near and far */
    uint16_t near;            /* how many of them are near */
    _Atomic uint16_t taken;   /* for PUCT: no edge from this one on has been taken (puct.h) */
    uint8_t side;             /* to move here */
    bool merged;              /* actions that are images of others have no edge (symmetry.c) */
    float value;              /* what the evaluator said of this position: the chance that `side` wins */
    float deviation;          /* what it said of the margin's standard deviation, in points; 0 where it says nothing */
    _Atomic uint64_t squares; /* for PUCT: the simulations that came here << TREE_VALUE_BITS | the sum of the squares of
                                 their values, seen as -1 (lost) to 1, in 1/TREE_VALUE_ONE */
    float margin;             /* that edges begin with */
    _Atomic NodeRef far;      /* the block of the far edges, 0 before they are made */
} Node;

/* The edges of a node that are made. */
typedef struct Edges {
    Edge *near, *far;
    int near_count, count; /* `count`: near and far ones */
} Edges;

static inline Edge *edge_at(const Edges *edges, int i) {
    return i < edges->near_count ? edges->near + i : edges->far + (i - edges->near_count);
}

_Static_assert(sizeof(Edge) == 32 && sizeof(Node) == 32, "nodes are made of 32-byte units");
_Static_assert((uint64_t)TREE_VISITS_MAX *TREE_VALUE_ONE < 1ull << TREE_VALUE_BITS, "sums of values do not overflow");

typedef struct Tree {
    /* The edge to the root position: visits, values, node. Its side is the opponent of the one to move there. */
    _Alignas(CACHE_LINE) Edge root;
    _Alignas(CACHE_LINE) Edge *units;        /* both halves */
    size_t half;                             /* units in one half */
    int active;                              /* which half */
    _Alignas(CACHE_LINE) _Atomic size_t top; /* units of the active half that are given away */
} Tree;

/* What one thread allocates from. Set it to zero after tree_init, tree_clear and tree_keep. */
typedef struct Arena {
    size_t next, end; /* units of the active half */
} Arena;

/* Takes `bytes` of memory, at least TREE_MEMORY_MIN; pages are used only as the tree grows. False with an error without
 * memory. */
bool tree_init(Tree *tree, size_t bytes, Error *error);
void tree_free(Tree *tree);

/* Empties the tree. */
void tree_clear(Tree *tree);

/* Makes `edge`, an edge of this tree, the root: its subtree and statistics are kept, all else is forgotten.
 * `side_changes`: true if the other side is to move after the action of `edge`. Then its statistics are already seen
 * from the side that those of a root are for; if false, they are turned round. */
void tree_keep(Tree *tree, const Edge *edge, bool side_changes);

/* A new node with this many edges, `near` of which are near ones. All else of it is zero. 0 when memory is used up. */
NodeRef tree_new_node(Tree *tree, Arena *arena, int edges, int near);

/* Gives an edge of a new node its action and prior, and its margin that of the node. */
void tree_set_edge(Tree *tree, NodeRef ref, int i, Action action, float prior);

/* Gives back the node that was made last from this arena. */
void tree_drop_node(const Tree *tree, Arena *arena, NodeRef ref);

/* Makes the far edges of a node, if they are not. False when memory is used up. */
bool tree_extend(Tree *tree, Arena *arena, NodeRef ref);

/* Units of the active half that are not given away. */
size_t tree_units_left(const Tree *tree);

static inline Node *tree_node(const Tree *tree, NodeRef ref) {
    return (Node *)(tree->units + ref);
}

static inline Edges tree_edges(const Tree *tree, NodeRef ref) {
    const Node *node = tree_node(tree, ref);
    const NodeRef far = atomic_load_explicit(&node->far, memory_order_acquire);
    return (Edges){.near = tree->units + ref + 1,
                   .far = tree->units + far,
                   .near_count = node->near,
                   .count = far ? node->edges : node->near};
}

/* The parts of Edge.stats and of Node.squares. */
static inline uint32_t stats_visits(uint64_t stats) {
    return (uint32_t)(stats >> TREE_VALUE_BITS);
}

static inline uint64_t stats_value(uint64_t stats) {
    return stats & ((1ull << TREE_VALUE_BITS) - 1);
}

/* A sum of values in wins. */
static inline float value_in_wins(uint64_t value) {
    return (float)(int64_t)value * (1.0f / TREE_VALUE_ONE);
}

static inline float stats_won(uint64_t stats) {
    return value_in_wins(stats_value(stats));
}

/* The parts of Edge.rave. */
static inline uint32_t rave_playouts(uint64_t rave) {
    return (uint32_t)(rave >> 32);
}

static inline uint32_t rave_won(uint64_t rave) {
    return (uint32_t)rave;
}

/* What stands in an edge while other threads may write to it. */
static inline uint64_t edge_stats(const Edge *edge) {
    return atomic_load_explicit(&edge->stats, memory_order_relaxed);
}

static inline uint64_t edge_rave(const Edge *edge) {
    return atomic_load_explicit(&edge->rave, memory_order_relaxed);
}

static inline float edge_margin(const Edge *edge) {
    return atomic_load_explicit(&edge->margin, memory_order_relaxed);
}

static inline uint32_t edge_visits(const Edge *edge) {
    return stats_visits(edge_stats(edge));
}

static inline Proven edge_proven(const Edge *edge) {
    return (Proven)atomic_load_explicit(&edge->proven, memory_order_relaxed);
}

static inline NodeRef edge_node(const Edge *edge) {
    return atomic_load_explicit(&edge->node, memory_order_acquire);
}

/* Mean value for the side of the edge, 0.5 without visits, exact where proven. */
float edge_mean(const Edge *edge);

/* The mean of all moves as first, for the side of the edge; `otherwise` without playouts. */
float edge_rave_mean(const Edge *edge, float otherwise);

/* Mean margin for the side to move at `node`, which the edge belongs to. */
static inline float edge_side_margin(const Node *node, const Edge *edge) {
    return node->side == BLACK ? edge_margin(edge) : -edge_margin(edge);
}

#endif
