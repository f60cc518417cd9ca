/* Inside Sgolte: the room test. Can k stones be placed on empty cells, one at a time, without joining own groups?
 *
 * A cell that touches two groups is of no use. Of the others, a set may be filled iff no connected part of it touches
 * two groups, so the question is how few cells must stay empty for that. Most positions answer at once, by the cells
 * that touch no group, or whose neighbours touch the same one. Of the rest each connected part is looked at by itself:
 * one that touches two groups needs an empty cell, and no more are needed than those that touch a group, but for one
 * group's. Where that leaves it open, the part's multiway cut is found (cut.h). */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_ROOM_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_ROOM_H

#include "engine/games/sgolte/groups.h"

/* The own groups as the test sees them: the cells next to each. */
typedef struct SgolteFences {
    int count;
    CellSet near[SGOLTE_GROUPS_MAX];
    CellSet once, twice; /* the cells next to a group, and to two or more */
} SgolteFences;

/* The groups after a stone on c; c = SGOLTE_NONE: as they are. */
void sgolte_fences(const SgolteTables *tables, const SgolteGroups *groups, int c, SgolteFences *fences);

/* At least so many stones have room, found without search. */
int sgolte_room_bound(const SgolteFences *fences, CellSet empty);

/* Whether k stones have room. Where k do not, k + 1 do not have it on one empty cell more. */
bool sgolte_room(const SgolteTables *tables, const SgolteFences *fences, CellSet empty, int k);

#endif
