/* Inside Sgolte: which actions can be completed to a turn.
 *
 * A placement that joins groups, and every capture up to the one that splits, are legal only if some way leads on to
 * captures that split a group and find room (room.h). With capture=free that is a question about sets of stones
 * (split.h); with capture=line there are few lines, and all are tried. */
#ifndef STIGMERGY_ENGINE_GAMES_SGOLTE_LEGAL_H
#define STIGMERGY_ENGINE_GAMES_SGOLTE_LEGAL_H

#include "engine/games/sgolte/split.h"

/* Stage PLACE: whether a stone may be placed on the empty cell c. */
bool sgolte_may_place(const SgolteTables *tables, const SgolteBoard *board, int c);

/* Stage CAPTURE: whether an enemy stone may be captured, in the target once there is one. */
bool sgolte_may_capture(SgolteCaptures *captures, const SgolteBoard *board, int c);

/* Stage REPLACE: whether a stone may be placed again on the empty cell c. */
bool sgolte_may_replace(const SgolteTables *tables, const SgolteBoard *board, int c);

/* All legal cells of the stage, and whether there are any. */
CellSet sgolte_choices(const SgolteTables *tables, const SgolteBoard *board);
bool sgolte_has_choice(const SgolteTables *tables, const SgolteBoard *board);

#endif
