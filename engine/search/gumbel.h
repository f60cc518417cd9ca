/* Few simulations at the root, spent well: sequential halving with Gumbel noise, and the policy that a search improves
 * (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
 *
 * Of the root's actions, the `considered` ones with the highest noise + logit get simulations at first, all the same
 * number. Then the better half of them goes on, and so forth down to two. Better means a higher
 *
 *     noise + log2(prior) + s * q       s = (50 + most visits of an action) * log2(e)
 *
 * where q is the mean win rate of the action for the side to move, and a tenth of what its margin is worth below the
 * root (puct.h). That is nothing where the game is open, but where all actions win or lose it is all that tells them
 * apart. Without it decided games are played at random, and networks learn that. The factor log2(e) takes the paper's
 * natural logarithms to base 2, which the noise has too.
 *
 * With noise from the standard Gumbel distribution the action that is left is a sample of the improved policy, whose
 * probabilities are proportional to 2^(log2(prior) + s * q). An action without visits has, instead of q, the mean of
 * the node's own value and of its visited actions, weighted by prior: the "completed" value.
 *
 * Below the root PUCT chooses (puct.h). The paper's own rule of selection there was not tried. */
#ifndef STIGMERGY_ENGINE_SEARCH_GUMBEL_H
#define STIGMERGY_ENGINE_SEARCH_GUMBEL_H

#include "engine/base/rng.h"
#include "engine/search/puct.h"

typedef struct GumbelRoot {
    int considered;                  /* actions; 0 or 1: not in use */
    uint64_t simulations;            /* of the run, without what the solver has spent; at least 1 */
    float noise[GAME_LEGAL_MAX];     /* of each edge, in logits to base 2 */
    uint32_t before[GAME_LEGAL_MAX]; /* visits of each edge when the run began */
} GumbelRoot;

/* A number from the standard Gumbel distribution, in units of base 2 (divided by ln 2), less its mean; from 24 random
 * bits. The same on every processor. */
float gumbel_draw(Rng *rng);

/* The index of the root's edge for the next simulation. `params` say what margins are worth. */
int gumbel_next(const GumbelRoot *root, const PuctParams *params, const Node *node, const Edges *edges);

/* The index of the edge to play after the run: of those that came to its last round, the one with the highest score.
 * These have about the most visits: the last round is rarely complete, for the first simulation of a new tree takes no
 * edge, and those that come back to a dismissed move (revisit.h) do not count at the root. */
int gumbel_choice(const GumbelRoot *root, const PuctParams *params, const Node *node, const Edges *edges);

/* Writes the improved policy, without noise: probabilities of the node's edges, which sum to 1. The proven win with
 * the highest margin has all of it, and proven losses have none while there is anything else. */
void gumbel_policy(const PuctParams *params, const Node *node, const Edges *edges, float *out);

#endif
