/* Inside Sgolte: captures that split a group and leave room for their stones (capture=free).
 *
 * The question is about sets: does some set of stones split the group and have room (room.h)? This is enough because
 *  - of a set that splits the group, a minimal subset that does so may be captured in any order, as none of its proper
 *    subsets splits the group;
 *  - if a set has no room, no superset of it has room, so this minimal subset has room too.
 * A group that can be split has such a set of at most three stones: the neighbours of its lowest stone. So if three
 * more stones have room, there is nothing to search. This is the case in most positions.
 *
 * Otherwise the search finds one set that splits the group, if there is any. If this set has no room, one of its stones
 * must stay uncaptured, and each of them is tried in turn. So the search branches only on conflicts that matter. On its
 * own it would combine all choices at one end of a large group with all choices at the other end, and would not finish.
 *
 * A theorem prevents that. It is about positions in which the captured stones have room but not one stone more, and
 * these are the positions in which large groups need the search. There each captured cell must be filled again. So each
 * connected part of a set with room touches at most one own group, and lies within the *reach* of that group: the cells
 * that may each be filled while touching this own group and no other.
 *
 * The group is connected. So a set splits it iff a closed curve runs through the set and through the outside of the
 * group, with stones of the group left on both sides. (The edge of the board counts as outside.) Take a graph with two
 * sorts of nodes: the connected parts of the outside, and some *patches* of the group. It has a line between a part and
 * a patch that touch. At first the patches are the connected parts of all reaches. When patches form a cycle that
 * contains no set that splits the group, they are united to one patch. If in the end
 *  - no subset of a reach or of a patch splits the group, and
 *  - there is no cycle,
 * then no set with room splits it.
 *
 * Proof: consider the curve as a closed walk in this graph. Without cycles it must turn back somewhere. There are two
 * cases. It may go from a part of the outside through a patch and back to the same part. This cuts off a curve within
 * that patch and the outside. One side of that curve has no stones left, so the rest of the walk is a curve of the same
 * sort. Or it may go from a patch through a part and back to the same patch. Then the two visits and the part between
 * them count as one visit. Both cases make the walk shorter, until nothing is left of it.
 *
 * The room test takes bounded time. This search does not. MEASUREMENTS.md in this folder says how many sets it looks
 * at. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_SPLIT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_SPLIT_H

#include "engine/games/sgolte/room.h"

/* For each own group: the cells of an enemy group that may be filled while touching this own group and no other. */
typedef struct SgolteReaches {
    CellSet of[SGOLTE_GROUPS_MAX];
} SgolteReaches;

/* What decides about captures: the mover's groups after the placement, at least one. They do not change before stage
 * REPLACE. */
typedef struct SgolteCaptures {
    const SgolteTables *tables;
    SgolteFences fences;
    CellSet empty; /* empty cells when this was filled in; captures add more */
    int bound;     /* a number of stones that certainly have room there */
    /* Results that help with later questions about the same turn: */
    CellSet way;     /* a set that splits and has room; 0: none known */
    CellSet reached; /* the group whose reaches are known, with its captured stones; 0: none known */
    SgolteReaches reaches;
} SgolteCaptures;

/* The rest of an enemy group after k captures. `empty` holds the empty cells at that point. */
typedef struct SgolteTarget {
    CellSet group, empty;
    int k;
} SgolteTarget;

/* Prepares `captures` for a position at stage CAPTURE (c is SGOLTE_NONE), or at stage PLACE with a stone placed on
 * c. */
void sgolte_captures(const SgolteTables *tables, const SgolteBoard *board, int c, SgolteCaptures *captures);

/* Whether k stones have room on the `empty` cells, which include the captured ones. */
bool sgolte_captures_room(const SgolteCaptures *captures, CellSet empty, int k);

/* capture=free: whether the target can be split, with room for all captured stones, by captures that begin with c (or
 * with any stone if c is SGOLTE_NONE). Stone c must not split the target alone. */
bool sgolte_can_split(SgolteCaptures *captures, const SgolteTarget *target, int c);

#endif
