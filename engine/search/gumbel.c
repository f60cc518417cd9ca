/* See gumbel.h. */
#include "engine/search/gumbel.h"

#include "engine/base/rough_math.h"

#define GUMBEL_VISITS 50.0f /* c_visit in the paper */
#define GUMBEL_SCALE 1.0f   /* c_scale */
#define GUMBEL_SCORE 0.1f   /* of what the score is worth below the root */
#define GUMBEL_MEAN 0.304f  /* of -log2(-log2(u)) for u evenly from 0 to 1: Euler's constant / ln 2 + log2(ln 2) */
#define LOG2_E 1.442695f    /* from the paper's natural logarithms to ours */

float gumbel_draw(Rng *rng) {
    const float uniform = ((float)(rng_next(rng) >> 40) + 0.5f) * 0x1p-24f; /* above 0, below 1 */
    const float exponential = -rough_log2(uniform);
    return -rough_log2(exponential > 0x1p-20f ? exponential : 0x1p-20f) - GUMBEL_MEAN;
}

/* ---- Scores ---- */

/* What the scores of a node's edges have in common. */
typedef struct Scale {
    const PuctParams *params;
    const Node *node;
    float missing; /* the value of edges without visits */
    float weight;  /* of values, against logits */
    float margin;  /* mean of all visits, for the side to move */
} Scale;

static Scale find_scale(const PuctParams *params, const Node *node, const Edges *edges) {
    uint32_t all = 0, most = 0;
    float prior = 0, value = 0;
    for (int i = 0; i < edges->count; i++) {
        const uint32_t visits = edge_visits(edge_at(edges, i));
        if (visits == 0)
            continue;
        all += visits;
        most = visits > most ? visits : most;
        prior += edge_at(edges, i)->prior;
        value += edge_at(edges, i)->prior * edge_mean(edge_at(edges, i));
    }
    const float mean = prior > 0 ? value / prior : node->value;
    return (Scale){.params = params,
                   .node = node,
                   .missing = (node->value + (float)all * mean) / (1.0f + (float)all),
                   .weight = LOG2_E * GUMBEL_SCALE * (GUMBEL_VISITS + (float)most),
                   .margin = puct_mean_margin(params, node, edges)};
}

static float score(const Scale *scale, const Edge *edge) {
    const float prior = edge->prior > 0x1p-60f ? edge->prior : 0x1p-60f;
    const bool known = edge_visits(edge) > 0 || edge_proven(edge) != PROVEN_NOT;
    float value = known ? edge_mean(edge) : scale->missing;
    if (scale->params->score > 0 && edge_visits(edge) > 0)
        value += GUMBEL_SCORE * puct_score_utility(scale->params, scale->node, edge, scale->margin);
    return rough_log2(prior) + scale->weight * value;
}

/* ---- Sequential halving ---- */

/* The visits that an edge has to have to be next in simulation `done` of a run, from 0. Each round visits all edges
 * that are left once. */
static uint32_t visits_wanted(int considered, uint64_t simulations, uint64_t done) {
    int phases = 0;
    while (1 << phases < considered)
        phases++;
    uint32_t visits = 0;
    for (uint64_t left = (uint64_t)considered, first = 0;;) {
        const uint64_t fair = simulations / ((uint64_t)phases * left), rounds = fair > 0 ? fair : 1;
        if (done < first + rounds * left || left <= 2)
            return visits + (uint32_t)((done - first) / left);
        first += rounds * left;
        visits += (uint32_t)rounds;
        left = left / 2 > 2 ? left / 2 : 2;
    }
}

static uint32_t visits_in_run(const GumbelRoot *root, const Edges *edges, int i) {
    const uint32_t visits = edge_visits(edge_at(edges, i));
    return visits > root->before[i] ? visits - root->before[i] : 0;
}

/* The edge with the highest score, noise included, of those with `fewest` to `most` visits in this run; -1 if there is
 * none. */
