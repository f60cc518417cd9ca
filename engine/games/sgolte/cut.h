/* Inside Sgolte: the fewest cells that must stay empty to keep groups apart, a minimum node multiway cut.
 *
 * The method is a Russian doll search (Verfaillie, Lemaitre and Schiex 1996, "Russian Doll Search for Solving
 * Constraint Optimization Problems") over a moving frontier. The cells are taken row by row, each is filled or left
 * empty, and what matters of the past is only which group each filled cell touches, or which ones go together, where a
 * cell to come is adjacent: at most two rows' worth, however large the cut is. What has failed at a frontier is
 * remembered. The search begins with the last cell alone, then takes one more before it at a time; what the cells from
 * some cell on need by themselves is so known exactly, and bounds all later searches. Of the three directions that rows
 * can have, the one with the narrowest frontiers is taken. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_CUT_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_CUT_H

#include "engine/games/sgolte/groups.h"

/* The least number of `cells` without which no connected part of the others is next to two groups; most + 1 where it is
 * larger than `most`. Group i of `count` is next to the cells near[i]; no member of `cells` is next to two. Memory that
 * runs out costs time only. */
int sgolte_cut(const SgolteTables *tables, const CellSet near[], int count, CellSet cells, int most);

#endif
