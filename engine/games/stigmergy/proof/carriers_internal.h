/* Carriers for Stigmergy (engine/solver/carriers.h): the theorems behind them, and what a question is.
 *
 * The question is whether Black gets at least a number of cells, or White the rest. While the button is on the table
 * one cell fewer may be enough for Black if he is the one who takes it. Then there are two more phases: the button is
 * on the table, and Black has taken it.
 *
 * Let X be a side and Y the opponent. A set of cells C is a carrier of X on a position P if X wins on every board that
 * is as good for X as P on the cells of C, whatever is on the other cells. By theorem 6 of safe_stones_internal.h it is
 * enough that X wins on one of these boards: the one with stones of Y on all other cells.
 *
 *  8. If X has enough safe cells, these cells are a carrier: with stones of Y everywhere else the board is Y's closure.
 *     Any part of them is a carrier, too, if enough of its cells stay safe when Y gets all others.
 *  9. If X moves on c and C is a carrier of what follows, then C without c, together with the *grounds* for the move,
 *     is a carrier before it. There are two kinds of grounds. One is c and enough lines on which c does not see Y, so
 *     that Y cannot control c. The other is enough lines on which c sees X, so that X controls c whatever stands on it.
 *     A line is all cells up to the first stone, that one included, or up to the edge.
 * 10. If Y moves on c and C is a carrier of what follows, the same carrier refutes each move of Y on a cell outside C,
 *     and a pass: the board that they lead to is no worse for X on C. So Y has to move on a cell of all carriers found
 *     so far (the *must-play* of Hex: Hayward et al., "Solving 7x7 Hex with domination, fill-in, and virtual
 *     connections", 2005). When no such move is left, the union of the carriers is a carrier, together with the grounds
 *     why Y may not move on the cells that are left: lines as above which keep Y from controlling X's stones there, or
 *     which give X control of the empty cells.
 * 11. A proof holds on every position of the same phase with the same side to move, on which X has his stones of the
 *     carrier and Y has none on it.
 * 12. All this is true with the button on the table, as theorems 6 and 7 are. If X takes it, a carrier after that is a
 *     carrier before. If Y may take it, X needs a carrier of what follows that, too. It refutes each of Y's moves
 *     outside it, for X is no worse off if Y does not have the button.
 *
 * This is for boards of one word (sizes 2 to 5) and not after a pass. Tested: the stones of the loser are put on all
 * cells outside a carrier, and alpha-beta has to give the same answer (tests/engine/solver/test_solver.c,
 * tests/engine/games/stigmergy/proof/test_carriers.c). */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CARRIERS_INTERNAL_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CARRIERS_INTERNAL_H

#include "engine/solver/carriers.h"

/* The phases of a position, and of its proofs. */
enum {
    PHASE_CELLS,  /* there is no button, or White has it, or it makes no difference who takes it */
    PHASE_BUTTON, /* the button is on the table, and the question depends on who takes it */
    PHASE_EASED,  /* Black has it, so he needs one cell fewer */
    PHASES
};

extern const SolverCarriers stigmergy_carriers;

#endif
