/* What a position of Stigmergy holds, and what computes playouts and priors on it.
 *
 * The position is kept as bit sets of cells with bit-sliced counters: for each side its stones, and for each cell the
 * number of its stones that the cell sees, in three planes. A counter starts at 0, 1 or 2 on an inner, edge or corner
 * cell, so that "controlled" is "4 or more", the third plane alone, for every kind of cell. */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_STATE_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_STATE_H

#include "engine/game/game.h"

/* Where the planes of a position stand: plane p is words p*board.words .. (p+1)*board.words - 1 of `plane`. */
enum { PLANE_STONES = 0, PLANE_COUNT = 2, PLANE_CONTROL = 4, PLANES = 8 };
/* Stones of side s: PLANE_STONES + s. Bit 0, 1, 2 of the counter of side s: PLANE_COUNT + 3*s + bit. */

typedef enum Button { BUTTON_NONE, BUTTON_ON_TABLE, BUTTON_BLACK, BUTTON_WHITE } Button;

/* What a GameState holds for this game. */
typedef struct StigmergyState {
    uint64_t hash;
    int16_t komi;   /* whole points for White */
    uint8_t side;   /* to move */
    uint8_t passes; /* in succession, 2 when the game is over */
    uint8_t button; /* a Button */
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

/* With PLAYOUT_TACTICAL: in how many of 256 actions a side flips where it can (measured:
 * engine/search/MEASUREMENTS.md). */
enum { STIGMERGY_FLIP_CHANCE = 96 };

/* The tables of the game's board (core.h), for what works on the planes of positions. */
typedef struct StigmergyTables StigmergyTables;
const StigmergyTables *stigmergy_tables(const Game *game);

/* A kernel: a way to compute GameRules.playouts and GameRules.priors. All kernels give the same results for the same
 * states, seeds and policy. */
typedef void StigmergyPlayouts(const StigmergyTables *tables, const GameState *const *states, const uint64_t *seeds,
                               int count, PlayoutPolicy policy, PlayoutResult *results);
typedef void StigmergyPriors(const StigmergyTables *tables, const GameState *state, const Action *actions, int count,
                             float *logits);

typedef struct StigmergyKernel {
    const char *name;
    bool (*runs_here)(void);                       /* whether this processor has the instructions */
    StigmergyPlayouts *playouts[HEXHEX_WORDS + 1]; /* by words of the board; NULL where the kernel has no such size */
    StigmergyPriors *priors[HEXHEX_WORDS + 1];     /* likewise */
} StigmergyKernel;

#endif
