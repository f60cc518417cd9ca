/* Inside Sgolte: captures that split a group and leave room for their stones (capture=free).
 *
 * The question is one about sets: does some set of stones split the group, and has room (room.h)? For
 *  - of a set that splits, take a minimal subset that does: any order of it is legal, for no proper subset splits;
 *  - a set without room has no superset with room, so the minimal subset has room too.
 * A group that can be split has such a set of three stones at most (the neighbours of its lowest stone are no more), so
 * that where three more stones have room nothing needs to be looked for; in most positions they do.
 *
 * Else one set that splits is found, if there is any. If it has no room, then one of its stones stays uncaptured, and
 * each of them is tried in turn: the search branches on conflicts that matter. By itself it would try choices at one
 * end of a large group for each choice at the other, and take forever.
 *
 * What prevents that is a theorem on positions in which not one stone more than those captured has room, which is where
 * large groups need the search. There each captured cell must be filled again. So each connected part of a set with
 * room touches one own group at most, and lies within that group's *reach*: the cells each of which may be filled
 * touching this own group and no other. The group being connected, a set splits it iff a closed curve runs through the
 * set and through what is outside of the group, the edge of the board being outside as well, with stones left on both
 * sides. Take the graph whose nodes are the connected parts of the outside and some *patches* of the group, with a line
 * where the two touch. The patches are at first the connected parts of all reaches. Where they form a cycle that
 * contains no set that splits, they are united to one patch. If in the end
 *  - no subset of a reach, or of a patch, splits the group, and
 *  - there is no cycle,
 * then no set with room splits it. For consider the curve as a closed walk in this graph. Without cycles it turns back
 * somewhere: from a part of the outside through a patch to the same part, which cuts off a curve within that patch and
 * the outside that has no stones left on one of its sides, so that the rest of the walk is such a curve as well; or
 * from a patch through a part to the same patch, where the two visits and the part between can be taken as one visit.
 * Either makes the walk shorter, until nothing is left of it.
 *
 * The question whether a position has room for a set is answered in bounded time. This search is not; but on positions
 * made to be hard it stays with some hundred sets, where without the theorem there were millions. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_SPLIT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_SPLIT_H

#include "engine/games/sgolte/room.h"

/* By own group: the cells of an enemy group that may be filled touching this group and no other. */
typedef struct SgolteReaches {
    CellSet of[SGOLTE_GROUPS_MAX];
} SgolteReaches;

/* What captures are judged by: the mover's groups after the placement, of which there is one at least. They do not
 * change before stage REPLACE. */
typedef struct SgolteCaptures {
    const SgolteTables *tables;
    SgolteFences fences;
    CellSet empty; /* when this was filled in: captures make it larger */
    int bound;     /* so many stones have room there, at least */
    /* What is found on the way, for the questions that follow in this turn: */
    CellSet way;     /* a set that splits and has room; 0: none known */
    CellSet reached; /* a group whose reaches are known, or its captured part is; 0: none known */
    SgolteReaches reaches;
} SgolteCaptures;

/* What is left of an enemy group after k captures, when there are `empty` cells. */
typedef struct SgolteTarget {
    CellSet group, empty;
    int k;
} SgolteTarget;

/* For a position at stage CAPTURE (c = SGOLTE_NONE), or at stage PLACE with a stone on c. */
void sgolte_captures(const SgolteTables *tables, const SgolteBoard *board, int c, SgolteCaptures *captures);

/* Whether k stones have room on `empty` cells, captured ones included. */
bool sgolte_captures_room(const SgolteCaptures *captures, CellSet empty, int k);

/* capture=free: whether the target can be split, with room for all, by captures that begin with c, which does not split
 * it alone (SGOLTE_NONE: with any). */
bool sgolte_can_split(SgolteCaptures *captures, const SgolteTarget *target, int c);

#endif
