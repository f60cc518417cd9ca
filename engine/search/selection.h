/* Which edge a simulation goes down: UCT with RAVE as in Gelly and Silver (2011, "Monte-Carlo tree search and rapid
 * action value estimation in computer Go"), over all edges of a node. The other rule is puct.h.
 *
 * An edge has n visits with w wins, and rn playouts in which its action was taken at some time, with rw wins. The RAVE
 * mean and the edge's own mean are averaged with weights rn and n * (1 + rn/k). So the RAVE mean decides at first, and
 * loses against the own mean when n comes near k, the equivalence parameter, however large rn is. One further playout,
 * of the value of the first-play urgency, stands for what is not known. The UCT term is
 * exploration * sqrt(log2(N + 1) / (n + 1)), where N are the visits of the node.
 *
 * Selection takes a quarter of the time of a search with playouts, so there are kernels for processors with wide
 * registers. All choose the same edge: the arithmetic is that of IEEE single precision, step by step. */
#ifndef STIGMERGY_ENGINE_SEARCH_SELECTION_H
#define STIGMERGY_ENGINE_SEARCH_SELECTION_H

#include "engine/search/tree.h"

typedef struct SelectionParams {
    float per_rave;    /* 1/k; 0: only an edge's own mean grows in weight */
    float exploration; /* weight of the UCT term */
    float fpu;         /* first-play urgency */
} SelectionParams;

/* A way to compute the choice. */
typedef struct SelectionKernel {
    const char *name;
    bool (*runs_here)(void); /* whether this processor has the instructions */
    /* The index of the edge to take, of `count` (1 or more) side by side in a tree, whose node has been visited
     * `node_visits` times: the first that is a proven win if there is one, else the first of the best of those that are
     * not proven losses, else 0. Up to TREE_PADDING units beyond may be read, but count for nothing. */
    int (*best)(const SelectionParams *params, const Edge *edges, int count, float node_visits);
} SelectionKernel;

/* The kernels of this build, the fastest last, then NULL. The first one is plain and runs everywhere. */
extern const SelectionKernel *const selection_kernels[];
extern const SelectionKernel selection_plain, selection_avx2, selection_avx512;

/* The fastest kernel for this processor. */
const SelectionKernel *selection_kernel(void);

#endif
