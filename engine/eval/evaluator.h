/* The judge of leaves: what the search asks about positions that it has not looked into yet.
 *
 * An evaluator takes a batch of positions and gives for each the chance that Black wins, Black's expected margin, the
 * expected owner of every cell and, where it has them, all-moves-as-first statistics. The search does not know how: by
 * playouts (playouts.h) or by a learnt function. */
#ifndef STIGMERGY_ENGINE_EVAL_EVALUATOR_H
#define STIGMERGY_ENGINE_EVAL_EVALUATOR_H

#include "engine/game/game.h"

enum { EVALUATION_PLAYOUTS_MAX = 128 };

typedef struct Evaluation {
    int playouts;  /* how many playouts the counts below are of, 1 to EVALUATION_PLAYOUTS_MAX */
    float black;   /* chance that Black wins, 0 to 1 */
    float margin;  /* Black's expected margin in points, komi included */
    bool has_amaf; /* whether the two following tables are filled in */
    /* Per side and action: in how many playouts the side took the action, and in how many of those Black won. */
    uint8_t taken[2][GAME_ACTIONS_MAX], taken_black_won[2][GAME_ACTIONS_MAX];
    uint8_t black_owns[64 * HEXHEX_WORDS]; /* per cell: in how many playouts it ended as Black's */
} Evaluation;

typedef struct Evaluator Evaluator;
struct Evaluator {
    /* Evaluates `count` unfinished positions; seeds[i] decides all randomness of the i-th, whatever else is in the
     * batch. Called by several threads at once. */
    void (*evaluate)(const Evaluator *self, const Game *game, const GameState *const *states, const uint64_t *seeds,
                     int count, Evaluation *out);
};

#endif
