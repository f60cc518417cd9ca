/* Opening books as SGF. */
#ifndef STIGMERGY_SELFPLAY_RUNS_BOOK_SGF_H
#define STIGMERGY_SELFPLAY_RUNS_BOOK_SGF_H

#include "selfplay/runs/run.h"

/* Writes the books as SGF, one game tree each: the moves with games or exact values as variations, the best first, with
 * comments. To be freed; NULL with an error. */
char *book_run_sgf(const Run *run, Error *error);

#endif
