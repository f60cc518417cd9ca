/* What is believed of the nodes of a book's tree, and how it is learnt: see tree.h and selfplay/stats/best_move.h. */
#include "selfplay/runs/book/tree.h"

#include "selfplay/stats/estimate.h"

#include <math.h>

enum {
    MANY = 20,   /* games of a position that tell where it is, whatever was believed beforehand */
    JUDGED = 10, /* games a move that tell what the best of them is */
    SETTLING = 12
};
static const double NEAR = 2;        /* how far a position with many games is from its parent, in points */
static const double SETTLED = 0.002; /* a change of the model, relative to it, that ends the settling */

/* ---- Beliefs ---- */

/* The games of a node. The results are in `out`. */
static MoveGames games_of(const BookTree *tree, int number, BeliefResult out[BOOK_KOMI_ARMS]) {
    return (MoveGames){out, book_tree_results(tree, number, out), tree->nodes[number].bounds};
}

/* The root is believed beforehand what a komi run believes. */
static double believe_root(const BookTree *tree, BeliefCurve curve, KomiBelief *belief) {
    const EstimateConfig komi = estimate_config(tree->game->board.size);
    const BeliefPrior prior = {
        .location = komi.prior_location, .scale = komi.prior_scale, .bounds = tree->nodes[0].bounds};
    BeliefResult results[BOOK_KOMI_ARMS];
    return komi_belief(belief, results, book_tree_results(tree, 0, results), curve, &prior);
}

/* Begins with the moves of a node and counts all their games, or those of the moves that it has made. */
static void count_moves(const BookTree *tree, int number, const MoveModel *model, bool all, BestMove *best) {
    const BookNode *node = &tree->nodes[number];
    best_move_begin(best, &node->own, node->edges, node->mover == BLACK, tree->komi_limit, model);
    for (int i = 0; i < node->edges; i++) {
        BeliefResult results[BOOK_KOMI_ARMS];
        const int child = tree->edges[node->first_edge + i].node;
        const MoveGames games = games_of(tree, child, results);
        if (all || tree->nodes[child].parent == number)
            best_move_add(best, &games);
    }
}

/* Brings the beliefs of the moves that a node has made up to date; `moved`: what is believed of the node has changed
 * since. A move that another node has made is believed what that one says. */
static void believe_moves(BookTree *tree, int number, bool moved) {
    const BookNode *node = &tree->nodes[number];
    BestMove best;
    count_moves(tree, number, &tree->model, true, &best);
    for (int i = 0; i < node->edges; i++) {
        BeliefResult results[BOOK_KOMI_ARMS];
        const int move = tree->edges[node->first_edge + i].node;
        const MoveGames games = games_of(tree, move, results);
        BookNode *child = &tree->nodes[move];
        if (child->parent != number)
            continue;
        child->stale |= moved; /* for its own moves */
        if (child->stale)
            best_move_alone(&best, &games, &child->own);
        best_move_belief(&best, &games, &child->belief);
    }
}

void book_tree_bound(BookTree *tree, int leaf, Interval bounds) {
    BookNode *node = &tree->nodes[leaf];
    node->bounds = bounds;
    node->stale = true;
    if (node->parent >= 0) {
        believe_moves(tree, node->parent, false);
        return;
    }
    believe_root(tree, tree->model.curve, &node->own);
    node->belief = node->own;
}

static bool has_stale_moves(const BookTree *tree, const BookNode *node) {
    for (int i = 0; i < node->edges; i++)
        if (tree->nodes[tree->edges[node->first_edge + i].node].stale)
            return true;
    return false;
}

static bool has_looked(const BookTree *tree, const BookNode *node) {
    for (int i = 0; i < node->edges; i++) {
        const BookNode *child = &tree->nodes[tree->edges[node->first_edge + i].node];
        if (child->games == 0 && !book_node_exact(child))
            return false;
    }
    return node->edges > 0;
}

