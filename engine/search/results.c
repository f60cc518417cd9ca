/* What a search has found: the ranking of the moves, the principal variation, the owners of the cells. */
#include "engine/search/search_internal.h"

#include <stdlib.h>

#define BOUND_ERRORS 5.0f       /* standard errors from the mean of an edge down to its lower bound */
#define BOUND_SHARE 0.15f       /* of the most visits, that an edge must have to be chosen by its bound */
#define LEAST_VARIANCE 0x1p-12f /* of values from -1 to 1 */
#define USUAL_VARIANCE 0.3f     /* likewise; it counts as one value more, for few values say little of their variance */

/* An edge, and its mean margin for its side. */
typedef struct Candidate {
    const Edge *edge;
    float margin;
    int at; /* for search_moves: its number among the edges of its node */
} Candidate;

static Candidate candidate(const Search *search, NodeRef ref, const Edge *edge) {
    return (Candidate){.edge = edge, .margin = edge_side_margin(tree_node(&search->tree, ref), edge)};
}

/* Orders edges: proven wins, then by visits, proven losses last; ties by mean, those of proven ones by margin, then
 * without visits by prior and by RAVE mean, then by action. */
static int compare(const void *left, const void *right) {
    const Candidate *first = left, *second = right;
    const Edge *a = first->edge, *b = second->edge;
    const int rank_a = edge_proven(a) == PROVEN_WIN ? 0 : edge_proven(a) == PROVEN_LOSS ? 2 : 1;
    const int rank_b = edge_proven(b) == PROVEN_WIN ? 0 : edge_proven(b) == PROVEN_LOSS ? 2 : 1;
    if (rank_a != rank_b)
        return rank_a - rank_b;
    if (edge_visits(a) != edge_visits(b))
        return edge_visits(a) > edge_visits(b) ? -1 : 1;
    if (edge_mean(a) != edge_mean(b))
        return edge_mean(a) > edge_mean(b) ? -1 : 1;
    if (rank_a != 1 && first->margin != second->margin)
        return first->margin > second->margin ? -1 : 1;
    if (edge_visits(a) == 0 && a->prior != b->prior)
        return a->prior > b->prior ? -1 : 1;
    if (edge_visits(a) == 0 && edge_rave_mean(a, 0) != edge_rave_mean(b, 0))
        return edge_rave_mean(a, 0) > edge_rave_mean(b, 0) ? -1 : 1;
    return a->action - b->action;
}

static const Edge *most_visited_edge(const Search *search, NodeRef ref) {
    const Edges edges = tree_edges(&search->tree, ref);
    Candidate best = candidate(search, ref, edges.near);
    for (int i = 1; i < edges.count; i++) {
        const Candidate other = candidate(search, ref, edge_at(&edges, i));
        if (compare(&other, &best) < 0)
            best = other;
    }
    return best.edge;
}

/* ---- The move to play ---- */

/* By how much the mean of an edge may be too high: BOUND_ERRORS standard errors, halved, because the squares are of
 * values from -1 to 1. Where nothing is known of the values below it, 1: as much as it can be. */
static float possible_error(const Search *search, const Edge *edge) {
    const NodeRef ref = edge_node(edge);
    const uint64_t squares =
        ref ? atomic_load_explicit(&tree_node(&search->tree, ref)->squares, memory_order_relaxed) : 0;
    const float count = (float)stats_visits(squares), value = 2 * edge_mean(edge) - 1;
    if (stats_visits(squares) == 0)
        return 1;
    const float variance = (stats_won(squares) - count * value * value + USUAL_VARIANCE) / (count + 1);
    return BOUND_ERRORS / 2 * __builtin_sqrtf((variance > LEAST_VARIANCE ? variance : LEAST_VARIANCE) / count);
}

/* The edge of search_best_by_rules. With PUCT, of the edges that have nearly as many visits as the most visited one,
 * the one whose value, score included, is the highest after what it may be too high by. With playouts, and after
 * sequential halving, the most visited one. */
static const Edge *chosen_edge(const Search *search, NodeRef ref) {
    const Node *node = tree_node(&search->tree, ref);
    const Edges edges = tree_edges(&search->tree, ref);
    const Edge *most = most_visited_edge(search, ref), *best = NULL;
    const bool by_bound = search->params.selection == SELECTION_PUCT && search->gumbel.considered <= 1;
    if (!by_bound || edge_proven(most) != PROVEN_NOT || edge_visits(most) == 0)
        return most;
    const float margin = puct_mean_margin(&search->puct, node, &edges);
    float highest = 0;
    for (int i = 0; i < edges.count; i++) {
        const Edge *edge = edge_at(&edges, i);
        const uint32_t visits = edge_visits(edge);
        if (edge_proven(edge) != PROVEN_NOT || visits == 0 || (float)visits < BOUND_SHARE * (float)edge_visits(most))
            continue;
        const float bound =
            edge_mean(edge) + puct_score_utility(&search->puct, node, edge, margin) - possible_error(search, edge);
        if (!best || bound > highest) {
            highest = bound;
            best = edge;
        }
    }
    return best;
}

