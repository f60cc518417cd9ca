/* Coming back to moves that the search has dismissed.
 *
 * A rule that goes where it has won most never looks again at a move that did badly in its first visits, or that a
 * policy gave no probability. So one simulation of `period` leaves the way that the rule of selection would take, at
 * one node: half of these at the root, a quarter at the node after it, and so on, each depth half as often as the one
 * before. There it takes an edge by the optimal computing budget allocation (Chen et al. 2000, "Simulation budget
 * allocation for further enhancing the efficiency of ordinal optimization"): of all edges but the most visited one,
 * that with the fewest visits for what it is worth. An edge whose value is d below that of the most visited edge is
 * worth visits in proportion to 1 / d^2. So every edge is visited again and again, as long as the node is, and those
 * that are nearly as good much more often.
 *
 * The result counts for the edge taken and for those below it, not for those above: the mean value of a node is that of
 * the moves that the rule of selection chooses. Where a move turns out to be better than it seemed, that rule takes it
 * from then on. A proof counts all the way up. */
#ifndef STIGMERGY_ENGINE_SEARCH_REVISIT_H
#define STIGMERGY_ENGINE_SEARCH_REVISIT_H

#include "engine/search/tree.h"

/* The depth of the node at which simulation `number` (from 1) of a thread leaves the way: 0 is the root; -1: it does
 * not, or `period` is 0. It does in numbers period - 1, 2 * period - 1, and so on. If `period` is even these are odd,
 * so they are never those in which busy nodes update their RAVE counts (simulation.c). In a wide run every second
 * simulation has a way of its own, and the others are numbered without these. */
int revisit_depth(uint64_t period, uint64_t number);

enum { REVISIT_NODE_VISITS = 64 };

/* The index of the edge of a node to come back to; -1 where there is none but the most visited one and proven ones, or
 * where its edges have less than REVISIT_NODE_VISITS visits, so that nothing has been dismissed yet. */
int revisit_edge(const Edges *edges);

/* For wide runs (SearchLimits.wide), every second simulation of which leaves the way at the root: the index of the edge
 * to look at, of those that are worth a comparison. These are the 12 with the best values besides the most visited one;
 * an edge without visits has the mean value of the node. They get visits in equal parts, half of that where a move is
 * worse by 0.15. -1 as above. */
int wide_edge(const Edges *edges);

#endif
