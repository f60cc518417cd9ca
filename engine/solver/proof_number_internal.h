/* Proof-number search with carriers (carriers.h): whether a value is at least a threshold.
 *
 * It is for boards that are far from full and thresholds that are far from the value. No good order of moves is known
 * there, and a depth-first search would get lost.
 *
 * The search is depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its
 * applications", 2002). The search turns to the second best child only when the best one's number exceeds it by a
 * quarter (Pawlewicz and Lew, "Improving depth-first pn-search: 1+epsilon trick", 2007). At a node where the side to
 * move has to be refuted, only moves on the carriers of all refutations found so far are searched (must-play, as in
 * Arneson, Hayward and Henderson, "Solving Hex: beyond humans", 2011). So one proof often answers for most moves, and
 * the sum of the children's proof numbers is far too large an estimate: the largest one counts whole and the others for
 * a sixth (between the sum and the maximum of Ueda et al., "Weak proof-number search", 2008). The game gives the
 * numbers of a new position.
 *
 * Solved positions are kept in a table, and their carriers in lists as well, wherever in the tree they were found
 * (carrier_list_internal.h). Before a node is searched it is tried on the carriers that hold on it, that hold after one
 * move, or that hold after a pass and so leave few moves to be searched. A new position is tried on those that hold
 * after one move. A search works on one thread; several searches have nothing in common. */
#ifndef STIGMERGY_ENGINE_SOLVER_PROOF_NUMBER_INTERNAL_H
#define STIGMERGY_ENGINE_SOLVER_PROOF_NUMBER_INTERNAL_H

#include "engine/base/stop_flag.h"
#include "engine/solver/carrier_list_internal.h"
#include "engine/solver/carriers.h"

typedef struct ProofSearch ProofSearch;

/* Whether positions of this game can be searched. `carriers`: those of the game's model; NULL where it has none. */
bool proof_search_plays(const SolverCarriers *carriers, const Game *game);

/* Whether this one can. */
bool proof_search_knows(const SolverCarriers *carriers, const Game *game, const GameState *state);

/* The least memory of a search, in bytes. */
size_t proof_search_least(void);

/* Makes a search for a game that proof_search_plays in `bytes` of memory (all zero, aligned for any type, at least
 * proof_search_least()). The memory stays the caller's and must be used for nothing else; the system provides it as it
 * is used. There is nothing to free. */
ProofSearch *proof_search_new(const SolverCarriers *carriers, const Game *game, void *memory, size_t bytes);

/* Makes it forget all positions: it then searches as a new one. */
void proof_search_clear(ProofSearch *search);

typedef struct ProofLimits {
    uint64_t nodes;       /* positions looked at, of this question; 0: no limit */
    double deadline;      /* in wall_seconds(); 0: none */
    const StopFlag *stop; /* the search gives up soon after this is set; may be NULL */
} ProofLimits;

typedef enum ProofAnswer {
    PROOF_NO,
    PROOF_YES,
    PROOF_LIMITED,
    PROOF_BEYOND /* too deep or too hard for this search, or no question for carriers: do not ask again */
} ProofAnswer;

typedef struct ProofResult {
    ProofAnswer answer;
    Action best;      /* achieves the answer, if that is the one that the side to move wants */
    uint64_t carrier; /* of the proof; 0 where there is none */
    uint64_t nodes;
} ProofResult;

/* Whether the value of a position (solver.h), one that proof_search_knows, is at least a threshold. The table is kept
 * from one question to the next: asked again with a higher limit, a search goes on where it was. */
ProofResult proof_search_ask(ProofSearch *search, const GameState *state, int threshold_half_points,
                             const ProofLimits *limits);

/* The carriers that are kept, from the last question and from earlier ones: those of proofs for `winner` with `to_move`
 * to move. */
const CarrierList *proof_search_carriers(const ProofSearch *search, int phase, Side winner, Side to_move);

#endif
