/* A game as the solver sees it: a model, the few questions that an exact search asks of a position.
 *
 * One model works for all games, made of the functions of the game interface (plain_model.c); a game may bring a
 * better one (GameRules.solver), as Stigmergy does (engine/games/stigmergy/proof/model.c): with bounds, with moves
 * among which there is a best one, and with keys under which positions that are worth the same meet. Bug and Sgolte
 * have better looks alone. Values are Black's margin in half points, komi left out, where the game has points; +1 or -1
 * where it has none. */
#ifndef STIGMERGY_ENGINE_SOLVER_MODEL_H
#define STIGMERGY_ENGINE_SOLVER_MODEL_H

#include "engine/game/game.h"

enum { SOLVER_NODE_WORDS = 64 /* 64-bit words that a node may take */ };

/* A position in the search, a plain value like GameState. */
typedef struct SolverNode {
    uint64_t word[SOLVER_NODE_WORDS];
} SolverNode;

/* What is known of a node without search. */
typedef struct SolverLook {
    Side side;        /* to move */
    int lower, upper; /* of the value; where they differ, there are moves */
    int guess;        /* how good it looks for Black, to order moves by: a few thousand at most */
    /* Positions of equal key (128 bits, as good as random) have equal values of sign * (value - offset), and a symmetry
     * `map` takes each to one and the same board (GameRules.symmetry). */
    int sign, offset, map;
    uint64_t key[2];
} SolverLook;

struct SolverModel {
    /* The node of a position. */
    void (*open)(const Game *game, const GameState *state, SolverNode *node);

    /* Looks at a node, and may note in it what `moves` will need. */
    void (*look)(const Game *game, SolverNode *node, SolverLook *look);

    /* Writes legal actions of a node that has been looked at, of which one is a best one, in a fixed order; returns how
     * many. */
    int (*moves)(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]);

    /* The node after one of these. */
    void (*play)(const Game *game, const SolverNode *node, Action action, SolverNode *child);

    /* The least value from `value` on that a game can have that goes on from this node. */
    int (*round_up)(const Game *game, const SolverNode *node, int value);
};

typedef struct SolverModel SolverModel;

extern const SolverModel solver_plain_model; /* any game */
extern const SolverModel stigmergy_solver_model, bug_solver_model, sgolte_solver_model;

/* The functions of the plain model, for others whose nodes are GameStates too. */
void solver_plain_open(const Game *game, const GameState *state, SolverNode *node);
int solver_plain_moves(const Game *game, const SolverNode *node, Action out[GAME_LEGAL_MAX]);
void solver_plain_play(const Game *game, const SolverNode *node, Action action, SolverNode *child);
int solver_plain_round_up(const Game *game, const SolverNode *node, int value);

#endif
