/* Which child a simulation goes down to: UCT with RAVE as in Gelly and Silver (2011), over all children of a node.
 *
 * A child has n visits with w wins, and rn playouts in which its action was taken at some time, with rw wins. RAVE and
 * the child's own mean are averaged with weights rn and n*(1 + rn/k): the RAVE mean decides at first, and loses against
 * the child's own mean when n comes near k, however many playouts rn are of. One further playout of value first_play
 * stands for what is not known. The UCT term is exploration * sqrt(log2(N) / (n + 1)).
 *
 * It is a quarter of the time of a search, so there are kernels for processors with wide registers. All choose the same
 * child: the arithmetic is that of IEEE single precision, step by step. */
#ifndef STIGMERGY_ENGINE_SEARCH_SELECTION_H
#define STIGMERGY_ENGINE_SEARCH_SELECTION_H

#include "engine/search/tree.h"

typedef struct ChoiceParams {
    float per_rave;    /* 1/k; 0: only a child's own mean grows in weight */
    float exploration; /* weight of the UCT term */
    float first_play;
} ChoiceParams;

/* A way to choose. */
typedef struct ChoiceKernel {
    const char *name;
    bool (*runs_here)(void);
    /* The index of the child to go down to, of `count` (1 or more) side by side in a tree, whose node has been visited
     * `parent_visits` times: the first that is a proven win if there is one, else the first of the best of those that
     * are not proven losses, else 0. What lies up to TREE_PADDING entries beyond may be read, but counts for
     * nothing. */
    int (*best)(const ChoiceParams *params, const Child *children, int count, float parent_visits);
} ChoiceKernel;

/* The kernels of this build, the fastest last, then NULL. The first one is plain and runs everywhere. */
extern const ChoiceKernel *const choice_kernels[];
extern const ChoiceKernel choice_plain, choice_avx2, choice_avx512;

/* The fastest kernel for this processor. */
const ChoiceKernel *choice_kernel(void);

/* log2(x) for x >= 2^-126 to about 0.01, from the bits of the number: the same on every processor, unlike a libm's. */
float choice_log2(float x);

#endif
