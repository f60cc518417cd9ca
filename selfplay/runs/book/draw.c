/* See draw.h. */
#include "selfplay/runs/book/draw.h"

#include "engine/base/rng.h"
#include "selfplay/stats/middle.h"

#include <math.h>
#include <stdlib.h>

static const double REACH = 0.99; /* the quantile of a belief that counts as its end */

/* ---- One draw ---- */

/* Lists the nodes by plies, the most first. */
static void sort_nodes(const BookTree *tree, int *order) {
    int begin[BOOK_PLIES_MAX + 2] = {0}; /* by plies: where these nodes begin */
    for (int i = 0; i < tree->count; i++)
        begin[tree->nodes[i].plies]++;
    for (int plies = BOOK_PLIES_MAX, sum = 0; plies >= 0; plies--) {
        const int here = begin[plies];
        begin[plies] = sum;
        sum += here;
    }
    for (int i = 0; i < tree->count; i++)
        order[begin[tree->nodes[i].plies]++] = i;
}

bool book_draw_begin(BookDraw *draw, const BookTree *tree, uint64_t seed, Error *error) {
    const size_t count = (size_t)tree->count;
    *draw = (BookDraw){.tree = tree,
                       .seed = seed,
                       .value = malloc(count * sizeof *draw->value),
                       .best = malloc(count * sizeof *draw->best),
                       .order = malloc(count * sizeof *draw->order)};
    if (!draw->value || !draw->best || !draw->order)
        return error_set(error, "out of memory for a book of %d positions", tree->count);
    sort_nodes(tree, draw->order);
    return true;
}

void book_draw_end(BookDraw *draw) {
    free(draw->value);
    free(draw->best);
    free(draw->order);
    *draw = (BookDraw){.tree = NULL};
}

static double draw_leaf(const BookNode *node, uint64_t seed) {
    return komi_belief_quantile(&node->belief, (double)(seed >> 11) * 0x1.0p-53);
}

/* How much better `a` is than `b` for a side. */
static double better_by(int side, double a, double b) {
    return side == BLACK ? a - b : b - a;
}

static int best_edge(const BookTree *tree, const BookNode *node, const double *value) {
    int best = node->first_edge;
    for (int edge = best + 1; edge < node->first_edge + node->edges; edge++)
        if (better_by(node->mover, value[tree->edges[edge].node], value[tree->edges[best].node]) > 0)
            best = edge;
    return best;
}

void book_draw(BookDraw *draw, uint64_t number) {
    const BookTree *tree = draw->tree;
    const uint64_t seed = rng_split(draw->seed, number);
    for (int i = 0; i < tree->count; i++) {
        const int at = draw->order[i];
        const BookNode *node = &tree->nodes[at];
        draw->best[at] = node->inner ? best_edge(tree, node, draw->value) : -1;
        draw->value[at] = node->inner ? draw->value[tree->edges[draw->best[at]].node]
                                      : draw_leaf(node, rng_split(seed, (uint64_t)at));
    }
}

int book_draw_leaf(const BookDraw *draw, int node) {
    while (draw->best[node] >= 0)
        node = draw->tree->edges[draw->best[node]].node;
    return node;
}

/* How far the belief of a leaf reaches beyond a value, for a side. */
static double reach(const BookNode *leaf, int side, double value) {
    return better_by(side, komi_belief_quantile(&leaf->belief, side == BLACK ? REACH : 1 - REACH), value);
}

int book_draw_rival(const BookDraw *draw) {
    const BookTree *tree = draw->tree;
    double farthest = 0;
    int rival = -1;
    for (int at = 0; draw->best[at] >= 0; at = tree->edges[draw->best[at]].node) {
        const BookNode *node = &tree->nodes[at];
        for (int edge = node->first_edge; edge < node->first_edge + node->edges; edge++) {
            const int leaf = edge == draw->best[at] ? -1 : book_draw_leaf(draw, tree->edges[edge].node);
            const double here = leaf < 0 ? 0 : reach(&tree->nodes[leaf], node->mover, draw->value[0]);
            if (here > farthest) {
                farthest = here;
                rival = leaf;
            }
        }
    }
    return rival;
}

/* ---- Many draws ---- */

