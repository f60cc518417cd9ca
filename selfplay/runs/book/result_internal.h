/* The result document of an opening book. It follows from the games and from the rounds in which they were planned:
 * what a book has learnt, it has learnt between rounds. So a version that plans the same rounds makes it again from the
 * records; another one learns from all games at once, and its numbers differ a little (reread.h).
 *
 * Schema `stigmergy-book`, version 1; beside what all documents have (selfplay/io/document.h, `game, size, player,
 * seed, run, settings`):
 *
 *     games, different_games           all games; those of them that differ (up to symmetry)
 *     books: [{                        for each parity that is played
 *         parity                       "even", "odd" (with the button)
 *         games, different_games
 *         fair_komi, ci95              of the board: median and central 95% of the minimax over draws (draw.h)
 *         bracket                      whether nothing is known of where in ci95 it is (KomiEstimate)
 *         black_wins_up_to, white_wins_from       in komi values of the parity, with 97.5% each (BookAnswer)
 *         best: {move, probability}    the best first move, and the probability that it is; null before the first
 *                                      expansion
 *         line                         the best line, moves as one string
 *         first_moves: [{move, moves, node, games, games_through, fair_komi, ci95, bracket, probability}]  best first
 *         positions, inner, judged, exact        nodes in all; expanded; leaves that have their games; exact leaves
 *         deepest                      actions to the deepest position with games
 *         full                         the limit of nodes has kept a leaf from being expanded
 *         curve: {scale, lapse}        see komi_belief.h
 *         spread, error                of the moves of a position, and of what its own games say of the best one, in
 *                                      points (best_move.h)
 *         nodes: [{                    the positions that have games, children or an exact value; the first is the root
 *             node, line, to_move      number; the moves that lead there, as one string; "B", "W", null: over
 *             games, different_games   that were planned for this position; the same game may be one of another's
 *             games_through            those, and all that were planned for positions behind it
 *             results                  [[komi, games, Black's wins], ...], ascending
 *             fair_komi, ci95          an inner node: by minimax; a leaf: by its games
 *             bracket                  true, or left out, as in first_moves
 *             exact                    whether it is proved
 *             children: [{move, node, probability}]        an inner node: its moves, the best first; the probability
 *                                      that a move is the best. The position is that of the node up to a symmetry
 *             unplayed                 an inner node: how many children have no games; they are not in `nodes`
 *         }]
 *     }]
 *     combined: {fair_komi, ci95, bracket}    both books together (BookPair); where both parities are played
 *     gap: {estimate, ci95}            the even one minus the odd one; by theorem 0.5 or -0.5 with perfect players.
 *                                      Left out where a book is a bracket
 *     exact: {even, odd_with_button}   perfect play, where the solver knows it */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_RESULT_INTERNAL_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_RESULT_INTERNAL_H

#include "selfplay/runs/book/answer.h"

/* As RunKind.document. */
cJSON *book_result(const Run *run, const DocumentContext *context, Error *error);

/* Whether a node is worth showing: it has games, children, or an exact value. */
static inline bool book_shown(const BookNode *node) {
    return node->games > 0 || node->edges > 0 || book_node_exact(node);
}

#endif
