/* Inside Sgolte: which actions can be completed to a turn.
 *
 * A placement that joins groups is legal only if some captures split a group and find room (room.h). The same holds for
 * every capture before the one that splits. With capture=free this is a question about sets of stones (split.h). With
 * capture=line there are few lines, and all of them are tried. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_LEGAL_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_LEGAL_H

#include "engine/games/sgolte/split.h"

/* Stage PLACE: whether a stone may be placed on the empty cell c. */
bool sgolte_may_place(const SgolteTables *tables, const SgolteBoard *board, int c);

/* Stage CAPTURE: whether an enemy stone may be captured. After the first capture it must be in the target. */
bool sgolte_may_capture(SgolteCaptures *captures, const SgolteBoard *board, int c);

/* Stage REPLACE: whether a captured stone may be placed on the empty cell c. */
bool sgolte_may_replace(const SgolteTables *tables, const SgolteBoard *board, int c);

/* All legal cells of the current stage, and whether there are any. */
CellSet sgolte_choices(const SgolteTables *tables, const SgolteBoard *board);
bool sgolte_has_choice(const SgolteTables *tables, const SgolteBoard *board);

#endif
