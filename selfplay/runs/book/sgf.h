/* Opening books as SGF. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_SGF_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_SGF_H

#include "selfplay/runs/run.h"

/* Writes the books as SGF, one game tree each: the moves with games or exact values as variations, the best first, with
 * comments. A tree has at most `most` positions (1 to GAME_TREE_NODES_MAX, which is what can be read again): those
 * nearest to the start, and among them those after the best moves. Where it leaves others out, the first comment says
 * so. To be freed; NULL with an error. */
char *book_run_sgf(const Run *run, int most, Error *error);

#endif
