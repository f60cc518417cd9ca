/* Draws from what is believed of a whole book.
 *
 * In a draw every leaf gets a fair komi from its own belief, and every inner node that of its best child: the largest
 * where Black is to move, the smallest where White is. So the values of inner nodes have the distribution of the
 * maximum or minimum itself. Taking the maximum of the children's estimates instead would be too optimistic, for the
 * largest of noisy numbers is probably one that chance has raised. The chance that a move is the best one is how often
 * it is so in draws.
 *
 * What a leaf gets follows from the seed, the number of the draw and the leaf alone. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_DRAW_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_DRAW_H

#include "selfplay/runs/book/tree.h"
#include "selfplay/stats/komi_estimate.h"

typedef struct BookDraw {
    const BookTree *tree; /* its beliefs are up to date, and its nodes stay as they are */
    uint64_t seed;
    double *value; /* by node: its fair komi in this draw */
    int *best;     /* by node: its best edge, -1: a leaf */
    int *order;    /* the nodes, children before parents */
} BookDraw;

bool book_draw_begin(BookDraw *draw, const BookTree *tree, uint64_t seed, Error *error);
void book_draw_end(BookDraw *draw);

/* Makes a draw. */
void book_draw(BookDraw *draw, uint64_t number);

/* The leaf at the end of the best moves from a node. */
int book_draw_leaf(const BookDraw *draw, int node);

/* The leaf that may change the value of the root most, in favour of the side that can choose it: of all moves beside
 * the best ones from the root to its leaf, and the best moves after them, the one whose belief reaches the farthest
 * beyond the value of the root (the strongest contender by its upper confidence bound: Kalyanakrishnan et al., "PAC
 * subset selection in stochastic multi-armed bandits", ICML 2012). -1 where none reaches as far. */
int book_draw_rival(const BookDraw *draw);

/* ---- Many draws ---- */

/* The sum of many draws. By node and by edge. Where the curve is nearly a step (a scale below BOOK_NEAR_STEP points),
 * games tell between which komi values the fair komi lies and nothing more: intervals then end at komi values. */
#define BOOK_NEAR_STEP 0.3

typedef struct BookStanding {
    int draws;
    Interval *ci95;   /* by node */
    double *estimate; /* by node: the median of its fair komi */
    int *best;        /* by edge: in how many draws it was the best one of its parent */
    double *root;     /* the root's fair komi in all draws, not sorted */
} BookStanding;

bool book_standing_begin(BookStanding *standing, const BookTree *tree, uint64_t seed, int draws, Error *error);
void book_standing_end(BookStanding *standing);

/* The interval between the komi values of the tree's parity that are nearest around one. */
Interval book_bracket(const BookTree *tree, Interval interval);

/* The fair komi of a node, whose interval may be such a bracket. */
KomiEstimate book_standing_komi(const BookStanding *standing, const BookTree *tree, int node);

/* The edge of a node that is most often its best one; -1: a leaf. */
int book_standing_best(const BookStanding *standing, const BookTree *tree, int node);

#endif
