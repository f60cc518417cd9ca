/* Inside Sgolte: which actions can be completed to a turn.
 *
 * A placement that joins groups, and every capture up to the one that splits, are legal only if some way leads on to
 * captures that split a group and find room (sgolte_room.h). With capture=free that is a question about sets: does some
 * set of stones split the group, and has room? For
 *  - of a set that splits, take a minimal subset that does: any order of it is legal, for no proper subset splits;
 *  - a set without room has no superset with room, so the minimal subset has room too.
 * A group that can be split has such a set of three stones at most (the neighbours of its lowest stone are no more), so
 * that where three more stones have room nothing needs to be looked for; in most positions they do. Else one set that
 * splits is found, if there is any, among the stones each of which has room alone. If it has no room, then one of its
 * stones stays uncaptured, and each of them is tried in turn: the search branches on conflicts that matter only.
 *
 * With capture=line there are few lines, and all are tried. */
#ifndef STIGMERGY_SGOLTE_LEGAL_H
#define STIGMERGY_SGOLTE_LEGAL_H

#include "sgolte_room.h"

/* What captures are judged by: the mover's groups after the placement. They do not change before stage REPLACE. */
typedef struct SgolteCaptures {
    const SgolteTables *tables;
    SgolteFences fences;
    CellSet empty; /* when this was filled in: captures make it larger */
    int bound;     /* so many stones have room there, at least */
} SgolteCaptures;

/* For a position at stage CAPTURE (c = SGOLTE_NONE), or at stage PLACE with a stone on c. */
void sgolte_captures(const SgolteTables *tables, const SgolteBoard *board, int c, SgolteCaptures *captures);

/* Stage PLACE: whether a stone may be placed on the empty cell c. */
bool sgolte_may_place(const SgolteTables *tables, const SgolteBoard *board, int c);

/* Stage CAPTURE: whether an enemy stone may be captured, in the target once there is one. */
bool sgolte_may_capture(const SgolteCaptures *captures, const SgolteBoard *board, int c);

/* Stage REPLACE: whether a stone may be placed again on the empty cell c. */
bool sgolte_may_replace(const SgolteTables *tables, const SgolteBoard *board, int c);

/* All legal cells of the stage, and whether there are any. */
CellSet sgolte_choices(const SgolteTables *tables, const SgolteBoard *board);
bool sgolte_has_choice(const SgolteTables *tables, const SgolteBoard *board);

#endif
