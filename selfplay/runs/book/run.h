/* The opening book: the fair komi of a board, found by looking at all first moves, and deeper.
 *
 * Free self-play says what the board is worth to a player who opens as this player does. If it overlooks the best first
 * move, so does the answer. A book plays games from every class of first moves, and from their answers, where that may
 * change the value of the board; it is Black's best first move, White's best answer and so on to leaves that are judged
 * by games between equal players from there. tree.h says what the book is, belief.h what a leaf is worth, draw.h what
 * an inner node is, plan.h where games go.
 *
 * Even komi and odd komi (with the button) have a book each, for their positions differ: a group of games "even" and
 * one "odd". By theorem the value of a position with the button differs by half a point from that without, either way;
 * so what the two books differ by beyond that is an error of the player (or chance).
 *
 * RunGame.plan is an arm of the group's tree, a position and a komi. A game begins with the line to the position, under
 * a symmetry of the board drawn by the seed of the game. The player chooses all other moves. The tree is made from the
 * plans of the rounds again when records are read. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_RUN_H

#include "selfplay/runs/book/config.h"
#include "selfplay/runs/run.h"

enum { BOOK_PARITIES = 2, BOOK_RESULT_DRAWS = 1000 };

extern const RunKind book_kind;

/* The book of a group. */
typedef struct Book {
    bool odd; /* odd komi, with the button */
    BookTree tree;
    bool full; /* a leaf was not expanded for the limit of nodes */
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

/* What a book says: its beliefs brought up to date, summed up over `draws` draws. To be ended by book_standing_end. */
bool book_run_standing(const Run *run, int group, int draws, BookStanding *standing, Error *error);

/* The fair komi of the board by a standing. */
typedef struct BookAnswer {
    double estimate;
    Interval ci95;
    /* With a probability of 97.5% each, Black wins more than half of the games up to the komi `black_up_to`, and less
     * from `white_from` on; komi values of the parity. */
    int black_up_to, white_from;
    int best;           /* the edge of the best first move, -1: none yet */
    double probability; /* that it is the best one */
} BookAnswer;

BookAnswer book_run_answer(const Run *run, int group, const BookStanding *standing);

/* The midpoint of both books, and by how much the even one is higher. False in a run of one parity. */
typedef struct BookPair {
    double middle, gap;
    Interval middle_ci95, gap_ci95;
} BookPair;

bool book_run_pair(const Run *run, const BookStanding standing[BOOK_PARITIES], BookPair *pair, Error *error);

/* The best line of a book from the root, in the frame of the board in which the tree shows the root: its actions, at
 * most BOOK_PLIES_MAX. *leaf is the node at its end. */
int book_run_line(const Run *run, int group, const BookStanding *standing, Action *line, int *leaf);

/* Writes the books as SGF, one game tree each: the moves with games or exact values as variations, the best first, with
 * comments. To be freed; NULL with an error. */
char *book_run_sgf(const Run *run, Error *error);

#endif
