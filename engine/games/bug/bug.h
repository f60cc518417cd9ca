/* Bug (Nick Bentley, 2017): the rules, behind the game interface, for hexhex 2 to 7.
 *
 * A bug is a maximal connected set of stones of one colour. A turn is one GROW stone and then zero or more BONUS
 * stones.
 *
 * GROW: place a stone on an empty cell that touches no own bug, or exactly one that is smaller than the largest bug of
 * either colour.
 *
 * BONUS: an own bug can eat if two things are true. Enemy bugs adjacent to it have its shape (as free polyhexes), and
 * there is a cell that it can grow onto: a cell that is adjacent to it, is empty or in one of those enemy bugs, and
 * touches no other own bug. While an own bug can eat, the mover must choose one. All enemy bugs of its shape around it
 * are removed, and it grows by a BONUS stone, without a limit of size. When no own bug can eat, the turn is over.
 *
 * A player who has no GROW cell at the start of a turn wins.
 *
 * Each stone is an action. A GROW stone on cell c is action c, and a BONUS stone is 64*words + c. The cell of a BONUS
 * stone shows which bug eats, so the list of the cells is the turn: `c5,d3`.
 *
 * With the pie rule (an option, off by default) the second player may answer Black's first stone with `swap`. The stone
 * then belongs to the second player, and the first player continues with White's stones. BLACK is always the player who
 * began; after a swap this player's stones are white (GameRules.colour).
 *
 * The state holds the sets that core.h keeps up to date, among them the cells where the next stone may go. It is the
 * same whatever moves led to the position. */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_BUG_H
#define STIGMERGY_ENGINE_GAMES_BUG_BUG_H

#include "engine/game/game.h"

enum { BUG_MAX_SIZE = 7, BUG_CELLS_MAX = 127, BUG_WORDS_MAX = 2, BUG_CODE_BITS = 6 };

/* The sets of a position: set s is words s*board.words .. (s+1)*board.words - 1 of `set`. */
enum {
    BUG_STONES = 0,                        /* + side */
    BUG_ONCE = 2,                          /* + side: bit 0 of the number of bugs of the side that a cell touches */
    BUG_TWICE = 4,                         /* + side: bit 1 of it */
    BUG_LARGEST = 6,                       /* + side: the cells that touch one of the largest bugs */
    BUG_RIVALS = 8,                        /* + side: the bugs that have adjacent enemy bugs of the same shape */
    BUG_SHAPE = 10,                        /* + bit: the shape code of the bug on a cell */
    BUG_MOVES = BUG_SHAPE + BUG_CODE_BITS, /* the cells where the next stone may go */
    BUG_SETS
};

/* What a GameState holds for this game. */
typedef struct BugState {
    uint64_t hash;
    uint8_t largest; /* size of the largest bug */
    uint8_t side;    /* to move */
    uint8_t bonus;   /* the next stone is a BONUS stone */
    uint8_t over;
    uint8_t pie; /* the second player has not moved yet, and may answer with a swap */
    uint8_t swapped;
    uint8_t unused[2];
    uint64_t set[BUG_SETS * BUG_WORDS_MAX];
} BugState;

/* The second player's swap. */
static inline Action bug_swap(int words) {
    return (Action)(128 * words);
}

/* Whether the next action may be a swap. */
static inline bool bug_may_swap(const BugState *state) {
    return state->pie && state->side == WHITE;
}

/* Word i of the cells where a side may not GROW. */
static inline uint64_t bug_closed_word(const BugState *state, Side side, int i, int words) {
    const uint64_t *word = state->set + i;
    return word[BUG_STONES * words] | word[(BUG_STONES + 1) * words] | word[(BUG_TWICE + side) * words] |
           (word[(BUG_ONCE + side) * words] & word[(BUG_LARGEST + side) * words]);
}

/* Makes the game. Called by game_new. */
Game *bug_new(const GameOptions *options, Error *error);

/* GameRules.solver (model.c). */
extern const struct SolverModel bug_solver_model;

/* A position set up by hand: the stones (0 empty, 1 Black, 2 White for each cell), the side to move, and whether its
 * next stone is a BONUS stone. If it is, one of its bugs must be able to eat. For tests and puzzles. */
void bug_set_up(const Game *game, GameState *state, const uint8_t stones[HEXHEX_MAX_CELLS], Side side, bool bonus);

/* The cells around each cell by distance. Each set has `words` words, as in a state. */
typedef struct BugTables {
    Hexhex board;
    uint64_t full[BUG_WORDS_MAX];
    uint64_t near[BUG_CELLS_MAX * BUG_WORDS_MAX];     /* the cells at distance 1, */
    uint64_t diagonal[BUG_CELLS_MAX * BUG_WORDS_MAX]; /* those at distance sqrt(3), */
    uint64_t far[BUG_CELLS_MAX * BUG_WORDS_MAX];      /* and those at distance 2 */
} BugTables;

/* A kernel: the position updates and playouts, compiled for one kind of processor and one number of words. All kernels
 * give the same results. */
typedef struct BugKernel {
    const char *name;
    bool (*runs_here)(void); /* whether this processor has the instructions that it needs */
    void (*set_up)(const BugTables *tables, BugState *state, const uint64_t *const stones[2], Side side, bool bonus);
    void (*step)(const BugTables *tables, BugState *state, int cell);
    void (*swap)(BugState *state);
    float (*static_eval)(const BugTables *tables, const BugState *state); /* GameRules.static_eval */
    /* GameRules.places of one side; the arrays are all 0 before. */
    void (*places)(const BugTables *tables, const BugState *state, Side side, uint8_t *closed, uint8_t *captures);
    void (*playouts)(const BugTables *tables, const GameState *const *states, const uint64_t *seeds, int count,
                     PlayoutPolicy policy, PlayoutResult *results);
} BugKernel;

/* The kernels of this build for boards of `words` words, the plainest first. The list ends with NULL. */
extern const BugKernel *const bug_kernels[BUG_WORDS_MAX + 1][4];

#endif
