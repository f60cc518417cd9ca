/* Inside Sgolte: sets of cells, and the groups of both players, updated with each stone.
 *
 * A group is two sets: its stones, and the cells adjacent to them. There are few groups, so the groups that a cell
 * touches are found by asking each in turn. A placement joins groups by set unions. Only a group that captures have
 * split is flooded again. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_GROUPS_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_GROUPS_H

#include "engine/base/bits.h"
#include "engine/games/sgolte/state.h"

__extension__ typedef unsigned __int128 CellSet; /* bit c is cell c */

enum {
    SGOLTE_CELLS = 127,
    SGOLTE_ORDERS = 3,
    SGOLTE_GROUPS_MAX = 64 /* of one player: stones of different groups are not adjacent, so 43 of 127 cells at most */
};

typedef struct SgolteTables {
    int cells, words;
    bool line;          /* capture=line */
    CellSet full, edge; /* edge: the cells with fewer than six neighbours */
    CellSet bit[SGOLTE_CELLS], adjacent[SGOLTE_CELLS];
    int16_t neighbour[SGOLTE_CELLS][HEXHEX_DIRECTIONS]; /* -1 off the board */
    uint8_t around[SGOLTE_CELLS][HEXHEX_DIRECTIONS]; /* neighbours in cyclic order, SGOLTE_NONE where the board ends */
    uint8_t order[SGOLTE_ORDERS][SGOLTE_CELLS];      /* all cells, row by row, in each of three directions */
} SgolteTables;

typedef struct SgolteGroups {
    int count;
    CellSet stones[SGOLTE_GROUPS_MAX], near[SGOLTE_GROUPS_MAX]; /* near: adjacent cells, empty or not */
} SgolteGroups;

typedef struct SgolteBoard {
    SgolteTurn turn;
    CellSet stones[2];
    CellSet target;         /* at stage CAPTURE after the first stone: the stones left of the group ... */
    int target_number;      /* ... and the number of the group. Its `near` is out of date until the group is split */
    SgolteGroups groups[2]; /* by player */
} SgolteBoard;

/* ---- Sets ---- */

static inline int set_count(CellSet set) {
    return bits_count((uint64_t)set) + bits_count((uint64_t)(set >> 64));
}

/* The lowest member of a set, which must not be empty. */
static inline int set_lowest(CellSet set) {
    const uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static inline CellSet set_load(const uint64_t words[SGOLTE_WORDS]) {
    return (CellSet)words[1] << 64 | words[0];
}

static inline void set_store(uint64_t words[SGOLTE_WORDS], CellSet set) {
    words[0] = (uint64_t)set;
    words[1] = (uint64_t)(set >> 64);
}

/* Takes the lowest member out of a set; false if the set is empty. `for (int c; set_take(&rest, &c);)` goes through the
 * members in ascending order. */
static inline bool set_take(CellSet *rest, int *cell) {
    if (!*rest)
        return false;
    *cell = set_lowest(*rest);
    *rest &= *rest - 1;
    return true;
}

static inline bool set_has(CellSet set, int cell) {
    return set >> cell & 1;
}

/* ---- Groups ---- */

/* A game of Sgolte, and its tables. */
typedef struct SgolteGame {
    Game game; /* first: a Game * is a SgolteGame * */
    bool pie;
    SgolteTables tables;
} SgolteGame;

static inline const SgolteTables *sgolte_tables(const Game *game) {
    return &((const SgolteGame *)game)->tables;
}

/* Fills in the tables, which must be all zero before. */
void sgolte_board_init(SgolteTables *tables, const Hexhex *board, bool line);

/* All cells adjacent to a member. */
CellSet sgolte_near(const SgolteTables *tables, CellSet set);

/* The part of `inside` that is connected to `seed`. `seed` must be a part of `inside`. */
CellSet sgolte_flood(const SgolteTables *tables, CellSet inside, CellSet seed);

/* Whether a connected set falls apart without its member c. */
bool sgolte_is_cut(const SgolteTables *tables, CellSet set, int c);

/* All such members, by one depth-first pass (Hopcroft and Tarjan 1973, "Algorithm 447"). */
CellSet sgolte_cuts(const SgolteTables *tables, CellSet set);

/* The direction from a cell to its neighbour. SGOLTE_NONE if the cells are not adjacent. */
int sgolte_direction(const SgolteTables *tables, int from, int to);

/* The number of groups that a cell touches. */
static inline int sgolte_touched(const SgolteGroups *groups, CellSet cell) {
    int count = 0;
    for (int i = 0; i < groups->count; i++)
        count += (groups->near[i] & cell) != 0;
    return count;
}

/* ---- Positions ---- */

void sgolte_load(const SgolteTables *tables, const SgolteState *state, SgolteBoard *board);

static inline CellSet sgolte_empty(const SgolteTables *tables, const SgolteBoard *board) {
    return tables->full & ~(board->stones[BLACK] | board->stones[WHITE]);
}

/* These take the actions. They do not set turn.over: the caller must do that. */
void sgolte_swap_sides(SgolteBoard *board);
void sgolte_place(const SgolteTables *tables, SgolteBoard *board, int c);
void sgolte_capture(const SgolteTables *tables, SgolteBoard *board, int c);
void sgolte_replace(const SgolteTables *tables, SgolteBoard *board, int c);

#endif
