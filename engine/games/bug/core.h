/* Inside Bug: the incremental update of a position, for boards of BUG_WORDS words: 1 (hexhex 2 to 5) or 2 (6 and 7).
 * The file that includes this one defines BUG_WORDS, and so the type of a set of cells.
 *
 * A position is a few sets of cells. Bugs have no records and no numbers. A bug is found when it is needed, by a flood
 * from one of its cells. That is cheap: own bugs never merge, so a stone concerns only one own bug, and most bugs are
 * tiny. What would need a look at all bugs is kept up to date instead:
 *
 *   - For each side, the number of its bugs that each cell touches, as a bit-sliced counter. (It is three at most,
 *     because the bugs around a cell have gaps between them.) A bug that grows adds its new halo to the counter. A bug
 *     that is eaten takes its halo away. A cell may be grown on iff its own counter is 0, or 1 and that bug is not of
 *     the largest size.
 *   - The halos of the largest bugs. The largest size never falls, because a bug of that size is eaten by a bug of the
 *     same size, which then grows larger. So this set only gets additions, or starts again when a larger bug appears.
 *   - A shape code on each cell of a bug, bit-sliced. It is a sum over the pairs of cells, with a weight for the
 *     distance of the pair, modulo 64. It is the same in every place, rotation and reflection, and a new cell only adds
 *     its own pairs. A few word operations then find the adjacent enemy bugs that can have the shape of a bug. Up to
 *     BUG_CODE_EXACT cells, size and code determine the free polyhex (a test checks all of them). Larger candidates are
 *     rare, and bug_congruent compares them.
 *   - The bugs that have rivals: adjacent enemy bugs of the same shape. After most turns there are none. */
#ifndef STIGMERGY_ENGINE_GAMES_BUG_CORE_H
#define STIGMERGY_ENGINE_GAMES_BUG_CORE_H

#include "engine/base/bits.h"
#include "engine/games/bug/bug.h"
#include "engine/games/bug/shape.h"

#define INLINE static inline __attribute__((always_inline))

enum { BUG_CODE_EXACT = 4 };

/* The shape code: a weight for each cell, and for each pair of cells at distance 1, sqrt(3) and 2. All shapes of up to
 * 5 cells that differ in one of these four numbers differ in the code. */
enum { BUG_CODE_CELL = 40, BUG_CODE_NEAR = 42, BUG_CODE_DIAGONAL = 38, BUG_CODE_FAR = 7 };

/* ---- Sets of cells ---- */

#if BUG_WORDS == 1
typedef uint64_t BugCells;
#else
__extension__ typedef unsigned __int128 BugCells;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first word of a set holds its lower cells");
#endif

INLINE BugCells bug_cell(int c) {
    return (BugCells)1 << c;
}

INLINE BugCells bug_cells(const uint64_t *words) {
    BugCells set;
    memcpy(&set, words, sizeof set);
    return set;
}

INLINE BugCells bug_around(const uint64_t *table, int c) {
    return bug_cells(table + BUG_WORDS * c);
}

INLINE uint64_t bug_upper_word(BugCells set) {
    return BUG_WORDS == 1 ? 0 : (uint64_t)(set >> (64 * (BUG_WORDS - 1)));
}

INLINE uint32_t bug_count(BugCells set) {
    return (uint32_t)(bits_count((uint64_t)set) + (BUG_WORDS == 1 ? 0 : bits_count(bug_upper_word(set))));
}

INLINE int bug_lowest(BugCells set) {
    const uint64_t low = (uint64_t)set;
    return BUG_WORDS == 1 || low ? __builtin_ctzll(low) : 64 + __builtin_ctzll(bug_upper_word(set));
}

/* The n-th lowest member, counted from 0. */
INLINE int bug_select(BugCells set, uint32_t n) {
    const uint32_t low = (uint32_t)bits_count((uint64_t)set);
    const bool beyond = BUG_WORDS > 1 && n >= low;
    return (beyond ? 64 : 0) + bits_select(beyond ? bug_upper_word(set) : (uint64_t)set, beyond ? n - low : n);
}

/* ---- Positions ---- */

typedef struct BugPosition {
    BugCells stones[2], once[2], twice[2], largest[2], rivals[2], shape[BUG_CODE_BITS], moves; /* see bug.h */
    uint32_t largest_size;
    Side side;  /* to move */
    bool bonus; /* the next stone is a BONUS stone */
} BugPosition;

