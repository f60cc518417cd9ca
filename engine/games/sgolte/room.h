/* Inside Sgolte: the room test. Can k stones be placed on empty cells, one at a time, without joining own groups?
 *
 * A cell that touches two groups can never be filled. A set of the other cells may be filled iff no connected part of
 * it touches two groups. So the question is how few cells must stay empty for that. In most positions the answer
 * follows at once from the cells that touch no group, or whose neighbours touch the same group. The remaining cells are
 * examined one connected part at a time. A part that touches two groups needs at least one empty cell. It is always
 * enough to leave empty all cells that touch a group, except those that touch one chosen group. If these bounds do not
 * decide the question, the multiway cut of the part is computed (cut.h). */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_ROOM_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_ROOM_H

#include "engine/games/sgolte/groups.h"

/* The own groups in the form that the test needs: the cells next to each group. */
typedef struct SgolteFences {
    int count;
    CellSet near[SGOLTE_GROUPS_MAX];
    CellSet once, twice; /* the cells next to at least one group, and to at least two */
} SgolteFences;

/* The groups after a stone is placed on c. If c is SGOLTE_NONE, the groups as they are. */
void sgolte_fences(const SgolteTables *tables, const SgolteGroups *groups, int c, SgolteFences *fences);

/* A number of stones that certainly have room, found without search. There may be room for more. */
int sgolte_room_bound(const SgolteFences *fences, CellSet empty);

/* Whether k stones have room. If they do not, then k + 1 stones do not have room with one more empty cell either. */
bool sgolte_room(const SgolteTables *tables, const SgolteFences *fences, CellSet empty, int k);

#endif
