/* What the books of a run say: the fair komi of the board, the best first move, the best line. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_ANSWER_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_ANSWER_H

#include "selfplay/runs/book/config.h"
#include "selfplay/runs/run.h"

enum { BOOK_PARITIES = 2, BOOK_RESULT_DRAWS = 1000, BOOK_PLANS_UNKNOWN = -2 };

/* The book of a group. */
typedef struct Book {
    bool odd; /* odd komi, with the button */
    BookTree tree;
    bool full;         /* a leaf was not expanded for the limit of nodes */
    int planned_after; /* from how many games the last round was planned; -1: none was; BOOK_PLANS_UNKNOWN */
} Book;

/* The kind's own part of a run: the books, by group. */
typedef struct BookState {
    Book books[BOOK_PARITIES];
    Solver *solver; /* NULL: it is not asked */
} BookState;

/* The settings and the books of a run. */
static inline const BookConfig *book_config(const Run *run) {
    return (const BookConfig *)run->config;
}
static inline BookState *book_state(const Run *run) {
    return run->state;
}

/* What a book says, summed up over `draws` draws. It brings the beliefs of the tree up to date first, which later
 * rounds do not notice (book_tree_refresh). To be ended by book_standing_end. */
bool book_run_standing(const Run *run, int group, int draws, BookStanding *standing, Error *error);

/* The fair komi of the board by a standing. */
typedef struct BookAnswer {
    KomiEstimate fair_komi;
    /* With a probability of 97.5% each, Black wins more than half of the games up to the komi `black_up_to`, and less
     * from `white_from` on; komi values of the parity. */
    int black_up_to, white_from;
    int best;           /* the edge of the best first move, -1: none yet */
    double probability; /* that it is the best one */
} BookAnswer;

BookAnswer book_run_answer(const Run *run, int group, const BookStanding *standing);

/* Both books together: the midpoint, and by how much the even one is higher. If one is a bracket, each end of the
 * interval is the mean of the same end of both. If both are, it is what they share, also a bracket; of a bracket the
 * middle means nothing. */
typedef struct BookPair {
    KomiEstimate middle;
    bool gap_known; /* not where one is a bracket */
    double gap;
    Interval gap_ci95;
} BookPair;

/* False with an error in a run of one parity, or without memory. */
bool book_run_pair(const Run *run, const BookStanding standing[BOOK_PARITIES], BookPair *pair, Error *error);

/* The best line of a book from the root, in the frame of the board in which the tree shows the root: its actions, at
 * most BOOK_PLIES_MAX. *leaf is the node at its end. */
int book_run_line(const Run *run, int group, const BookStanding *standing, Action *line, int *leaf);

/* The edges of a node, the most probably best first; among equals the better one for the mover. Returns their number;
 * *edges is to be freed, NULL without memory. */
int book_sorted_edges(const BookTree *tree, const BookStanding *standing, int node, int **edges, Error *error);

#endif
