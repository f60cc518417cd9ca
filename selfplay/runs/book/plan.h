/* Which games a book needs next: a round of games is planned from all games before it.
 *
 * Games go where they decide the value of the root. Each draw of the whole book (draw.h) gives one to the leaf at the
 * end of the best moves, as Thompson sampling does, and one to its strongest rival, where there is one, as top-two
 * methods do (Russo, "Simple Bayesian algorithms for best-arm identification", Operations Research 68, 2020). The leaf
 * is played at the fair komi that it has in the draw, the rival at that of the root, both to the nearest whole number
 * of the parity. So the games ask whether the leaf is as good as it looked, and whether the rival is better.
 *
 * Before that, leaves are expanded that have had their games and are the leaf of the best line often enough, or that
 * get games again and again: the book grows best first, as in Buro ("Toward opening book learning", ICCA Journal 22,
 * 1999) and in drop-out expansion (Lincke, "Strategies for the automatic construction of opening books", CG 2000, LNCS
 * 2063, 2001). Lincke weighs depth against value to leave bad lines; here the chance to be best does that. To judge
 * leaves by games of the player itself comes from meta Monte Carlo tree search (Audouard et al., "Grid coevolution for
 * adaptive simulations: application to the building of opening books in the game of Go", EvoWorkshops 2009, LNCS 5484),
 * which takes means over the games below a node. Means are too low where few of the moves are good; minimax of draws is
 * not.
 *
 * The round after an expansion gives a few games to every new position, at the fair komi of the one before; none is
 * judged unseen. A leaf is given to the solver before it gets games. Where the solver proves its value, it needs none.
 */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_PLAN_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_PLAN_H

#include "engine/solver/solver.h"
#include "selfplay/runs/book/draw.h"

typedef struct BookPlanSettings {
    int64_t leaf_games;   /* that a leaf has before it is expanded */
    double expand_share;  /* in this share of draws it is the leaf of the best line; not asked of one with twice its
                             games */
    int64_t solver_nodes; /* that the solver may look at for a leaf; 0: it is not asked */
    int64_t nodes;        /* of a book: a leaf is not expanded if with a node for each legal move there would be more */
} BookPlanSettings;

/* 40 games, a share of 0.1, 20,000 nodes of the solver, 200,000 positions. */
BookPlanSettings book_plan_default(void);

/* A solver for these settings, to be freed by solver_free; NULL with an error. */
Solver *book_plan_solver(const Game *game, Error *error);

/* Who plans, and until when. */
typedef struct BookPlanner {
    Solver *solver; /* NULL: it is not asked */
    BookPlanSettings settings;
    const StopFlag *stop; /* soon after this is set, a plan is given up; may be NULL */
    double deadline;      /* and at this time, of wall_seconds; 0: never */
} BookPlanner;

/* A round as it was planned. */
typedef struct BookPlan {
    int *games;  /* of each arm of the tree; the caller frees them */
    int planned; /* their sum; 0 where the book needs no more games */
    bool full;   /* a leaf was not expanded for the limit of nodes */
} BookPlan;

/* Asks the solver about every position of a tree that was made from games. */
void book_plan_ask(BookTree *tree, const BookPlanner *planner);

/* Plans a round: the first games of new positions, or `size` games or fewer as above. Expands leaves, asks the solver
 * and adds arms. False with an error, and without games, if memory runs out or the plan is given up: the tree is of no
 * use then, for another plan from it would not be that of its games. */
bool book_plan(BookTree *tree, const BookPlanner *planner, uint64_t seed, int size, BookPlan *plan, Error *error);

#endif
