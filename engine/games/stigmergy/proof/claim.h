/* Claims: on which cells a proof rests, so that one proof answers for many moves and many positions.
 *
 * The question is always one: does Black get so much, or White the rest? Mostly that is a number of cells. But with the
 * button on the table one cell less may be enough for Black if it is he who takes it; then there are two phases more,
 * with the button on the table and after Black has taken it.
 *
 * A *claim* of a side X on a position P is a set C of cells such that X gets what he needs, with the same side to move,
 * on every board that is as good for X as P on the cells of C, whatever stands on the others. By theorem 6 of
 * safe_stones.h it is enough that he does with enemy stones on all the others. With the enemy called Y:
 *
 *  8. Where X has enough safe cells, these cells are a claim: with Y's stones everywhere else the board is Y's closure.
 *     So is every part of them that stays safe when Y gets the rest of them.
 *  9. Where X moves on c and has the claim C on what follows, C without c, with the *grounds* for the move, is a claim
 *     before it. Grounds are c and lines on which Y is not seen from c, so many that Y cannot control c; or lines on
 *     which X is seen from c, so many that X controls c whatever stands there. A line is all cells up to the first
 *     stone, or to the edge.
 * 10. Where Y moves, a claim C on what follows his move on c refutes each of his moves that is not on C, and passing,
 *     as well: the board that it leads to is no worse for X on C. So Y has to play on all claims found so far (the
 *     *must-play* of Hex: Hayward et al., "Solving 7x7 Hex with domination, fill-in, and virtual connections", 2005).
 *     When none of his moves is left, the union of the claims is a claim, with grounds for why Y may not play on the
 *     cells left over: lines as above that keep Y from controlling X's stones there, or give X control of empty cells.
 * 11. A claim holds on every position of the same phase with the same side to move on which X has his stones of it and
 *     Y none on it.
 * 12. With the button on the table all this stands, for so do theorems 6 and 7. Where X takes it, a claim after that is
 *     one before. Where Y may take it, X needs a claim on what follows that as well, and it refutes each of Y's moves
 *     that is not on it: where Y has no button X is no worse off.
 *
 * All sets have the bit of a cell at its number.
 *
 * For boards of one word (sizes 2 to 5), not after a pass. Tested: what a search claims
 * is searched by alpha-beta with enemy stones everywhere else (tests/engine/solver/test_solver.c,
 * tests/engine/games/stigmergy/proof/test_claims.c). */
#ifndef STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_H
#define STIGMERGY_ENGINE_GAMES_STIGMERGY_PROOF_CLAIM_H

#include "engine/games/stigmergy/proof/safe_stones.h"

enum { NOBODY = -1 }; /* beside BLACK and WHITE */

typedef enum ClaimPhase {
    PHASE_CELLS,  /* there is no button, or White has it, or nothing hangs on who takes it */
    PHASE_BUTTON, /* it lies on the table */
    PHASE_EASED,  /* Black has it */
    PHASES
} ClaimPhase;

/* The question: Black gets at least `cells` cells, or one less and the button. In each phase a side has won for certain
 * with `need` cells, whoever takes the button. */
typedef struct ClaimQuestion {
    const Hexhex *board;
    const StigmergyTables *tables;
    int cells;
    int need[PHASES][2];
} ClaimQuestion;

typedef struct ClaimPosition {
    uint64_t plane[PLANES];
    uint64_t reach[2]; /* safe_reach of either side */
    Side side;         /* to move */
    ClaimPhase phase;
} ClaimPosition;

/* The question whether a position's value is at least `threshold` half points (engine/solver/solver.h), and the
 * position as far as claims go. */
ClaimQuestion claim_open(const Game *game, const GameState *state, int threshold, ClaimPosition *position);

/* Whether there is anything to ask: both sides need a cell at least, whoever takes the button. */
bool claim_is_open(const ClaimQuestion *question, const ClaimPosition *position);

/* How many cells a side needs on a position. */
static inline int claim_need(const ClaimQuestion *question, const ClaimPosition *position, Side side) {
    return question->need[position->phase][side];
}

/* The phase after a pass, or after the side to move has taken the button that lies on the table. */
static inline ClaimPhase claim_phase_after_pass(const ClaimPosition *position) {
    return position->phase != PHASE_BUTTON ? position->phase : position->side == BLACK ? PHASE_EASED : PHASE_CELLS;
}

/* The cells on which the side to move may place or flip. */
uint64_t claim_moves(const ClaimQuestion *question, const ClaimPosition *position);

/* What follows such a move; claim_pass: what follows a pass, or taking the button that lies on the table. */
void claim_play(const ClaimQuestion *question, const ClaimPosition *position, int cell, ClaimPosition *next);
void claim_pass(const ClaimPosition *position, ClaimPosition *next);

/* Who has enough safe cells, with a small claim (8), or NOBODY. */
int claim_static(const ClaimQuestion *question, const ClaimPosition *position, uint64_t *claim);

/* The winner's claim before his move on `cell`, from the one after it (9). */
uint64_t claim_before_move(const ClaimQuestion *question, const ClaimPosition *position, int cell, uint64_t after);

/* The claim of the side that is not to move, from the union of its claims on what follows some moves, with the cells
 * that lie on all of these claims and were not moved on (10); none of them is a legal move. */
uint64_t claim_before_defeats(const ClaimQuestion *question, const ClaimPosition *position, uint64_t after,
                              uint64_t left);

#endif