/* Brings the beliefs up to date that the games since the last time may have changed, or all of them. */
static void believe_all(BookTree *tree, bool all) {
    BookNode *root = &tree->nodes[0];
    root->stale |= all;
    if (root->stale)
        believe_root(tree, tree->model.curve, &root->own);
    root->belief = root->own;
    for (int i = 0; i < tree->count; i++) { /* parents first, by whose belief their moves are judged */
        const BookNode *node = &tree->nodes[i];
        if (node->edges && (node->stale || has_stale_moves(tree, node)))
            believe_moves(tree, i, node->stale);
    }
    for (int i = 0; i < tree->count; i++) {
        tree->nodes[i].stale = false;
        tree->nodes[i].inner = tree->nodes[i].inner || has_looked(tree, &tree->nodes[i]);
    }
}

/* ---- Learning ---- */

/* Whether the games of the moves of a node tell what the best of them is worth, whatever was believed beforehand. */
static bool is_judged(const BookTree *tree, const BookNode *node) {
    int games = 0;
    for (int i = 0; i < node->edges; i++)
        games += tree->nodes[tree->edges[node->first_edge + i].node].games;
    return node->inner && games >= JUDGED * node->edges;
}

/* The log evidence of a curve, by the games of positions that have many. These are good moves, most of them, worth
 * about what their parents are, and that is what is believed of them here. The guess of best_move.h is made for any
 * move, so it is worse: then the difference would be taken for a wide curve. */
static double curve_evidence(const BookTree *tree, const MoveModel *model) {
    KomiBelief unused;
    double sum = believe_root(tree, model->curve, &unused);
    for (int i = 1; i < tree->count; i++) {
        const BookNode *node = &tree->nodes[i];
        BeliefResult results[BOOK_KOMI_ARMS];
        const BeliefPrior prior = {
            .location = komi_belief_mean(&tree->nodes[node->parent].own), .scale = NEAR, .bounds = node->bounds};
        if (node->games >= MANY)
            sum += komi_belief(&unused, results, book_tree_results(tree, i, results), model->curve, &prior);
    }
    return sum;
}

/* The log evidence of a spread: that of the games of all moves, each counted where its node was made; or of an error:
 * that of the best moves of judged positions. */
static double move_evidence(const BookTree *tree, const MoveModel *model, bool error) {
    BestMove best;
    double sum = 0;
    for (int i = 0; i < tree->count; i++) {
        if (!tree->nodes[i].edges || (error && !is_judged(tree, &tree->nodes[i])))
            continue;
        count_moves(tree, i, model, error, &best);
        sum += error ? best_move_error_evidence(&best) : best_move_evidence(&best);
    }
    return sum;
}

/* The mean of a parameter by the evidence of candidates, the others as they are. */
static double mean_of(const BookTree *tree, int parameter, Ladder ladder) {
    double evidence[LADDER_STEPS];
    MoveModel model = tree->model;
    for (int i = 0; i < LADDER_STEPS; i++) {
        *move_model_parameter(&model, parameter) = ladder_candidate(ladder, i);
        evidence[i] = parameter < MOVE_MODEL_SPREAD ? curve_evidence(tree, &model)
                                                    : move_evidence(tree, &model, parameter == MOVE_MODEL_ERROR);
    }
    return ladder_mean(ladder, evidence);
}

/* Learns the parameters from all games, one after the other. Returns by how much the one that changed most did, as a
 * share of it. */
static double learn(BookTree *tree) {
    double most = 0;
    for (int i = 0; i < MOVE_MODEL_PARAMETERS; i++) {
        double *value = move_model_parameter(&tree->model, i);
        const double before = *value, coarse = mean_of(tree, i, move_model_ladder(i));
        *value = mean_of(tree, i, move_model_finer(i, coarse));
        most = fmax(most, fabs(log(*value / before)));
    }
    tree->learnt = tree->games;
    believe_all(tree, true);
    return most;
}

void book_tree_refresh(BookTree *tree, bool learns) {
    believe_all(tree, false);
    if (learns && tree->games > 0 && tree->games >= tree->learnt + tree->learnt / 4)
        learn(tree);
}

void book_tree_settle(BookTree *tree) {
    book_tree_refresh(tree, false);
    for (int i = 0; i < SETTLING && tree->games > 0; i++)
        if (learn(tree) < SETTLED)
            break;
}