enum { BUG_SETS_BYTES = BUG_SETS * BUG_WORDS * sizeof(uint64_t) };
_Static_assert(offsetof(BugPosition, stones) == 0 && offsetof(BugPosition, largest_size) == BUG_SETS_BYTES,
               "the sets are one block, as in a state");

INLINE void bug_load(BugPosition *position, const BugState *state) {
    memcpy(position, state->set, BUG_SETS_BYTES);
    position->largest_size = state->largest;
    position->side = state->side;
    position->bonus = state->bonus;
}

/* Writes a position to a state, all but the hash. */
INLINE void bug_store(const BugPosition *position, BugState *state) {
    memcpy(state->set, position, BUG_SETS_BYTES);
    state->largest = (uint8_t)position->largest_size;
    state->side = (uint8_t)position->side;
    state->bonus = position->bonus;
    state->over = position->moves == 0;
}

/* ---- Finding bugs ---- */

typedef struct Bug {
    BugCells cells, halo; /* halo: all cells that are adjacent to a cell of the bug, and so all of its own cells if it
                             has more than one */
    uint32_t code;        /* of its shape, in the lowest BUG_CODE_BITS bits */
} Bug;

/* The bug of the stone on c, without its code. `own` holds the stones of its colour. */
INLINE Bug bug_flood(const BugTables *tables, BugCells own, int c) {
    Bug bug = {.cells = bug_cell(c), .halo = bug_around(tables->near, c)};
    for (BugCells todo; (todo = bug.halo & own & ~bug.cells) != 0;) {
        const int next = bug_lowest(todo);
        bug.cells |= bug_cell(next);
        bug.halo |= bug_around(tables->near, next);
    }
    return bug;
}

INLINE Bug bug_find(const BugTables *tables, const BugPosition *position, Side side, int c) {
    Bug bug = bug_flood(tables, position->stones[side], c);
    for (int i = 0; i < BUG_CODE_BITS; i++)
        bug.code |= (uint32_t)(position->shape[i] >> c & 1) << i;
    return bug;
}

/* The full board if bit i of the code is set, otherwise the empty set. */
INLINE BugCells bug_code_bit(const Bug *bug, int i) {
    return -(BugCells)(bug->code >> i & 1);
}

static inline bool bug_same_shape(const BugTables *tables, BugCells a, BugCells b) {
    const uint32_t size = bug_count(a);
    uint64_t words[2][BUG_WORDS];
    if (size != bug_count(b) || size <= BUG_CODE_EXACT)
        return size == bug_count(b);
    memcpy(words[0], &a, sizeof a);
    memcpy(words[1], &b, sizeof b);
    return bug_congruent(&tables->board, words[0], words[1]);
}

/* The enemy bugs adjacent to a bug of `side` that have the same shape. */
INLINE BugCells bug_prey(const BugTables *tables, const BugPosition *position, const Bug *bug, Side side) {
    const BugCells enemy = position->stones[side_opponent(side)];
    BugCells candidates = bug->halo & enemy, prey = 0;
    for (int i = 0; i < BUG_CODE_BITS; i++)
        candidates &= ~(position->shape[i] ^ bug_code_bit(bug, i));
    while (candidates) {
        const BugCells other = bug_flood(tables, enemy, bug_lowest(candidates)).cells;
        candidates &= ~other;
        if (bug_same_shape(tables, bug->cells, other))
            prey |= other;
    }
    return prey;
}

/* ---- Stones ---- */

/* Removes whole bugs. */
INLINE void bug_remove(const BugTables *tables, BugPosition *position, BugCells bugs, Side owner) {
    for (BugCells rest = bugs; rest;) {
        const Bug bug = bug_flood(tables, position->stones[owner], bug_lowest(rest));
        rest &= ~bug.cells;
        position->twice[owner] ^= bug.halo & ~position->once[owner];
        position->once[owner] ^= bug.halo;
    }
    position->stones[owner] &= ~bugs;
    for (int i = 0; i < BUG_CODE_BITS; i++)
        position->shape[i] &= ~bugs;
}

