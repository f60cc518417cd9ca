/* See answer.h. */
#include "selfplay/runs/book/answer.h"

#include "engine/base/rng.h"
#include "selfplay/stats/middle.h"

#include <stdlib.h>

enum { SEED_DRAWS = (1 << 30) + 1 }; /* what the seed of draws is derived for from that of a group */

bool book_run_standing(const Run *run, int group, int draws, BookStanding *standing, Error *error) {
    BookTree *tree = &book_state(run)->books[group].tree;
    book_tree_refresh(tree, false);
    return book_standing_begin(standing, tree, rng_split(run->groups[group].seed, SEED_DRAWS), draws, error);
}

BookAnswer book_run_answer(const Run *run, int group, const BookStanding *standing) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    const Interval bracket = book_bracket(tree, standing->ci95[0]);
    BookAnswer answer = {.fair_komi = book_standing_komi(standing, tree, 0),
                         .black_up_to = (int)bracket.low,
                         .white_from = (int)bracket.high,
                         .best = book_standing_best(standing, tree, 0)};
    if (answer.best >= 0)
        answer.probability = (double)standing->best[answer.best] / standing->draws;
    return answer;
}

bool book_run_pair(const Run *run, const BookStanding standing[BOOK_PARITIES], BookPair *pair, Error *error) {
    const int draws = standing[0].draws;
    if (run->group_count < BOOK_PARITIES)
        return error_set(error, "the run has one parity of komi, expected both");
    const KomiEstimate even = book_run_answer(run, 0, &standing[0]).fair_komi;
    const KomiEstimate odd = book_run_answer(run, 1, &standing[1]).fair_komi;
    double *values = malloc((size_t)draws * sizeof *values);
    if (!values)
        return error_set(error, "out of memory for %d draws", draws);
    for (int i = 0; i < draws; i++) /* draws of the two books are independent of each other */
        values[i] = (standing[0].root[i] + standing[1].root[i]) / 2;
    pair->middle.estimate = middle_of(values, draws, &pair->middle.ci95);
    pair->middle.bracket = false;
    for (int i = 0; i < draws; i++)
        values[i] = standing[0].root[i] - standing[1].root[i];
    pair->gap = middle_of(values, draws, &pair->gap_ci95);
    free(values);
    pair->gap_known = !even.bracket && !odd.bracket;
    if (!pair->gap_known && !komi_brackets_join(even, odd, &pair->middle))
        pair->middle.ci95 = (Interval){(even.ci95.low + odd.ci95.low) / 2, (even.ci95.high + odd.ci95.high) / 2};
    return true;
}

/* Whether an edge of a node goes before another one: more often the best, or as often and better for the mover. */
static bool goes_before(const BookTree *tree, const BookStanding *standing, const BookNode *from, int edge, int other) {
    const double a = standing->estimate[tree->edges[edge].node], b = standing->estimate[tree->edges[other].node];
    return standing->best[edge] != standing->best[other] ? standing->best[edge] > standing->best[other]
           : from->mover == BLACK                        ? a > b
                                                         : a < b;
}

int book_sorted_edges(const BookTree *tree, const BookStanding *standing, int node, int **edges, Error *error) {
    const BookNode *from = &tree->nodes[node];
    *edges = malloc(((size_t)from->edges + 1) * sizeof **edges);
    if (!*edges) {
        error_set(error, "out of memory for %d moves", from->edges);
        return 0;
    }
    for (int i = 0; i < from->edges; i++) {
        const int edge = from->first_edge + i;
        int at = i;
        for (; at > 0 && goes_before(tree, standing, from, edge, (*edges)[at - 1]); at--)
            (*edges)[at] = (*edges)[at - 1];
        (*edges)[at] = edge;
    }
    return from->edges;
}

int book_run_line(const Run *run, int group, const BookStanding *standing, Action *line, int *leaf) {
    const BookTree *tree = &book_state(run)->books[group].tree;
    const GameRules *rules = run->game->rules;
    GameState state;
    int count = 0, node = 0, map = 0; /* map: from the frame of the node to that of the root */
    rules->start(run->game, &state, tree->komi);
    for (int edge; (edge = book_standing_best(standing, tree, node)) >= 0; count++) {
        line[count] = rules->symmetry(run->game, map, tree->edges[edge].action);
        rules->apply(run->game, &state, line[count]);
        node = tree->edges[edge].node;
        map = book_tree_image(tree, node, &state);
    }
    *leaf = node;
    return count;
}
