/* Proof-number search with claims: whether a value is at least so much. Where that is far from the value
 * and the board far from full, no order of moves is to be had and a depth-first search gets lost.
 *
 * Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) with
 * thresholds that let the second best child be overtaken by a quarter (Pawlewicz and Lew, "Improving depth-first
 * pn-search: 1+epsilon trick", 2007). Where the side to move is to be refuted, moves that are not on all claims found
 * so far need no search (engine/games/stigmergy/proof/claim.h, as in Arneson, Hayward and Henderson, "Solving Hex:
 * beyond humans", 2011). So one proof often answers for most moves, and the sum of the children's numbers says far too
 * much: the largest one counts whole and the others for a sixth (between the sum and the maximum of Ueda et al., "Weak
 * proof-number search", 2008). A new position's numbers are the safe cells that either side lacks.
 *
 * Solved positions stand in the table with their claims, and the claims in lists as well, wherever in the tree they
 * were found (engine/games/stigmergy/proof/claim_list.h). Each node is tried on them before it is searched: on claims
 * that hold on it, that hold after one move, or that hold after a pass and so leave few moves to search; each new
 * position on those that hold after one move. That leaves a seventh of the nodes. A search works on one thread; several
 * have nothing in common.
 */
#ifndef STIGMERGY_ENGINE_SOLVER_PROOF_NUMBER_H
#define STIGMERGY_ENGINE_SOLVER_PROOF_NUMBER_H

#include "engine/games/stigmergy/proof/claim.h"
#include "engine/games/stigmergy/proof/claim_list.h"

#include <stdatomic.h>

typedef struct ProofSearch ProofSearch;

/* Whether there are claims for positions of this game: for Stigmergy up to size 5. */
bool proof_search_plays(const Game *game);

/* And for this one: no pass has just been made, and the game is not over. */
bool proof_search_knows(const Game *game, const GameState *state);

/* The least memory of a search, in bytes. */
size_t proof_search_least(void);

/* Makes a search in `bytes` of memory (all zero, aligned for any type, at least proof_search_least()), which stays the
 * caller's and is to be used for nothing else; it is taken up as it is used. There is nothing to free. */
ProofSearch *proof_search_new(const Game *game, void *memory, size_t bytes);

typedef struct ProofLimits {
    uint64_t nodes;          /* positions looked at, of this question; 0: no limit */
    double deadline;         /* in wall_seconds(); 0: none */
    const atomic_bool *stop; /* gives up soon after either is set; may be NULL */
    const atomic_bool *moot;
} ProofLimits;

typedef enum ProofAnswer {
    PROOF_NO,
    PROOF_YES,
    PROOF_LIMITED,
    PROOF_BEYOND /* deeper or harder than a search can hold, or nothing for claims: asking again is of no use */
} ProofAnswer;

typedef struct ProofResult {
    ProofAnswer answer;
    bool has_best; /* the side to move has the answer that it wants, by this move */
    Action best;
    uint64_t claim; /* of the side that the answer is good for; 0 where there is none */
    uint64_t nodes;
} ProofResult;

/* Whether the value of a position (solver.h) is at least `threshold` half points. The table is kept from one question
 * to the next: asked again with a higher limit, a search goes on where it was. */
ProofResult proof_search_ask(ProofSearch *search, const GameState *state, int threshold, const ProofLimits *limits);

/* The claims found for the last question and still kept: those by which a side wins with one side to move. */
const ClaimList *proof_search_claims(const ProofSearch *search, ClaimPhase phase, Side winner, Side to_move);

#endif
