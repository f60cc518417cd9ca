/* The tree of an opening book: positions, the moves between them, and the games that were played from them.
 *
 * A node is a position up to the symmetries of the board. Its key is the smallest hash of its images. Positions with
 * the same number of actions behind them and the same key are one node, however they came about (transpositions), so
 * that the tree is a graph without circles. A node is shown as it came about first: `parent` and `action` lead there
 * from the root.
 *
 * A leaf is judged by games, an inner node by its children. When a leaf is expanded, all classes of its legal moves
 * become edges, whatever a player thinks of them: a player's blind spot must not hide a move. It is an inner node as
 * soon as every child has a game or is exact; a guess alone judges nothing. It keeps the games that it had as a leaf.
 *
 * These games go on to say what the best of the children is worth, and the games of each child say what the others are
 * (selfplay/stats/best_move.h). What is believed of a child follows from its own games, from those of its siblings and
 * from those of the parent that made it. Curve, spread and error of the players are learnt from all games.
 *
 * The games of a node are counted by komi, in a list of arms: an arm is a node and a komi, which is what a game is
 * planned for. A position whose game is over is exact; what the solver proves of others bounds them. All values are
 * points of komi: the fair komi of a position is Black's margin in it, komi left out. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_TREE_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_TREE_H

#include "engine/game/game.h"
#include "selfplay/stats/best_move.h"

enum {
    BOOK_NODES_MAX = 10000000,
    BOOK_PLIES_MAX = 64, /* actions of an opening; a deeper leaf is not expanded */
    BOOK_KOMI_ARMS = 2 * GAME_KOMI_LIMIT + 1
};

typedef struct BookEdge {
    int node;
    Action action; /* in the position of the parent, as that is shown; the first of its class */
} BookEdge;

typedef struct BookArm {
    BeliefResult result;
    int node, next; /* next: the next arm of the node; -1: none */
} BookArm;

typedef struct BookNode {
    uint64_t key;
    int parent;            /* -1 at the root */
    int first_edge, edges; /* 0 edges: a leaf */
    int first_arm, games;
    int next_same; /* in the table of keys */
    int16_t plies;
    Action action; /* that led here from `parent` */
    uint8_t mover; /* the Side to move */
    bool over;     /* the game is over here */
    bool asked;    /* the solver has been asked, or need not be */
    bool stale;    /* the beliefs are older than the games */
    bool inner;    /* judged by its children */
    Interval bounds;
    KomiBelief own;    /* what its own games say, without those of its siblings */
    KomiBelief belief; /* what these say, too */
} BookNode;

typedef struct BookTree {
    const Game *game; /* not owned */
    int komi;         /* of its start position: 0, or 1 with the button */
    double komi_limit;
    BookNode *nodes; /* node 0 is the root; parents come before the children that they made */
    BookEdge *edges;
    BookArm *arms;
    int count, edge_count, arm_count;
    int capacity, edge_capacity, arm_capacity;
    int *table; /* by key: the first node, -1 for none */
    int table_size;
    int games;
    MoveModel model;
    int learnt; /* the games from which the model was learnt */
} BookTree;

/* A tree with only the root. False with an error if memory runs out; book_tree_free may follow in any case. */
bool book_tree_begin(BookTree *tree, const Game *game, bool button, Error *error);

void book_tree_free(BookTree *tree);

/* Makes *copy a copy of a tree. False with an error if memory runs out; book_tree_free may follow in any case. */
bool book_tree_copy(BookTree *copy, const BookTree *tree, Error *error);

/* Makes all classes of legal moves of a leaf its edges. *full becomes true, and nothing else changes, if there would be
 * more than `most` nodes with one for each legal move. (Images and transpositions need none, so there is some room left
 * then.) False with an error if memory runs out. */
bool book_tree_expand(BookTree *tree, int leaf, int64_t most, bool *full, Error *error);

/* The node after these actions from the start, in any frame of the board. Leaves on the way are expanded. -1 with an
 * error if there is none, if there would be more than `most` nodes, or if memory runs out. */
int book_tree_follow(BookTree *tree, const Action *line, int count, int64_t most, Error *error);

/* The arm of a node at a komi, which is made where it is missing; -1 with an error if memory runs out. */
int book_tree_arm(BookTree *tree, int node, int komi, Error *error);

/* The komi of the tree's parity that is nearest to a place, within the number of cells either way. */
int book_tree_komi(const BookTree *tree, double place);

/* Counts a game of an arm. */
void book_tree_count(BookTree *tree, int arm, bool black_won);

/* Sets what is proved of a leaf, and brings the beliefs of it and of its siblings up to date. */
void book_tree_bound(BookTree *tree, int leaf, Interval bounds);

/* Whether the fair komi of a node is known. */
static inline bool book_node_exact(const BookNode *node) {
    return node->bounds.low == node->bounds.high;
}

/* Brings all nodes up to date with the games: their beliefs, and which of them are inner ones. `learns`: learns the
 * model too, if there are a quarter more games than it was learnt from. Beliefs follow from games, bounds and model. So
 * a call without learning does not change what later calls find, and may be made at any time. */
void book_tree_refresh(BookTree *tree, bool learns);

/* Learns the model from all games until it stays, and brings all nodes up to date. */
void book_tree_settle(BookTree *tree);

/* through[node] becomes how many games were played through a node: from it, or from a node that was made behind it. */
void book_tree_through(const BookTree *tree, int *through);

/* The actions that lead from the start to a node, under a symmetry of the board. Returns their number. */
int book_tree_line(const BookTree *tree, int node, int map, Action out[BOOK_PLIES_MAX]);

/* The position after them. */
void book_tree_position(const BookTree *tree, int node, GameState *state);

/* The symmetry under which the line of a node leads to the position `state`, which is one of its images. */
int book_tree_image(const BookTree *tree, int node, const GameState *state);

/* The arms of a node as results. Returns their number, at most BOOK_KOMI_ARMS. */
int book_tree_results(const BookTree *tree, int node, BeliefResult *out);

#endif