bool search_plays_most_visited(const Search *search) {
    const NodeRef ref = edge_node(&search->tree.root);
    return ref && chosen_edge(search, ref) == most_visited_edge(search, ref);
}

/* The edge to play at the root, whose node this is. */
static const Edge *edge_to_play(const Search *search, NodeRef ref) {
    if (search->gumbel.considered <= 1)
        return chosen_edge(search, ref);
    const Edges edges = tree_edges(&search->tree, ref);
    return edge_at(&edges, gumbel_choice(&search->gumbel, &search->puct, tree_node(&search->tree, ref), &edges));
}

Action search_best(const Search *search) {
    const NodeRef ref = edge_node(&search->tree.root);
    if (ref)
        return edge_to_play(search, ref)->action;
    Action actions[GAME_LEGAL_MAX];
    const int count = search->game->rules->legal(search->game, &search->root, actions);
    search_allowed(search, &search->root, 0, actions, NULL, count);
    return actions[0];
}

uint64_t search_lead(const Search *search) {
    const NodeRef ref = edge_node(&search->tree.root);
    if (!ref)
        return 0;
    const Edges edges = tree_edges(&search->tree, ref);
    const Edge *most = most_visited_edge(search, ref);
    uint64_t second = 0;
    bool others = false;
    for (int i = 0; i < edges.count; i++) {
        const Edge *edge = edge_at(&edges, i);
        if (edge == most || edge_proven(edge) == PROVEN_LOSS)
            continue;
        others = true;
        second = edge_visits(edge) > second ? edge_visits(edge) : second;
    }
    if (!others)
        return UINT64_MAX;
    return edge_visits(most) > second ? edge_visits(most) - second : 0;
}

/* Writes the policy of a node's edges after the search: see SearchMove. */
static void find_policy(const Search *search, NodeRef ref, float *out) {
    const Edges edges = tree_edges(&search->tree, ref);
    if (search->params.selection == SELECTION_PUCT) {
        gumbel_policy(&search->puct, tree_node(&search->tree, ref), &edges, out);
        return;
    }
    uint64_t visits = 0;
    for (int i = 0; i < edges.count; i++)
        visits += edge_visits(edge_at(&edges, i));
    for (int i = 0; i < edges.count; i++)
        out[i] = visits ? (float)edge_visits(edge_at(&edges, i)) / (float)visits : 1.0f / (float)edges.count;
}

/* ---- All moves ---- */

/* The symmetries of the root by which its tree has left out actions. */
static Symmetries symmetries_of_root(const Search *search) {
    const NodeRef ref = edge_node(&search->tree.root);
    return ref && tree_node(&search->tree, ref)->merged ? search_symmetries(search->game, &search->root)
                                                        : (Symmetries){.count = 1};
}

/* Moves the candidate that has this edge to the front; the others keep their order. */
static void put_first(Candidate *sorted, const Edge *edge) {
    int i = 0;
    while (sorted[i].edge != edge)
        i++;
    const Candidate first = sorted[i];
    memmove(sorted + 1, sorted, (size_t)i * sizeof *sorted);
    sorted[0] = first;
}

typedef const Edge *ChooseEdge(const Search *search, NodeRef ref);

/* The edges of the root, the one that is `chosen` first. Returns their number. */
static int sort_edges(const Search *search, ChooseEdge *chosen, Candidate sorted[GAME_LEGAL_MAX]) {
    const NodeRef ref = edge_node(&search->tree.root);
    if (!ref)
        return 0;
    const Edges edges = tree_edges(&search->tree, ref);
    for (int i = 0; i < edges.count; i++) {
        sorted[i] = candidate(search, ref, edge_at(&edges, i));
        sorted[i].at = i;
    }
    qsort(sorted, (size_t)edges.count, sizeof sorted[0], compare);
    put_first(sorted, chosen(search, ref));
    return edges.count;
}

/* Writes the moves that an edge stands for: its visits and probabilities are shared out among them. */
static int write_class(const Search *search, const Symmetries *own, const Edge *edge, float policy, SearchMove *out,
                       int capacity) {
    const ActionClass class = symmetries_class(search->game, own, edge->action);
    const int size = class.count, written = size < capacity ? size : capacity;
    const bool proven = edge_proven(edge) != PROVEN_NOT;
    for (int i = 0; i < written; i++)
        out[i] = (SearchMove){.action = class.action[i],
                              .visits = (edge_visits(edge) + (uint32_t)(size - 1 - i)) / (uint32_t)size,
                              .win_rate = (double)edge_mean(edge),
                              .margin = (double)edge_margin(edge),
                              .policy = (double)policy / size,
                              .prior = (double)edge->prior / size,
                              .known = edge_visits(edge) > 0 || proven,
                              .proven = proven};
    return written;
}