/* Adds the cell c to a bug. A bug without cells becomes a new bug. */
INLINE void bug_grow(const BugTables *tables, BugPosition *position, Bug *bug, int c, Side side) {
    const BugCells near = bug_around(tables->near, c), fresh = near & ~bug->halo;
    bug->code += BUG_CODE_CELL + BUG_CODE_NEAR * bug_count(near & bug->cells) +
                 BUG_CODE_DIAGONAL * bug_count(bug_around(tables->diagonal, c) & bug->cells) +
                 BUG_CODE_FAR * bug_count(bug_around(tables->far, c) & bug->cells);
    bug->cells |= bug_cell(c);
    bug->halo |= near;
    position->stones[side] |= bug_cell(c);
    position->twice[side] ^= position->once[side] & fresh;
    position->once[side] ^= fresh;
    for (int i = 0; i < BUG_CODE_BITS; i++)
        position->shape[i] ^= (position->shape[i] ^ bug_code_bit(bug, i)) & bug->cells;
    const uint32_t size = bug_count(bug->cells);
    if (size > position->largest_size) {
        position->largest_size = size;
        position->largest[0] = position->largest[1] = 0;
    }
    if (size == position->largest_size)
        position->largest[side] |= bug->halo;
}

/* ---- Next stones ---- */

/* Adds a bug of the side to move, and its prey, to the sets of rivals. Adds to `moves` the cells that it can grow onto
 * by eating. */
INLINE void bug_note_rivals(const BugTables *tables, BugPosition *position, const Bug *bug) {
    const Side side = position->side;
    const BugCells prey = bug_prey(tables, position, bug, side);
    if (!prey)
        return;
    const BugCells empty = bug_cells(tables->full) & ~(position->stones[0] | position->stones[1]);
    position->rivals[side] |= bug->cells;
    position->rivals[side_opponent(side)] |= prey;
    position->moves |= bug->halo & (empty | prey) & ~position->twice[side];
}

/* Finds the rivals and the BONUS cells. `bug` and the bugs in `others`, all of the side to move, must be the only ones
 * that can have rivals. */
INLINE void bug_renew_rivals(const BugTables *tables, BugPosition *position, const Bug *bug, BugCells others) {
    position->rivals[0] = position->rivals[1] = position->moves = 0;
    bug_note_rivals(tables, position, bug);
    others &= ~bug->cells;
    while (others) {
        const Bug other = bug_find(tables, position, position->side, bug_lowest(others));
        others &= ~other.cells;
        bug_note_rivals(tables, position, &other);
    }
}

/* The cells where a side may GROW at its turn. */
INLINE BugCells bug_grow_cells(const BugTables *tables, const BugPosition *position, Side side) {
    const BugCells closed = position->twice[side] | (position->once[side] & position->largest[side]);
    return bug_cells(tables->full) & ~(position->stones[0] | position->stones[1] | closed);
}

/* The second player's swap, when there is only one stone. The stone becomes the second player's, and the other player
 * is to move. The cells for the next stone stay the same. */
INLINE void bug_change_hands(BugPosition *position) {
    BugCells *const pairs[] = {position->stones, position->once, position->twice, position->largest, position->rivals};
    for (int i = 0; i < 5; i++) {
        const BugCells black = pairs[i][BLACK];
        pairs[i][BLACK] = pairs[i][WHITE];
        pairs[i][WHITE] = black;
    }
    position->side = BLACK;
}

/* Puts the next stone on c, one of position->moves. Then finds out who places the stone after it, and where. Only the
 * bug that grew can have new rivals, because enemy bugs can only vanish. */
INLINE void bug_step(const BugTables *tables, BugPosition *position, int c) {
    const Side side = position->side;
    const BugCells touched = bug_around(tables->near, c) & position->stones[side];
    Bug bug = {0};
    if (touched)
        bug = bug_find(tables, position, side, bug_lowest(touched));
    if (position->bonus)
        bug_remove(tables, position, bug_prey(tables, position, &bug, side), side_opponent(side));
    bug_grow(tables, position, &bug, c, side);
    bug_renew_rivals(tables, position, &bug, position->rivals[side]);
    position->bonus = position->moves != 0;
    if (position->bonus)
        return;
    position->side = side_opponent(side);
    position->moves = bug_grow_cells(tables, position, position->side);
}

#endif
