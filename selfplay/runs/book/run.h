/* The opening book: the fair komi of a board, found by looking at all first moves, and deeper.
 *
 * Free self-play says what the board is worth to a player who opens as this player does. If it overlooks the best first
 * move, so does the answer. A book plays games from every class of first moves, and from their answers, where that may
 * change the value of the board. That value is what stands at the end of Black's best first move, White's best answer
 * and so on: at a leaf, which is judged by games between equal players from there. tree.h says what the book is,
 * selfplay/stats/komi_belief.h what a leaf is worth, draw.h what an inner node is, plan.h where games go.
 *
 * Even komi and odd komi (with the button) have a book each, for their positions differ: a group of games "even" and
 * one "odd". By theorem the value of a position with the button differs by half a point from that without, either way;
 * so what the two books differ by beyond that is an error of the player (or chance).
 *
 * RunGame.plan is an arm of the group's tree, a position and a komi. A game begins with the line to the position, under
 * a symmetry of the board drawn by the seed of the game. The player chooses all other moves. The tree is made from the
 * plans of the rounds again when records are read. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_RUN_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_RUN_H

#include "selfplay/runs/book/answer.h"

extern const RunKind book_kind;

#endif