static int write_moves(const Search *search, ChooseEdge *first, SearchMove *out, int capacity) {
    Candidate sorted[GAME_LEGAL_MAX];
    float policy[GAME_LEGAL_MAX];
    const int count = sort_edges(search, first, sorted);
    const Symmetries own = symmetries_of_root(search);
    int written = 0;
    if (count > 0)
        find_policy(search, edge_node(&search->tree.root), policy);
    for (int i = 0; i < count && written < capacity; i++)
        written += write_class(search, &own, sorted[i].edge, policy[sorted[i].at], out + written, capacity - written);
    return written;
}

int search_moves(const Search *search, SearchMove *out, int capacity) {
    return write_moves(search, edge_to_play, out, capacity);
}

bool search_best_by_rules(const Search *search, SearchMove *out) {
    return write_moves(search, chosen_edge, out, 1) > 0;
}

void search_judge_by_policy(const Search *search, SearchSummary *summary) {
    const NodeRef ref = edge_node(&search->tree.root);
    float policy[GAME_LEGAL_MAX];
    double weight = 0, win_rate = 0, margin = 0;
    if (!ref)
        return;
    const Edges edges = tree_edges(&search->tree, ref);
    find_policy(search, ref, policy);
    for (int i = 0; i < edges.count; i++) {
        const Edge *edge = edge_at(&edges, i);
        if (edge_visits(edge) == 0)
            continue;
        weight += (double)policy[i];
        win_rate += (double)policy[i] * (double)edge_mean(edge);
        margin += (double)policy[i] * (double)edge_margin(edge);
    }
    if (weight == 0)
        return;
    summary->win_rate = win_rate / weight;
    summary->margin = margin / weight;
}

/* An image of a root's action by chance: the search has looked at one of several that are equally good. */
static Action draw_image(const Search *search, Action action, Rng *rng) {
    const Symmetries own = symmetries_of_root(search);
    const ActionClass images = symmetries_class(search->game, &own, action);
    return images.count > 1 ? images.action[rng_below(rng, (uint32_t)images.count)] : action;
}

Action search_draw(const Search *search, int power, double loss, Rng *rng) {
    Candidate sorted[GAME_LEGAL_MAX];
    double weights[GAME_LEGAL_MAX], sum = 0;
    const int count = sort_edges(search, chosen_edge, sorted);
    if (count == 0 || edge_proven(sorted[0].edge) != PROVEN_NOT || edge_visits(sorted[0].edge) == 0)
        return search_best(search);
    const double most = edge_visits(most_visited_edge(search, edge_node(&search->tree.root)));
    for (int i = 0; i < count; i++) {
        const Edge *edge = sorted[i].edge, *best = sorted[0].edge;
        const bool lost = edge_proven(edge) != PROVEN_NOT; /* as the best one is not proven, it is no win */
        weights[i] = lost || (double)edge_mean(edge) < (double)edge_mean(best) - loss ? 0 : 1;
        for (int k = 0; k < power; k++)
            weights[i] *= (double)edge_visits(edge) / most; /* at most 1, whatever the power */
        sum += weights[i];
    }
    double point = rng_unit(rng) * sum;
    int drawn = 0;
    for (int i = 0; i < count; i++) {
        if (point < weights[i]) {
            drawn = i;
            break;
        }
        point -= weights[i];
    }
    return draw_image(search, sorted[drawn].edge->action, rng);
}

int search_find_image(const Search *search, Action action, int *map) {
    const Symmetries own = symmetries_of_root(search);
    const Edges edges = tree_edges(&search->tree, edge_node(&search->tree.root));
    for (int m = 0; m < own.count; m++)
        for (int i = 0; i < edges.count; i++)
            if (search->game->rules->symmetry(search->game, own.map[m], edge_at(&edges, i)->action) == action) {
                *map = own.map[m];
                return i;
            }
    return -1;
}

int search_variation(const Search *search, Action action, Action *out, int capacity) {
    const NodeRef root = edge_node(&search->tree.root);
    if (!root)
        return 0;
    const Edges edges = tree_edges(&search->tree, root);
    int length = 0, map = 0;
    const int at = search_find_image(search, action, &map);
    const Edge *edge = at < 0 ? edge_to_play(search, root) : edge_at(&edges, at);
    while (length < capacity) {
        out[length++] = search->game->rules->symmetry(search->game, map, edge->action);
        const NodeRef ref = edge_node(edge);
        edge = ref ? most_visited_edge(search, ref) : NULL;
        if (!edge || edge_visits(edge) == 0)
            break;
    }
    return length;
}

/* Where the tree has left out images, the owners are the mean of all images of the board. */
void search_owners(const Search *search, float out[HEXHEX_MAX_CELLS]) {
    const Game *game = search->game;
    const Symmetries own = symmetries_of_root(search);
    uint64_t samples = 0;
    for (int i = 0; i < search->threads; i++)
        samples += search->workers[i].owner_samples;
    for (int c = 0; c < game->board.cells; c++) {
        double sum = 0;
        for (int i = 0; i < search->threads; i++)
            for (int m = 0; m < own.count; m++)
                sum += search->workers[i].owner_sum[game->board.symmetry[own.map[m]][c]];
        out[c] = samples ? (float)(sum / (double)samples / own.count) : 0.5f;
    }
}
