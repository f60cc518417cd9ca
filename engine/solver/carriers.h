/* Carriers: the cells that a proof rests on, so that one proof answers for many moves and many positions.
 *
 * This is an optional part of a game's model (engine/solver/model.h). A game that fills it in is solved by proof-number
 * search with must-play (proof_number_internal.h), which copes with many more empty cells than alpha-beta.
 *
 * A *question* asks whether Black reaches a goal. If he does, Black wins the question, otherwise White does. A *proof*
 * says that a side wins a position. Its *carrier* is a set of cells without stones of the loser (the word is from Hex).
 * The proof holds on every position of the same phase, with the same side to move, on which the winner has all the
 * stones that he had on the carrier, and the loser has no stone on the carrier. What stands on other cells does not
 * matter.
 *
 * Games that can fill this in:
 *
 *  - The board is hexhex-5 at most, so that a set of cells is one word. A position is the stones of both sides, the
 *    side to move, and a *phase*: a small number for whatever else matters, such as who has a button.
 *  - A turn puts a stone of the mover on a cell, empty or the opponent's, or leaves all stones in place.
 *  - A player's own stones never harm him, nor does having the move. So a player may always add a stone of his to a
 *    position that he has won, and his proofs hold for the new position too.
 *
 * Connection games such as Hex and Y are of this kind; tests/engine/solver/test_connection.c has one. Stigmergy's
 * theorems are in engine/games/stigmergy/proof/carriers_internal.h.
 *
 * In all sets of cells, cell c is bit c. */
#ifndef STIGMERGY_ENGINE_SOLVER_CARRIERS_H
#define STIGMERGY_ENGINE_SOLVER_CARRIERS_H

#include "engine/game/game.h"

enum {
    PROOF_NO_CELL = -1, /* the cell of a turn that leaves all stones in place */
    PROOF_NO_TURN = -1, /* there is no such turn */
    PROOF_PHASES = 3,   /* phases are 0 to 2 */
    PROOF_SETS = 12     /* of cells, in a position */
};

typedef struct ProofQuestion {
    const Game *game;
    uint64_t full; /* all cells of the board */
    int goal; /* 0 to 255; a proof for Black holds for all lower goals as well, a proof for White for all higher ones */
} ProofQuestion;

typedef struct ProofPosition {
    Side side; /* to move */
    int phase;
    uint64_t set[PROOF_SETS]; /* Black's stones, White's stones, then whatever the game keeps for itself */
} ProofPosition;

/* What is known of a position: its winner with a carrier, or how hard it is to find out. */
typedef struct ProofStatus {
    Side winner; /* or NOBODY */
    uint64_t carrier;
    uint32_t phi, delta; /* roughly the effort of proving that the side to move wins, and that the other one does */
} ProofStatus;

typedef struct SolverCarriers {
    /* Positions with this number of stones or fewer are kept in canonical form (engine/solver/canonical.h). 0 for a
     * game that does not have all symmetries of the board. */
    int canonical_stones;

    /* Whether there are proofs for a position, which is not over: whether it is of the kind above. Asked only on boards
     * of one word. */
    bool (*knows)(const Game *game, const GameState *state);

    /* The question whether the value of a known position is at least `threshold_half_points` (engine/solver/solver.h),
     * and the position. False where there is nothing to ask. */
    bool (*open)(const Game *game, const GameState *state, int threshold_half_points, ProofQuestion *question,
                 ProofPosition *position);

    /* The cells on which the side to move may put a stone. */
    uint64_t (*moves)(const ProofQuestion *question, const ProofPosition *position);

    /* The phase after the turn that leaves all stones in place, if that may be a best turn here; else PROOF_NO_TURN.
     * `moves` are those of the position. Where the enemy wins after this turn, a proof of that must refute every stone
     * outside its carrier as well, although the phase may be another one. */
    int (*other_turn)(const ProofPosition *position, uint64_t moves);

    /* The position after a stone on `cell`, or after the other turn (PROOF_NO_CELL). */
    void (*play)(const ProofQuestion *question, const ProofPosition *position, int cell, ProofPosition *next);

    /* What is known about a position without a search: the winner, with a carrier that is as small as can be found
     * cheaply, or else NOBODY with phi and delta, each at least 1. Must find the winner where no turn is left. */
    void (*look)(const ProofQuestion *question, const ProofPosition *position, ProofStatus *status);

    /* The carrier of the side to move before its move on `cell`, from the one after it. The carrier includes the
     * *grounds* for the move: what guarantees that it is legal. */
    uint64_t (*before_move)(const ProofQuestion *question, const ProofPosition *position, int cell, uint64_t after);

    /* The carrier of the side that is not to move, where all moves are refuted. `after`: the union of the carriers of
     * the refutations. `left`: the cells that are on all of these carriers and on which no refuted move put a stone.
     * None of them is a legal move, and the carrier includes the grounds for that. */
    uint64_t (*before_defeats)(const ProofQuestion *question, const ProofPosition *position, uint64_t after,
                               uint64_t left);

    /* The action of a move on `cell`, or of the other turn (PROOF_NO_CELL). */
    Action (*action)(const Game *game, const GameState *state, int cell);

    /* Optional: whether a threshold is one of those to be asked first. The others are harder. They are asked when none
     * of the first ones is open. */
    bool (*asked_first)(const Game *game, const GameState *state, int threshold_half_points);
} SolverCarriers;

#endif
