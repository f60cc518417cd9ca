/* Inside Sgolte: sets of cells, and the groups of both players, kept from stone to stone.
 *
 * A group is two sets: its stones, and the cells adjacent to them. The groups that a cell touches are then found by
 * asking each in turn (there are few), a placement joins them by set unions, and only a group that captures have split
 * is flooded anew. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_GROUPS_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_GROUPS_H

#include "engine/base/bits.h"
#include "engine/games/sgolte/state.h"

__extension__ typedef unsigned __int128 CellSet; /* bit c is cell c */

enum {
    SGOLTE_CELLS = 127,
    SGOLTE_ORDERS = 3,
    SGOLTE_GROUPS_MAX = 64 /* of one player: no two stones of different groups are adjacent, 43 of 127 cells at most */
};

typedef struct SgolteTables {
    int cells, words;
    bool line;          /* capture=line */
    CellSet full, edge; /* edge: the cells with fewer than six neighbours */
    CellSet bit[SGOLTE_CELLS], adjacent[SGOLTE_CELLS];
    int16_t neighbour[SGOLTE_CELLS][HEXHEX_DIRECTIONS]; /* -1 off the board */
    uint8_t around[SGOLTE_CELLS][HEXHEX_DIRECTIONS];    /* neighbours in cyclic order, SGOLTE_NONE off the board */
    uint8_t order[SGOLTE_ORDERS][SGOLTE_CELLS];         /* all cells, row by row in each of three directions */
} SgolteTables;

typedef struct SgolteGroups {
    int count;
    CellSet stones[SGOLTE_GROUPS_MAX], near[SGOLTE_GROUPS_MAX]; /* near: adjacent cells, whatever stands there */
} SgolteGroups;

typedef struct SgolteBoard {
    SgolteTurn turn;
    CellSet stones[2];
    CellSet target;         /* at stage CAPTURE after the first stone: what is left of the group ... */
    int target_number;      /* ... and its number; its `near` is stale until it is split */
    SgolteGroups groups[2]; /* by player */
} SgolteBoard;

/* ---- Sets ---- */

static inline int set_count(CellSet set) {
    return (int)(bits_count((uint64_t)set) + bits_count((uint64_t)(set >> 64)));
}

/* The lowest member of a set that has one. */
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

/* for (int c; set_take(&rest, &c);) goes through the members in ascending order. */
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

/* The tables of a game of Sgolte. */
const SgolteTables *sgolte_tables(const Game *game);

/* Fills in the tables, which are all zero before. */
void sgolte_board_init(SgolteTables *tables, const Hexhex *board, bool line);

/* All cells adjacent to a member. */
CellSet sgolte_near(const SgolteTables *tables, CellSet set);

/* The part of `inside` that is connected to `seed`, which is part of it. */
CellSet sgolte_flood(const SgolteTables *tables, CellSet inside, CellSet seed);

/* Whether the connected set falls apart without its member c. */
bool sgolte_is_cut(const SgolteTables *tables, CellSet set, int c);

/* All such members, by one depth-first pass (Hopcroft and Tarjan 1973, "Algorithm 447"). */
CellSet sgolte_cuts(const SgolteTables *tables, CellSet set);

/* The direction from a cell to a neighbour; SGOLTE_NONE to any other cell. */
int sgolte_direction(const SgolteTables *tables, int from, int to);

/* How many of the groups a cell touches. */
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

/* Whether the second player may answer the first stone with a swap now. */
static inline bool sgolte_may_swap(const SgolteBoard *board) {
    return board->turn.pie && board->turn.side == WHITE;
}

/* The actions; turn.over is the caller's. */
void sgolte_swap_sides(SgolteBoard *board);
void sgolte_place(const SgolteTables *tables, SgolteBoard *board, int c);
void sgolte_capture(const SgolteTables *tables, SgolteBoard *board, int c);
void sgolte_replace(const SgolteTables *tables, SgolteBoard *board, int c);

#endif