Interval book_bracket(const BookTree *tree, Interval interval) {
    const int odd = tree->komi;
    return (Interval){2 * floor((interval.low - odd) / 2) + odd, 2 * ceil((interval.high - odd) / 2) + odd};
}

/* Whether an interval has to end at komi values. What is proved has none. */
static bool is_bracket(const BookTree *tree, Interval interval) {
    return tree->model.curve.scale < BOOK_NEAR_STEP && interval.low < interval.high;
}

KomiEstimate book_standing_komi(const BookStanding *standing, const BookTree *tree, int node) {
    const Interval ci95 = standing->ci95[node];
    return (KomiEstimate){standing->estimate[node], ci95, is_bracket(tree, ci95)};
}

/* Sums up a node from its values in all draws; a leaf (NULL) from its belief. */
static void sum_up(BookStanding *standing, const BookTree *tree, int number, double *values) {
    const KomiBelief *belief = &tree->nodes[number].belief;
    Interval ci95 = komi_belief_interval(belief);
    standing->estimate[number] = komi_belief_quantile(belief, 0.5);
    if (values)
        standing->estimate[number] = middle_of(values, standing->draws, &ci95);
    standing->ci95[number] = is_bracket(tree, ci95) ? book_bracket(tree, ci95) : ci95;
}

/* Of the edges of a node that are as good as its best one, as exact values and transpositions may be, one after the
 * other. */
static int tied_edge(const BookDraw *draw, int at, int turn) {
    const BookTree *tree = draw->tree;
    const BookNode *node = &tree->nodes[at];
    int tied[GAME_LEGAL_MAX], count = 0;
    for (int edge = node->first_edge; edge < node->first_edge + node->edges; edge++)
        if (draw->value[tree->edges[edge].node] == draw->value[at])
            tied[count++] = edge;
    return tied[turn % count];
}

/* Draws; values[k * draws + i] becomes the value of the k-th inner node in draw i. */
static void draw_all(BookStanding *standing, BookDraw *draw, double *values) {
    const BookTree *tree = draw->tree;
    for (int i = 0; i < standing->draws; i++) {
        double *next = values + i;
        book_draw(draw, (uint64_t)i);
        standing->root[i] = draw->value[0];
        for (int at = 0; at < tree->count; at++) {
            if (draw->best[at] < 0)
                continue;
            standing->best[tied_edge(draw, at, i)]++;
            *next = draw->value[at];
            next += standing->draws;
        }
    }
}

bool book_standing_begin(BookStanding *standing, const BookTree *tree, uint64_t seed, int draws, Error *error) {
    BookDraw draw = {.tree = NULL};
    size_t inner = 0, next = 0;
    for (int i = 0; i < tree->count; i++)
        inner += tree->nodes[i].inner;
    *standing = (BookStanding){.draws = draws,
                               .ci95 = malloc((size_t)tree->count * sizeof *standing->ci95),
                               .estimate = malloc((size_t)tree->count * sizeof *standing->estimate),
                               .best = calloc((size_t)tree->edge_count + 1, sizeof *standing->best),
                               .root = malloc((size_t)draws * sizeof *standing->root)};
    double *values = malloc((inner * (size_t)draws + 1) * sizeof *values);
    bool good = values && standing->ci95 && standing->estimate && standing->best && standing->root;
    if (!good)
        error_set(error, "out of memory for %d draws from a book of %d positions", draws, tree->count);
    good = good && book_draw_begin(&draw, tree, seed, error);
    if (good)
        draw_all(standing, &draw, values);
    for (int i = 0; good && i < tree->count; i++) {
        const bool leaf = !tree->nodes[i].inner;
        sum_up(standing, tree, i, leaf ? NULL : values + next++ * (size_t)draws);
    }
    book_draw_end(&draw);
    free(values);
    return good;
}

void book_standing_end(BookStanding *standing) {
    free(standing->ci95);
    free(standing->estimate);
    free(standing->best);
    free(standing->root);
    *standing = (BookStanding){.draws = 0};
}

int book_standing_best(const BookStanding *standing, const BookTree *tree, int node) {
    const BookNode *from = &tree->nodes[node];
    int best = from->inner ? from->first_edge : -1;
    for (int edge = best + 1; from->inner && edge < from->first_edge + from->edges; edge++)
        if (standing->best[edge] > standing->best[best])
            best = edge;
    return best;
}
