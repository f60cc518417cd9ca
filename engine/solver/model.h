/* A game as the solver sees it: a model, the few questions that an exact search asks of a position.
 *
 * The plain model (plain_model.c) works for every game through the functions of the game interface. A game may have a
 * better one (GameRules.solver). It may give bounds on a position's value. It may leave out moves, as long as a best
 * one stays. It may give the same key to positions of the same value. See engine/games/GAME/ for those that exist.
 *
 * A value is Black's margin in half points, komi left out. In a game without points it is +1 or -1, whatever the names
 * here say about half points. */
#ifndef STIGMERGY_ENGINE_SOLVER_MODEL_H
#define STIGMERGY_ENGINE_SOLVER_MODEL_H

#include "engine/game/game.h"

enum { SOLVER_NODE_WORDS = 64 /* 64-bit words that a node may take */ };

/* A position in the search, a plain value like GameState. */
typedef struct SolverNode {
    uint64_t word[SOLVER_NODE_WORDS];
} SolverNode;

/* What is known about a node without a search. */
typedef struct SolverLook {
    Side side;                                /* to move */
    int lower_half_points, upper_half_points; /* bounds of the value; where they differ, there are moves */
    int guess; /* how good it looks for Black, to order moves by: a few thousand at most */
    /* Positions with the same key (128 bits, as good as random) have the same value of sign * (value - offset). A
     * symmetry `map` of the board takes each of them to the same position (GameRules.symmetry). */
    int sign, offset_half_points, map;
    uint64_t key[2];
} SolverLook;

typedef struct SolverModel {
    /* Makes the node of a position. */
    void (*open)(const Game *game, const GameState *state, SolverNode *node);

    /* Looks at a node. May keep in the node what `moves` will need. */
    void (*look)(const Game *game, SolverNode *node, SolverLook *look);

    /* Writes legal actions of a node that has been looked at, in a fixed order, and returns how many. One of them is a
     * best one, unless the bounds of `look` hold its value already. */
    int (*moves)(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]);

    /* Makes the node after one of these actions. */
    void (*play)(const Game *game, const SolverNode *node, Action action, SolverNode *child);

    /* The least value, at least `half_points`, that a game which goes on from this node can end with. */
    int (*round_up)(const Game *game, const SolverNode *node, int half_points);

    /* Optional: proofs that rest on a part of the board (engine/solver/carriers.h). */
    const struct SolverCarriers *carriers;
} SolverModel;

/* The model for every game. Its nodes are GameStates. */
extern const SolverModel solver_plain_model;

/* The functions of the plain model, for other models whose nodes are GameStates. */
void solver_plain_open(const Game *game, const GameState *state, SolverNode *node);
int solver_plain_moves(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]);
void solver_plain_play(const Game *game, const SolverNode *node, Action action, SolverNode *child);
int solver_plain_round_up(const Game *game, const SolverNode *node, int half_points);

#endif
