/* Which edge a simulation goes down: PUCT, for evaluators with a policy (Rosin 2011, "Multi-armed bandits with episode
 * context"; Silver et al. 2018, "A general reinforcement learning algorithm that masters chess, shogi and Go through
 * self-play").
 *
 * An edge has n visits of mean value q and a prior probability p. The edge with the highest
 *
 *     q + exploration * p * sqrt(1 + N) / (1 + n)        N: visits of all edges of the node
 *
 * is taken. An edge without visits has the first-play urgency instead of q: the value of the node (its own evaluation
 * averaged with the results below it) less fpu_reduction * sqrt(P), at least 0, where P is the prior probability of all
 * edges that have been visited (Wu 2019, "Accelerating self-play learning in Go"). All values are chances to win, 0 to
 * 1, of the side to move.
 *
 * Where all moves win, or all lose, the score decides, as in KataGo (Wu 2019). An edge with visits whose mean margin is
 * d points better for the side to move than the mean of all visits of the node gets in addition
 *
 *     score * d / (score_scale + |d|)
 *
 * This is in the choice alone. The values in the tree stay chances to win.
 *
 * Noise from search_add_noise is kept in the RAVE word of an edge. It counts as visits and wins in q, but not in n. */
#ifndef STIGMERGY_ENGINE_SEARCH_PUCT_H
#define STIGMERGY_ENGINE_SEARCH_PUCT_H

#include "engine/search/tree.h"

typedef struct PuctParams {
    float exploration;   /* 0 or more */
    float fpu_reduction; /* 0 or more */
    float score;         /* 0 or more; 0: margins do not count */
    float score_scale;   /* points, above 0; the search sets it to the square root of the number of cells */
} PuctParams;

/* A node has many edges, and simulations take few of them. So the edges with the highest priors stand in front, sorted,
 * and the node knows how many of its edges may have been taken. Of the others the first is at least as good as all that
 * follow, so the choice looks no further. PUCT_NEAR of them are near (tree.h). */
enum { PUCT_SORTED = 16, PUCT_NEAR = 8 };

/* Brings the actions of a new node and their priors into that order. */
void puct_sort(Action *actions, float *priors, int count);

/* Whether the choice may need the far edges of a node, which tree_extend is to make first. */
static inline bool puct_needs_far(const Node *node) {
    return atomic_load_explicit(&node->taken, memory_order_relaxed) >= node->near;
}

/* Notes that edge `i` is taken. An edge that has noise, a proof or visits must have been noted. Other threads may
 * search at the same time: the number only rises, whoever comes first. */
static inline void puct_note_taken(Node *node, int i) {
    uint16_t taken = atomic_load_explicit(&node->taken, memory_order_relaxed);
    while (i >= taken && !atomic_compare_exchange_weak_explicit(&node->taken, &taken, (uint16_t)(i + 1),
                                                                memory_order_relaxed, memory_order_relaxed))
        ;
}

/* The index of the edge to take, of those of `node` that are made: the first that is a proven win if there is one, else
 * the first of the best of those that are not proven losses, else 0. */
int puct_best(const PuctParams *params, const Node *node, const Edges *edges);

/* The mean margin of all visits of a node, in points for its side to move; 0 where the score does not count. */
float puct_mean_margin(const PuctParams *params, const Node *node, const Edges *edges);

/* What the margin of an edge with visits adds to its value; `mean` is that of its node. */
float puct_score_utility(const PuctParams *params, const Node *node, const Edge *edge, float mean);

#endif
