/* The evaluator: what the search asks about a position that it has not looked into yet.
 *
 * An evaluator takes a batch of leaves and tells for each the chance that Black wins and Black's expected margin. It
 * may also tell the owner of every cell, how good each legal action looks (the policy), and all-moves-as-first
 * statistics. The search does not know where they come from: playouts (playouts.h), a network or a table.
 *
 * "Black" means the Side BLACK, the player who began the game, everywhere in this file. After a swap that player has
 * the white stones (game_colour in game.h). An evaluator that thinks in colours must translate.
 *
 * An Evaluator is constant. Many searches and threads may use it at the same time. All that changes during an
 * evaluation is in a context, and each thread has its own: scratch memory, caches, tables of the board.
 *
 * To write an evaluator, put an Evaluator as the first member into a struct with whatever else it needs (settings,
 * weights), and fill in the functions. tests/engine/search/test_evaluators.c has a small one. */
#ifndef STIGMERGY_ENGINE_EVAL_EVALUATOR_H
#define STIGMERGY_ENGINE_EVAL_EVALUATOR_H

#include "engine/game/history.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    EVALUATOR_BATCH_MAX = 64,
    EVALUATION_PLAYOUTS_MAX = 128 /* AmafCounts.playouts is at most this */
};

/* A position to be evaluated; the game is not over. */
typedef struct Leaf {
    const GameState *state;
    uint64_t seed; /* of all randomness of this evaluation */

    /* Only for evaluators with `has_policy`, otherwise NULL and 0: */
    const GameHistory *history; /* what came before, as far as the search knows: see search_set_history */
    const Action *actions;      /* the legal actions in ascending order */
    int action_count;           /* 1 to GAME_LEGAL_MAX */
} Leaf;

/* All-moves-as-first statistics of some playouts, by side and action: in how many of them the side took the action, and
 * in how many of those Black won. Actions from 64 * game->action_words on are not written. */
typedef struct AmafCounts {
    int playouts; /* 1 to EVALUATION_PLAYOUTS_MAX */
    uint8_t taken[2][GAME_ACTIONS_MAX];
    uint8_t taken_black_won[2][GAME_ACTIONS_MAX];
} AmafCounts;

/* What an evaluator says about a leaf. The caller owns the memory; its contents before the call are undefined. */
typedef struct Evaluation {
    float black;     /* chance that Black wins, 0 to 1; 1 is no proof */
    float margin;    /* Black's expected margin in points, komi and button included; in games without points half a
                        point for a win, so -0.5 to 0.5 */
    float deviation; /* has_deviation: standard deviation of the margin at the end of the game, in points */
    float owners[HEXHEX_MAX_CELLS]; /* has_owners: the chance that each cell ends as Black's, 0 to 1. Where cells may
                                       end as nobody's, playouts count them like White's, networks as 0.5 */
    float logits[GAME_LEGAL_MAX];   /* has_policy: action i of the leaf is best with a probability proportional to
                                       2^logits[i], as in GameRules.priors (base 2, not e) */
    AmafCounts amaf;                /* has_amaf */
} Evaluation;

typedef struct Evaluator Evaluator;
struct Evaluator {
    const char *name; /* for people: "playouts" */

    /* Which parts of an Evaluation are filled in, beside `black` and `margin`. */
    bool has_owners, has_policy, has_amaf, has_deviation;

    /* The number of leaves that the evaluator wants at once, 1 to EVALUATOR_BATCH_MAX. A search never gives more, and
     * fewer if it has no more. Above 1 a thread chooses several leaves before it knows the value of the first, which
     * makes the search a little worse at equal simulations. */
    int batch;

    /* What an evaluation costs: the number of positions that the exact solver looks at in the same time, roughly, at
     * least 1. Measure it once: the nodes per second of `stigmergy solve`, divided by the simulations per second of
     * `stigmergy bench`, on the same board with one thread. Then make it a constant (8 for playouts) or count it from
     * the size of the network. The search weighs its simulations against the solver by it, so it must be the same on
     * every machine. */
    int solver_positions;

    /* Makes the context of one thread for positions of `game`, which outlives it. NULL with an error that says what is
     * wrong: no memory, or a game that this evaluator is not for. Both are called by the thread that makes and frees
     * the search. */
    void *(*new_context)(const Evaluator *self, const Game *game, Error *error);
    void (*free_context)(void *context); /* of a context that is not NULL */

    /* Lets a context use the cache of another thread of the same search instead of its own. `with`, the context of that
     * thread, lasts until the last evaluation, but may be freed before `context`, whose free_context must not touch it.
     * Several threads then use that cache at the same time. NULL for evaluators without a cache. */
    void (*share_cache)(void *context, void *with);

    /* Evaluates `count` leaves (1 to `batch`) and writes out[i] for leaves[i]. The result for a leaf depends on the
     * leaf alone, not on its neighbours in the batch nor on earlier calls: searches must be reproducible. Called by one
     * thread at a time for each context. Cannot fail. */
    void (*evaluate)(void *context, const Leaf *leaves, int count, Evaluation *out);
};

#ifdef __cplusplus
}
#endif

#endif