static int best_with_visits(const GumbelRoot *root, const PuctParams *params, const Node *node, const Edges *edges,
                            uint32_t fewest, uint32_t most) {
    const Scale scale = find_scale(params, node, edges);
    float best_score = 0;
    int best = -1;
    for (int i = 0; i < edges->count; i++) {
        const uint32_t visits = visits_in_run(root, edges, i);
        if (edge_proven(edge_at(edges, i)) == PROVEN_LOSS || visits < fewest || visits > most)
            continue;
        const float own = root->noise[i] + score(&scale, edge_at(edges, i));
        if (best < 0 || own > best_score) {
            best = i;
            best_score = own;
        }
    }
    return best;
}

/* Of the edges with this proof the one with the highest margin; -1 if there is none. */
static int best_proven(const Node *node, const Edges *edges, Proven proven) {
    int best = -1;
    for (int i = 0; i < edges->count; i++) {
        const Edge *edge = edge_at(edges, i);
        if (edge_proven(edge) == proven &&
            (best < 0 || edge_side_margin(node, edge) > edge_side_margin(node, edge_at(edges, best))))
            best = i;
    }
    return best;
}

/* The most visits in this run, `limit` at most, of an edge that is not lost; -1 if there is none. */
static int64_t most_up_to(const GumbelRoot *root, const Edges *edges, uint32_t limit) {
    int64_t most = -1;
    for (int i = 0; i < edges->count; i++) {
        const int64_t visits = visits_in_run(root, edges, i);
        if (edge_proven(edge_at(edges, i)) != PROVEN_LOSS && visits <= limit && visits > most)
            most = visits;
    }
    return most;
}

int gumbel_next(const GumbelRoot *root, const PuctParams *params, const Node *node, const Edges *edges) {
    uint64_t done = 0;
    int open = 0;
    const int won = best_proven(node, edges, PROVEN_WIN);
    if (won >= 0)
        return won;
    for (int i = 0; i < edges->count; i++) {
        done += visits_in_run(root, edges, i);
        open += edge_proven(edge_at(edges, i)) != PROVEN_LOSS;
    }
    if (open <= 1)
        return gumbel_choice(root, params, node, edges);
    const uint32_t wanted = visits_wanted(open < root->considered ? open : root->considered, root->simulations, done);
    /* Where proofs have taken edges away, those that are left may have fewer visits. */
    const int64_t visits = most_up_to(root, edges, wanted);
    return visits < 0 ? gumbel_choice(root, params, node, edges)
                      : best_with_visits(root, params, node, edges, (uint32_t)visits, (uint32_t)visits);
}

int gumbel_choice(const GumbelRoot *root, const PuctParams *params, const Node *node, const Edges *edges) {
    uint32_t most = 0;
    const int won = best_proven(node, edges, PROVEN_WIN);
    if (won >= 0)
        return won;
    for (int i = 0; i < edges->count; i++)
        if (edge_proven(edge_at(edges, i)) != PROVEN_LOSS && visits_in_run(root, edges, i) > most)
            most = visits_in_run(root, edges, i);
    const int best = best_with_visits(root, params, node, edges, most - most / 4, most);
    return best < 0 ? best_proven(node, edges, PROVEN_LOSS) : best;
}

/* ---- The improved policy ---- */

void gumbel_policy(const PuctParams *params, const Node *node, const Edges *edges, float *out) {
    const Scale scale = find_scale(params, node, edges);
    const int won = best_proven(node, edges, PROVEN_WIN);
    float highest = 0, sum = 0;
    bool any = false;
    for (int i = 0; i < edges->count; i++) {
        out[i] = score(&scale, edge_at(edges, i));
        if (edge_proven(edge_at(edges, i)) != PROVEN_LOSS && (!any || out[i] > highest)) {
            highest = out[i];
            any = true;
        }
    }
    for (int i = 0; i < edges->count; i++) {
        const bool lost = any && edge_proven(edge_at(edges, i)) == PROVEN_LOSS;
        const float power = !any ? 1.0f : rough_exp2(out[i] - highest);
        out[i] = won >= 0 ? (float)(i == won) : lost ? 0.0f : power;
        sum += out[i];
    }
    for (int i = 0; i < edges->count; i++)
        out[i] /= sum;
}
