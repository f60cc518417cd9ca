/* A position of Stigmergy, and the type of the kernels that compute playouts and priors on it.
 *
 * The position is stored as bit sets of cells with bit-sliced counters. For each side there are its stones, and for
 * each cell the number of its stones that the cell sees, in three planes. A counter starts at 0, 1 or 2 on an inner,
 * edge or corner cell. So for every cell "controlled" means "4 or more", which is the third plane alone. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_STATE_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_STATE_H

#include "engine/game/game.h"

/* The planes of a position: plane p is words p*board.words .. (p+1)*board.words - 1 of `plane`. */
enum { PLANE_STONES = 0, PLANE_COUNT = 2, PLANE_CONTROL = 4, PLANES = 8 };

/* Where planes of a side begin in `plane`, on boards of `words` words: its stones; bits 0, 1, 2 of its counters, one
 * plane after the other; and the last of these, which is the cells that it controls. */
static inline int plane_stones(Side side, int words) {
    return (PLANE_STONES + side) * words;
}
static inline int plane_count(Side side, int words) {
    return (PLANE_COUNT + 3 * side) * words;
}
static inline int plane_control(Side side, int words) {
    return (PLANE_CONTROL + 3 * side) * words;
}

/* What a GameState holds for this game. */
typedef struct StigmergyState {
    uint64_t hash;
    int16_t komi;   /* whole points for White */
    uint8_t side;   /* to move */
    uint8_t passes; /* in succession; 2 means that the game is over */
    uint8_t button; /* a GameButton */
    uint8_t unused[3];
    uint64_t plane[PLANES * HEXHEX_WORDS];
} StigmergyState;

/* Action numbers, for boards of `words` words: a stone on cell c is c, a flip of the stone on c is 64*words + c. */
static inline Action stigmergy_pass(int words) {
    return (Action)(128 * words);
}
static inline Action stigmergy_take_button(int words) {
    return (Action)(128 * words + 1);
}

/* With PLAYOUT_TACTICAL: in how many of 256 actions a side flips if it can (engine/search/MEASUREMENTS.md). */
enum { STIGMERGY_FLIP_CHANCE = 96 };

/* The tables of the game's board (core.h), for code that works on the planes of positions. */
typedef struct StigmergyTables StigmergyTables;

/* A kernel: a way to compute GameRules.playouts and GameRules.priors. All kernels give the same results for the same
 * states, seeds and policy. */
typedef void StigmergyPlayouts(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds,
                               int count, PlayoutPolicy policy, PlayoutResult *results);
typedef void StigmergyPriors(const StigmergyTables *tables, const GameState *state, const Action *actions, int count,
                             float *logits);

typedef struct StigmergyKernel {
    const char *name;
    bool (*runs_here)(void);                       /* whether this processor has the instructions that it needs */
    StigmergyPlayouts *playouts[HEXHEX_WORDS + 1]; /* by words of the board, from 1 */
    StigmergyPriors *priors[HEXHEX_WORDS + 1];     /* likewise */
} StigmergyKernel;

#endif
