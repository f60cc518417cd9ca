/* Inside Sgolte: the smallest number of cells that must stay empty to keep groups apart. This is a minimum node
 * multiway cut.
 *
 * The method is a Russian doll search (Verfaillie, Lemaitre and Schiex 1996, "Russian Doll Search for Solving
 * Constraint Optimization Problems") over a moving frontier. The search goes through the cells row by row and fills
 * each cell or leaves it empty. Of the cells behind it, only those that are adjacent to a cell still to come matter:
 * which group each of them touches, or which of them are connected. They are at most two rows, however large the cut
 * is. The search remembers what failed at each frontier.
 *
 * It begins with the last cell alone and adds one cell before it at a time. So it always knows exactly how many empty
 * cells the remaining cells need by themselves, and this bounds all later searches. Rows can run in three directions;
 * the search takes the direction with the narrowest frontiers. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_CUT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_CUT_H

#include "engine/games/sgolte/groups.h"

/* The smallest number of `cells` to leave out so that no connected part of the others is next to two groups, or most +
 * 1 if it is larger than `most`. Group i of `count` groups is next to the cells near[i]. No member of `cells` may be
 * next to two groups. If memory runs out, the function only gets slower. */
int sgolte_cut(const SgolteTables *tables, const CellSet near[], int count, CellSet cells, int most);

#endif
